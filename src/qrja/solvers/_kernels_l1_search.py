"""Compiled: the exact line search of a pivot on contests, looking only at the nearest crossings.

In each contest the moving entries and those at rest interleave. A pair (i moving, j at rest) with
j ahead of i is crossed at the distance ``r_j - r_i``. Whatever is farther than the crossings that
use the excess up is not looked at. Nor is an entry with another moving one right ahead of it,
unless that one has crossed something: whatever the one behind can cross is nearer to the one ahead.

**Distances that need no look.** To see that an entry is far from its neighbour would take a jump
through memory, and most entries of a large move are. So an entry remembers a bound: ``drift`` is
the sum of all steps after which distances were not measured again, and

    distance to the neighbour  >=  near - drift

because no distance shrinks by more than the steps. The bounds of a node lie side by side.
"""

from __future__ import annotations

import numpy as np

from qrja.solvers._kernels_jit import Bool, Int, Table, Tables, inner, tiny
from qrja.solvers._kernels_l1_contests import TWIST, hi_at, lo_at, sign_at_zero, twist
from qrja.solvers._kernels_l1_exchange import FAR, begin_search, cross


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
    """Consider what stands behind the moving place p but may still be ahead, by a twist."""
    nodes, places = state.nodes, state.places
    stamp = state.forest.control[0].stamp
    q = p - d
    while first <= q < stop and is_close_behind(p, q, d, places, nodes):
        if nodes[places[q].node].mark != stamp:
            consider(state, p, q, d, need)
        q -= d


@inner
def measure(state: Tables, p: Int, q: Int) -> None:
    """Write down the distance of two neighbouring places, p below q."""
    nodes, places, near = state.nodes, state.places, state.near
    distance = hi_at(places, nodes, q) - hi_at(places, nodes, p)
    meeting = state.forest.control[0].drift + distance
    near[places[p].slot].up = meeting
    near[places[q].slot].down = meeting


@inner
def measure_around(state: Tables, p: Int, first: Int, stop: Int) -> None:
    """Write down how far place p, and whoever stands next to it, are from each other."""
    slot, never = state.places[p].slot, state.forest.control[0].drift + FAR
    if p > first:
        measure(state, p - 1, p)
    else:
        state.near[slot].down = never
    if p + 1 < stop:
        measure(state, p, p + 1)
    else:
        state.near[slot].up = never


@inner
def look_around(state: Tables, slot: Int, d: Int, need: Int) -> None:
    """Consider the pairs of a moving entry, and note whether there was anything near."""
    nodes, places, fields = state.nodes, state.places, state.fields
    control = state.forest.control
    p = np.int64(state.where[slot])
    c = places[p].contest
    first = np.int64(fields[c].first)
    stop = first + fields[c].size
    is_near = False
    if (
        first <= p + d < stop
        and nodes[places[p + d].node].mark != control[0].stamp
        and is_within(p, p + d, d, places, nodes, control)
    ):
        look_ahead(state, p, first, stop, d, need)
        is_near = True
    if first <= p - d < stop and is_close_behind(p, p - d, d, places, nodes):
        look_behind(state, p, first, stop, d, need)
        is_near = True
    if is_near:
        state.touched[control[0].touched] = slot
        control[0].touched += 1
    measure_around(state, p, first, stop)


@inner
def search(state: Tables, count: Int, d: Int, need: Int, far: Int) -> Int:
    """Find the nearest pairs ahead of the ``count`` moving nodes whose pulls add up to ``need``.

    Pairs beyond ``far`` are not looked at. Most moves of many nodes are over before they begin:
    enough pairs are tied but for the perturbation, and with ``far`` = 0 none but these are looked
    at. ``ties`` are left with further pairs exactly as far as the last.

    Returns
    -------
    The number of pairs crossed, the farthest first; 0 if there are not enough.
    """
    nodes, near, moving, control = (
        state.nodes,
        state.near,
        state.forest.moving,
        state.forest.control,
    )
    begin_search(state.forest, far)
    drift = control[0].drift
    for k in range(count):
        v = moving[k]
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            ahead, behind = near[slot].up, near[slot].down
            if d < 0:
                ahead, behind = behind, ahead
            if ahead - drift <= control[0].far_hi or behind <= drift:
                look_around(state, np.int64(slot), d, need)
    if far == 0 and control[0].total < need:
        return 0
    return control[0].found
