"""A ridge on terms as lines, for programs that know lines only.

    ridge d^2  >=  ridge (2 c d - c^2)      for all c, equal where d = c

for steps d from the best point. Tangents are added where the lowest point was found, until it is
no lower than the ridge itself: in every round the nearest tangent is half as far away.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats


class RidgeTangents:
    """The tangents of a ridge, one list for each column that it pulls.

    Parameters
    ----------
    ridge : array of float
        What pulls each column; 0 for those that nothing pulls.

    Examples
    --------
    >>> tangents = RidgeTangents(np.array([0.0, 0.5]))
    >>> tangents.add(np.array([9.0, 2.0]))
    >>> rows, above = tangents.rows(np.zeros(2), np.full(2, 4.0))
    >>> rows[0], above[0]  # q >= 2 d - 2, touching where d = 2
    (array([ 0.,  2., -1.]), np.float64(2.0))
    """

    def __init__(self, ridge: Floats) -> None:
        self.ridge, self.pulled = ridge, np.flatnonzero(ridge)
        self._touched: list[tuple[int, float]] = []

    def __len__(self) -> int:
        return len(self.pulled)

    def add(self, beta: Floats) -> None:
        """Touch the ridge of each column at a point."""
        self._touched += [(place, float(beta[j])) for place, j in enumerate(self.pulled)]

    def rows(self, best: Floats, steep: Floats) -> tuple[Floats, Floats]:
        """Return the tangents as rows of ``M (d, q) <= m``, q being what the ridge adds.

        Two of each column are as far out as what is so ``steep`` could lead: no step is endless.
        """
        near = [(place, at - best[self.pulled[place]]) for place, at in self._touched]
        ends = [(k, side * steep[j]) for k, j in enumerate(self.pulled) for side in (1, -1)]
        far = [(place, end / self.ridge[self.pulled[place]]) for place, end in ends]
        k, touched = len(self.ridge), [*near, *far]
        rows, above = np.zeros((len(touched), k + len(self))), np.zeros(len(touched))
        for row, (place, c) in enumerate(touched):
            j = self.pulled[place]
            rows[row, j], rows[row, k + place] = 2 * self.ridge[j] * c, -1.0
            above[row] = self.ridge[j] * c**2
        return rows, above

    def missing(self, step: Floats, added: Floats) -> float:
        """Return how far below the ridge its tangents are at a step."""
        return float(np.sum(self.ridge[self.pulled] * step[self.pulled] ** 2 - added))
