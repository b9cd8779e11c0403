"""Tie odds: the probability of a tie, from that to win if there is none, learned from the past.

    P(tie) = nu e^kappa / (1 + nu e^kappa),     e = 4 p (1 - p)

with p the probability that one of the two beats the other if they do not tie: e is 1 between equals
and less the farther they are apart. kappa = 1/2 is Davidson's model; 0 is a share of ties that
does not depend on who meets. nu and kappa are those under which the past was the least surprise.
Past pairs are counted by e, in :data:`CELLS` cells; as if in :data:`PRIOR` pairs of each more
nobody had tied but half of a pair.

References
----------
R. R. Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison
experiments, 1970.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Mask

KAPPAS = np.array([0.0, 0.25, 0.5, 1.0, 2.0])
CELLS = 10
PRIOR = 0.1
ENOUGH, STEPS = 1e-8, 30
"""Newton steps for the logarithm of nu end when they are as short, or after so many."""
LONGEST = 1.0
"""What a step may move at most: far out the surprise is nearly straight."""


class TieOdds:
    """The probability of a tie, as past pairs teach it.

    Examples
    --------
    >>> draws = TieOdds()
    >>> even, clear = np.full(100, 0.5), np.full(100, 0.99)
    >>> draws.add(even, np.arange(100) < 30)
    >>> draws.add(clear, np.arange(100) < 5)
    >>> draws.ties(np.array([0.5, 0.99])).round(2)
    array([0.28, 0.07])
    """

    def __init__(self) -> None:
        self._tied, self._pairs = np.zeros(CELLS), np.zeros(CELLS)
        self._even = np.zeros(CELLS)
        self._log_nu = np.full(len(KAPPAS), -3.0)
        self.chosen = (float(np.exp(self._log_nu[0])), float(KAPPAS[0]))
        """The nu and the kappa that were best so far."""

    def add(self, chance: Floats, tied: Mask, kept: float = 1.0) -> None:
        """Take in pairs, after leaving of the earlier ones a share that is ``kept``."""
        even = 4 * chance * (1 - chance)
        cell = np.minimum((even * CELLS).astype(np.int64), CELLS - 1)
        for memory, values in ((self._tied, tied), (self._pairs, None), (self._even, even)):
            memory *= kept
            memory += np.bincount(cell, values, minlength=CELLS)
        self.chosen = self._choose()

    def ties(self, chance: Floats) -> Floats:
        """Return the probability of a tie, from that to win if there is none; NaN from NaN."""
        return tie_chances(chance, *self.chosen)

    def _choose(self) -> tuple[float, float]:
        """Return the nu and kappa of the least surprise, by Newton's method from the last ones."""
        middle = (np.arange(CELLS) + 0.5) / CELLS
        tied, pairs = self._tied + PRIOR / (2 * CELLS), self._pairs + PRIOR
        bend = KAPPAS[:, None] * np.log((self._even + PRIOR * middle) / pairs)
        for _ in range(STEPS):
            share = 1 / (1 + np.exp(-(self._log_nu[:, None] + bend)))
            slope = share @ pairs - tied.sum()
            step = np.clip(slope / ((share * (1 - share)) @ pairs), -LONGEST, LONGEST)
            self._log_nu = self._log_nu - step
            if np.abs(step).max() < ENOUGH:
                break
        z = self._log_nu[:, None] + bend
        best = int((np.logaddexp(0.0, z) @ pairs - z @ tied).argmin())
        return float(np.exp(self._log_nu[best])), float(KAPPAS[best])


def tie_chances(chance: Floats, nu: float, kappa: float) -> Floats:
    """Return the probability of a tie, from that to win; NaN from NaN.

    Examples
    --------
    >>> tie_chances(np.array([0.5, 0.9]), 0.5, 1.0).round(3)
    array([0.333, 0.153])
    """
    odds = nu * (4 * chance * (1 - chance)) ** kappa
    return np.where(np.isnan(chance), np.nan, odds / (1 + odds))
