"""Calibration: the quantile that holds, where noise is not normal or the loss not the square.

An interval ``x_i -+ t s_i`` of level ``1 - a`` takes t from Student's distribution. Of noise with
heavy tails that is too much in the middle: few results make the spread, and most ratings are nearer
to the truth. So results are drawn anew, fitted, and each rating asked at which level its interval
would just have held the truth,

    p_ik = P(|t_df| > |T_ik|),     T_ik = (x*_ik - x_i) / s*_ik,     s*_ik = sd_i sqrt(Q*_k / df)

with Q* the misfit of draw k. Ratings are alike in this, so all are pooled: of level ``1 - a`` is
what has t for the ``a`` quantile of the ``p_ik``, instead of for a. Normal noise has ``p = a``.

References
----------
R. Beran, Prepivoting to reduce level error of confidence sets, 1987.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, quantiles
from qrja.distributions import student_chance

POOLED = 100_000
"""So many of the p_ik are enough: a quantile of 5 % is right to a thousandth."""
FEW = 20
"""Draws beyond a quantile that it takes to see it; further out the tail goes on as Student's."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Levels turned into those that hold; without ``chances`` they are as they are.

    Parameters
    ----------
    chances : array of float
        The p_ik, sorted.

    Examples
    --------
    >>> too_wide = Calibration(np.linspace(0.0, 1.0, 1001) ** 0.5)
    >>> float(Calibration().tail(0.25)), float(too_wide.tail(0.25))
    (0.25, 0.5)
    """

    chances: Floats | None = None

    @classmethod
    def of_draws(cls, pivots: Floats, df: Floats) -> Calibration:
        """Learn it from T_ik, a row for each rating; rows that do not vary are left out."""
        some = np.flatnonzero(pivots.any(axis=1))
        rows = some[:: max(1, some.size * pivots.shape[1] // POOLED)]
        if not len(rows):
            return cls()
        return cls(
            np.sort(2.0 * student_chance(df[rows][:, None], -np.abs(pivots[rows])), axis=None)
        )

    def tail(self, a: float) -> float:
        """Return what to take for a, the chance to miss."""
        if self.chances is None:
            return a
        seen = min(1.0, max(a, FEW / len(self.chances)))
        return float(quantiles(self.chances, [seen])[0]) * a / seen
