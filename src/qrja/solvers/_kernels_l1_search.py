"""Compiled: the exact line search of a pivot, looking only at the nearest crossings.

In each contest the moving entries and those at rest interleave. A pair (i moving, j at rest) with
j ahead of i is crossed at the distance ``r_j - r_i``. A heap, the farthest on top, keeps the
nearest pairs whose pulls add up to the excess; whatever is farther than its top is not looked at.
Nor is an entry with another moving one right ahead of it, unless that one has crossed something:
whatever the one behind can cross is nearer to the one ahead.
"""

from __future__ import annotations

import numpy as np

from qrja.solvers._kernels_jit import Bool, Int, Table, inner, tiny
from qrja.solvers._kernels_l1_contests import TWIST, lo_at, sign_at_zero, twist

FAR = np.int64(1 << 62)


@inner
def push(crossed: Table, count: Int, hi: Int, lo: Int) -> Int:
    """Make room for a distance in a heap of ``count`` with the farthest on top; return where."""
    k = count
    while k > 0:
        up = (k - 1) >> 1
        if crossed[up].hi > hi or (crossed[up].hi == hi and crossed[up].lo >= lo):
            break
        crossed[k] = crossed[up]
        k = up
    return k


@inner
def pop(crossed: Table, count: Int) -> None:
    """Remove the farthest of ``count`` pairs."""
    last = count - 1
    hi, lo = crossed[last].hi, crossed[last].lo
    k = 0
    while True:
        down = 2 * k + 1
        if down >= last:
            break
        right = down + 1
        if right < last and (
            crossed[right].hi > crossed[down].hi
            or (crossed[right].hi == crossed[down].hi and crossed[right].lo > crossed[down].lo)
        ):
            down = right
        if crossed[down].hi < hi or (crossed[down].hi == hi and crossed[down].lo <= lo):
            break
        crossed[k] = crossed[down]
        k = down
    crossed[k] = crossed[last]


@inner
def drop_farthest(crossed: Table, count: Int, ties: Table, control: Table, d: Int) -> None:
    """Remove the farthest pair; remember it as a tie if the next is exactly as far."""
    hi, lo, i, j = crossed[0].hi, crossed[0].lo, crossed[0].i, crossed[0].j
    pop(crossed, count)
    k = control[0].ties
    if crossed[0].hi != hi or crossed[0].lo != lo:
        control[0].ties = 0
    elif k < ties.size:
        ties[k].i, ties[k].j, ties[k].sign = i, j, -d
        control[0].ties = k + 1


@inner
def consider(
    p: Int,
    q: Int,
    d: Int,
    need: Int,
    crossed: Table,
    ties: Table,
    forest: Table,
    entries: Table,
    places: Table,
    fields: Table,
    nodes: Table,
    zeros: Table,
    control: Table,
) -> None:
    """Add the pair of a moving place p and a place q at rest, if it is ahead and near enough."""
    i, j = np.int64(places[p].entry), np.int64(places[q].entry)
    hi = (places[q].hi - places[p].hi) * d
    lo = (lo_at(places, nodes, q) - lo_at(places, nodes, p) + twist(i, j)) * d
    if hi > control[0].far_hi or (hi == control[0].far_hi and lo > control[0].far_lo):
        return
    # A twist may have let it be crossed already.
    if hi == 0 and (
        lo < 0 or (lo == 0 and sign_at_zero(forest, entries, zeros, control, i, j) != -d)
    ):
        return
    if control[0].found == crossed.size:
        # No room: a shorter move, which ends at a pair that will carry too much, is sound too.
        control[0].total -= crossed[0].pull
        drop_farthest(crossed, control[0].found, ties, control, d)
        control[0].found -= 1
    pull = 2 * fields[places[p].contest].weight * entries[i].count * entries[j].count
    k = push(crossed, control[0].found, hi, lo)
    crossed[k].hi, crossed[k].lo, crossed[k].pull = hi, lo, pull
    crossed[k].i, crossed[k].j = i, j
    control[0].found += 1
    control[0].total += pull
    while control[0].total - crossed[0].pull >= need:
        control[0].total -= crossed[0].pull
        drop_farthest(crossed, control[0].found, ties, control, d)
        control[0].found -= 1
    if control[0].total >= need or control[0].found == crossed.size:
        control[0].far_hi, control[0].far_lo = crossed[0].hi, crossed[0].lo


