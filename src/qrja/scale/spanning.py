"""The heaviest spanning forest, joined like any other sum: components, and the way of the proof.

All data have a forest of at most n - 1 edges, whatever their size. Where all weigh the same, an
edge is taken if it joins two trees, and looked at once. Else, whenever twice as many as n are at
hand, those that a forest does without are dropped, the heaviest edge first. The forests of tasks
are joined in the same way. What a flow misses at the candidates, g, is then sent along the forest:
the edge above a node carries the sum of g below it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets, graph
from qrja.laplacian import Neighbours, search_tree
from qrja.scale.kernels import spanning
from qrja.scale.passes import Passes
from qrja.scale.shards import Shard
from qrja.solution import UNIT


class Edges(NamedTuple):
    """Pairs that join candidates: ends, weights, and margins of a over b."""

    a: Index
    b: Index
    w: Floats
    y: Floats

    def at(self, chosen: Offsets) -> Edges:
        """Return some of them."""
        return Edges(self.a[chosen], self.b[chosen], self.w[chosen], self.y[chosen])

    @classmethod
    def together(cls, parts: list[Edges]) -> Edges:
        """Put edges together."""
        if not parts:
            nobody, nothing = np.zeros(0, np.int32), np.zeros(0)
            return cls(nobody, nobody, nothing, nothing)
        a, b, w, y = map(np.concatenate, zip(*parts, strict=True))
        return cls(a, b, w, y)


@dataclass
class Grown:
    """What a task has: edges in parts, and the trees that they make while all weigh the same.

    ``root`` leads from a candidate to the root of its tree.
    """

    n: int
    parts: list[Edges] = field(default_factory=list)
    root: Index | None = None

    def take(self, more: Edges) -> None:
        """Take edges that are new."""
        if not self.parts:
            self.root = np.arange(self.n, dtype=np.int32)
        self.parts.append(more)
        if self.root is not None and _alike(self.parts):
            kept = _joining(more, np.arange(len(more.w)), self.root)
            self.parts[-1] = more.at(kept)
            return
        self.root = None
        if sum(len(part.w) for part in self.parts) > 2 * self.n:
            self.parts = [heaviest_forest(self.n, Edges.together(self.parts))]

    def finish(self) -> Edges:
        """Return the forest, which is all that others need."""
        edges = Edges.together(self.parts)
        return edges if self.root is not None else heaviest_forest(self.n, edges)


def span_shard(grown: Grown, shard: Shard) -> Grown:
    """Join a shard to others: every contest is a star about its first entrant."""
    sizes = np.diff(shard.start)
    hub = np.repeat(shard.start[:-1], sizes)
    rays = np.flatnonzero(hub != np.arange(shard.entries))
    hub = hub[rays]
    own = Edges(
        shard.who[hub],
        shard.who[rays],
        np.repeat(shard.weight, sizes)[rays],
        shard.score[hub] - shard.score[rays],
    )
    grown.take(own)
    return grown


def join_forests(n: int, one: Edges, other: Edges) -> Edges:
    """Put forests together, and drop what one does without."""
    return heaviest_forest(n, Edges.together([one, other]))


def heaviest_forest(n: int, edges: Edges) -> Edges:
    """Return the heaviest spanning forest of some edges; of equal ones, the first."""
    w = edges.w
    order: Offsets = np.arange(len(w)) if _alike([edges]) else np.argsort(-w, kind="stable")
    return edges.at(_joining(edges, order, np.arange(n, dtype=np.int32)))


def _alike(parts: list[Edges]) -> bool:
    """Tell whether all edges weigh the same, those of all parts but the last doing so."""
    known = next((part.w[0] for part in parts if len(part.w)), 0.0)
    return bool((parts[-1].w == known).all())


def _joining(edges: Edges, order: Offsets, root: Index) -> Offsets:
    """Return the edges that join two trees each, taken in some order."""
    kept = np.empty(min(len(root), len(order)), dtype=np.int64)
    count = spanning.join_trees(edges.a, edges.b, order, root, kept)
    return kept[:count]


def span(passes: Passes) -> Routes:
    """Find the forest of all data, in one pass."""
    n = passes.n
    found = passes.fold(
        partial(Grown, n), span_shard, partial(join_forests, n), finish=Grown.finish
    )
    return Routes(n, found)


class Routes:
    """A spanning forest along which imbalances are sent.

    Examples
    --------
    >>> path = Edges(np.array([0, 1]), np.array([1, 2]), np.ones(2), np.zeros(2))
    >>> Routes(4, path).label
    array([0, 0, 0, 1], dtype=int32)
    >>> Routes(3, path).carry(np.array([1.0, 0.0, -1.0]))
    array([1., 1.])
    """

    def __init__(self, n: int, edges: Edges) -> None:
        self.edges = edges
        a, b = edges.a, edges.b
        start = np.arange(0, 2 * len(a) + 1, 2)
        self.label: Index = graph.components(n, start, np.stack([a, b], axis=1).ravel())
        parent = search_tree(Neighbours.of(n, a, b, np.ones(len(a))), self.label)
        down = parent[b] == a
        self._sign = np.where(down, -1.0, 1.0)
        self._order, place, self._above = (np.full(n, -1, np.int32) for _ in range(3))
        spanning.order_down(parent, self._order, place, self._above)
        self._child = place[np.where(down, b, a)]

    def carry(self, imbalance: Floats) -> Floats:
        """Return the flow h on the edges, from a to b, whose outflow is the imbalance.

        ``sum over edges of a of h - sum over edges into it of h`` is what is given for each node.
        """
        return self.gather(graph.centre(imbalance, self.label)) * self._sign

    def gather(self, amounts: Floats) -> Floats:
        """Return what the nodes below each edge have together.

        Examples
        --------
        >>> path = Edges(np.array([0, 1]), np.array([1, 2]), np.ones(2), np.zeros(2))
        >>> sorted(Routes(3, path).gather(np.array([1.0, 2.0, 4.0])).tolist())
        [4.0, 6.0]
        """
        sums = amounts[self._order]
        spanning.sum_up(self._above, sums)
        return np.asarray(sums[self._child])

    def residuals(self, x: Floats) -> Floats:
        """Return ``y - (x_a - x_b)`` of the edges."""
        a, b, _, y = self.edges
        return np.asarray(y - (x[a] - x[b]))

    def slips(self, x: Floats) -> Floats:
        """Return by how much rounding may put these residuals off."""
        a, b, _, y = self.edges
        return np.asarray(UNIT * (np.abs(x[a]) + np.abs(x[b]) + np.abs(y)))
