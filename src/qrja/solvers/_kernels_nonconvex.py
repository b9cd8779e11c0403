"""Compiled parts of the solver for 0 < p < 1: shifts of groups of candidates.

Shifting a group by d changes the judgments between it and the rest, with residuals r, to a loss of

    F(d) = sum_i w_i |r_i - d|^p,

which is concave between two neighbouring r_i: its least value is at one of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from qrja._arrays import Floats, Index, Offsets

FEW = 48
"""Judgments of a cut up to which every shift is simply tried."""
GAIN = 1e-12
"""Part of the loss of a cut that a shift must save to count as better."""


class Halves(NamedTuple):
    """Every judgment, seen from both its candidates: u's are ``start[u]:start[u + 1]``.

    ``margin`` is by how much u is better; residuals up to ``zero[u]`` are rounding.
    """

    start: Offsets
    head: Offsets
    margin: Floats
    weight: Floats
    zero: Floats


@njit(cache=True)
def residual(halves: Halves, x: Floats, u: int, e: int) -> float:
    """Return by how much u should rise to satisfy its judgment e; 0 if only by rounding."""
    r = halves.margin[e] - (x[u] - x[halves.head[e]])
    return 0.0 if abs(r) <= halves.zero[u] else r


@njit(cache=True)
def loss_at(shift: float, r: Floats, w: Floats, zero: float, p: float) -> float:
    """Return F at a shift."""
    total = 0.0
    for i in range(len(r)):
        distance = abs(r[i] - shift)
        if distance > zero:
            total += w[i] * distance**p
    return total


@njit(cache=True)
def best_shift(r: Floats, w: Floats, zero: float, p: float) -> tuple[float, float]:
    """Return the shift of least loss among r, and that loss."""
    if len(r) > FEW:
        return best_of_many(r, w, zero, p)
    best, least = 0.0, np.inf
    for i in range(len(r)):
        loss = loss_at(r[i], r, w, zero, p)
        if loss < least:
            best, least = r[i], loss
    return best, least


@njit(cache=True)
def best_of_many(r: Floats, w: Floats, zero: float, p: float) -> tuple[float, float]:
    """Return what :func:`best_shift` does, in O(k sqrt k) steps where k shifts differ little.

    Shifts whose lower bound reaches the best loss so far are passed over.
    """
    order = np.argsort(r)
    r, w = r[order], w[order]
    width = int(np.sqrt(len(r))) + 1
    weight, mean = block_means(r, w, width)
    bound = np.empty(len(r))
    for i in range(len(r)):
        bound[i] = lower_bound(r[i], r, w, weight, mean, width, zero, p)
    first = int(np.argmin(bound))
    best, least = r[first], loss_at(r[first], r, w, zero, p)
    for i in range(len(r)):
        if bound[i] < least and (i == 0 or r[i] != r[i - 1]):
            loss = loss_at(r[i], r, w, zero, p)
            if loss < least:
                best, least = r[i], loss
    return best, least


@njit(cache=True)
def block_means(r: Floats, w: Floats, width: int) -> tuple[Floats, Floats]:
    """Return weight and mean of each block of ``width`` sorted residuals."""
    count = (len(r) + width - 1) // width
    weight, mean = np.zeros(count), np.zeros(count)
    for i in range(len(r)):
        weight[i // width] += w[i]
        mean[i // width] += w[i] * r[i]
    return weight, mean / weight


@njit(cache=True)
def lower_bound(
    shift: float,
    r: Floats,
    w: Floats,
    weight: Floats,
    mean: Floats,
    width: int,
    zero: float,
    p: float,
) -> float:
    """Bound F at a shift from below.

    Over a block to one side of the shift, ``|r - shift|^p`` is concave in r, hence above its chord,
    whose weighted sum is its value at the block's mean.
    """
    total = 0.0
    for block in range(len(weight)):
        lo, hi = block * width, min((block + 1) * width, len(r))
        left, right = r[lo], r[hi - 1]
        if left - zero <= shift <= right + zero or left == right:
            total += loss_at(shift, r[lo:hi], w[lo:hi], zero, p)
        else:
            part = (mean[block] - left) / (right - left)
            ends = (1 - part) * abs(left - shift) ** p + part * abs(right - shift) ** p
            total += weight[block] * ends
    return total * (1 - 1e-12)


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
                if not seen[v] and residual(halves, x, u, e) == 0.0:
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
    halves: Halves, x: Floats, p: float, group: Offsets, inside: NDArray[np.bool_], forced: bool
) -> int:
    """Shift a group to where it fits the rest best, if that lowers the loss or is ``forced``.

    Returns the judgment that now has residual 0, or -1 if the group stays. ``inside`` is False
    everywhere, before and after.
    """
    count = 0
    for u in group:
        inside[u] = True
        count += halves.start[u + 1] - halves.start[u]
    r, w, e = np.empty(count), np.empty(count), np.empty(count, dtype=np.int64)
    k = 0
    for u in group:
        for i in range(halves.start[u], halves.start[u + 1]):
            if not inside[halves.head[i]]:
                r[k], w[k], e[k] = residual(halves, x, u, i), halves.weight[i], i
                k += 1
    inside[group] = False
    if k == 0:
        return -1
    r, w, zero = r[:k], w[:k], halves.zero[group[0]]
    shift, loss = best_shift(r, w, zero, p)
    if not forced and loss >= loss_at(0.0, r, w, zero, p) * (1 - GAIN):
        return -1
    x[group] += shift
    return int(e[np.argmin(np.abs(r - shift))])


@njit(cache=True)
def join_trees(
    halves: Halves, x: Floats, p: float, order: Offsets, parent: Offsets, size: Offsets
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
            e = shift_group(halves, x, p, order[end - size[root] : end], inside, True)
            stays[tree[halves.head[e]]] = True


@njit(cache=True)
def shift_cuts(
    halves: Halves, x: Floats, p: float, order: Offsets, parent: Offsets, size: Offsets
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
            moves += shift_group(halves, x, p, order[i:end], inside, False) >= 0
        else:
            # The rest of the tree, which is fewer: shifting it the other way is the same.
            rest = np.concatenate((order[root:i], order[end:root_end]))
            moves += shift_group(halves, x, p, rest, inside, False) >= 0
        if size[u] > 1:
            moves += shift_group(halves, x, p, order[i : i + 1], inside, False) >= 0
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
