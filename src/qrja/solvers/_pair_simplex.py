"""The state of the l1 simplex on judgments between pairs.

Judgments between the same two candidates share an edge, sorted by margin
(:mod:`qrja.solvers._kernels_l1_pairs`). Memory is a constant per judgment and per candidate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja._arrays import Floats, Index, Offsets
from qrja.solvers import _l1_records as records
from qrja.solvers._contest_simplex import BATCH, LINKS, OutOfRange, Progress
from qrja.solvers._grid import Integers


class PairSimplex:
    """A dual network simplex in x-space on judgments (a, b, y, w), in integers.

    Parameters
    ----------
    n : int
        Number of candidates.
    a, b, y, w : array
        The judgments; margins and weights are integers.
    x : array
        Where to begin.
    """

    def __init__(
        self, n: int, a: Index, b: Index, y: Integers, w: Integers, x: Integers
    ) -> None:
        self.n, self.pivots = n, 0
        self.flip = a > b
        low, high = np.minimum(a, b), np.maximum(a, b)
        y = np.where(self.flip, -y, y)
        order = self._sort(low, high, y)
        self._make_margins(order, low, high, y, w)
        self._make_nodes(x)

    def _sort(self, low: Index, high: Index, y: Integers) -> Index:
        from qrja.solvers._kernels_l1_pairs import sort_pairs

        swap, order = np.empty((2, len(y)), dtype=np.int32)
        sort_pairs(self.n, low, high, y, np.zeros(self.n + 1, np.int64), swap, order)
        return order

    def _make_margins(
        self, order: Index, low: Index, high: Index, y: Integers, w: Integers
    ) -> None:
        """Merge equal judgments into a margin, and the margins of two nodes into an edge."""
        from qrja.solvers._kernels_l1_contests import fill_jitter

        low, high, y, w = low[order], high[order], y[order], w[order]
        is_edge = (np.diff(low, prepend=-1) != 0) | (np.diff(high, prepend=-1) != 0)
        is_margin = is_edge.copy()
        is_margin[1:] |= y[1:] != y[:-1]
        self.margin_of = np.empty(len(order), dtype=np.int32)
        self.margin_of[order] = np.cumsum(is_margin) - 1
        first = np.flatnonzero(is_margin)
        self.margins = np.empty(len(first), records.MARGIN)
        self.margins["hi"] = y[first]
        self.margins["weight"] = np.add.reduceat(w, first) if len(first) else 0
        jitter = np.empty(len(first), dtype=np.int64)
        fill_jitter(0, jitter)
        self.margins["lo"] = jitter
        first = np.flatnonzero(is_edge[first])
        self.edges = np.zeros(len(first), records.EDGE)
        self.edges["a"], self.edges["b"] = low[is_edge], high[is_edge]
        self.edges["first"], self.edges["size"] = first, np.diff(first, append=len(self.margins))

    def _make_nodes(self, x: Integers) -> None:
        from qrja.solvers._kernels_l1_pairs import begin

        n, count = self.n, len(self.edges)
        ends = np.concatenate([self.edges["a"], self.edges["b"]])
        order = np.argsort(ends, kind="stable")
        way = np.empty(2 * count, dtype=np.int32)
        way[order] = np.arange(2 * count, dtype=np.int32)
        self.edges["way_a"], self.edges["way_b"] = way[:count], way[count:]
        self.ways = np.empty(2 * count, records.WAY)
        self.ways["edge"] = order % max(count, 1)
        self.ways["node"] = np.concatenate([self.edges["b"], self.edges["a"]])[order]
        degree = np.bincount(ends, minlength=n)
        self.nodes = np.zeros(n, records.NODE)
        self.nodes["hi"], self.nodes["size"] = x, degree
        self.nodes["first"] = np.cumsum(degree) - degree
        self.forest = np.zeros(n, records.TREE)
        for link in LINKS:
            self.forest[link] = -1
        self.forest["size"] = degree + records.STEP_COST
        self.work, self.mark = np.zeros(n, records.WORK), np.zeros(n, np.int64)
        self.head = np.full(records.BUCKETS, -1, np.int32)
        self.control = np.zeros(1, records.CONTROL)
        self.control["top"], self.control["size"] = -1, self.forest["size"].sum()
        self.crossed = np.zeros(1 << 15, records.PASSED)
        begin(
            self.forest, self.head, self.edges, self.ways, self.margins, self.nodes, self.control
        )

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return (
            self.crossed, self.mark, self.work, self.nodes, self.ways, self.forest, self.head,
            self.edges, self.margins, self.control,
        )  # fmt: skip

    def run(self, progress: Progress | None = None) -> None:
        """Pivot until no tree pair carries too much; see :class:`ContestSimplex`."""
        from qrja.solvers._kernels_l1_pairs import run
        from qrja.solvers._kernels_l1_pivot import OPTIMAL, TOO_FAR

        while True:
            status, pivots = run(BATCH, *self._arrays())
            self.pivots += int(pivots)
            if status == TOO_FAR:
                raise OutOfRange
            if status == OPTIMAL:
                return

    def scores(self) -> Integers:
        """Return the score of each candidate."""
        return self.nodes["hi"].copy()
