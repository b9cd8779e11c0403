"""Chances: from a difference in scores to the probability to win, learned from the past.

    P(a beats b) = 1 / (1 + exp(-steep (x_a - x_b) / (G sqrt(1 + doubt (1/n_a + 1/n_b)))))

G is the typical spread of a contest and n the number of contests behind a score: a difference
between two who are hardly known says less. Steepness and doubt are those under which the
probabilities given before the contests so far would have had the least Brier score, the mean of
(probability - outcome)^2.

References
----------
G. W. Brier, Verification of forecasts expressed in terms of probability, 1950.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats

STEEP = np.geomspace(0.1, 30.0, 40)
DOUBT = np.array([0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0])


class Chances:
    """The probability to win, as past contests teach it.

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

    def __init__(self) -> None:
        self._briers = np.zeros((len(DOUBT), len(STEEP)))

    def add(self, score: Floats, x: Floats, n: Floats, typical: float) -> None:
        """Take in a contest: results, the scores before it and what they rested on."""
        from qrja.adaptive.kernels import record as kernels

        if typical > 0:
            kernels.add_briers(score, x / typical, 1.0 / n, DOUBT, STEEP, self._briers)

    @property
    def chosen(self) -> tuple[float, float]:
        """The doubt and the steepness that were best so far."""
        d, s = np.unravel_index(self._briers.argmin(), self._briers.shape)
        return float(DOUBT[d]), float(STEEP[s])

    def beats(self, x: Floats, n: Floats, typical: float) -> Floats:
        """Return the probability of each (row) to beat each other (column); 1/2 oneself."""
        doubt, steep = self.chosen
        lack = 1.0 / n
        apart = (x[:, None] - x) / (typical * np.sqrt(1 + doubt * (lack[:, None] + lack)))
        # tanh saturates where exp would overflow.
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * steep * apart))
