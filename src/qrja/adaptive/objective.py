"""What a member minimises: a convex QRJA problem, and how far from its minimum scores are.

    minimise over x, t   sum_ic  a_ic rho(g_ic - x_i - t_c)  +  F u_ic (0 - x_i - t_c)^2
                         + Z sum_i x_i^2

    a_ic = weight_c 2^(-contests since / h) 2^(-own contests since / o),   u_ic = a_ic / sum_c a_ic

rho is the square, or Huber's: linear from delta on. The level t_c of a contest is free, so only
margins within a contest matter: without it the first sum runs over pairs of a contest, weighing
a_i a_j / sum a. The second sum says that everybody also came in at the mean of each field: these
entries weigh F = L in all, however many contests there are, so they rule a newcomer's score and are
lost among the results of an old hand. Z is a tenth of F.

The objective minus ``Z sum x^2`` is convex. Hence, with r(x) its minimum over t,

    min r  >=  r(x) - |grad r(x)|^2 / (4 Z)

for any x: a lower bound that needs no solver.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Index, Offsets, sum_by

LEVELS = 200
"""Most steps to find the levels of contests under Huber's loss; they converge geometrically."""


@dataclass(frozen=True, eq=False)
class Objective:
    """The objective of one member on the contests so far.

    Parameters
    ----------
    group, who : array of int
        The contest and the contestant of each entry.
    g, a : array of float
        Its transformed score and its weight.
    delta : float
        Where Huber's loss turns linear; infinity for squares.
    field, zero : float
        F and Z.

    Examples
    --------
    >>> pair = np.array([0, 0]), np.array([0, 1]), np.array([1.0, -1.0]), np.ones(2)
    >>> objective = Objective(*pair, delta=np.inf, field=1.0, zero=0.5)
    >>> x = np.array([0.4, -0.4])                        # (1 - x) = (F + Z) x
    >>> round(objective.value(x), 9), round(objective.gap(x), 9)
    (1.2, 0.0)
    >>> objective.gap(np.zeros(2)) >= 2.0 - 1.2
    True
    """

    group: Offsets
    who: Index
    g: Floats
    a: Floats
    delta: float
    field: float
    zero: float

    @property
    def shares(self) -> Floats:
        """The share of each entry in the weight of its contestant."""
        return self.a / sum_by(self.who, self.a, int(self.who.max()) + 1)[self.who]

    def levels(self, x: Floats) -> Floats:
        """Return the best level of each contest for given scores."""
        count, pull = int(self.group.max()) + 1, self.field * self.shares
        apart, own = self.g - x[self.who], -x[self.who]
        t = np.zeros(count)
        for _ in range(1 if self.delta == np.inf else LEVELS):
            w = self.a * self._reduce(apart - t[self.group])
            above = sum_by(self.group, w * apart + pull * own, count)
            last, t = t, above / np.maximum(sum_by(self.group, w + pull, count), 1e-300)
            if np.array_equal(last, t):
                break
        return t

    def _reduce(self, residual: Floats) -> Floats:
        if self.delta == np.inf:
            return np.ones(len(residual))
        return self.delta / np.maximum(self.delta, np.abs(residual))

    def value(self, x: Floats) -> float:
        """Return the objective at given scores and the best levels."""
        level = self.levels(x)[self.group]
        residual, off = self.g - x[self.who] - level, x[self.who] + level
        inside = np.minimum(np.abs(residual), self.delta)
        loss = inside * (2 * np.abs(residual) - inside)
        prior = self.field * (self.shares * off**2).sum() + self.zero * (x**2).sum()
        return float((self.a * loss).sum() + prior)

    def slope(self, x: Floats) -> Floats:
        """Return the slope of the objective in the scores."""
        level = self.levels(x)[self.group]
        residual, off = self.g - x[self.who] - level, x[self.who] + level
        pull = 2 * self.field * self.shares * off - 2 * self.a * self._reduce(residual) * residual
        return sum_by(self.who, pull, len(x)) + 2 * self.zero * x

    def gap(self, x: Floats) -> float:
        """Return by how much, at most, the objective could still fall."""
        return float((self.slope(x) ** 2).sum() / (4 * self.zero))
