"""Cuts: cycles that no order keeps whole, as rows of a sparse matrix.

A cycle of steps, some along an arc and some against one, is kept whole by no order. With x = 1 on
the arcs that an order reverses, each step along an arc costs x, each against one 1 - x, and

    sum over steps along x  +  sum over steps against (1 - x)   >=   1

for every order. These are the facets of the linear ordering polytope that cycles give.

References
----------
M. Grötschel, M. Jünger and G. Reinelt, A cutting plane algorithm for the linear ordering problem,
1984.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Offsets


@dataclass
class CycleCuts:
    """Rows ``sum of sign * x[arc] >= right``; row r has the entries ``start[r]:start[r + 1]``."""

    start: Offsets = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    arc: Index = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    sign: Floats = field(default_factory=lambda: np.zeros(0))
    right: Floats = field(default_factory=lambda: np.zeros(0))
    known: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.right)

    def copy(self) -> CycleCuts:
        """Return cuts to which others may be added; adding replaces arrays, so they are shared."""
        return replace(self)

    def add(self, start: Offsets, arc: Index, sign: Floats) -> int:
        """Add cycles, each once; return how many were new."""
        keys, first = np.unique(row_keys(start, arc, sign), return_index=True)
        fresh = np.zeros(len(start) - 1, dtype=bool)
        fresh[first] = ~np.isin(keys, self.known)
        self.known = np.union1d(self.known, keys)
        self._append(*rows_of(start, arc, sign, fresh))
        return int(fresh.sum())

    def _append(self, start: Offsets, arc: Index, sign: Floats) -> None:
        against = np.add.reduceat(sign < 0, start[:-1]) if len(start) > 1 else np.zeros(0)
        self.start = np.concatenate([self.start, self.start[-1] + start[1:]])
        self.arc = np.concatenate([self.arc, arc])
        self.sign = np.concatenate([self.sign, sign])
        self.right = np.concatenate([self.right, 1.0 - against])

    def some(self, chosen: NDArray[np.bool_]) -> tuple[Offsets, Index, Floats, Floats]:
        """Return the chosen rows as start, arc, sign and right."""
        return *rows_of(self.start, self.arc, self.sign, chosen), self.right[chosen]

    def all(self) -> tuple[Offsets, Index, Floats, Floats]:
        """Return all rows as start, arc, sign and right."""
        return self.start, self.arc, self.sign, self.right


def rows_of(
    start: Offsets, arc: Index, sign: Floats, chosen: NDArray[np.bool_]
) -> tuple[Offsets, Index, Floats]:
    """Return the chosen rows of a sparse matrix.

    Examples
    --------
    >>> rows_of(np.array([0, 1, 3]), np.array([7, 8, 9]), np.ones(3), np.array([False, True]))
    (array([0, 2]), array([8, 9]), array([1., 1.]))
    """
    size = np.diff(start)
    kept = np.repeat(chosen, size)
    return np.concatenate([[0], np.cumsum(size[chosen])]), arc[kept], sign[kept]


def row_keys(start: Offsets, arc: Index, sign: Floats) -> NDArray[np.uint64]:
    """Return a number for each row that does not depend on the order of its entries.

    Two rows share one by accident once in 2^64; then a cut is missing, and nothing is wrong.

    Examples
    --------
    >>> one, other = row_keys(np.array([0, 2, 4]), np.array([7, 8, 8, 7]), np.ones(4))
    >>> bool(one == other)
    True
    """
    z = 2 * arc.astype(np.uint64) + (sign < 0) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.add.reduceat(z, start[:-1]) if len(start) > 1 else z[:0]
