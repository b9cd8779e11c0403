"""Compiled: contests enter a solved problem, and contestants seen once become nodes of their own.

Nothing already known is undone: a new contest adds its pulls to the flows of the forest, which may
then carry too much, and the pivots go on from there.

Contestants who have been in one contest only share one residual at an optimum, so all those of a
contest are a single node, its group, with a multiplicity. When a member comes back it leaves the
group: a node of its own, at first with the group's residual.
"""

from __future__ import annotations

import numpy as np

from qrja.solvers._kernels_jit import Int, Table, inner, kernel
from qrja.solvers._kernels_l1_contests import add_slopes, carry, jitter
from qrja.solvers._kernels_l1_forest import new_stamp, note, requeue, send_seeds


@inner
def list_place(
    v: Int,
    p: Int,
    nodes: Table,
    where: Table,
    tied: Table,
    entries: Table,
    places: Table,
    used: Int,
) -> Int:
    """Add a place to the list of node v, moving the list where there is room; return its end."""
    size, room = np.int64(nodes[v].size), np.int64(nodes[v].room)
    if size == room:
        first = nodes[v].first
        for k in range(size):
            where[used + k] = where[first + k]
            tied[used + k] = tied[first + k]
            places[where[used + k]].slot = used + k
            entries[places[where[used + k]].entry].slot = used + k
        nodes[v].first = used
        nodes[v].room = 2 * size + 1
        used += 2 * size + 1
    slot = nodes[v].first + size
    nodes[v].size = size + 1
    where[slot] = p
    # Not known to be tied; looking once more does no harm.
    tied[slot] = True
    places[p].slot = slot
    entries[places[p].entry].slot = slot
    return used


@inner
def enlarge(v: Int, amount: Int, forest: Table, control: Table) -> None:
    """Add to the work of moving v, and so of every subtree that it is in."""
    control[0].size += amount
    while v >= 0:
        forest[v].size += amount
        v = np.int64(forest[v].parent)


@inner
def add_pulls(
    c: Int,
    times: Int,
    seeds: Int,
    slope: Table,
    forest: Table,
    work: Table,
    entries: Table,
    places: Table,
    fields: Table,
    nodes: Table,
    zeros: Table,
    control: Table,
) -> Int:
    """Note the changes of flow from ``times`` the pulls of a contest; return the number of seeds.

    ``slope`` is zero before and after.
    """
    add_slopes(c, times, slope, forest, entries, places, fields, nodes, zeros, control)
    first = np.int64(fields[c].first)
    for p in range(first, first + fields[c].size):
        v = np.int64(places[p].node)
        seeds = note(forest, work, seeds, v, -slope[p], control[0].stamp)
        slope[p] = 0
    return seeds


@kernel
def admit(
    first: Int,
    stop: Int,
    used: Int,
    slope: Table,
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
    """Let contests ``first : stop`` in, whose places are sorted; return the end of ``where``."""
    new_stamp(control)
    seeds = np.int64(0)
    for c in range(first, stop):
        start = np.int64(fields[c].first)
        for p in range(start, start + fields[c].size):
            v = np.int64(places[p].node)
            used = list_place(v, p, nodes, where, tied, entries, places, used)
            enlarge(v, 1, forest, control)
        seeds = add_pulls(
            c,
            np.int64(1),
            seeds,
            slope,
            forest,
            work,
            entries,
            places,
            fields,
            nodes,
            zeros,
            control,
        )
    send_seeds(forest, work, mark, head, control, seeds)
    return used


@inner
def update_caps(
    c: Int,
    i: Int,
    forest: Table,
    work: Table,
    head: Table,
    entries: Table,
    places: Table,
    fields: Table,
    control: Table,
) -> None:
    """Recompute the capacities of the tree pairs of an entry whose multiplicity has changed."""
    first = np.int64(fields[c].first)
    for p in range(first, first + fields[c].size):
        v = np.int64(places[p].node)
        own, other = forest[v].own, forest[v].other
        if own == i or other == i:
            count = np.int64(entries[own].count) * entries[other].count
            forest[v].cap = fields[c].weight * count
            requeue(forest, work, head, control, v)


@inner
def seat_apart(
    group: Int,
    i: Int,
    v: Int,
    offset: Int,
    nodes: Table,
    entries: Table,
    places: Table,
    where: Table,
    tied: Table,
    fields: Table,
    used: Int,
) -> Int:
    """Give one member of a group the entry i and the node v; return the end of ``where``."""
    c = entries[group].contest
    home = np.int64(entries[group].node)
    entries[group].count -= 1
    entries[i].score = entries[group].score + offset
    entries[i].node, entries[i].contest, entries[i].count = v, c, 1
    nodes[v].hi = nodes[home].hi + offset
    nodes[v].lo = nodes[home].lo
    first = np.int64(fields[c].first)
    p = first + fields[c].size
    fields[c].size += 1
    places[p].hi = nodes[v].hi - entries[i].score
    places[p].jitter = jitter(i)
    places[p].entry, places[p].node, places[p].contest = i, v, c
    used = list_place(v, p, nodes, where, tied, entries, places, used)
    carry(places, nodes, where, p, first - 1, np.int64(-1))
    return used


@kernel
def split(
    leaving: Table,
    new_entry: Int,
    new_node: Int,
    used: Int,
    slope: Table,
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
) -> tuple[Int, Int, Int]:
    """Let members leave their groups; return the ends of entries, of nodes and of ``where``.

    ``leaving`` is sorted by group. The last member of a group takes its node over.
    """
    new_stamp(control)
    seeds = np.int64(0)
    k = 0
    while k < leaving.size:
        group = np.int64(leaving[k].group)
        c = np.int64(entries[group].contest)
        seeds = add_pulls(
            c,
            np.int64(-1),
            seeds,
            slope,
            forest,
            work,
            entries,
            places,
            fields,
            nodes,
            zeros,
            control,
        )
        while k < leaving.size and leaving[k].group == group:
            offset = leaving[k].offset
            if entries[group].count > 1:
                used = seat_apart(
                    group,
                    new_entry,
                    new_node,
                    offset,
                    nodes,
                    entries,
                    places,
                    where,
                    tied,
                    fields,
                    used,
                )
                enlarge(new_node, 1, forest, control)
                leaving[k].node = new_node
                new_entry += 1
                new_node += 1
            else:
                leaving[k].node = entries[group].node
                nodes[entries[group].node].hi += offset
                entries[group].score += offset
            k += 1
        seeds = add_pulls(
            c,
            np.int64(1),
            seeds,
            slope,
            forest,
            work,
            entries,
            places,
            fields,
            nodes,
            zeros,
            control,
        )
        update_caps(c, group, forest, work, head, entries, places, fields, control)
    send_seeds(forest, work, mark, head, control, seeds)
    return new_entry, new_node, used
