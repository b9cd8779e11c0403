"""The state of the l1 simplex on judgments between pairs.

Judgments between the same two candidates share an edge, sorted by margin
(:mod:`qrja.solvers.l1.kernels.pairs`). Memory is a constant per judgment and per candidate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, distinct_pairs
from qrja.solvers.l1 import records
from qrja.solvers.l1.driver import DualSimplex, OutOfRangeError
from qrja.solvers.l1.grid import Integers
from qrja.solvers.l1.near_l2 import near_l2_of_pairs

FEW = 100
"""Edges up to which the pivots from 0 take less time than the search for a better place to begin:
20 candidates and 50 judgments take 28 pivots instead of 15, and 0.13 ms instead of 0.39."""

SWEEPS = 1
"""Times that all go to the median of their judgments before the first pivot."""

PIVOTS_BEFORE_REACH = 0.7
"""Pivots per node after which nodes remember whom they could meet: few move at a time before."""


class PairSimplex(DualSimplex):
    """A dual network simplex in x-space on judgments (a, b, y, w), in integers.

    Parameters
    ----------
    n : int
        Number of candidates.
    a, b, y, w : array
        The judgments; margins and weights are integers.
    x : array, optional
        Where to begin; near the l2 optimum by default.
    """

    def __init__(
        self, n: int, a: Index, b: Index, y: Integers, w: Integers, x: Integers | None = None
    ) -> None:
        self.flip = a > b
        low, high, rising = np.minimum(a, b), np.maximum(a, b), np.where(self.flip, -y, y)
        self._lay_out(n, _sorted_rows(n, low, high, rising), (low, high), rising, w, x)

    @classmethod
    def of_rows(
        cls, n: int, rows: Index, ends: tuple[Index, Index], y: Integers, w: Integers, x: Integers
    ) -> PairSimplex:
        """Take some ``rows`` of judgments that are sorted by lower end, upper end and margin."""
        simplex = cls.__new__(cls)
        simplex.flip = np.zeros(1, dtype=bool)
        simplex._lay_out(n, rows, ends, y, w, x)
        return simplex

    def _lay_out(
        self,
        n: int,
        rows: Index,
        ends: tuple[Index, Index],
        y: Integers,
        w: Integers,
        x: Integers | None,
    ) -> None:
        from qrja.solvers.l1.kernels.pairs import merge

        self.n = self.node_count = n
        self.weight, self.margin_of = w, np.empty(len(y), dtype=np.int32)
        # Room for as many as there are judgments; what is not written to takes up no memory.
        margins, edges = np.empty(len(rows), records.MARGIN), np.empty(len(rows), records.EDGE)
        sizes = merge(rows, ends, y, w, self.margin_of, margins, edges)
        self.margins, self.edges = margins[: sizes[0]], edges[: sizes[1]]
        self._make_nodes()
        self._begin(x)

    def _make_nodes(self) -> None:
        from qrja.solvers.l1.kernels.pairs import list_ways

        n = self.n
        self.ways = np.empty(2 * len(self.edges), records.WAY)
        self.nodes = np.zeros(n, records.NODE)
        list_ways(self.edges, self.margins, self.ways, self.nodes)
        degree = self.nodes["size"]
        self.reach = np.zeros(0, records.REACH)
        self.forest = records.bare_forest(n)
        self.forest.tree["size"] = degree + records.STEP_COST
        self.forest.control["size"] = self.forest.tree["size"].sum()

    def _begin(self, x: Integers | None) -> None:
        from qrja.solvers.l1.kernels.pairs import begin, hang_all, peel

        order, degree = np.empty((2, self.n), np.int32)
        count = peel(order, degree, self._tables())
        self.nodes["hi"] = self._near_l2() if x is None else x
        if len(self.edges) > FEW:
            self._go_to_medians()
        if not hang_all(order, count, self._tables()):
            raise OutOfRangeError
        begin(self._tables())

    def _go_to_medians(self) -> None:
        from qrja.solvers.l1.kernels.medians import go_to_medians

        ends = np.append(self.edges["a"], self.edges["b"])
        most = int(np.bincount(ends, np.tile(self.edges["size"], 2)).max())
        go_to_medians(SWEEPS, np.empty(most, records.WISH), self._tables())

    def _near_l2(self) -> Integers:
        if len(self.edges) <= FEW:
            return np.zeros(self.n, dtype=np.int64)
        weight = self.margins["weight"].astype(np.float64)
        first = self.edges["first"]
        total = np.add.reduceat(weight, first)
        mean = np.add.reduceat(weight * self.margins["hi"], first) / total
        edge = self.ways["edge"]
        sign = np.where(self.edges["a"][edge] < self.ways["node"], 1.0, -1.0)
        start = np.append(self.nodes["first"], len(edge))
        return near_l2_of_pairs(start, self.ways["node"], total[edge], sign * mean[edge])

    def _tables(self) -> records.PairTables:
        return records.PairTables(
            self.forest, self.nodes, self.ways, self.edges, self.margins, self.reach
        )

    def pivot(self, most: int) -> tuple[int, int]:
        """Take some pivots; return how it stands and how many were taken."""
        from qrja.solvers.l1.kernels.pairs import run

        if not len(self.reach) and self.pivots > PIVOTS_BEFORE_REACH * self.n:
            # Nothing is known yet: a bound of 0 is true of everybody.
            self.reach = np.zeros(self.n, records.REACH)
        status, pivots = run(most, self._tables())
        return status, pivots

    def scores(self) -> Integers:
        """Return the score of each candidate."""
        return self.nodes["hi"].copy()

    def prove(self) -> Integers:
        """Return what each margin pulls, checked to be a proof of optimality."""
        from qrja.solvers.l1.kernels.proof import prove_pairs

        pull, net = np.empty(len(self.margins), np.int64), np.zeros(self.n, np.int64)
        if not prove_pairs(pull, net, self._tables()):
            raise RuntimeError("the l1 simplex stopped at a point that is not optimal")
        return pull

    def loss(self, pull: Integers | Floats) -> float:
        """Return the loss, in units of margins times weights."""
        from qrja.solvers.l1.kernels.proof import loss_of_pairs

        return float(loss_of_pairs(pull, self._tables()))

    def judged_flow(self) -> Floats:
        """Return the flow of each judgment, in units of weights; equal ones share it by weight."""
        share = self.prove() / self.margins["weight"]
        return np.asarray(np.where(self.flip, 1.0, -1.0) * share[self.margin_of] * self.weight)

    def limits(self) -> tuple[Index, Index, Integers]:
        """List what every optimum obeys: node ``low`` rises at most ``gap`` more than ``high``."""
        from qrja.solvers.l1.kernels.face import list_edge_limits

        low, high = np.empty((2, 4 * len(self.edges)), dtype=np.int32)
        gap = np.empty(4 * len(self.edges), dtype=np.int64)
        count = int(list_edge_limits(low, high, gap, self._tables()))
        return low[:count], high[:count], gap[:count]

    def rise(self, most: Integers) -> Integers:
        """Return how far each node can rise within all optima, at most so far, all at once."""
        from qrja.solvers.l1.kernels.face import rise_together

        found, places = most.copy(), np.empty((2, self.n), dtype=np.int32)
        rise_together(found, places[0], places[1], self._tables())
        return found


def _sorted_rows(n: int, low: Index, high: Index, y: Integers) -> Index:
    if are_sorted(low, high, y):
        return np.arange(len(y), dtype=np.int32)
    by_margin = np.argsort(y)
    return by_margin[distinct_pairs(n, low[by_margin], high[by_margin]).order].astype(np.int32)


def are_sorted(*columns: NDArray[Any]) -> bool:
    """Tell whether rows rise, by the first column and then the next ones.

    Examples
    --------
    >>> are_sorted(np.array([1, 1, 2]), np.array([3, 4, 0])), are_sorted(np.array([2, 1]))
    (True, False)
    """
    equal = np.ones(max(len(columns[0]) - 1, 0), dtype=np.bool_)
    for column in columns:
        before, after = column[:-1], column[1:]
        if (equal & (before > after)).any():
            return False
        equal &= before == after
    return True
