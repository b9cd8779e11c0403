"""Compiled: joining components edge by edge, the heaviest edge first."""

from __future__ import annotations

from qrja.data import Index, Offsets
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