@tiny
def is_within(p: Int, q: Int, d: Int, places: Table, nodes: Table, control: Table) -> Bool:
    """Tell whether place q, ahead of p, may be near enough whatever the twist."""
    ahead = (places[q].hi - places[p].hi) * d
    if ahead != control[0].far_hi:
        return ahead < control[0].far_hi
    return (lo_at(places, nodes, q) - lo_at(places, nodes, p)) * d - TWIST <= control[0].far_lo


@tiny
def is_close_behind(p: Int, q: Int, d: Int, places: Table, nodes: Table) -> Bool:
    """Tell whether place q, behind p, may be ahead of it by a twist."""
    return places[q].hi == places[p].hi and (
        (lo_at(places, nodes, p) - lo_at(places, nodes, q)) * d <= TWIST
    )


@inner
def look_ahead(
    p: Int,
    first: Int,
    stop: Int,
    d: Int,
    need: Int,
    crossed: Table,
    ties: Table,
    mark: Table,
    forest: Table,
    entries: Table,
    places: Table,
    fields: Table,
    nodes: Table,
    zeros: Table,
    control: Table,
) -> None:
    """Consider what is ahead of the moving place p, and of the moving ones in line behind it."""
    stamp = control[0].stamp
    begin = p + d
    while is_within(p, begin, d, places, nodes, control):
        q = begin
        while first <= q < stop and is_within(p, q, d, places, nodes, control):
            if mark[places[q].node] != stamp:
                consider(
                    p,
                    q,
                    d,
                    need,
                    crossed,
                    ties,
                    forest,
                    entries,
                    places,
                    fields,
                    nodes,
                    zeros,
                    control,
                )
            q += d
        p -= d
        if not (first <= p < stop) or mark[places[p].node] != stamp:
            break


@inner
def look_behind(
    p: Int,
    first: Int,
    stop: Int,
    d: Int,
    need: Int,
    crossed: Table,
    ties: Table,
    mark: Table,
    forest: Table,
    entries: Table,
    places: Table,
    fields: Table,
    nodes: Table,
    zeros: Table,
    control: Table,
) -> None:
    """Consider what stands behind the moving place p but may still be ahead, by a twist."""
    q = p - d
    while first <= q < stop and is_close_behind(p, q, d, places, nodes):
        if mark[places[q].node] != control[0].stamp:
            consider(
                p,
                q,
                d,
                need,
                crossed,
                ties,
                forest,
                entries,
                places,
                fields,
                nodes,
                zeros,
                control,
            )
        q -= d


@inner
def search(
    crossed: Table,
    ties: Table,
    moving: Int,
    d: Int,
    need: Int,
    far: Int,
    tied: Table,
    mark: Table,
    work: Table,
    where: Table,
    forest: Table,
    entries: Table,
    places: Table,
    fields: Table,
    nodes: Table,
    zeros: Table,
    control: Table,
) -> Int:
    """Find the nearest pairs ahead of the moving nodes whose pulls add up to ``need``.

    Pairs beyond ``far`` are not looked at. Most moves of many nodes are over before they begin:
    enough pairs are tied but for the perturbation, and with ``far`` = 0 none but these are looked
    at. ``ties`` are left with further pairs exactly as far as the last.

    Returns
    -------
    The number of pairs crossed, the farthest first; 0 if there are not enough.
    """
    only_tied = far == 0
    stamp = control[0].stamp
    control[0].found, control[0].total, control[0].ties = 0, 0, 0
    control[0].far_hi, control[0].far_lo = far, FAR
    for k in range(moving):
        v = work[k].moving
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            if only_tied and not tied[slot]:
                continue
            p = np.int64(where[slot])
            c = places[p].contest
            first = np.int64(fields[c].first)
            stop = first + fields[c].size
            if (
                first <= p + d < stop
                and mark[places[p + d].node] != stamp
                and is_within(p, p + d, d, places, nodes, control)
            ):
                look_ahead(
                    p,
                    first,
                    stop,
                    d,
                    need,
                    crossed,
                    ties,
                    mark,
                    forest,
                    entries,
                    places,
                    fields,
                    nodes,
                    zeros,
                    control,
                )
            if first <= p - d < stop and is_close_behind(p, p - d, d, places, nodes):
                look_behind(
                    p,
                    first,
                    stop,
                    d,
                    need,
                    crossed,
                    ties,
                    mark,
                    forest,
                    entries,
                    places,
                    fields,
                    nodes,
                    zeros,
                    control,
                )
    if only_tied and control[0].total < need:
        return 0
    return control[0].found
