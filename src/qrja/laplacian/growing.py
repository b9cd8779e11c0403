"""Least squares that grow judgment by judgment: the inverse is kept, and changed by what is new.

With G the inverse of the Laplacian, grounded at one candidate of each component, a pair (a, b) of
weight w that joins two of one component changes it by a matrix of rank one,

    G' = G - z z^T / (1/w + z_a - z_b),     x' = x + z (y - x_a + x_b) / (1/w + z_a - z_b),

where ``z = G (e_a - e_b)``. A pair that joins two components fits exactly, and what is known of the
smaller one is carried over:

    G'_ij = G_ij - G_ib - G_bj + G_bb + 1/w + G_aa,     G'_ik = G_ak      i, j in it, k in the other

The vectors z are kept beside G and taken from it some at a time, which costs a multiplication of
matrices instead of many passes over G. Then the scores are refined, ``x + G g`` with the gradient g
of all judgments, until that changes nothing but rounding: errors do not add up.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.data import Floats, Index, centre, sum_by

LARGEST = 3_000
"""Candidates whose inverse is kept: more than a solver takes to solve anew from there on."""
APART = 1e6
"""Ratio of weights up to which the inverse holds its digits."""
ASIDE = 64
"""Vectors that are kept beside the inverse."""
REFINED, ROUNDS = 1e-12, 5
"""Relative change of scores that is rounding, and rounds allowed to come down to it."""


class GrowingSquares:
    """Least squares of pairs that are added one by one.

    Examples
    --------
    >>> growing = GrowingSquares()
    >>> for a, b, margin in (0, 1, 1.0), (1, 2, 1.0), (0, 2, 5.0):
    ...     assert growing.meet(3) and growing.add(a, b, margin, 1.0)
    >>> growing.scores().round(9)
    array([ 2.,  0., -2.])
    """

    def __init__(self) -> None:
        self.n = 0
        self._inverse, self._aside = np.zeros((0, 0)), np.zeros((ASIDE, 0))
        self._kept = 0
        self._x = np.zeros(0)
        self._label = np.zeros(0, dtype=np.int64)
        self._members: dict[int, list[int]] = {}
        self._pairs = _Pairs()
        self._light, self._heavy = np.inf, 0.0
        self._is_exact = True

    def meet(self, count: int) -> bool:
        """Make room for so many candidates; tell whether scores are still exact."""
        if count <= self.n:
            return self._is_exact
        if count > LARGEST:
            self._is_exact = False
            return False
        if count > len(self._x):
            self._reserve(max(2 * len(self._x), count, 16))
        for new in range(self.n, count):
            self._members[new] = [new]
        self.n = count
        return self._is_exact

    def add(self, a: int, b: int, margin: float, weight: float) -> bool:
        """Add that a is ahead of b by a margin; tell whether scores are still exact."""
        self._light, self._heavy = min(self._light, weight), max(self._heavy, weight)
        if not 0 < self._heavy <= APART * self._light:
            self._is_exact = False
        if a == b or not self._is_exact:  # nobody is ahead of himself
            return self._is_exact
        if self._label[a] != self._label[b]:
            self._join(a, b, margin, weight)
        else:
            self._narrow(a, b, margin, weight)
        self._pairs.append(a, b, margin, weight)
        if self._kept == ASIDE:
            self._settle()
        return self._is_exact

    def scores(self) -> Floats:
        """Return the scores of all, each component with mean 0."""
        return centre(self._x[: self.n], self._label[: self.n])

    # ------------------------------------------------------------------------------ steps

    def _reserve(self, size: int) -> None:
        n = self.n
        inverse, aside, x = np.zeros((size, size)), np.zeros((ASIDE, size)), np.zeros(size)
        inverse[:n, :n], x[:n] = self._inverse[:n, :n], self._x[:n]
        aside[:, :n] = self._aside[:, :n]
        self._inverse, self._aside, self._x = inverse, aside, x
        self._label = np.append(self._label[:n], np.arange(n, size))

    def _narrow(self, a: int, b: int, margin: float, weight: float) -> None:
        """Add a pair of one component."""
        n, x = self.n, self._x
        z = self._inverse[a, :n] - self._inverse[b, :n]
        if self._kept:
            v = self._aside[: self._kept, :n]
            z -= (v[:, a] - v[:, b]) @ v
        variance = 1.0 / weight + float(z[a] - z[b])
        off = margin - float(x[a] - x[b])
        self._aside[self._kept, :n] = z / math.sqrt(variance)
        self._kept += 1
        z *= off / variance
        x[:n] += z

    def _join(self, a: int, b: int, margin: float, weight: float) -> None:
        """Join the components of a and b, of which a is ahead."""
        if len(self._members[int(self._label[b])]) > len(self._members[int(self._label[a])]):
            a, b, margin = b, a, -margin
        to, members = int(self._label[a]), self._members.pop(int(self._label[b]))
        g, v, n, some = self._inverse, self._aside, self.n, np.array(members)
        from_b = g[some, b]
        inside = g[np.ix_(some, some)] - from_b[:, None] - from_b
        inside += g[b, b] + 1.0 / weight + g[a, a]
        row = g[a, :n].copy()
        g[some, :n], g[:n, some] = row, row[:, None]
        g[np.ix_(some, some)] = inside
        v[:, some] += (v[:, a] - v[:, b])[:, None]
        self._x[some] += self._x[a] - margin - self._x[b]
        self._label[some] = to
        self._members[to] += members

    def _settle(self) -> None:
        """Take from the inverse what was kept beside it, and refine the scores."""
        n, v = self.n, self._aside[: self._kept, : self.n]
        self._inverse[:n, :n] -= v.T @ v
        self._aside[:, :n], self._kept = 0.0, 0
        a, b, margin, weight = self._pairs.all()
        x, inverse = self._x[:n], self._inverse[:n, :n]
        scale = float(np.abs(x).max() + np.abs(margin).max())
        for _ in range(ROUNDS):
            flow = weight * (margin - x[a] + x[b])
            step = inverse @ (sum_by(a, flow, n) - sum_by(b, flow, n))
            x += step
            if not float(np.abs(step).max()) > REFINED * scale:
                return
        self._is_exact = False


class _Pairs:
    """Pairs in arrays that grow by doubling."""

    def __init__(self) -> None:
        self.count = 0
        self._ends = np.zeros((2, 64), dtype=np.int32)
        self._values = np.zeros((2, 64))

    def append(self, a: int, b: int, margin: float, weight: float) -> None:
        k = self.count
        if k == self._values.shape[1]:
            self._ends = np.append(self._ends, self._ends, axis=1)
            self._values = np.append(self._values, self._values, axis=1)
        self._ends[0, k], self._ends[1, k] = a, b
        self._values[0, k], self._values[1, k] = margin, weight
        self.count += 1

    def all(self) -> tuple[Index, Index, Floats, Floats]:
        (a, b), (margin, weight) = self._ends[:, : self.count], self._values[:, : self.count]
        return a, b, margin, weight
