"""The l2 loss as a quadratic: products with its Laplacian in time proportional to the input.

With L the Laplacian of the comparison graph and e the residuals, the loss is ``F(x) = sum w e^2``
and ``F(x) - F* = g^T L^+ g`` for ``g = b - L x``, where ``b = A^T W y``.

A contest of k entrants needs no pairs: with ``e_i = s_i - x_i``,

    sum_{i<j} (e_i - e_j)^2  =  k sum_i (e_i - mean e)^2

which is also a star around an extra node for the contest, every ray weighing k: its Laplacian has
one edge per entry, and that graph is what a preconditioner factorises.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np

from qrja.data import (
    Contests,
    Floats,
    Index,
    Judgments,
    Offsets,
    are_pairs,
    graph,
    mean_margins,
    merge_parallel,
    sum_by,
)
from qrja.laplacian.routing import Neighbours, is_uneven, path_sums, search_tree, subtree_sums
from qrja.row_matrices import Matrix, by_rows
from qrja.solution import UNIT

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_TERMS = 32
"""Pairs per entry that are added up at most to find out how many are left of them."""


class TreeEdges(NamedTuple):
    """The edges of a spanning tree, each from a child to its parent."""

    child: Offsets
    weight: Floats
    differ: Floats
    """How much more the entry of the child has of some columns than that of its parent."""


class Quadratic(Protocol):
    """What the l2 solver asks of a problem."""

    n: int
    label: Index
    degree: Floats

    @property
    def score(self) -> Floats:
        """The score of each entry, relative to others of its contest."""

    def product(self, x: Floats) -> Floats:
        """Return ``L x``."""

    def evaluate(self, x: Floats | None) -> tuple[float, Floats]:
        """Return ``F(x)`` and ``b - L x``, from residuals: no digits are lost near the optimum.

        None stands for x = 0, which nobody needs to look up.
        """

    def begin(self) -> Floats | None:
        """Return scores to begin with, where better ones than 0 are known."""

    def with_score(self, problem: Any) -> Self:
        """Return the same for a problem that differs in its scores, or margins, only."""

    def rounding(self, x: Floats) -> float:
        """Return what F may change by if scores and margins are rounded to floats."""

    def sparse_laplacian(self) -> csr_array:
        """Return a sparse Laplacian whose first n nodes, the rest eliminated, are L."""

    def joint_laplacian(self) -> csr_array | None:
        """Return L itself, where its pairs are fewer than the rays of stars would be."""

    def route(self, g: Floats) -> tuple[float, Floats]:
        """Send g along a spanning tree; return what that costs in the bound, and the tree flow."""

    def along_tree(self, z: Floats) -> TreeEdges:
        """Return the edges of the tree, and how columns z of entries differ along them."""

    def flow(self, x: Floats, below: Floats | None = None) -> Floats:
        """Return the certifying flow, one number per judgment, of x; ``below`` is its tree flow."""


class PairQuadratic:
    """Judgments, with parallel ones added up to one edge per pair of candidates."""

    def __init__(self, judgments: Judgments) -> None:
        self.problem, self.n, self.label = judgments, judgments.n, judgments.components
        self.low, self.high, self.margin, self.weight, self.edge, self.sign = merge_parallel(
            judgments
        )
        self.degree = self._scatter(self.weight, self.weight)

    @property
    def score(self) -> Floats:
        """The score of each entry, relative to the other of its judgment."""
        return self.problem.score

    def _scatter(self, at_low: Floats, at_high: Floats) -> Floats:
        return sum_by(self.low, at_low, self.n) + sum_by(self.high, at_high, self.n)

    @cached_property
    def _neighbours(self) -> Neighbours:
        # In this order the columns of each row rise: pairs are sorted.
        return Neighbours.of(self.n, self.high, self.low, self.weight)

    @cached_property
    def _adjacency(self) -> Matrix:
        weight, other, ends = self._neighbours
        return by_rows(weight, other, ends, self.n)

    def product(self, x: Floats) -> Floats:
        """Return ``L x``."""
        return np.asarray(self.degree * x - self._adjacency @ x)

    def with_score(self, problem: Judgments) -> PairQuadratic:
        """Return the same for judgments that differ in their margins only."""
        other = copy(self)
        other.problem = problem
        other.margin = mean_margins(problem, self.edge, self.sign, self.weight)
        return other

    def _residual(self, x: Floats) -> Floats:
        return self.problem.y - x[self.problem.a] + x[self.problem.b]

    def evaluate(self, x: Floats | None) -> tuple[float, Floats]:
        """Return ``F(x)`` and ``b - L x``."""
        x = np.zeros(self.n) if x is None else x
        flow = self.weight * (self.margin - x[self.low] + x[self.high])
        loss = float(np.sum(self.problem.w * self._residual(x) ** 2))
        return loss, self._scatter(flow, -flow)

    def begin(self) -> Floats | None:
        """Return the optimum of a forest, where every pair has its way; None with cycles."""
        if len(self.low) != self.n - int(self.label.max(initial=-1)) - 1:
            return None
        parent, above = self._parent, np.zeros(self.n)
        is_low = parent[self.low] == self.high
        above[np.where(is_low, self.low, self.high)] = np.where(is_low, self.margin, -self.margin)
        return path_sums(above, parent)

    def rounding(self, x: Floats) -> float:
        """Return what F may change by if scores and margins are rounded to floats."""
        problem = self.problem
        slip = UNIT * (np.abs(x)[problem.a] + np.abs(x)[problem.b] + np.abs(problem.y))
        return float(np.sum(problem.w * slip * (2 * np.abs(self._residual(x)) + slip)))

    def sparse_laplacian(self) -> csr_array:
        """Return a sparse Laplacian whose first n nodes, the rest eliminated, are L."""
        return _subtract_from_degrees(self._neighbours.sparse())

    def joint_laplacian(self) -> None:
        """Return None: there are no stars."""
        return

    @cached_property
    def _parent(self) -> Index:
        return search_tree(self._neighbours, self.label)

    def route(self, g: Floats) -> tuple[float, Floats]:
        """Send g along a spanning tree; return what that costs, and the tree flow."""
        below = subtree_sums(g, self._parent)
        child, weight = self._tree_edges
        return float(np.sum(below[child] ** 2 / weight)), below

    @cached_property
    def _tree_edges(self) -> tuple[Offsets, Floats]:
        """The nodes with a parent, and the weight of the edge to it."""
        up, down = self._parent[self.low] == self.high, self._parent[self.high] == self.low
        child = np.concatenate([self.low[up], self.high[down]])
        return child, np.concatenate([self.weight[up], self.weight[down]])

    def along_tree(self, z: Floats) -> TreeEdges:
        """Return the edges of the tree, and how columns z of entries differ along them."""
        up, down = self._parent[self.low] == self.high, self._parent[self.high] == self.low
        part = self.sign * self.problem.w / self.weight[self.edge]
        count = len(self.low)
        differ = [sum_by(self.edge, part * one, count) for one in (z[0::2] - z[1::2]).T]
        each = np.stack(differ, axis=1)
        return TreeEdges(*self._tree_edges, np.concatenate([each[up], -each[down]]))

    def flow(self, x: Floats, below: Floats | None = None) -> Floats:
        """Return the certifying flow, one number per judgment, of x; ``below`` is its tree flow."""
        parent = self._parent
        if below is None:
            _, below = self.route(self.evaluate(x)[1])
        # The tree edge of a child carries what its subtree lacks, child to parent.
        up = np.where(parent[self.low] == self.high, below[self.low], 0.0)
        down = np.where(parent[self.high] == self.low, below[self.high], 0.0)
        share = self.problem.w / self.weight[self.edge] * self.sign
        tree = share * (up - down)[self.edge]
        return np.asarray(2 * (self.problem.w * self._residual(x) - tree))


class ContestQuadratic:
    """Contests, one star per contest: every product costs one pass over the entries."""

    def __init__(self, contests: Contests) -> None:
        self.problem, self.n, self.label = contests, contests.n, contests.components
        self.who = contests.who
        self.size = np.maximum(contests.sizes, 1)
        self.ray = contests.pair_weight * self.size
        # Numbers of the kind of contests.who, where they suffice, are half as much to read.
        short = contests.entries <= np.iinfo(np.int32).max
        start = contests.start.astype(np.int32) if short else contests.start
        self._entrants = by_rows(np.ones(contests.entries), contests.who, start, self.n)
        self._contests_of = self._entrants.T
        # A contest's common shift carries no information: without it no digits are wasted.
        self.score = contests.score
        self.score = self._residual(None)
        self.degree = self._gather(self.ray * (1 - 1 / self.size))

    def with_score(self, problem: Contests) -> ContestQuadratic:
        """Return the same for contests that differ in their scores only."""
        other = copy(self)
        other.problem, other.score = problem, problem.score
        other.score = other._residual(None)
        return other

    def _gather(self, per_contest: Floats) -> Floats:
        """Sum a value of each contest over the contests of each contestant."""
        return np.asarray(self._contests_of @ per_contest)

    def product(self, x: Floats) -> Floats:
        """Return ``L x``."""
        total = np.asarray(self._entrants @ x)
        return np.asarray(self._full_degree * x - self._gather(self.problem.pair_weight * total))

    @cached_property
    def _full_degree(self) -> Floats:
        return self._gather(self.ray)

    def _residuals(self, x: Floats | None) -> Iterator[tuple[slice, slice, Floats]]:
        """Yield ``score - x``, centred in each contest, for ranges of contests and entries."""
        start = self.problem.start
        for contests, entries in graph.slabs(start, max(2**18, self.n)):
            residual = self.score[entries].copy()
            if x is not None:
                residual -= x[self.who[entries]]
            if self._are_pairs:  # a stream of matches: several times as quick as sums of groups
                mean = 0.5 * (residual[0::2] + residual[1::2])
                residual[0::2] -= mean
                residual[1::2] -= mean
                yield contests, entries, residual
                continue
            some = self.problem.sizes[contests] > 0
            total = np.zeros(len(some))
            if len(residual):
                total[some] = np.add.reduceat(residual, start[contests][some] - entries.start)
            residual -= self._spread(contests, total / self.size[contests])
            yield contests, entries, residual

    @cached_property
    def _are_pairs(self) -> bool:
        return are_pairs(self.problem)

    def _spread(self, contests: slice, values: Floats) -> Floats:
        """Repeat a value of each of some contests for its entries."""
        return np.repeat(values, self.problem.sizes[contests])

    def _residual(self, x: Floats | None) -> Floats:
        result = np.empty(self.problem.entries)
        for _, entries, residual in self._residuals(x):
            result[entries] = residual
        return result

    def evaluate(self, x: Floats | None) -> tuple[float, Floats]:
        """Return ``F(x)`` and ``b - L x``."""
        loss, imbalance = 0.0, np.zeros(self.n)
        for contests, entries, residual in self._residuals(x):
            flow = self._spread(contests, self.ray[contests]) * residual
            loss += float(np.sum(flow * residual))
            if self._is_uneven and len(flow):
                # What rounding adds to a heavy contest as a whole would move the light ones.
                first = self.problem.start[contests][self.problem.sizes[contests] > 0]
                first = first - entries.start
                flow[first] -= np.add.reduceat(flow, first)
            imbalance += sum_by(self.who[entries], flow, self.n)
        return loss, imbalance

    @cached_property
    def _is_uneven(self) -> bool:
        return is_uneven(self.problem.pair_weight)

    def begin(self) -> None:
        """Return None: contests of more than two have cycles."""
        return

    def rounding(self, x: Floats) -> float:
        """Return what F may change by if scores and margins are rounded to floats."""
        total = 0.0
        for contests, entries, residual in self._residuals(x):
            slip = UNIT * (np.abs(x[self.who[entries]]) + np.abs(self.score[entries]))
            ray = self._spread(contests, self.ray[contests])
            total += float(np.sum(ray * slip * (2 * np.abs(residual) + slip)))
        return total

    def _stars(self, weight: Floats) -> Neighbours:
        """Join contestants (the first nodes) to their contests (after them)."""
        contest = self.problem.contest_of_entry
        nodes = self.n + len(self.size)
        return Neighbours.of(nodes, contest + self.n, self.who, weight[contest])

    def sparse_laplacian(self) -> csr_array:
        """Return a sparse Laplacian whose first n nodes, the rest eliminated, are L."""
        return _subtract_from_degrees(self._stars(self.ray).sparse())

    def joint_laplacian(self) -> csr_array | None:
        """Return L itself, where its pairs are fewer than the rays of stars would be."""
        return joint_laplacian(self._entrants, self.problem.pair_weight)

    @cached_property
    def _tree(self) -> tuple[Index, Index]:
        """Return the parent of each contestant, and the contest between."""
        if self._is_uneven:
            return self._search()
        _, one, other, contest = self.problem.forest
        edges = Neighbours.of(self.n, one, other, np.ones(len(one)))
        parent = search_tree(edges, self.label)
        through = np.full(self.n, -1, dtype=np.int32)
        child = np.where(parent[one] == other, one, other)
        through[child] = contest
        return parent, through

    def _search(self) -> tuple[Index, Index]:
        """Search the stars along heavy rays."""
        hub = np.full(len(self.size), -1, dtype=np.int32)
        some = self.problem.sizes > 0
        hub[some] = self.label[self.who[self.problem.start[:-1][some]]]
        # A contest without entrants is a component of its own.
        label = np.concatenate([self.label, hub])
        label[label < 0] = label.max(initial=-1) + 1 + np.arange((label < 0).sum())
        parent = search_tree(self._stars(self.problem.pair_weight), label)
        through = np.where(parent[: self.n] >= 0, parent[: self.n] - self.n, -1)
        above = np.where(through >= 0, parent[self.n :][through], -1) if len(hub) else through
        return above, through

    def route(self, g: Floats) -> tuple[float, Floats]:
        """Send g along a spanning tree; return what that costs, and the tree flow."""
        parent, through = self._tree
        below = subtree_sums(g, parent)
        child = np.flatnonzero(parent >= 0)
        weight = self.problem.pair_weight[through[child]]
        return float(np.sum(below[child] ** 2 / weight)), below

    def along_tree(self, z: Floats) -> TreeEdges:
        """Return the edges of the tree, and how columns z of entries differ along them."""
        parent, through = self._tree
        child = np.flatnonzero(parent >= 0)
        used, of = np.unique(through[child], return_inverse=True)
        size = self.problem.sizes[used]
        entry = np.repeat(self.problem.start[used] - np.cumsum(size) + size, size)
        entry += np.arange(len(entry))
        place = np.repeat(np.arange(len(used)), size) * self.n + self.who[entry]
        order, ask = np.argsort(place), np.argsort(of)
        place, own, above = place[order], np.empty_like(of), np.empty_like(of)
        for found, who in (own, child), (above, parent[child]):
            # Asked for in order, as a search that jumps about waits for memory.
            found[ask] = entry[order[np.searchsorted(place, (of * self.n + who)[ask])]]
        return TreeEdges(child, self.problem.pair_weight[through[child]], z[own] - z[above])

    def flow(self, x: Floats, below: Floats | None = None) -> Floats:
        """Return the certifying flow, one number per judgment, of x; ``below`` is its tree flow."""
        first, second = self.problem.pair_entries()
        parent, through = self._tree
        if below is None:
            _, below = self.route(self.evaluate(x)[1])
        i, j = self.who[first], self.who[second]
        contest = self.problem.contest_of_entry[first]
        up = np.where((parent[i] == j) & (through[i] == contest), below[i], 0.0)
        down = np.where((parent[j] == i) & (through[j] == contest), below[j], 0.0)
        e = self._residual(x)
        return 2 * (self.problem.pair_weight[contest] * (e[first] - e[second]) - up + down)


def quadratic(problem: Contests | Judgments) -> PairQuadratic | ContestQuadratic:
    """Choose the form that fits the problem."""
    return ContestQuadratic(problem) if isinstance(problem, Contests) else PairQuadratic(problem)


def joint_laplacian(entrants: Matrix, weight: Floats) -> csr_array | None:
    """Add up the pairs of contests between the same two; None unless that leaves few of them.

    Candidates who meet again and again have far fewer pairs than their contests have entries.

    Parameters
    ----------
    entrants : matrix
        How many entrants of a contest (row) a candidate (column) stands for.
    weight : array of float
        What a pair of each contest weighs.

    Examples
    --------
    >>> twice = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])
    >>> joint_laplacian(twice, np.array([1.0, 1.0, 5.0])).toarray()
    array([[ 2., -2.,  0.],
           [-2.,  7., -5.],
           [ 0., -5.,  5.]])
    """
    from scipy.sparse import csr_array  # takes a while to load

    entrants = csr_array(entrants)
    entries, sizes = len(entrants.indices), np.diff(entrants.indptr).astype(np.float64)
    if float(sizes @ sizes) > MOST_TERMS * entries:
        return None
    heavy = entrants.multiply(weight[:, None]).tocsr()
    meetings = csr_array(entrants.T @ heavy)
    if meetings.nnz > 2 * entries:
        return None
    meetings.setdiag(0.0)
    meetings.eliminate_zeros()
    return _subtract_from_degrees(meetings)


def laplacian_matrix(n: int, a: Index, b: Index, w: Floats) -> csr_array:
    """Write out the Laplacian of a graph whose edges (a, b) weigh w; parallel ones add up.

    Examples
    --------
    >>> laplacian_matrix(2, np.array([0, 1]), np.array([1, 0]), np.array([3.0, 4.0])).toarray()
    array([[ 7., -7.],
           [-7.,  7.]])
    """
    return _subtract_from_degrees(Neighbours.of(n, a, b, w).sparse())


def _subtract_from_degrees(adjacency: csr_array) -> csr_array:
    from scipy.sparse import csr_array, diags_array  # take a while to load

    degree = np.asarray(adjacency.sum(axis=1)).ravel()
    return csr_array(diags_array(degree).tocsr() - adjacency)
