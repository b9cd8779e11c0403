"""Compiled: contests enter a solved problem, and contestants seen once become nodes of their own.

Nothing already known is undone: a new contest adds its pulls to the flows of the forest, which may
then carry too much, and the pivots go on from there.

Contestants who have been in one contest only share one residual at an optimum, so all those of a
contest are a single node, its group, with a multiplicity. When a member comes back it leaves the
group: a node of its own, at first with the group's residual.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Int, Table, Tables, inner, kernel
from qrja.solvers.l1.kernels.forest import new_stamp, note, requeue, send_seeds
from qrja.solvers.l1.kernels.line_search import measure_around
from qrja.solvers.l1.kernels.sorted_contests import add_slopes, carry, hi_at, jitter


@inner
def list_place(state: Tables, v: Int, p: Int, used: Int) -> Int:
    """Add a place to the list of node v, moving the list where there is room; return its end."""
    nodes, slots = state.nodes, state.slots
    entries, places = state.entries, state.places
    size, room = np.int64(nodes[v].size), np.int64(nodes[v].room)
    if size == room:
        first = nodes[v].first
        for k in range(size):
            slots[used + k] = slots[first + k]
            places[slots[used + k].place].slot = used + k
            entries[places[slots[used + k].place].entry].slot = used + k
        nodes[v].first = used
        nodes[v].room = 2 * size + 1
        used += 2 * size + 1
    slot = nodes[v].first + size
    nodes[v].size = size + 1
    slots[slot].place = p
    places[p].slot = slot
    entries[places[p].entry].slot = slot
    return used


@inner
def enlarge(forest: Tables, v: Int) -> None:
    """Add an entry to the work of moving v, and so of every subtree that it is in."""
    forest.control[0].size += 1
    forest.control[0].entries += 1
    while v >= 0:
        forest.tree[v].size += 1
        v = np.int64(forest.tree[v].parent)


@inner
def add_pulls(state: Tables, c: Int, times: Int, seeds: Int) -> Int:
    """Note the changes of flow from ``times`` the pulls of a contest; return the number of seeds.

    ``slope`` is zero before and after.
    """
    slope, places, fields = state.slope, state.places, state.fields
    add_slopes(state, c, times, slope)
    first = np.int64(fields[c].first)
    for p in range(first, first + fields[c].size):
        seeds = note(state.forest, seeds, np.int64(places[p].node), -slope[p])
        slope[p] = 0
    return seeds


@kernel
def admit(first: Int, stop: Int, used: Int, state: Tables) -> Int:
    """Let contests ``first : stop`` in, whose places are sorted; return the end of ``slots``."""
    nodes, places, fields, control = state.nodes, state.places, state.fields, state.forest.control
    new_stamp(control)
    seeds = np.int64(0)
    for c in range(first, stop):
        start = np.int64(fields[c].first)
        last = start + fields[c].size - 1
        for p in range(start, last + 1):
            v = np.int64(places[p].node)
            used = list_place(state, v, p, used)
            enlarge(state.forest, v)
        for p in range(start, last + 1):
            measure_around(state, p, start, last + 1)
        if last > start:
            length = float(hi_at(places, nodes, last) - hi_at(places, nodes, start))
            control[0].length += length
            crossings = float(fields[c].size) * float(fields[c].size)
            control[0].rate += 2.0 * float(fields[c].weight) * crossings / max(length, 1.0)
        seeds = add_pulls(state, c, np.int64(1), seeds)
    send_seeds(state.forest, seeds)
    return used


@inner
def update_caps(state: Tables, c: Int, i: Int) -> None:
    """Recompute the capacities of the tree pairs of an entry whose multiplicity has changed."""
    tree, entries, places, fields = state.forest.tree, state.entries, state.places, state.fields
    first = np.int64(fields[c].first)
    for p in range(first, first + fields[c].size):
        v = np.int64(places[p].node)
        own, other = tree[v].own, tree[v].other
        if own == i or other == i:
            count = np.int64(entries[own].count) * entries[other].count
            tree[v].cap = fields[c].weight * count
            requeue(state.forest, v)


@inner
def seat_apart(state: Tables, group: Int, i: Int, v: Int, offset: Int, used: Int) -> Int:
    """Give one member of a group the entry i and the node v; return the end of ``slots``."""
    nodes, slots, entries = state.nodes, state.slots, state.entries
    places, fields = state.places, state.fields
    c = entries[group].contest
    home = np.int64(entries[group].node)
    entries[group].count -= 1
    entries[i].node, entries[i].contest, entries[i].count = v, c, 1
    nodes[v].hi = nodes[home].hi + offset
    nodes[v].lo = nodes[home].lo
    first = np.int64(fields[c].first)
    p = first + fields[c].size
    fields[c].size += 1
    places[p].score = places[slots[entries[group].slot].place].score + offset
    places[p].jitter = jitter(i)
    places[p].entry, places[p].node, places[p].contest = i, v, c
    used = list_place(state, v, p, used)
    enlarge(state.forest, v)
    p = carry(places, nodes, slots, p, first - 1, np.int64(-1))
    measure_around(state, p, first, first + fields[c].size)
    return used


@kernel
def split(
    leaving: Table, new_entry: Int, new_node: Int, used: Int, state: Tables
) -> tuple[Int, Int, Int]:
    """Let members leave their groups; return the ends of entries, of nodes and of ``slots``.

    ``leaving`` is sorted by group. The last member of a group takes its node over.
    """
    nodes, slots, entries, places = state.nodes, state.slots, state.entries, state.places
    new_stamp(state.forest.control)
    seeds = np.int64(0)
    k = 0
    while k < leaving.size:
        group = np.int64(leaving[k].group)
        c = np.int64(entries[group].contest)
        seeds = add_pulls(state, c, np.int64(-1), seeds)
        while k < leaving.size and leaving[k].group == group:
            offset = leaving[k].offset
            if entries[group].count > 1:
                used = seat_apart(state, group, new_entry, new_node, offset, used)
                leaving[k].node = new_node
                new_entry += 1
                new_node += 1
            else:
                leaving[k].node = entries[group].node
                nodes[entries[group].node].hi += offset
                places[slots[entries[group].slot].place].score += offset
            k += 1
        seeds = add_pulls(state, c, np.int64(1), seeds)
        update_caps(state, c, group)
    send_seeds(state.forest, seeds)
    return new_entry, new_node, used
