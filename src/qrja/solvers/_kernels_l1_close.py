"""Compiled: the list of entries that stand close to a neighbour in their contest.

A move of many nodes is mostly short: among the many pairs that it could cross, the nearest are very
near. So it suffices to look at a few entries, wherever they are. An entry is listed when a
neighbour in the order of its contest stands within ``reach``. A move of many nodes is not followed
entry by entry; its length is added to ``drift`` instead, by which others may have come closer:

    |r_i - r_j| <= reach - drift   =>   i and j are listed

A pair of the forest, whose two entries stand at the same place and move together, is no reason to
be listed. Nobody is taken off the list; it is made anew when drift has used up half the reach, or
when it has grown too long. The reach is the power of two that lists about one entry in ``SHARE``.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.solvers._kernels_jit import Bool, Int, Table, inner
from qrja.solvers._kernels_l1_contests import hi_at, is_tree_pair
from qrja.solvers._l1_records import RUNGS

SHARE = 128
GROWTH = 8
"""A list that has grown by this factor is made anew."""


@inner
def list_slot(slot: Int, node: Int, near: Table, control: Table) -> None:
    """Put the entry of a slot on the list, once."""
    if not near[slot].is_listed:
        near[slot].is_listed = True
        near[control[0].close].slot = slot
        near[control[0].close].node = node
        control[0].close += 1


@inner
def list_run(
    s: Int, e: Int, forest: Table, entries: Table, places: Table, near: Table, control: Table
) -> None:
    """List a run of places s..e with equal residuals, unless it is just a pair of the forest."""
    if e == s or (
        e == s + 1
        and is_tree_pair(forest, entries, np.int64(places[s].entry), np.int64(places[e].entry))
    ):
        return
    for p in range(s, e + 1):
        list_slot(places[p].slot, places[p].node, near, control)


@inner
def note_place(
    p: Int,
    c: Int,
    forest: Table,
    entries: Table,
    places: Table,
    fields: Table,
    nodes: Table,
    near: Table,
    control: Table,
) -> None:
    """List who is close to the entry at place p of contest c, which has moved."""
    first = np.int64(fields[c].first)
    last = first + fields[c].size - 1
    hi = hi_at(places, nodes, p)
    s = e = p
    while s > first and hi_at(places, nodes, s - 1) == hi:
        s -= 1
    while e < last and hi_at(places, nodes, e + 1) == hi:
        e += 1
    if s > first and hi - hi_at(places, nodes, s - 1) <= control[0].reach:
        list_slot(places[s - 1].slot, places[s - 1].node, near, control)
        list_slot(places[s].slot, places[s].node, near, control)
    if e < last and hi_at(places, nodes, e + 1) - hi <= control[0].reach:
        list_slot(places[e].slot, places[e].node, near, control)
        list_slot(places[e + 1].slot, places[e + 1].node, near, control)
    list_run(s, e, forest, entries, places, near, control)


@inner
def choose_reach(
    forest: Table, entries: Table, places: Table, fields: Table, nodes: Table, near: Table
) -> Int:
    """Return the largest power of two, less one, within which few neighbours stand; at least 0."""
    for bits in range(RUNGS):
        near[bits].picked = 0
    total = np.int64(0)
    for c in range(fields.size):
        first = np.int64(fields[c].first)
        for p in range(first + 1, first + fields[c].size):
            gap = hi_at(places, nodes, p) - hi_at(places, nodes, p - 1)
            i, j = np.int64(places[p - 1].entry), np.int64(places[p].entry)
            if gap != 0 or not is_tree_pair(forest, entries, i, j):
                near[math.frexp(float(gap))[1]].picked += 1
        total += fields[c].size
    few = total // SHARE
    bits, count = 0, np.int64(near[0].picked)
    while bits + 1 < RUNGS - 2 and count + near[bits + 1].picked <= few:
        bits += 1
        count += near[bits].picked
    return (np.int64(1) << bits) - 1


@inner
def make_list(
    forest: Table,
    entries: Table,
    places: Table,
    fields: Table,
    nodes: Table,
    near: Table,
    control: Table,
) -> None:
    """List all entries that are close to a neighbour."""
    control[0].reach = choose_reach(forest, entries, places, fields, nodes, near)
    control[0].drift = control[0].close = 0
    for slot in range(near.size):
        near[slot].is_listed = False
    for c in range(fields.size):
        first = np.int64(fields[c].first)
        s = first
        for p in range(first + 1, first + fields[c].size):
            gap = hi_at(places, nodes, p) - hi_at(places, nodes, p - 1)
            if gap == 0:
                continue
            if gap <= control[0].reach:
                list_slot(places[p - 1].slot, places[p - 1].node, near, control)
                list_slot(places[p].slot, places[p].node, near, control)
            list_run(s, p - 1, forest, entries, places, near, control)
            s = np.int64(p)
        e = first + fields[c].size - 1
        list_run(s, max(s, e), forest, entries, places, near, control)
    control[0].listed = control[0].close


@inner
def is_list_stale(control: Table) -> Bool:
    """Tell whether the list has to be made anew."""
    return (
        control[0].reach < 0
        or 2 * control[0].drift > control[0].reach
        or control[0].close > GROWTH * control[0].listed + RUNGS
    )


@inner
def pick_all(moving: Int, work: Table, nodes: Table, near: Table) -> Int:
    """Pick the slots of all moving entries; return their number."""
    count = np.int64(0)
    for k in range(moving):
        v = work[k].moving
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            near[count].picked = slot
            count += 1
    return count


@inner
def pick_close(
    moving: Int,
    size: Int,
    work: Table,
    mark: Table,
    nodes: Table,
    near: Table,
    control: Table,
) -> Int:
    """Pick the slots of the moving entries that are listed; return their number."""
    count = np.int64(0)
    if control[0].close < size:
        for k in range(control[0].close):
            if mark[near[k].node] == control[0].stamp:
                near[count].picked = near[k].slot
                count += 1
        return count
    for k in range(moving):
        v = work[k].moving
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            if near[slot].is_listed:
                near[count].picked = slot
                count += 1
    return count


@inner
def is_worth_its_drift(step: Int, size: Int, control: Table) -> Bool:
    """Tell whether following a move entry by entry costs more than its share of a new list."""
    return 2.0 * float(step) * float(control[0].size) <= float(control[0].reach) * float(size)
