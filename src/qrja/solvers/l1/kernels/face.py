"""Compiled: what holds at every optimum, and how far candidates can move within it.

By complementary slackness one optimal flow describes all optima: a pair that pulls with less than
its full weight upwards has ``r_i <= r_j`` at every one of them. Seen from one optimum, node i can
rise by at most ``r_j - r_i`` more than node j. Such limits form a graph; how far a node can rise
is a shortest path in it.

In the order of a contest the nearest neighbours stand for all others, up to the reach of a twist.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Bool, Int, Table, Tables, in_arrays, inner, kernel, tiny
from qrja.solvers.l1.kernels.sorted_contests import TWIST, hi_at, lo_at, pair_sign

NEVER = np.int64(1 << 62)


@tiny
def within_twist(p: Int, q: Int, places: Table, nodes: Table) -> Bool:
    """Tell whether a twist could exchange two places."""
    return hi_at(places, nodes, p) == hi_at(places, nodes, q) and (
        abs(lo_at(places, nodes, p) - lo_at(places, nodes, q)) <= TWIST
    )


@inner
def stays_below(state: Tables, p: Int, q: Int) -> Bool:
    """Tell whether the residual at place p is never above that at q, at any optimum."""
    tree, places = state.forest.tree, state.places
    sign = pair_sign(state, p, q)
    if sign != 0:
        return sign < 0
    i, j = places[p].entry, places[q].entry
    u, v = places[p].node, places[q].node
    if tree[u].own == i and tree[u].other == j:
        return tree[u].flow < tree[u].cap
    return -tree[v].flow < tree[v].cap


@tiny
def add_limit(k: Int, u: Int, v: Int, amount: Int, low: Table, high: Table, gap: Table) -> Int:
    """Write a limit if there is room, and count it."""
    if k < low.size:
        low[k], high[k], gap[k] = u, v, amount
    return k + 1


@kernel
def list_limits(low: Table, high: Table, gap: Table, contest_count: Int, state: Tables) -> Int:
    """List the limits between neighbours in all contests; return their number."""
    nodes, places, fields = state.nodes, state.places, state.fields
    k = np.int64(0)
    for c in range(contest_count):
        first = np.int64(fields[c].first)
        stop = first + fields[c].size
        for q in range(first, stop):
            # Below q, as far as a twist below the first that no twist can bring above q.
            p, anchor = q - 1, -1
            while p >= first and (anchor < 0 or within_twist(p, anchor, places, nodes)):
                if anchor < 0 and not within_twist(p, q, places, nodes):
                    anchor = p
                if stays_below(state, p, q):
                    amount = hi_at(places, nodes, q) - hi_at(places, nodes, p)
                    k = add_limit(k, places[p].node, places[q].node, amount, low, high, gap)
                p -= 1
            # Above q in this order, but never at an optimum, by a twist.
            p = q + 1
            while p < stop and within_twist(p, q, places, nodes):
                if stays_below(state, p, q):
                    k = add_limit(k, places[p].node, places[q].node, np.int64(0), low, high, gap)
                p += 1
    return k


@kernel
def list_edge_limits(low: Table, high: Table, gap: Table, state: Tables) -> Int:
    """List the limits between the two nodes of every edge; return their number, at most 4 each."""
    tree, nodes, edges, margins = state.forest.tree, state.nodes, state.edges, state.margins
    k = np.int64(0)
    for e in range(edges.size):
        a, b = edges[e].a, edges[e].b
        stop = edges[e].first + edges[e].size
        ahead = np.int64(edges[e].first) + edges[e].passed
        over = nodes[a].hi - nodes[b].hi
        if edges[e].passed > 0:
            k = add_limit(k, b, a, over - margins[ahead - 1].hi, low, high, gap)
        if edges[e].is_tree:
            is_child = tree[a].own == e and tree[a].parent == b
            child = a if is_child else b
            pull = tree[child].flow if is_child else -tree[child].flow
            if pull > -tree[child].cap:
                k = add_limit(k, b, a, np.int64(0), low, high, gap)
            if pull < tree[child].cap:
                k = add_limit(k, a, b, np.int64(0), low, high, gap)
            ahead += 1
        if ahead < stop:
            k = add_limit(k, a, b, margins[ahead].hi - over, low, high, gap)
    return k


@inner
def room_above(state: Tables, v: Int, way: Int) -> Int:
    """Return by how much more than v whoever is at the end of a way can rise; NEVER is no limit."""
    tree, nodes, ways = state.forest.tree, state.nodes, state.ways
    u, e = np.int64(ways[way].node), np.int64(ways[way].edge)
    over = nodes[v].hi - nodes[u].hi
    is_child = tree[u].parent == v and tree[u].own == e
    if is_child or (tree[v].parent == u and tree[v].own == e):
        # Down along the pair, u rises above v: unless that pulls with all its weight, it cannot.
        child = u if is_child else v
        if (tree[child].flow if is_child else -tree[child].flow) < tree[child].cap:
            return 0
        edges, margins = state.edges, state.margins
        at = np.int64(edges[e].first) + edges[e].passed
        if edges[e].a == v:
            return over - margins[at - 1].hi if edges[e].passed > 0 else NEVER
        is_last = edges[e].passed + 1 == edges[e].size
        return NEVER if is_last else over + margins[at + 1].hi
    return over - ways[way].down if ways[way].down > -NEVER else NEVER


@kernel
def rise_together(rise: Table, heap: Table, spot: Table, state: Tables) -> None:
    """Do as :func:`spread` does upwards, along the edges: no limit needs to be listed before."""
    count = rise.size
    for v in range(count):
        heap[v], spot[v] = v, v
    for k in range(count // 2 - 1, -1, -1):
        sift_down(heap, spot, rise, count, np.int64(k))
    while count > 0 and rise[heap[0]] < NEVER:
        top = np.int64(heap[0])
        count -= 1
        heap[0] = heap[count]
        spot[top] = -1
        if count > 0:
            sift_down(heap, spot, rise, count, np.int64(0))
        first = np.int64(state.nodes[top].first)
        for way in range(first, first + state.nodes[top].size):
            u = state.ways[way].node
            if spot[u] < 0:
                continue
            room = room_above(state, top, np.int64(way))
            if room < NEVER and rise[top] + room < rise[u]:
                rise[u] = rise[top] + room
                sift_up(heap, spot, rise, np.int64(spot[u]))


@kernel
def group_by(key: Table, first: Table, order: Table) -> None:
    """Sort by counting: ``order[first[v] : first[v + 1]]`` are the places where key is v."""
    for k in range(key.size):
        first[key[k] + 1] += 1
    for v in range(first.size - 1):
        first[v + 1] += first[v]
    for k in range(key.size - 1, -1, -1):
        first[key[k] + 1] -= 1
        order[first[key[k] + 1]] = k
    for v in range(first.size - 2):
        first[v + 1] = first[v + 2]
    if first.size > 1:
        first[first.size - 1] = key.size


@in_arrays(group_by, beyond=100)
def _group_by(key: Table, first: Table, order: Table) -> None:
    first[1:] = np.cumsum(np.bincount(key, minlength=first.size - 1))
    order[:] = np.argsort(key, kind="stable")


@inner
def sift_up(heap: Table, spot: Table, rise: Table, k: Int) -> None:
    """Restore a heap of nodes, the smallest rise on top, after that at place k got smaller."""
    v = heap[k]
    while k > 0:
        up = (k - 1) >> 1
        if rise[heap[up]] <= rise[v]:
            break
        heap[k] = heap[up]
        spot[heap[k]] = k
        k = up
    heap[k] = v
    spot[v] = k


@inner
def sift_down(heap: Table, spot: Table, rise: Table, count: Int, k: Int) -> None:
    """Restore a heap of ``count`` nodes after the rise of that at place k got larger."""
    v = heap[k]
    while True:
        down = 2 * k + 1
        if down >= count:
            break
        if down + 1 < count and rise[heap[down + 1]] < rise[heap[down]]:
            down += 1
        if rise[heap[down]] >= rise[v]:
            break
        heap[k] = heap[down]
        spot[heap[k]] = k
        k = down
    heap[k] = v
    spot[v] = k


@kernel
def spread(
    rise: Table, first: Table, order: Table, other: Table, gap: Table, heap: Table, spot: Table
) -> None:
    """Lower ``rise`` until no node rises by more than ``gap`` above one that limits it.

    The limits that node v imposes on ``other`` are ``order[first[v] : first[v + 1]]``. Dijkstra's
    algorithm; ``heap`` and ``spot`` are room for one number per node.
    """
    count = rise.size
    for v in range(count):
        heap[v], spot[v] = v, v
    for k in range(count // 2 - 1, -1, -1):
        sift_down(heap, spot, rise, count, np.int64(k))
    while count > 0 and rise[heap[0]] < NEVER:
        v = heap[0]
        count -= 1
        heap[0] = heap[count]
        spot[v] = -1
        if count > 0:
            sift_down(heap, spot, rise, count, np.int64(0))
        for at in range(first[v], first[v + 1]):
            k = order[at]
            u = other[k]
            if spot[u] >= 0 and rise[v] + gap[k] < rise[u]:
                rise[u] = rise[v] + gap[k]
                sift_up(heap, spot, rise, np.int64(spot[u]))


@in_arrays(spread, beyond=100)
def _spread(
    rise: Table, first: Table, order: Table, other: Table, gap: Table, heap: Table, spot: Table
) -> None:
    """Lower all at once, as often as there are steps on a shortest path."""
    by = np.repeat(np.arange(rise.size), np.diff(first))
    limited, most = other[order], gap[order]
    # Sorted by who is limited, to take the least for each.
    turn = np.argsort(limited, kind="stable")
    by, limited, most = by[turn], limited[turn], most[turn]
    heads = np.flatnonzero(np.diff(limited, prepend=-1))
    whose = limited[heads]
    while len(heads):
        free = rise[by] < NEVER
        least = np.minimum.reduceat(np.where(free, rise[by] + most * free, NEVER), heads)
        lower = least < rise[whose]
        if not lower.any():
            return
        rise[whose[lower]] = least[lower]


@kernel
def find_open(
    begin: Table,
    end: Table,
    room: Table,
    first: Table,
    order: Table,
    other: Table,
    gap: Table,
    rise: Table,
    heap: Table,
    spot: Table,
    seen: Table,
    open_: Table,
) -> None:
    """Tell for each pair whether ``end`` can rise by more than ``room`` above ``begin``.

    As :func:`spread` from ``begin`` alone, but no further than ``room``. ``rise`` comes as
    :data:`NEVER` and ``spot`` as -1 for every node, and they go so.
    """
    for k in range(begin.size):
        open_[k] = True
        if room[k] < 0:
            continue
        rise[begin[k]], heap[0], spot[begin[k]], seen[0] = 0, begin[k], 0, begin[k]
        count, met = np.int64(1), np.int64(1)
        while count > 0 and open_[k]:
            v = heap[0]
            count -= 1
            heap[0], spot[heap[count]] = heap[count], 0
            spot[v] = -1
            if count > 0:
                sift_down(heap, spot, rise, count, np.int64(0))
            open_[k] = v != end[k]
            for at in range(first[v], first[v + 1]):
                u, reached = other[order[at]], rise[v] + gap[order[at]]
                if reached > room[k] or reached >= rise[u]:
                    continue
                if rise[u] == NEVER:
                    seen[met] = u
                    met += 1
                rise[u] = reached
                if spot[u] < 0:
                    heap[count], spot[u] = u, count
                    count += 1
                sift_up(heap, spot, rise, np.int64(spot[u]))
        for at in range(met):
            rise[seen[at]], spot[seen[at]] = NEVER, -1


@kernel
def relax(
    rounds: Int, move: Table, low: Table, high: Table, gap: Table, up: Table, down: Table
) -> None:
    """Let every class go half way to the middle of its range, all at once, so many times.

    Two classes share the room between them: each takes a quarter at most, so none is passed.
    """
    for _ in range(rounds):
        for v in range(move.size):
            up[v], down[v] = NEVER, NEVER
        for k in range(low.size):
            room = move[high[k]] + gap[k] - move[low[k]]
            up[low[k]] = min(up[low[k]], room)
            down[high[k]] = min(down[high[k]], room)
        for v in range(move.size):
            # Rounded towards zero, so that the mirror image moves as the mirror image.
            if up[v] < NEVER and down[v] < NEVER:
                if up[v] >= down[v]:
                    move[v] += (up[v] - down[v]) // 4
                else:
                    move[v] -= (down[v] - up[v]) // 4


@in_arrays(relax, beyond=100)
def _relax(
    rounds: Int, move: Table, low: Table, high: Table, gap: Table, up: Table, down: Table
) -> None:
    by_low, by_high = np.argsort(low, kind="stable"), np.argsort(high, kind="stable")
    low_heads = np.flatnonzero(np.diff(low[by_low], prepend=-1))
    high_heads = np.flatnonzero(np.diff(high[by_high], prepend=-1))
    lows, highs = low[by_low[low_heads]], high[by_high[high_heads]]
    for _ in range(rounds):
        up[:], down[:] = NEVER, NEVER
        if low.size:
            room = move[high] + gap - move[low]
            up[lows] = np.minimum.reduceat(room[by_low], low_heads)
            down[highs] = np.minimum.reduceat(room[by_high], high_heads)
        both = (up < NEVER) & (down < NEVER)
        apart = np.where(both, up - down, 0)
        # Rounded towards zero, as above.
        move += np.sign(apart) * (np.abs(apart) // 4)
