"""The heaviest spanning forest, joined like any other sum: components, and the way of the proof.

All data have a forest of at most n - 1 edges, whatever their size: whenever twice as many are at
hand, those that a forest does without are dropped, the heaviest edge first, and what is left joins
others in the same way. What a flow misses at the candidates, g, is
then sent along it: the edge above a node carries the sum of g below it.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets, graph
from qrja.laplacian import Neighbours, search_tree, subtree_sums
from qrja.scale.kernels import spanning
from qrja.scale.passes import Passes
from qrja.scale.shards import Shard


class Edges(NamedTuple):
    """Pairs that join all that can be joined: ends, weights, and margins of a over b.

    Until all are together there may be more than a forest needs.
    """

    a: Index
    b: Index
    w: Floats
    y: Floats


def no_edges() -> Edges:
    """Return the forest of nothing."""
    nobody, nothing = np.zeros(0, np.int32), np.zeros(0)
    return Edges(nobody, nobody, nothing, nothing)


def span_shard(n: int, edges: Edges, shard: Shard) -> Edges:
    """Join a shard to others: every contest is a star about its first entrant."""
    sizes = np.diff(shard.start)
    hub = np.repeat(shard.start[:-1], sizes)
    rays = np.flatnonzero(hub != np.arange(shard.entries))
    own = Edges(
        shard.who[hub[rays]],
        shard.who[rays],
        np.repeat(shard.weight, sizes)[rays],
        shard.score[hub[rays]] - shard.score[rays],
    )
    return join_edges(n, edges, own)


def join_edges(n: int, one: Edges, other: Edges) -> Edges:
    """Put edges together, and drop some if there are too many."""
    ends = np.concatenate([one.a, other.a]), np.concatenate([one.b, other.b])
    both = Edges(*ends, np.concatenate([one.w, other.w]), np.concatenate([one.y, other.y]))
    return heaviest_forest(n, both) if len(both.w) > 2 * n else both


def heaviest_forest(n: int, edges: Edges) -> Edges:
    """Return the heaviest spanning forest of some edges; of equal ones, the first."""
    a, b, w, y = edges
    alike = len(w) > 0 and bool((w == w[0]).all())
    order: Offsets = np.arange(len(w)) if alike else np.argsort(-w, kind="stable")
    kept = np.empty(min(n, len(order)) + 1, dtype=np.int64)
    count = spanning.join_trees(a, b, order, np.arange(n, dtype=np.int32), kept)
    chosen = kept[:count]
    return Edges(a[chosen], b[chosen], w[chosen], y[chosen])


def span(passes: Passes) -> Routes:
    """Find the forest of all data, in one pass."""
    n = passes.n
    edges = passes.fold(no_edges, partial(span_shard, n), partial(join_edges, n))
    return Routes(n, heaviest_forest(n, edges))


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
        self._parent = search_tree(Neighbours.of(n, a, b, np.ones(len(a))), self.label)
        down = self._parent[b] == a
        self._child = np.where(down, b, a)
        self._sign = np.where(down, -1.0, 1.0)

    def carry(self, imbalance: Floats) -> Floats:
        """Return the flow h on the edges, from a to b, whose outflow is the imbalance.

        ``sum over edges of a of h - sum over edges into it of h`` is what is given for each node.
        """
        even = graph.centre(imbalance, self.label)
        return np.asarray(subtree_sums(even, self._parent)[self._child] * self._sign)

    def residuals(self, x: Floats) -> Floats:
        """Return ``y - (x_a - x_b)`` of the edges."""
        a, b, _, y = self.edges
        return np.asarray(y - (x[a] - x[b]))
