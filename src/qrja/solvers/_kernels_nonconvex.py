"""Compiled parts of the solver for 0 < p < 1: trees of residuals 0, and shifts along their cuts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from qrja._arrays import Floats, Index, Offsets
from qrja.solvers._kernels_shift import GAIN, best_shift, loss_at

MIXER = -7046029254386353131
"""An odd number with bits all over, to mix numbers of judgments."""


class Halves(NamedTuple):
    """Every judgment, seen from both its candidates: u's are ``start[u]:start[u + 1]``.

    ``margin`` is by how much u is better; ``row`` numbers the judgment; residuals up to
    ``zero[u]`` are rounding.
    """

    start: Offsets
    tail: Offsets
    head: Offsets
    row: Offsets
    margin: Floats
    weight: Floats
    zero: Floats


class Memory(NamedTuple):
    """When each judgment's residual last changed, and which cuts were looked at when.

    A cut that has the same judgments as when it was last looked at, none of them changed since, is
    not worth another look. ``clock`` counts shifts; ``mark`` is a mixture of the numbers of a cut's
    judgments.
    """

    changed: Offsets
    looked: Offsets
    mark: Offsets
    clock: Offsets


@njit(cache=True)
def new_memory(n: int, m: int) -> Memory:
    """Return a memory of nothing, for the cuts and the single ones of n candidates."""
    return Memory(
        changed=np.zeros(m, dtype=np.int64),
        looked=np.full(2 * n, -1, dtype=np.int64),
        mark=np.zeros(2 * n, dtype=np.int64),
        clock=np.zeros(1, dtype=np.int64),
    )


@njit(cache=True)
def residual(halves: Halves, x: Floats, e: int) -> float:
    """Return by how much the tail should rise to satisfy e; 0 if only by rounding."""
    r = halves.margin[e] - (x[halves.tail[e]] - x[halves.head[e]])
    return 0.0 if abs(r) <= halves.zero[halves.tail[e]] else r


@njit(cache=True)
def search_zero_tree(
    halves: Halves, x: Floats, order: Offsets, parent: Offsets, size: Offsets
) -> int:
    """Walk the judgments with residual 0 depth first; return the number of trees.

    Fills ``order`` (a subtree lies together), ``parent`` (-1 for a root) and ``size`` (of the
    subtree), and recomputes x along the trees, so that rounding does not build up.
    """
    n = len(x)
    seen = np.zeros(n, dtype=np.bool_)
    through = np.full(n, -1, dtype=np.int64)
    stack = np.empty(len(halves.head) + 1, dtype=np.int64)
    placed, trees = 0, 0
    for root in range(n):
        if seen[root]:
            continue
        trees += 1
        parent[root] = -1
        stack[0], top = root, 1
        while top:
            top -= 1
            u = stack[top]
            if seen[u]:
                continue
            seen[u] = True
            order[placed] = u
            placed += 1
            if parent[u] >= 0:
                x[u] = x[parent[u]] - halves.margin[through[u]]
            for e in range(halves.start[u], halves.start[u + 1]):
                v = halves.head[e]
                if not seen[v] and residual(halves, x, e) == 0.0:
                    # Who comes last is on top of the stack: that is v's parent.
                    parent[v], through[v], stack[top] = u, e, v
                    top += 1
    size[:] = 1
    for i in range(n - 1, -1, -1):
        if parent[order[i]] >= 0:
            size[parent[order[i]]] += size[order[i]]
    return trees


@njit(cache=True)
def shift_group(
    halves: Halves,
    memory: Memory,
    x: Floats,
    p: float,
    group: Offsets,
    inside: NDArray[np.bool_],
    key: int,
) -> int:
    """Shift a group to where it fits the rest best.

    With a key >= 0, its place in the memory, only if that lowers the loss. Returns the judgment
    that now has residual 0, or -1 if the group stays. ``inside`` is False everywhere, before and
    after.
    """
    edges = crossing(halves, group, inside)
    if len(edges) == 0 or (key >= 0 and is_known(halves, memory, edges, key)):
        return -1
    r, w, zero = np.empty(len(edges)), halves.weight[edges], halves.zero[group[0]]
    for k in range(len(edges)):
        r[k] = residual(halves, x, edges[k])
    limit = np.inf if key < 0 else loss_at(0.0, r, w, zero, p) * (1 - GAIN)
    shift, loss = best_shift(r, w, zero, p, limit)
    if loss >= limit:
        return -1
    x[group] += shift
    memory.clock[0] += 1
    memory.changed[halves.row[edges]] = memory.clock[0]
    return int(edges[np.argmin(np.abs(r - shift))])


@njit(cache=True)
def crossing(halves: Halves, group: Offsets, inside: NDArray[np.bool_]) -> Offsets:
    """Return the judgments between a group and the rest, seen from the group."""
    count = 0
    for u in group:
        inside[u] = True
        count += halves.start[u + 1] - halves.start[u]
    edges = np.empty(count, dtype=np.int64)
    k = 0
    for u in group:
        for e in range(halves.start[u], halves.start[u + 1]):
            if not inside[halves.head[e]]:
                edges[k] = e
                k += 1
    inside[group] = False
    return edges[:k]


@njit(cache=True)
def is_known(halves: Halves, memory: Memory, edges: Offsets, key: int) -> bool:
    """Return whether nothing changed since a cut was last looked at; note that it is now."""
    mark, latest = 0, 0
    for e in edges:
        mixed = (halves.row[e] + 1) * MIXER
        mark ^= mixed ^ (mixed >> 29)
        latest = max(latest, memory.changed[halves.row[e]])
    known = mark == memory.mark[key] and latest <= memory.looked[key]
    memory.mark[key], memory.looked[key] = mark, memory.clock[0]
    return bool(known)


@njit(cache=True)
def join_trees(
    halves: Halves,
    memory: Memory,
    x: Floats,
    p: float,
    order: Offsets,
    parent: Offsets,
    size: Offsets,
) -> None:
    """Shift each tree to where it fits another one best, which never raises the loss.

    A tree that another one was shifted to stays where it is, and so does one that has no larger
    neighbour.
    """
    tree = np.empty(len(order), dtype=np.int64)
    for u in order:
        tree[u] = u if parent[u] < 0 else tree[parent[u]]
    stays = parent < 0
    for u in range(len(tree)):
        for e in range(halves.start[u], halves.start[u + 1]):
            one, other = tree[u], tree[halves.head[e]]
            if (size[other], -other) > (size[one], -one):
                stays[one] = False
    inside = np.zeros(len(tree), dtype=np.bool_)
    end = 0
    while end < len(order):
        root = order[end]
        end += size[root]
        if not stays[root]:
            group = order[end - size[root] : end]
            e = shift_group(halves, memory, x, p, group, inside, -1)
            stays[tree[halves.head[e]]] = True


@njit(cache=True)
def shift_cuts(
    halves: Halves,
    memory: Memory,
    x: Floats,
    p: float,
    order: Offsets,
    parent: Offsets,
    size: Offsets,
) -> int:
    """Shift subtrees and single candidates wherever that lowers the loss; return how often."""
    inside = np.zeros(len(order), dtype=np.bool_)
    moves, root = 0, 0
    for i in range(len(order)):
        u, end = order[i], i + size[order[i]]
        if parent[u] < 0:
            root = i
            root_end = end
        elif 2 * size[u] <= root_end - root:
            moves += shift_group(halves, memory, x, p, order[i:end], inside, u) >= 0
        else:
            # The rest of the tree, which is fewer: shifting it the other way is the same.
            rest = np.concatenate((order[root:i], order[end:root_end]))
            moves += shift_group(halves, memory, x, p, rest, inside, u) >= 0
        if size[u] > 1:
            alone = order[i : i + 1]
            moves += shift_group(halves, memory, x, p, alone, inside, len(order) + u) >= 0
    return moves


@njit(cache=True)
def scores_of_tree(n: int, rows: Offsets, a: Index, b: Index, y: Floats) -> Floats:
    """Satisfy judgments in the order of ``rows``, each unless earlier ones decide it already.

    A forest of candidates with each score relative to the one above, as in union-find.
    """
    above, x = np.arange(n), np.zeros(n)
    for row in rows:
        one, other = top_of(above, x, a[row]), top_of(above, x, b[row])
        if one != other:
            above[one] = other
            x[one] = y[row] + x[b[row]] - x[a[row]]
    for u in range(n):
        top_of(above, x, u)
    return x


@njit(cache=True)
def top_of(above: Offsets, x: Floats, u: int) -> int:
    """Return the top of u's tree, and hang u and all on its way directly below it."""
    top = u
    while above[top] != top:
        top = above[top]
    total, v = 0.0, u
    while above[v] != v:
        total += x[v]
        v = above[v]
    while above[u] != u:
        following, step = above[u], x[u]
        above[u], x[u] = top, total
        total -= step
        u = following
    return top
