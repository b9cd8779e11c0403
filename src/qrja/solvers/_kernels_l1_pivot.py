"""Compiled: the pivot of the dual network simplex in x-space.

A pivot drops a tree pair that carries too much, ``|flow| > cap``, which leaves two trees. The
smaller one moves in the direction of the excess; every pair that it crosses changes its pull by
twice its weight, and the move ends at the pair that uses the excess up. That pair enters:

    cut  ->  collect the moving nodes  ->  search the crossings  ->  shift  ->  send flows  ->  join

Each pivot lowers the loss strictly (in the perturbed order), so none is ever repeated.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from qrja.solvers._kernels_jit import kernel
from qrja.solvers._kernels_l1_contests import carry, drop_zero, find_zero, is_before, set_zero
from qrja.solvers._kernels_l1_forest import (
    collect,
    cut,
    link,
    most_violated,
    new_stamp,
    note,
    requeue,
    reroot,
    root_of,
    send_moving,
    send_seeds,
)
from qrja.solvers._kernels_l1_search import search

LIMIT = np.int64(1 << 60)
OPTIMAL, PAUSED, TOO_FAR, NO_ROOM = 0, 1, 2, 3


@kernel
def is_in_range(moving: int, step_hi: int, step_lo: int, work: Any, nodes: Any) -> bool:
    """Tell whether the moving nodes stay where differences of residuals are exact."""
    for k in range(moving):
        v = work[k].moving
        if abs(nodes[v].hi + step_hi) > LIMIT or abs(nodes[v].lo + step_lo) > LIMIT:
            return False
    return True


@kernel
def shift(
    moving: int, d: int, step_hi: int, step_lo: int,
    work: Any, nodes: Any, where: Any, places: Any, fields: Any,
) -> None:
    """Move the nodes by a step in direction d and sort their contests again."""
    for k in range(moving):
        v = work[k].moving
        nodes[v].hi += step_hi
        nodes[v].lo += step_lo
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            p = where[slot]
            places[p].hi += step_hi
            places[p].lo += step_lo
    for k in range(moving):
        v = work[k].moving
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            p = np.int64(where[slot])
            c = places[p].contest
            first = np.int64(fields[c].first)
            last = first + fields[c].size - 1
            # An entry carried away uncovers those behind it that moved too.
            if d > 0:
                while first <= p < last and is_before(places, p + 1, p):
                    carry(places, where, p, last + 1, np.int64(1))
                    p -= 1
            else:
                while first < p <= last and is_before(places, p, p - 1):
                    carry(places, where, p, first - 1, np.int64(-1))
                    p += 1


@kernel
def settle_zeros(
    crossed: Any, found: int, ties: Any, d: int, mark: Any, entries: Any, zeros: Any, control: Any
) -> bool:
    """Forget the zero pairs that the move pulled apart and remember those that it made."""
    stamp = control[0].stamp
    last = found - 1
    hi, lo = crossed[last].hi, crossed[last].lo
    k = np.int64(0)
    while (hi != 0 or lo != 0) and k < control[0].zeros:
        u, v = entries[zeros[k].i].node, entries[zeros[k].j].node
        if (mark[u] == stamp) != (mark[v] == stamp):
            drop_zero(zeros, control, k)
        else:
            k += 1
    room = True
    k = last - 1
    while k >= 0 and crossed[k].hi == hi and crossed[k].lo == lo:
        room &= set_zero(zeros, control, np.int64(crossed[k].i), np.int64(crossed[k].j), d)
        k -= 1
    for k in range(control[0].ties):
        room &= set_zero(zeros, control, np.int64(ties[k].i), np.int64(ties[k].j), -d)
    k = find_zero(zeros, control, np.int64(crossed[last].i), np.int64(crossed[last].j))
    if k >= 0:
        drop_zero(zeros, control, k)
    return room


@kernel
def join(
    i: int, j: int, cap: int, moved: int, seeds: int,
    mark: Any, work: Any, forest: Any, head: Any, entries: Any, control: Any,
) -> None:
    """Tie the tree with root ``moved`` to that of entry j by the pair (i, j), the smaller below.

    The changes noted at the seeds are sent on the way.
    """
    u, v = np.int64(entries[i].node), np.int64(entries[j].node)
    fixed = root_of(forest, v)
    is_below = forest[moved].size <= forest[fixed].size
    if is_below:
        seeds = note(forest, work, seeds, v, forest[moved].flow, control[0].stamp)
    send_seeds(forest, work, mark, head, control, seeds)
    if is_below:
        low, above, root, own, other = u, v, moved, i, j
    else:
        low, above, root, own, other = v, u, fixed, j, i
    reroot(forest, head, control, low, root)
    link(forest, low, above)
    forest[low].own, forest[low].other, forest[low].cap = own, other, cap
    requeue(forest, head, control, low)
    size, gained = forest[low].size, np.int64(0) if is_below else forest[low].flow
    while above >= 0:
        forest[above].size += size
        if gained != 0:
            forest[above].flow += gained
            requeue(forest, head, control, above)
        above = np.int64(forest[above].parent)


@kernel
def release(v: int, excess: int, forest: Any, zeros: Any, control: Any) -> int:
    """Drop the tree pair above v, which then pulls with all its weight; return the old root."""
    i, j = np.int64(forest[v].own), np.int64(forest[v].other)
    set_zero(zeros, control, i, j, np.int64(1 if excess > 0 else -1))
    root = cut(forest, v)
    forest[v].flow = excess
    return root


@kernel
def turn_pulls(
    crossed: Any, found: int, d: int, seeds: int, forest: Any, work: Any, entries: Any, control: Any
) -> int:
    """Note the changes of flow from the crossed pairs: their slopes turn from -d to +d.

    The last pair enters the forest; its slope ends at 0.
    """
    for k in range(found):
        pull = d * crossed[k].pull
        if k == found - 1:
            pull //= 2
        forest[entries[crossed[k].i].node].change -= pull
        v = np.int64(entries[crossed[k].j].node)
        seeds = note(forest, work, seeds, v, pull, control[0].stamp)
    return seeds


@numba.njit(cache=True)
def pivot(
    v: int, heap: Any, crossed: Any, ties: Any, mark: Any, work: Any, nodes: Any, where: Any,
    forest: Any, head: Any, entries: Any, places: Any, fields: Any, zeros: Any, control: Any,
) -> tuple[Any, Any, int]:
    """Repair the tree pair above v; return heap and crossed, which may have grown, and a status."""
    parent = np.int64(forest[v].parent)
    d = np.int64(1 if forest[v].flow > 0 else -1)
    need = abs(forest[v].flow) - forest[v].cap
    excess = d * need
    moved = v
    if parent >= 0:
        root = release(v, excess, forest, zeros, control)
        if forest[v].size > forest[root].size and forest[root].flow == 0:
            moved = root
            d = -d
    stamp = new_stamp(control)
    moving = collect(forest, work, mark, moved, stamp)
    found = -1
    while found < 0:
        found = search(
            heap, crossed, ties, moving, d, need, mark, work, nodes, where,
            forest, entries, places, fields, zeros, control,
        )
        if found < 0:
            heap = np.empty(2 * heap.size, heap.dtype)
            crossed = np.empty(2 * crossed.size, crossed.dtype)
    last = found - 1
    step_hi, step_lo = d * crossed[last].hi, d * crossed[last].lo
    if not is_in_range(moving, step_hi, step_lo, work, nodes):
        return heap, crossed, TOO_FAR
    shift(moving, d, step_hi, step_lo, work, nodes, where, places, fields)
    room = settle_zeros(crossed, found, ties, d, mark, entries, zeros, control)
    seeds = 0
    if moved != v:
        forest[parent].change -= excess
    elif parent >= 0:
        seeds = note(forest, work, seeds, parent, -excess, stamp)
    seeds = turn_pulls(crossed, found, d, seeds, forest, work, entries, control)
    send_moving(forest, work, head, control, moving)
    i, j = np.int64(crossed[last].i), np.int64(crossed[last].j)
    join(
        i, j, crossed[last].pull // 2, moved, seeds,
        mark, work, forest, head, entries, control,
    )
    requeue(forest, head, control, v)
    return heap, crossed, PAUSED if room else NO_ROOM


@numba.njit(cache=True)
def run(
    most: int, heap: Any, crossed: Any, ties: Any, mark: Any, work: Any, nodes: Any, where: Any,
    forest: Any, head: Any, entries: Any, places: Any, fields: Any, zeros: Any, control: Any,
) -> tuple[int, int]:
    """Pivot at most so many times; return the status and the number of pivots."""
    status = PAUSED
    done = 0
    while done < most and status == PAUSED:
        v = most_violated(forest, head, control)
        if v < 0:
            return OPTIMAL, done
        heap, crossed, status = pivot(
            v, heap, crossed, ties, mark, work, nodes, where,
            forest, head, entries, places, fields, zeros, control,
        )
        done += 1
    return status, done
