"""Routing: spanning trees that carry an imbalance, which turns a residual into a proof.

What a flow misses at the nodes, g, is sent along a spanning tree. The edge above a node carries the
sum of g below it, and the price in the bound is ``sum over tree edges (g below)^2 / w``: a tree of
heavy edges keeps it small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets, graph, order_by, sum_by

if TYPE_CHECKING:
    from scipy.sparse import csr_array

UNEVEN = 16
"""Ratio of the largest to the smallest weight from which a tree avoids light edges."""


FEW = 1_000
"""Nodes and edges up to which a graph is searched node by node: sooner than what else does it is
loaded."""


class Neighbours(NamedTuple):
    """A graph by its nodes: the neighbours of v, and their weights, begin at ``ends[v]``."""

    weights: Floats
    nodes: Index
    ends: Index | Offsets

    @classmethod
    def of(cls, n: int, one: Index, other: Index, weight: Floats) -> Neighbours:
        """Return the graph of ``n`` nodes with some edges, each of two that differ.

        Of a node they come in their order, first those that have it for ``one`` end.

        Examples
        --------
        >>> edges = Neighbours.of(3, np.array([1, 2]), np.array([0, 0]), np.array([5.0, 6.0]))
        >>> edges.nodes, edges.ends
        (array([1, 2, 0, 0]), array([0, 2, 3, 4]))
        """
        here = np.concatenate([one, other])
        order = order_by(here)
        ends = np.concatenate([[0], np.cumsum(np.bincount(here, minlength=n))])
        nodes = np.concatenate([other, one])[order]
        return cls(np.tile(weight, 2)[order], nodes, ends.astype(nodes.dtype))

    def sparse(self) -> csr_array:
        """Return the matrix of the weights, those of parallel edges added up."""
        from scipy.sparse import csr_array

        n = len(self.ends) - 1
        matrix = csr_array((self.weights, self.nodes, self.ends), shape=(n, n), copy=True)
        matrix.sum_duplicates()
        return matrix


def is_uneven(weight: Floats) -> bool:
    """Tell whether weights differ so much that a tree should avoid light edges."""
    return bool(weight.max(initial=0) > UNEVEN * weight.min(initial=np.inf))


def search_tree(edges: Neighbours, label: Index) -> Index:
    """Search a graph breadth first from one node of each component, along heavy edges.

    Where weights are uneven only the edges of a heaviest spanning forest are followed.

    Parameters
    ----------
    edges : Neighbours
        With the weight of each.
    label : array
        The component of each node.

    Returns
    -------
    parent
        The parent of each node, -1 for a root.
    """
    n, roots = len(edges.ends) - 1, graph.first_of(label)
    uneven = is_uneven(edges.weights)
    if not uneven and n + len(edges.nodes) <= FEW:
        return _spread_from(roots.tolist(), edges.ends.tolist(), edges.nodes.tolist())
    # Not at the top: it takes a while to load.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

    adjacency = edges.sparse()
    if uneven:
        cost = csr_array((1 / adjacency.data, adjacency.indices, adjacency.indptr), (n, n))
        forest = csr_array(minimum_spanning_tree(cost))
        adjacency = csr_array(forest + forest.T)
    # One extra node joined to all roots lets a single search cover every component.
    ends = np.append(adjacency.indptr, adjacency.indptr[-1] + len(roots))
    nodes = np.concatenate([adjacency.indices, roots])
    weights = np.concatenate([adjacency.data, np.ones(len(roots))])
    joined = csr_array((weights, nodes, ends), shape=(n + 1, n + 1))
    _, parent = breadth_first_order(joined, n, directed=True)
    parent[parent == n] = -1
    return np.asarray(parent[:n])


def _spread_from(roots: list[int], ends: list[int], neighbours: list[int]) -> Index:
    """Search a graph breadth first, node by node; return the parent of each."""
    parent: list[int | None] = [None] * (len(ends) - 1)
    for root in roots:
        parent[root] = -1
    queue = roots.copy()
    for node in queue:  # it grows meanwhile
        for other in neighbours[ends[node] : ends[node + 1]]:
            if parent[other] is None:
                parent[other] = node
                queue.append(other)
    return np.array(parent, dtype=np.int32)


def path_sums(values: Floats, parent: Index) -> Floats:
    """Sum ``values`` over each node of a forest and all above it; roots have the parent -1.

    After k rounds a node holds the sum of the ``2^k`` nearest ones, its own value first.

    Examples
    --------
    >>> path_sums(np.array([1.0, 2.0, 4.0, 8.0]), np.array([-1, 0, 1, 1]))
    array([ 1.,  3.,  7., 11.])
    """
    sums, above = values.copy(), parent.copy()
    below = np.flatnonzero(above >= 0)
    while len(below):
        sums[below] += sums[above[below]]
        above[below] = above[above[below]]
        below = below[above[below] >= 0]
    return sums


def subtree_sums(values: Floats, parent: Index) -> Floats:
    """Sum ``values`` over the subtree below each node of a forest; roots have the parent -1.

    After k rounds a node holds the sum of those less than ``2^k`` below it, and hands it to the
    node ``2^k`` above: rounds grow with the logarithm of the depth.

    Examples
    --------
    >>> subtree_sums(np.array([1.0, 2.0, 4.0, 8.0]), np.array([-1, 0, 1, 1]))
    array([15., 14.,  4.,  8.])
    """
    sums = values.copy()
    below = np.flatnonzero(parent >= 0)
    above = parent[below]
    further = parent.copy()
    while len(below):
        sums += sum_by(above, sums[below], len(sums))
        further[below] = further[above]
        below = below[further[below] >= 0]
        above = further[below]
    return sums
