"""Compiled: the pivot of the dual network simplex in x-space.

A pivot drops a tree pair that carries too much, ``|flow| > cap``, which leaves two trees. The
smaller one moves in the direction of the excess; every pair that it crosses changes its pull by
twice its weight, and the move ends at the pair that uses the excess up. That pair enters:

    cut  ->  collect the moving nodes  ->  search the crossings  ->  shift  ->  send flows  ->  join

Each pivot lowers the loss strictly (in the perturbed order), so none is ever repeated.
"""

from __future__ import annotations

import numpy as np

from qrja.solvers._kernels_jit import Bool, Int, Table, inner, kernel
from qrja.solvers._kernels_l1_contests import carry, drop_zero, find_zero, is_before, set_zero
from qrja.solvers._kernels_l1_forest import (
    collect,
    cut,
    join,
    new_stamp,
    next_to_repair,
    note,
    requeue,
    send_seeds,
)
from qrja.solvers._kernels_l1_search import FAR, search

LIMIT = np.int64(1 << 60)
MANY = 256
"""Work of a move from which ties are looked at first."""
OPTIMAL, PAUSED, TOO_FAR, NO_ROOM = 0, 1, 2, 3


@inner
def sort_again(
    p: Int, d: Int, first: Int, last: Int, places: Table, nodes: Table, where: Table
) -> None:
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


@inner
def note_twins(p: Int, first: Int, last: Int, places: Table, tied: Table) -> None:
    """Set the marks of ties at place p; a mark left behind at a former twin does no harm."""
    tied[places[p].slot] = False
    for q in (p - 1, p + 1):
        if first <= q <= last and places[q].hi == places[p].hi:
            tied[places[p].slot] = True
            tied[places[q].slot] = True


@inner
def shift(
    moving: Int,
    d: Int,
    step_hi: Int,
    step_lo: Int,
    work: Table,
    nodes: Table,
    where: Table,
    tied: Table,
    places: Table,
    fields: Table,
) -> Bool:
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


@inner
def settle_zeros(
    crossed: Table,
    found: Int,
    ties: Table,
    d: Int,
    mark: Table,
    entries: Table,
    zeros: Table,
    control: Table,
) -> Bool:
    """Forget the zero pairs that the move pulled apart and remember those that it made."""
    stamp = control[0].stamp
    hi, lo = crossed[0].hi, crossed[0].lo
    at = np.int64(0)
    while (hi != 0 or lo != 0) and at < control[0].zeros:
        u, v = entries[zeros[at].i].node, entries[zeros[at].j].node
        if (mark[u] == stamp) != (mark[v] == stamp):
            drop_zero(zeros, control, at)
        else:
            at += 1
    room = True
    for k in range(1, found):
        if crossed[k].hi == hi and crossed[k].lo == lo:
            room &= set_zero(zeros, control, np.int64(crossed[k].i), np.int64(crossed[k].j), d)
    for k in range(control[0].ties):
        room &= set_zero(zeros, control, np.int64(ties[k].i), np.int64(ties[k].j), -d)
    at = find_zero(zeros, control, np.int64(crossed[0].i), np.int64(crossed[0].j))
    if at >= 0:
        drop_zero(zeros, control, at)
    return room


@inner
def release(v: Int, d: Int, excess: Int, forest: Table, zeros: Table, control: Table) -> Int:
    """Drop the tree pair above v, which then pulls with all its weight; return the old root.

    The subtree moves in direction d from its parent, and so does the sign of the pair.
    """
    set_zero(zeros, control, np.int64(forest[v].own), np.int64(forest[v].other), d)
    root = cut(forest, v)
    forest[v].flow = excess
    return root


@inner
def turn_pulls(
    crossed: Table,
    found: Int,
    d: Int,
    seeds: Int,
    is_moving: Bool,
    forest: Table,
    work: Table,
    entries: Table,
    control: Table,
) -> Int:
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


@inner
def pivot(
    v: Int,
    crossed: Table,
    ties: Table,
    tied: Table,
    mark: Table,
    work: Table,
    nodes: Table,
    where: Table,
    forest: Table,
    head: Table,
    entries: Table,
    places: Table,
    fields: Table,
    zeros: Table,
    control: Table,
) -> Int:
    """Repair the tree pair above v; return a status."""
    parent = np.int64(forest[v].parent)
    d = np.int64(1 if forest[v].flow > 0 else -1)
    need = abs(forest[v].flow) - forest[v].cap
    excess = d * need
    moved = v
    if parent >= 0:
        root = release(v, d, excess, forest, zeros, control)
        control[0].loose += forest[root].flow != 0
        if forest[v].size > forest[root].size and forest[root].flow == 0:
            moved = root
            d = -d
    stamp = new_stamp(control)
    moving = collect(forest, work, mark, moved, stamp)
    far = np.int64(0) if forest[moved].size > MANY else FAR
    found = 0
    while found == 0:
        found = search(
            crossed,
            ties,
            moving,
            d,
            need,
            far,
            tied,
            mark,
            work,
            where,
            forest,
            entries,
            places,
            fields,
            nodes,
            zeros,
            control,
        )
        far = FAR
    step_hi, step_lo = d * crossed[0].hi, d * crossed[0].lo
    if not shift(moving, d, step_hi, step_lo, work, nodes, where, tied, places, fields):
        return TOO_FAR
    room = settle_zeros(crossed, found, ties, d, mark, entries, zeros, control)
    seeds = np.int64(0)
    if moved != v:
        seeds = note(forest, work, seeds, parent, -excess, stamp)
    seeds = turn_pulls(crossed, found, d, seeds, True, forest, work, entries, control)
    send_seeds(forest, work, mark, head, control, seeds)
    seeds = np.int64(0)
    if moved == v and parent >= 0:
        seeds = note(forest, work, seeds, parent, -excess, control[0].stamp)
    seeds = turn_pulls(crossed, found, d, seeds, False, forest, work, entries, control)
    i, j = np.int64(crossed[0].i), np.int64(crossed[0].j)
    join(
        np.int64(entries[i].node),
        np.int64(entries[j].node),
        i,
        j,
        crossed[0].pull // 2,
        moved,
        seeds,
        mark,
        work,
        forest,
        head,
        control,
    )
    requeue(forest, work, head, control, v)
    return PAUSED if room else NO_ROOM


@kernel
def run(
    most: Int,
    crossed: Table,
    ties: Table,
    tied: Table,
    mark: Table,
    work: Table,
    nodes: Table,
    where: Table,
    forest: Table,
    head: Table,
    entries: Table,
    places: Table,
    fields: Table,
    zeros: Table,
    control: Table,
) -> tuple[Int, Int]:
    """Pivot at most so many times; return the status and the number of pivots."""
    status = PAUSED
    done = 0
    while done < most and status == PAUSED:
        v = next_to_repair(forest, head, control)
        if v < 0:
            return OPTIMAL, done
        status = pivot(
            v,
            crossed,
            ties,
            tied,
            mark,
            work,
            nodes,
            where,
            forest,
            head,
            entries,
            places,
            fields,
            zeros,
            control,
        )
        done += 1
    return status, done
