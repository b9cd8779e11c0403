"""Compiled: joining components edge by edge, the heaviest edge first."""

from __future__ import annotations

from qrja.data import Floats, Index, Offsets
from qrja.jit import inner, kernel


@inner
def find_root(root: Index, v: int) -> int:
    """Return the root of a node; whoever is passed on the way points further up after that."""
    while root[v] != v:
        root[v] = root[root[v]]
        v = root[v]
    return v


@kernel
def join_trees(a: Index, b: Index, order: Offsets, root: Index, kept: Offsets) -> int:
    """Write the edges that join two components to ``kept``, in their order; return how many."""
    count = 0
    for at in range(len(order)):
        e = order[at]
        one, other = find_root(root, a[e]), find_root(root, b[e])
        if one != other:
            root[max(one, other)] = min(one, other)
            kept[count] = e
            count += 1
    return count


@kernel
def order_down(parent: Index, order: Index, place: Index, above: Index) -> None:
    """Write an order of nodes in which each comes after its parent.

    ``place`` begins at -1 and gets where each node is in it, ``above`` where the parent of each
    place is; -1 for roots, whose parent is -1.
    """
    count = 0
    for v in range(len(parent)):
        # Those up to the first that has a place wait at the end of what is still free.
        node, free = v, len(parent)
        while node >= 0 and place[node] < 0:
            free -= 1
            order[free] = node
            node = parent[node]
        while free < len(parent):
            node = order[free]
            free += 1
            place[node] = count
            order[count] = node
            above[count] = place[parent[node]] if parent[node] >= 0 else -1
            count += 1


@kernel
def sum_up(above: Index, sums: Floats) -> None:
    """Add to each place those below it, the last ones first."""
    for at in range(len(above) - 1, -1, -1):
        if above[at] >= 0:
            sums[above[at]] += sums[at]
