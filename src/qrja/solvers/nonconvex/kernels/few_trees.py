"""What :mod:`zero_trees` does, in arrays: for few candidates, while nothing is compiled.

The same walk, group by group: the residuals that leave a group are taken together, and the losses
of all shifts that are tried are one table of powers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Floats, Mask, Offsets
from qrja.jit import in_arrays
from qrja.solvers.nonconvex.kernels import zero_trees
from qrja.solvers.nonconvex.kernels.shift import LESS
from qrja.solvers.nonconvex.kernels.zero_trees import ANY, MIXERS, HalfJudgments, Memory

FEW, SOME = 400, 200_000
"""Candidates and half judgments up to which a look at all groups takes a tenth of a second."""
TABLE = 1 << 16
"""Powers that are taken at once."""


def are_few(halves: HalfJudgments, *_: Any) -> bool:
    """Tell whether arrays do better than waiting for the compiler."""
    return len(halves.zero) <= FEW and len(halves.head) <= SOME


@in_arrays(zero_trees.search_zero_tree, beyond=0, suits=are_few)
def search_zero_tree(
    halves: HalfJudgments, x: Floats, order: Offsets, through: Offsets, size: Offsets
) -> int:
    """Walk the judgments with residual 0 depth first; return the number of trees."""
    tail, head, margin = halves.tail, halves.head, halves.margin
    tight = np.flatnonzero(residuals(halves, x, slice(None)) == 0.0)
    ways: list[list[tuple[int, int]]] = [[] for _ in x]
    rows = zip(tail[tight].tolist(), head[tight].tolist(), tight.tolist(), strict=True)
    for u, v, e in rows:
        ways[u].append((v, e))
    above, seen, walk = [-1] * len(x), [False] * len(x), []
    for root in range(len(x)):
        stack = [] if seen[root] else [root]
        while stack:
            u = stack.pop()
            if seen[u]:
                continue
            seen[u] = True
            walk.append(u)
            for v, e in ways[u]:
                if not seen[v]:
                    above[v] = e
                    stack.append(v)
    score, sizes = x.tolist(), [1] * len(x)
    parent = [-1 if e < 0 else int(tail[e]) for e in above]
    for u in walk:
        if parent[u] >= 0:
            score[u] = score[parent[u]] - float(margin[above[u]])
    for u in reversed(walk):
        if parent[u] >= 0:
            sizes[parent[u]] += sizes[u]
    x[:], order[:], through[:], size[:] = score, walk, above, sizes
    return above.count(-1)


def residuals(halves: HalfJudgments, x: Floats, edges: Offsets | slice) -> Floats:
    """Return by how much tails should rise to satisfy judgments; 0 if only by rounding."""
    tail = halves.tail[edges]
    r = halves.margin[edges] - (x[tail] - x[halves.head[edges]])
    r[np.abs(r) <= halves.zero[tail]] = 0.0
    return np.asarray(r)


def crossing(halves: HalfJudgments, group: Offsets, inside: Mask) -> Offsets:
    """Return the judgments between a group of several and the rest, seen from the group."""
    first = halves.start[group]
    count = halves.start[group + 1] - first
    edges = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
    inside[group] = True
    edges = edges[~inside[halves.head[edges]]]
    inside[group] = False
    return np.asarray(edges)


def best_of(
    shifts: Floats, r: Floats, w: Floats, zero: float, p: float, limit: float
) -> tuple[float, float]:
    """Return the shift of least loss, and that loss, if it is below a limit.

    Of those that are equal but for rounding, the first.
    """
    losses, step = np.empty(len(shifts)), max(TABLE // max(len(r), 1), 1)
    for first in range(0, len(shifts), step):
        distance = np.abs(shifts[first : first + step, None] - r)
        distance *= distance > zero
        losses[first : first + step] = distance**p @ w
    best = int((losses * LESS <= losses.min()).argmax())
    return (float(shifts[best]), float(losses[best])) if losses[best] < limit else (0.0, limit)


def shift_group(
    halves: HalfJudgments,
    memory: Memory,
    x: Floats,
    p: float,
    group: Offsets,
    inside: Mask,
    share: float,
    most: int,
    sampled: int,
) -> int:
    """Shift a group to where it fits the rest best, if that leaves less than a share of the loss.

    Returns the judgment that now has residual 0, or -1 if the group stays.
    """
    u, edges = int(group[0]), crossing(halves, group, inside) if len(group) > 1 else None
    # Those of one candidate lie together: nothing is copied.
    these = slice(int(halves.start[u]), int(halves.start[u + 1])) if edges is None else edges
    w, zero = halves.weight[these], float(halves.zero[u])
    if not len(w):
        return -1
    x_of_tail = x[u] if edges is None else x[halves.tail[these]]
    r = halves.margin[these] - (x_of_tail - x[halves.head[these]])
    r[np.abs(r) <= zero] = 0.0
    distance = np.abs(r)
    limit = share if share == ANY else share * float(distance**p @ w)
    if len(r) > most:
        near = (distance <= np.partition(distance, most - 1)[most - 1]).nonzero()[0]
        shifts = r[near[distance[near].argsort(kind="stable")[:most]]]
        if sampled:
            shifts = np.concatenate([shifts, r[np.arange(sampled) * len(r) // sampled]])
    else:
        shifts = r[np.lexsort((-r, distance))]
    shift, loss = best_of(shifts, r, w, zero, p, limit)
    if loss >= limit:
        return -1
    x[group] += shift
    memory.clock[0] += 1
    memory.changed[halves.row[these]] = memory.clock[0]
    tight = (residuals(halves, x, these) == 0.0).nonzero()[0]
    at = int(tight[-1]) if len(tight) else 0
    return at + int(halves.start[u]) if edges is None else int(edges[at])


@in_arrays(zero_trees.join_trees, beyond=0, suits=are_few)
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
    """Shift each tree to where it fits another one best."""
    roots = np.flatnonzero(through[order] < 0)
    tree = np.empty(len(order), dtype=np.int64)
    tree[order] = np.repeat(order[roots], np.diff(np.append(roots, len(order))))
    stays = through < 0
    one, other = tree[halves.tail], tree[halves.head]
    is_larger = (size[other] > size[one]) | ((size[other] == size[one]) & (other < one))
    stays[one[is_larger]] = False
    inside = np.zeros(len(tree), dtype=np.bool_)
    for place in roots.tolist():
        root = order[place]
        if not stays[root]:
            group = order[place : place + size[root]]
            e = shift_group(halves, memory, x, p, group, inside, ANY, most, sampled)
            stays[tree[halves.head[e]]] = True


@in_arrays(zero_trees.shift_cuts, beyond=0, suits=are_few)
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
    """Shift subtrees and single candidates wherever that lowers the loss; return how often."""
    n = len(order)
    marks, inside = cut_marks(halves, memory, order, through), np.zeros(n, dtype=np.bool_)
    degree = np.diff(halves.start)[order]
    until = np.append(0, np.cumsum(degree)).tolist()
    moves = root = root_end = 0
    sizes, is_root = size.tolist(), (through < 0).tolist()
    differs = marks != memory.known
    memory.known[:n] = np.where(through < 0, memory.known[:n], marks[:n])
    memory.known[n:] = np.where(size > 1, marks[n:], memory.known[n:])
    for i, u in enumerate(order.tolist()):
        end = i + sizes[u]
        if is_root[u]:
            root, root_end = i, end
        elif differs[u]:
            group, width = order[i:end], until[end] - until[i]
            if 2 * sizes[u] > root_end - root:
                width = until[root_end] - until[root] - width
                if width <= widest:
                    group = np.concatenate((order[root:i], order[end:root_end]))
            if width <= widest:
                moves += shift_group(halves, memory, x, p, group, inside, LESS, most, sampled) >= 0
        if sizes[u] > 1 and differs[n + u]:
            single = order[i : i + 1]
            moves += shift_group(halves, memory, x, p, single, inside, LESS, most, sampled) >= 0
    return moves


def cut_marks(halves: HalfJudgments, memory: Memory, order: Offsets, through: Offsets) -> Offsets:
    """Return the marks of the cuts below each candidate, then those of each candidate alone."""
    n = len(order)
    marks = np.zeros(2 * n, dtype=np.int64)
    of_each = marks_of(memory, halves.row)
    np.bitwise_xor.at(marks, n + halves.tail, of_each)
    below = marks[n:].tolist()
    for u in reversed(order.tolist()):
        e = through[u]
        if e >= 0:
            below[int(halves.tail[e])] ^= below[u]
            if below[u] == of_each[e]:
                below[u] = 0
    marks[:n] = below
    return marks


def marks_of(memory: Memory, rows: Offsets) -> Offsets:
    """Mix the numbers of judgments and when they changed."""
    mixed = (rows + 1) * MIXERS[0] ^ (memory.changed[rows] + 1) * MIXERS[1]
    mixed = (mixed ^ (mixed >> 31)) * MIXERS[2]
    return np.asarray(mixed ^ (mixed >> 29))
