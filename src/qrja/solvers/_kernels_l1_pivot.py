"""Compiled: the pivot of the dual network simplex in x-space.

A pivot drops a tree pair that carries too much, ``|flow| > cap``, which leaves two trees. The
smaller one moves in the direction of the excess; every pair that it crosses changes its pull by
twice its weight, and the move ends at the pair that uses the excess up. That pair enters:

    cut  ->  collect the moving nodes  ->  search the crossings  ->  shift  ->  send flows  ->  join

Each pivot lowers the loss strictly (in the perturbed order), so none is ever repeated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.solvers._kernels_jit import inlined, kernel
from qrja.solvers._kernels_l1_contests import carry, drop_zero, find_zero, is_before, set_zero
from qrja.solvers._kernels_l1_forest import (
    collect,
    cut,
    join,
    most_violated,
    new_stamp,
    note,
    requeue,
    send_seeds,
)
from qrja.solvers._kernels_l1_search import FAR, search

LIMIT = np.int64(1 << 60)
MANY = 256
"""Work of a move from which ties are looked at first."""
OPTIMAL, PAUSED, TOO_FAR, NO_ROOM = 0, 1, 2, 3


@inlined
def sort_again(p: int, d: int, first: int, last: int, places: Any, nodes: Any, where: Any) -> None:
    """Bring the entry at place p, which moved in direction d, to where it belongs.

    An entry carried away uncovers those behind it that moved too.
    """
    if d > 0:
        while first <= p < last and is_before(places, nodes, p + 1, p):
            carry(places, nodes, where, p, last + 1, np.int64(1))
            p -= 1
    else:
        while first < p <= last and is_before(places, nodes, p, p - 1):
            carry(places, nodes, where, p, first - 1, np.int64(-1))
            p += 1


@inlined
def note_twins(p: int, first: int, last: int, places: Any, tied: Any) -> None:
    """Set the marks of ties at place p; a mark left behind at a former twin does no harm."""
    tied[places[p].slot] = False
    for q in (p - 1, p + 1):
        if first <= q <= last and places[q].hi == places[p].hi:
            tied[places[p].slot] = True
            tied[places[q].slot] = True


@kernel
def shift(
    moving: int, d: int, step_hi: int, step_lo: int,
    work: Any, nodes: Any, where: Any, tied: Any, places: Any, fields: Any,
) -> bool:
    """Move the nodes by a step in direction d and sort their contests again.

    Returns False if a node leaves the range where differences of residuals are exact.
    """
    is_in_range = True
    for k in range(moving):
        v = work[k].moving
        nodes[v].hi += step_hi
        nodes[v].lo += step_lo
        is_in_range &= abs(nodes[v].hi) <= LIMIT and abs(nodes[v].lo) <= LIMIT
        if step_hi != 0:
            for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
                places[where[slot]].hi += step_hi
    for k in range(moving):
        v = work[k].moving
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            if step_hi != 0 or tied[slot]:
                p = np.int64(where[slot])
                first = np.int64(fields[places[p].contest].first)
                last = first + fields[places[p].contest].size - 1
                sort_again(p, d, first, last, places, nodes, where)
    if step_hi != 0:
        for k in range(moving):
            v = work[k].moving
            for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
                p = np.int64(where[slot])
                first = np.int64(fields[places[p].contest].first)
                last = first + fields[places[p].contest].size - 1
                note_twins(p, first, last, places, tied)
    return is_in_range


@kernel
def settle_zeros(
    crossed: Any, found: int, ties: Any, d: int, mark: Any, entries: Any, zeros: Any, control: Any
) -> bool:
    """Forget the zero pairs that the move pulled apart and remember those that it made."""
    stamp = control[0].stamp
    hi, lo = crossed[0].hi, crossed[0].lo
    k = np.int64(0)
    while (hi != 0 or lo != 0) and k < control[0].zeros:
        u, v = entries[zeros[k].i].node, entries[zeros[k].j].node
        if (mark[u] == stamp) != (mark[v] == stamp):
            drop_zero(zeros, control, k)
        else:
            k += 1
    room = True
    for k in range(1, found):
        if crossed[k].hi == hi and crossed[k].lo == lo:
            room &= set_zero(zeros, control, np.int64(crossed[k].i), np.int64(crossed[k].j), d)
    for k in range(control[0].ties):
        room &= set_zero(zeros, control, np.int64(ties[k].i), np.int64(ties[k].j), -d)
    k = find_zero(zeros, control, np.int64(crossed[0].i), np.int64(crossed[0].j))
    if k >= 0:
        drop_zero(zeros, control, k)
    return room


@kernel
def release(v: int, d: int, excess: int, forest: Any, zeros: Any, control: Any) -> int:
    """Drop the tree pair above v, which then pulls with all its weight; return the old root.

    The subtree moves in direction d from its parent, and so does the sign of the pair.
    """
    set_zero(zeros, control, np.int64(forest[v].own), np.int64(forest[v].other), d)
    root = cut(forest, v)
    forest[v].flow = excess
    return root


@kernel
def turn_pulls(
    crossed: Any, found: int, d: int, seeds: int, is_moving: bool,
    forest: Any, work: Any, entries: Any, control: Any,
) -> int:
    """Note the changes of flow from the crossed pairs on one side: slopes turn from -d to +d.

    The farthest pair enters the forest; its slope ends at 0.
    """
    for k in range(found):
        pull = d * crossed[k].pull
        if k == 0:
            pull //= 2
        i = crossed[k].i if is_moving else crossed[k].j
        v = np.int64(entries[i].node)
        seeds = note(forest, work, seeds, v, -pull if is_moving else pull, control[0].stamp)
    return seeds


@kernel
def pivot(
    v: int, crossed: Any, ties: Any, tied: Any, mark: Any, work: Any, nodes: Any,
    where: Any, forest: Any, head: Any, entries: Any, places: Any, fields: Any, zeros: Any,
    control: Any,
) -> int:
    """Repair the tree pair above v; return a status."""
    parent = np.int64(forest[v].parent)
    d = np.int64(1 if forest[v].flow > 0 else -1)
    need = abs(forest[v].flow) - forest[v].cap
    excess = d * need
    moved = v
    if parent >= 0:
        root = release(v, d, excess, forest, zeros, control)
        if forest[v].size > forest[root].size and forest[root].flow == 0:
            moved = root
            d = -d
    stamp = new_stamp(control)
    moving = collect(forest, work, mark, moved, stamp)
    far = np.int64(0) if forest[moved].size > MANY else FAR
    found = 0
    while found == 0:
        found = search(
            crossed, ties, moving, d, need, far, tied, mark, work, where,
            forest, entries, places, fields, nodes, zeros, control,
        )
        far = FAR
    step_hi, step_lo = d * crossed[0].hi, d * crossed[0].lo
    if not shift(moving, d, step_hi, step_lo, work, nodes, where, tied, places, fields):
        return TOO_FAR
    room = settle_zeros(crossed, found, ties, d, mark, entries, zeros, control)
    seeds = 0
    if moved != v:
        seeds = note(forest, work, seeds, parent, -excess, stamp)
    seeds = turn_pulls(crossed, found, d, seeds, True, forest, work, entries, control)
    send_seeds(forest, work, mark, head, control, seeds)
    seeds = 0
    if moved == v and parent >= 0:
        seeds = note(forest, work, seeds, parent, -excess, control[0].stamp)
    seeds = turn_pulls(crossed, found, d, seeds, False, forest, work, entries, control)
    i, j = np.int64(crossed[0].i), np.int64(crossed[0].j)
    join(
        np.int64(entries[i].node), np.int64(entries[j].node), i, j, crossed[0].pull // 2,
        moved, seeds, mark, work, forest, head, control,
    )
    requeue(forest, work, head, control, v)
    return PAUSED if room else NO_ROOM


@kernel
def run(
    most: int, crossed: Any, ties: Any, tied: Any, mark: Any, work: Any, nodes: Any,
    where: Any, forest: Any, head: Any, entries: Any, places: Any, fields: Any, zeros: Any,
    control: Any,
) -> tuple[int, int]:
    """Pivot at most so many times; return the status and the number of pivots."""
    status = PAUSED
    done = 0
    while done < most and status == PAUSED:
        v = most_violated(head, control)
        if v < 0:
            return OPTIMAL, done
        status = pivot(
            v, crossed, ties, tied, mark, work, nodes, where,
            forest, head, entries, places, fields, zeros, control,
        )
        done += 1
    return status, done
