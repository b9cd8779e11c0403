"""Routing: spanning trees that carry an imbalance, which turns a residual into a proof.

What a flow misses at the nodes, g, is sent along a spanning tree. The edge above a node carries the
sum of g below it, and the price in the bound is ``sum over tree edges (g below)^2 / w``: a tree of
heavy edges keeps it small.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from qrja.data import Floats, Index, graph, sum_by

UNEVEN = 16
"""Ratio of the largest to the smallest weight from which a tree avoids light edges."""


FEW = 1_000
"""Nodes and edges up to which a graph is searched node by node: sooner than what else does it is
loaded."""


def is_uneven(weight: Floats) -> bool:
    """Tell whether weights differ so much that a tree should avoid light edges."""
    return bool(weight.max(initial=0) > UNEVEN * weight.min(initial=np.inf))


def search_tree(adjacency: csr_array, label: Index) -> Index:
    """Search a graph breadth first from one node of each component, along heavy edges.

    Where weights are uneven only the edges of a heaviest spanning forest are followed.

    Parameters
    ----------
    adjacency : csr_array
        Symmetric, with the weight of each edge.
    label : array
        The component of each node.

    Returns
    -------
    parent
        The parent of each node, -1 for a root.
    """
    n, roots = adjacency.shape[0], graph.first_of(label)
    uneven = is_uneven(adjacency.data)
    if not uneven and n + adjacency.nnz <= FEW:
        return _spread_from(roots.tolist(), adjacency.indptr.tolist(), adjacency.indices.tolist())
    # Not at the top: it takes a while to load.
    from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

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
