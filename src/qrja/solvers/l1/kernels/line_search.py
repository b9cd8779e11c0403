"""Compiled: the exact line search of a pivot on contests, looking only at the nearest crossings.

In each contest the moving entries and those at rest interleave. A pair (i moving, j at rest) with
j ahead of i is crossed at the distance ``r_j - r_i``. Whatever is farther than the crossings that
use the excess up is not looked at. Nor is an entry with another moving one right ahead of it,
unless that one has crossed something: whatever the one behind can cross is nearer to the one ahead.

**Neighbours that need no look.** To see who stands next to an entry takes a jump through memory,
and in a large move most neighbours move along or are far away. So an entry remembers the nodes of
its neighbours, and a bound: ``drift`` is the sum of all steps after which distances were not
measured again, and

    distance to the neighbour above  >=  up - drift

because no distance shrinks by more than the steps. What a node's entries know lies side by side,
and the node remembers the least of it, but for those tied to it in the forest, who move along.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Bool, Int, Table, Tables, inner, tiny
from qrja.solvers.l1.kernels.exchange import begin_search, cross
from qrja.solvers.l1.kernels.reach import NOBODY
from qrja.solvers.l1.kernels.regions import is_inside
from qrja.solvers.l1.kernels.sorted_contests import TWIST, hi_at, lo_at, sign_at_zero, twist


@inner
def consider(state: Tables, p: Int, q: Int, d: Int, need: Int) -> None:
    """Add the pair of a moving place p and a place q at rest, if it is ahead and near enough."""
    nodes, entries, places = state.nodes, state.entries, state.places
    control = state.forest.control
    i, j = np.int64(places[p].entry), np.int64(places[q].entry)
    hi = (hi_at(places, nodes, q) - hi_at(places, nodes, p)) * d
    lo = (lo_at(places, nodes, q) - lo_at(places, nodes, p) + twist(i, j)) * d
    if hi > control[0].far_hi or (hi == control[0].far_hi and lo > control[0].far_lo):
        return
    # A twist may have let it be crossed already.
    if hi == 0 and (lo < 0 or (lo == 0 and sign_at_zero(state, i, j) != -d)):
        return
    pull = 2 * state.fields[places[p].contest].weight * entries[i].count * entries[j].count
    cross(state.forest, need, hi, lo, pull, (i, j, places[p].node, places[q].node))


@tiny
def is_within(p: Int, q: Int, d: Int, places: Table, nodes: Table, control: Table) -> Bool:
    """Tell whether place q, ahead of p, may be near enough whatever the twist."""
    ahead = (hi_at(places, nodes, q) - hi_at(places, nodes, p)) * d
    if ahead != control[0].far_hi:
        return ahead < control[0].far_hi
    return (lo_at(places, nodes, q) - lo_at(places, nodes, p)) * d - TWIST <= control[0].far_lo


@tiny
def is_close_behind(p: Int, q: Int, d: Int, places: Table, nodes: Table) -> Bool:
    """Tell whether place q, behind p, may be ahead of it by a twist."""
    return hi_at(places, nodes, q) == hi_at(places, nodes, p) and (
        (lo_at(places, nodes, p) - lo_at(places, nodes, q)) * d <= TWIST
    )


@inner
def look_ahead(state: Tables, p: Int, first: Int, stop: Int, d: Int, need: Int) -> None:
    """Consider what is ahead of the moving place p, and of the moving ones in line behind it."""
    nodes, places, control = state.nodes, state.places, state.forest.control
    stamp = control[0].stamp
    begin = p + d
    while is_within(p, begin, d, places, nodes, control):
        q = begin
        while first <= q < stop and is_within(p, q, d, places, nodes, control):
            if nodes[places[q].node].mark != stamp:
                consider(state, p, q, d, need)
            q += d
        p -= d
        if not (first <= p < stop) or nodes[places[p].node].mark != stamp:
            break


@inner
def look_behind(state: Tables, p: Int, first: Int, stop: Int, d: Int, need: Int) -> None:
    """Consider what stands behind the moving place p but may be ahead, by a twist.

    It may be ahead of the moving ones in line before p too.
    """
    nodes, places = state.nodes, state.places
    stamp = state.forest.control[0].stamp
    end = p - d
    while first <= p < stop and nodes[places[p].node].mark == stamp:
        q = end
        while first <= q < stop and is_close_behind(p, q, d, places, nodes):
            if nodes[places[q].node].mark != stamp:
                consider(state, p, q, d, need)
            q -= d
        if q == end:
            break
        p += d


@inner
def measure(state: Tables, p: Int, q: Int) -> None:
    """Write down the distance of two neighbouring places, p below q, and whose they are."""
    nodes, places, slots, reach = state.nodes, state.places, state.slots, state.reach
    distance = hi_at(places, nodes, q) - hi_at(places, nodes, p)
    meeting = state.forest.control[0].drift + distance
    low, high, u, v = places[p].slot, places[q].slot, places[p].node, places[q].node
    slots[low].up, slots[low].above = meeting, v
    slots[high].down, slots[high].below = meeting, u
    reach[u].up, reach[v].down = min(reach[u].up, meeting), min(reach[v].down, meeting)


@inner
def measure_around(state: Tables, p: Int, first: Int, stop: Int) -> None:
    """Write down how far place p, and whoever stands next to it, are from each other."""
    slot = state.places[p].slot
    if p > first:
        measure(state, p - 1, p)
    else:
        state.slots[slot].below = -1
    if p + 1 < stop:
        measure(state, p, p + 1)
    else:
        state.slots[slot].above = -1


@inner
def look(state: Tables, slot: Int, d: Int, need: Int) -> None:
    """Consider the pairs of a moving entry with a neighbour at rest that may be near."""
    nodes, places, fields, slots = state.nodes, state.places, state.fields, state.slots
    control = state.forest.control
    p = np.int64(state.slots[slot].place)
    c = places[p].contest
    first = np.int64(fields[c].first)
    stop = first + fields[c].size
    hi, stamp = hi_at(places, nodes, p), control[0].stamp
    q = p + d
    if first <= q < stop and nodes[places[q].node].mark != stamp:
        distance = (hi_at(places, nodes, q) - hi) * d
        if d > 0:
            slots[slot].up = control[0].drift + distance
        else:
            slots[slot].down = control[0].drift + distance
        if is_within(p, q, d, places, nodes, control):
            look_ahead(state, p, first, stop, d, need)
            state.touched[control[0].touched] = slot
            control[0].touched += 1
    q = p - d
    if first <= q < stop and nodes[places[q].node].mark != stamp:
        distance = (hi - hi_at(places, nodes, q)) * d
        if d > 0:
            slots[slot].down = control[0].drift + distance
        else:
            slots[slot].up = control[0].drift + distance
        if is_close_behind(p, q, d, places, nodes):
            look_behind(state, p, first, stop, d, need)


@tiny
def may_meet(state: Tables, v: Int, d: Int) -> Bool:
    """Tell whether a moving node may have a neighbour at rest that is near."""
    reach, control = state.reach, state.forest.control
    up, down = reach[v].up - control[0].drift, reach[v].down - control[0].drift
    return (
        (up <= control[0].far_hi or down <= 0) if d > 0 else (down <= control[0].far_hi or up <= 0)
    )


@tiny
def are_tied(tree: Table, u: Int, v: Int) -> Bool:
    """Tell whether a pair of the forest ties two nodes, which then move together."""
    return tree[u].parent == v or tree[v].parent == u


@inner
def remember(state: Tables, v: Int) -> None:
    """Write down how far all may drift before node v can meet anybody whom it is not tied to."""
    tree, nodes, slots, reach = state.forest.tree, state.nodes, state.slots, state.reach
    up, down = NOBODY, NOBODY
    for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
        above, below = slots[slot].above, slots[slot].below
        if above >= 0 and slots[slot].up < up and not are_tied(tree, v, above):
            up = slots[slot].up
        if below >= 0 and slots[slot].down < down and not are_tied(tree, v, below):
            down = slots[slot].down
    reach[v].up, reach[v].down = up, down


@inner
def search(state: Tables, count: Int, d: Int, need: Int, far: Int) -> Bool:
    """Find the nearest pairs ahead of the ``count`` moving nodes whose pulls add up to ``need``.

    No pair beyond ``far`` is looked at; returns False if there are not enough of them. ``ties`` are
    left with further pairs exactly as far as the last, and ``touched`` with the entries that may
    have to change places.
    """
    nodes, slots, control = state.nodes, state.slots, state.forest.control
    begin_search(state.forest, far)
    drift, stamp = control[0].drift, control[0].stamp
    for k in range(count):
        v = state.forest.moving[k]
        if is_inside(state, v) or not may_meet(state, v, d):
            continue
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            up, down = slots[slot].up - drift, slots[slot].down - drift
            if d > 0:
                is_ahead, is_behind = up <= control[0].far_hi, down <= 0
            else:
                is_ahead, is_behind = down <= control[0].far_hi, up <= 0
            if is_ahead or is_behind:
                above, below = slots[slot].above, slots[slot].below
                if d < 0:
                    above, below = below, above
                if (is_ahead and above >= 0 and nodes[above].mark != stamp) or (
                    is_behind and below >= 0 and nodes[below].mark != stamp
                ):
                    look(state, np.int64(slot), d, need)
        remember(state, np.int64(v))
    return control[0].total >= need or control[0].found == state.forest.crossed.size
