"""Compiled parts of the solver for 0 < p < 1: trees of residuals 0, and shifts along their cuts.

A side S of a cut is shifted by d: of the judgments that leave it, r being what they miss,

    loss(d) - loss(0)  =  sum over judgments across the cut of  w (|r - d|^p - |r|^p)

and no other residual changes. The sum is concave between two of the r, so its least value is at
one of them: the shift makes that residual 0, and its judgment joins S to the rest. Trees grow so
until one spans the component; then cutting an edge and shifting its side leads to another tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Offsets
from qrja.jit import compiled, inner, kernel
from qrja.solvers.nonconvex.kernels.shift import LESS, best_shift, best_short_shift, loss_at

MIXERS = (-7046029254386353131, -4658895280553007687, -7723592293110705685)
"""Odd numbers with bits all over."""
ANY = np.inf
"""With ``LESS``, shares of the loss that a shift may leave. Not a flag: each of its values would be
compiled."""


class HalfJudgments(NamedTuple):
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
    """When each judgment's residual last changed, and the marks of cuts that were looked at.

    A mark mixes the numbers of a cut's judgments and when they changed, so that a cut with a known
    mark is not worth another look. ``clock`` counts shifts.
    """

    changed: Offsets
    known: Offsets
    clock: Offsets


def new_memory(n: int, m: int) -> Memory:
    """Return a memory of nothing, for the cuts and the single ones of n candidates."""
    return Memory(*(np.zeros(size, dtype=np.int64) for size in (m, 2 * n, 1)))


@inner
def mark_of(memory: Memory, row: int) -> int:
    """Mix the number of a judgment and when it changed."""
    mixed = (row + 1) * MIXERS[0] ^ (memory.changed[row] + 1) * MIXERS[1]
    mixed = (mixed ^ (mixed >> 31)) * MIXERS[2]
    return int(mixed ^ (mixed >> 29))


@kernel
def residual(halves: HalfJudgments, x: Floats, e: int) -> float:
    """Return by how much the tail should rise to satisfy e; 0 if only by rounding."""
    r = halves.margin[e] - (x[halves.tail[e]] - x[halves.head[e]])
    return 0.0 if abs(r) <= halves.zero[halves.tail[e]] else r


@compiled
def search_zero_tree(
    halves: HalfJudgments, x: Floats, order: Offsets, through: Offsets, size: Offsets
) -> int:
    """Walk the judgments with residual 0 depth first; return the number of trees.

    Fills ``order`` (a subtree lies together), ``through`` (the judgment from the parent, -1 for a
    root) and ``size`` (of the subtree), and recomputes x along the trees, so that rounding does not
    build up.
    """
    n = len(x)
    seen = np.zeros(n, dtype=np.bool_)
    stack = np.empty(len(halves.head) + 1, dtype=np.int64)
    placed, trees = 0, 0
    for root in range(n):
        if seen[root]:
            continue
        trees += 1
        through[root] = -1
        stack[0], top = root, 1
        while top:
            top -= 1
            u = stack[top]
            if seen[u]:
                continue
            seen[u], order[placed] = True, u
            placed += 1
            if through[u] >= 0:
                x[u] = x[halves.tail[through[u]]] - halves.margin[through[u]]
            for e in range(halves.start[u], halves.start[u + 1]):
                v = halves.head[e]
                if not seen[v] and residual(halves, x, e) == 0.0:
                    # Who comes last is on top of the stack: that is v's parent.
                    through[v], stack[top] = e, v
                    top += 1
    for u in range(n):
        size[u] = 1
    for i in range(n - 1, -1, -1):
        e = through[order[i]]
        if e >= 0:
            size[halves.tail[e]] += size[order[i]]
    return trees


@compiled
def shift_group(
    halves: HalfJudgments,
    memory: Memory,
    x: Floats,
    p: float,
    group: Offsets,
    inside: NDArray[np.bool_],
    share: float,
    most: int,
    sampled: int,
) -> int:
    """Shift a group to where it fits the rest best, if that leaves less than a share of the loss.

    Returns the judgment that now has residual 0, or -1 if the group stays. ``inside`` is False
    everywhere, before and after. ``most`` shifts are tried, the shortest, and some that are
    ``sampled``.
    """
    edges = crossing(halves, group, inside)
    if len(edges) == 0:
        return -1
    r, w, zero = np.empty(len(edges)), np.empty(len(edges)), halves.zero[group[0]]
    for k in range(len(edges)):
        r[k], w[k] = residual(halves, x, edges[k]), halves.weight[edges[k]]
    limit = share if share == ANY else share * loss_at(0.0, r, w, zero, p)
    if len(edges) > most:
        shift, loss = best_short_shift(r, w, zero, p, limit, most, sampled)
    else:
        shift, loss = best_shift(r, w, zero, p, limit)
    if loss >= limit:
        return -1
    for u in group:
        x[u] += shift
    memory.clock[0] += 1
    partner = edges[0]
    for e in edges:
        memory.changed[halves.row[e]] = memory.clock[0]
        if residual(halves, x, e) == 0.0:
            partner = e
    return int(partner)


@compiled
def crossing(halves: HalfJudgments, group: Offsets, inside: NDArray[np.bool_]) -> Offsets:
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
    for u in group:
        inside[u] = False
    return edges[:k]


@compiled
def join_trees(
    halves: HalfJudgments,
    memory: Memory,
    x: Floats,
    p: float,
    order: Offsets,
    through: Offsets,
    size: Offsets,
    most: int,
    sampled: int,
) -> None:
    """Shift each tree to where it fits another one best, which never raises the loss.

    (Unless only the shortest shifts are tried, see :func:`shift_group`.) A tree that another one
    was shifted to stays where it is, and so does one that has no larger neighbour.
    """
    tree = np.empty(len(order), dtype=np.int64)
    for u in order:
        tree[u] = u if through[u] < 0 else tree[halves.tail[through[u]]]
    stays = through < 0
    for e in range(len(halves.head)):
        one, other = tree[halves.tail[e]], tree[halves.head[e]]
        if size[other] > size[one] or (size[other] == size[one] and other < one):
            stays[one] = False
    inside = np.zeros(len(tree), dtype=np.bool_)
    end = 0
    while end < len(order):
        root = order[end]
        end += size[root]
        if not stays[root]:
            group = order[end - size[root] : end]
            e = shift_group(halves, memory, x, p, group, inside, ANY, most, sampled)
            stays[tree[halves.head[e]]] = True


@compiled
def shift_cuts(
    halves: HalfJudgments,
    memory: Memory,
    x: Floats,
    p: float,
    order: Offsets,
    through: Offsets,
    size: Offsets,
    most: int,
    sampled: int,
    widest: int,
) -> int:
    """Shift subtrees and single candidates wherever that lowers the loss; return how often.

    Groups whose candidates have more than ``widest`` judgments stay, unless they are single. The
    marks are those at the beginning. A cut that is passed over because of shifts made since
    gets its turn next time; the search ends with a round without shifts.
    """
    n = len(order)
    marks = cut_marks(halves, memory, order, through)
    inside = np.zeros(n, dtype=np.bool_)
    until = np.zeros(n + 1, dtype=np.int64)
    for i in range(n):
        until[i + 1] = until[i] + halves.start[order[i] + 1] - halves.start[order[i]]
    moves, root, root_end = 0, 0, 0
    for i in range(n):
        u, end = order[i], i + size[order[i]]
        if through[u] < 0:
            root, root_end = i, end
        elif marks[u] != memory.known[u]:
            memory.known[u] = marks[u]
            group, width = order[i:end], until[end] - until[i]
            if 2 * size[u] > root_end - root:
                # The rest of the tree is fewer: shifting it the other way is the same.
                width = until[root_end] - until[root] - width
                if width <= widest:
                    group = np.concatenate((order[root:i], order[end:root_end]))
            if width <= widest:
                moves += shift_group(halves, memory, x, p, group, inside, LESS, most, sampled) >= 0
        if size[u] > 1 and marks[n + u] != memory.known[n + u]:
            memory.known[n + u] = marks[n + u]
            single = order[i : i + 1]
            moves += shift_group(halves, memory, x, p, single, inside, LESS, most, sampled) >= 0
    return moves


@compiled
def cut_marks(halves: HalfJudgments, memory: Memory, order: Offsets, through: Offsets) -> Offsets:
    """Return the marks of the cuts below each candidate, then those of each candidate alone.

    Exclusive or takes a judgment inside a group, seen from both sides, away again. A cut of one
    judgment alone is met with residual 0: it gets the mark 0, which is known.
    """
    n = len(order)
    marks = np.zeros(2 * n, dtype=np.int64)
    for e in range(len(halves.head)):
        marks[n + halves.tail[e]] ^= mark_of(memory, halves.row[e])
    for u in range(n):
        marks[u] = marks[n + u]
    for i in range(n - 1, -1, -1):
        u, e = order[i], through[order[i]]
        if e >= 0:
            marks[halves.tail[e]] ^= marks[u]
            if marks[u] == mark_of(memory, halves.row[e]):
                marks[u] = 0
    return marks


@compiled
def scores_of_tree(n: int, rows: Offsets, a: Index, b: Index, y: Floats) -> Floats:
    """Satisfy judgments in the order of ``rows``, each unless earlier ones decide it already.

    A forest of candidates with each score relative to the one above, as in union-find.
    """
    above, x = np.arange(n), np.zeros(n)
    for row in rows:
        one, other = top_of(above, x, np.int64(a[row])), top_of(above, x, np.int64(b[row]))
        if one != other:
            above[one] = other
            x[one] = y[row] + x[b[row]] - x[a[row]]
    for u in range(n):
        top_of(above, x, u)
    return x


@inner
def top_of(above: Offsets, x: Floats, u: int | np.int64) -> Any:
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
