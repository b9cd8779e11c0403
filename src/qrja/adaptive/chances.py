"""Chances: from a difference in scores to the probability to win, learned from the past.

    P(a beats b) = 1 / (1 + exp(-steep (x_a - x_b) / (G sqrt(1 + doubt (1/n_a + 1/n_b)))))

G is the typical spread of a contest and n the number of contests behind a score: a difference
between two who are hardly known says less. Steepness and doubt are those under which what came so
far would have been the least surprise, minus the mean logarithm of its probability.

What is said then is corrected by what came of what was said: of past pairs whose likelier one had
about the same probability, by tenths, the mean of (probability - outcome) is taken off, as if
:data:`PRIOR` pairs more had come out as foretold; between the middles of tenths on a line. The
likelier stays the likelier. How probable a tie is follows from the same (:mod:`tie_odds`). All
memories halve in :data:`CONTESTS` contests, those of fewer than :data:`PAIRS` pairs counting as the
part of one that they are.

References
----------
I. J. Good, Rational decisions, 1952.
J. Platt, Probabilistic outputs for support vector machines, 1999.
"""

from __future__ import annotations

import numpy as np

from qrja.adaptive.tie_odds import TieOdds
from qrja.data import Floats

STEEP = np.geomspace(0.1, 30.0, 40)
DOUBT = np.array([0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0])
TENTHS = 5
PRIOR = 200.0
"""Chosen, as is how fast memories fade, with the set that is judged left out: ``docs/auto.md``."""
CONTESTS, PAIRS = 25.0, 400.0
LEFT = 0.1
"""Of the way to an even chance, and to certainty, so much at least is left by a correction."""


class Chances:
    """The probability to win, as past contests teach it.

    Parameters
    ----------
    prior : float
        Pairs that count as if they had come out as foretold, for every tenth.
    memory : float
        Contests in which memories halve.

    Examples
    --------
    >>> chances = Chances()
    >>> x, n = np.array([1.0, 0.0]), np.array([9, 9])
    >>> for winner in (0, 0, 0, 1):
    ...     chances.add(np.eye(2)[winner], x, n, typical=1.0)
    >>> chances.beats(x, n, typical=1.0).round(2)
    array([[0.5 , 0.75],
           [0.25, 0.5 ]])
    """

    def __init__(self, prior: float = PRIOR, memory: float = CONTESTS) -> None:
        self._prior, self._memory = prior, memory
        self._surprises = np.zeros((len(DOUBT), len(STEEP)))
        self._gaps, self._pairs = np.zeros(TENTHS), np.zeros(TENTHS)
        self._draws = TieOdds()

    def add(self, score: Floats, x: Floats, n: Floats, typical: float) -> None:
        """Take in a contest: results, the scores before it and what they rested on."""
        from qrja.adaptive.kernels import record as kernels

        if typical <= 0:
            return
        first, second = np.triu_indices(len(score), 1)
        unequal = score[first] != score[second]
        kept = 2.0 ** -(min(1.0, float(unequal.sum()) / PAIRS) / self._memory)
        for memory in (self._surprises, self._gaps, self._pairs):
            memory *= kept
        said = self._foretell(x, n, typical)[first, second]
        self._draws.add(self._correct(said), ~unequal, kept)
        chance = said[unequal]
        won = (score[first] > score[second])[unequal]
        turned = chance < 0.5
        likely, came = np.where(turned, 1 - chance, chance), won != turned
        tenth = np.minimum(((likely - 0.5) * 2 * TENTHS).astype(np.int64), TENTHS - 1)
        surplus = np.where(chance == 0.5, 0.0, likely - came)
        self._gaps += np.bincount(tenth, surplus, minlength=TENTHS)
        self._pairs += np.bincount(tenth, minlength=TENTHS)
        kernels.add_surprises(score, x / typical, 1.0 / n, DOUBT, STEEP, self._surprises)

    @property
    def chosen(self) -> tuple[float, float]:
        """The doubt and the steepness that were best so far."""
        d, s = np.unravel_index(self._surprises.argmin(), self._surprises.shape)
        return float(DOUBT[d]), float(STEEP[s])

    def _foretell(self, x: Floats, n: Floats, typical: float) -> Floats:
        """Return the probabilities before they are corrected."""
        doubt, steep = self.chosen
        lack = 1.0 / n
        apart = (x[:, None] - x) / (typical * np.sqrt(1 + doubt * (lack[:, None] + lack)))
        # tanh saturates where exp would overflow.
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * steep * apart))

    def beats(self, x: Floats, n: Floats, typical: float) -> Floats:
        """Return the probability of each (row) to beat each other (column); 1/2 oneself."""
        return self._correct(self._foretell(x, n, typical))

    def ties(self, beats: Floats) -> Floats:
        """Return the probability of a tie, from that to win if there is none; 0 of oneself."""
        tied = self._draws.ties(beats)
        tied = (tied + tied.T) / 2  # both sides round alike
        np.fill_diagonal(tied, 0.0)
        return tied

    def _correct(self, chance: Floats) -> Floats:
        """Take off by how much such probabilities were wrong."""
        lead = np.abs(chance - 0.5)
        mean = self._gaps / (self._pairs + self._prior)
        middles = (np.arange(TENTHS) + 0.5) / (2 * TENTHS)
        corrected = lead - np.interp(lead, np.append(0.0, middles), np.append(0.0, mean))
        kept = np.clip(corrected, LEFT * lead, 0.5 - LEFT * (0.5 - lead))
        return np.asarray(0.5 + np.sign(chance - 0.5) * kept)
