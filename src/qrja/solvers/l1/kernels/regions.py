"""Compiled: regions of nodes that meet each other, and which of them a move leaves alone inside."""

from __future__ import annotations

import numpy as np

from qrja.jit import Bool, Int, Table, Tables, inner, kernel, tiny


@kernel
def grow_regions(node_count: Int, most: Int, queue: Table, is_done: Table, state: Tables) -> Int:
    """Write the region of each node: around a first one, whom it meets, whom these meet, ...

    A region has at most ``most`` nodes. ``queue`` has room for all nodes; ``is_done`` is False for
    every contest before. Returns the number of regions.
    """
    nodes, slots, places, fields = state.nodes, state.slots, state.places, state.fields
    for v in range(node_count):
        nodes[v].region = -1
    count = np.int64(0)
    for seed in range(node_count):
        if nodes[seed].region >= 0:
            continue
        nodes[seed].region = count
        queue[0] = seed
        size, done = 1, 0
        while done < size and size < most:
            v = queue[done]
            done += 1
            for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
                c = places[slots[slot].place].contest
                if is_done[c]:
                    continue
                # A contest that a region has no room for may give the rest to the next one.
                is_done[c] = size + fields[c].size <= most
                for p in range(fields[c].first, fields[c].first + fields[c].size):
                    u = places[p].node
                    if nodes[u].region < 0 and size < most:
                        nodes[u].region = count
                        queue[size] = u
                        size += 1
        count += 1
    return count


@inner
def mark_inner(state: Tables, count: Int) -> None:
    """Mark the regions that move with all their neighbours, if enough nodes move to repay it."""
    nodes, regions, borders = state.nodes, state.regions, state.borders
    if regions.size == 0 or count < 4 * regions.size:
        return
    moving, stamp = state.forest.moving, state.forest.control[0].stamp
    for k in range(count):
        r = nodes[moving[k]].region
        if regions[r].seen != stamp:
            regions[r].seen, regions[r].moving = stamp, 0
        regions[r].moving += 1
    for r in range(regions.size):
        if is_whole(regions, r, stamp):
            at = np.int64(regions[r].first)
            while at < regions[r].stop and is_whole(regions, borders[at], stamp):
                at += 1
            if at == regions[r].stop:
                regions[r].inner = stamp


@tiny
def is_whole(regions: Table, r: Int, stamp: Int) -> Bool:
    """Tell whether all nodes of a region move."""
    return regions[r].seen == stamp and regions[r].moving == regions[r].size


@tiny
def is_inside(state: Tables, v: Int) -> Bool:
    """Tell whether a moving node is known to meet only nodes that move along."""
    regions = state.regions
    if regions.size == 0:
        return False
    return regions[state.nodes[v].region].inner == state.forest.control[0].stamp
