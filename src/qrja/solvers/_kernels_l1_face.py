"""Compiled: shortest paths over the set of all optima on contests.

By complementary slackness one optimal flow describes all optima: a pair that pulls with less than
its full weight upwards stays where ``r_i <= r_j``, for every optimum. So how far a node can rise,
while others rise at most so far, is a shortest path over lengths ``r_j - r_i >= 0``. In the order
of a contest the nearest neighbours stand for all others, up to the reach of a twist.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.solvers._kernels_jit import inlined, kernel
from qrja.solvers._kernels_l1_contests import TWIST, lo_at, pair_sign

NEVER = np.int64(1 << 62)


@inlined
def stays_behind(
    p: int, q: int, d: int, forest: Any, entries: Any, places: Any, nodes: Any, zeros: Any,
    control: Any,
) -> bool:
    """Tell whether place p is never ahead of q, in direction d, at any optimum."""
    if p < q:
        sign = pair_sign(p, q, forest, entries, places, nodes, zeros, control)
    else:
        sign = -pair_sign(q, p, forest, entries, places, nodes, zeros, control)
    if sign != 0:
        return sign == -d
    i, j = places[p].entry, places[q].entry
    u, v = places[p].node, places[q].node
    if forest[u].own == i and forest[u].other == j:
        return d * forest[u].flow < forest[u].cap
    return -d * forest[v].flow < forest[v].cap


@kernel
def sift_up(heap: Any, spot: Any, rise: Any, k: int) -> None:
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


@kernel
def sift_down(heap: Any, spot: Any, rise: Any, count: int, k: int) -> None:
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
def limit(heap: Any, spot: Any, rise: Any, v: int, most: int) -> None:
    """Let node v rise by at most so much; a node already settled is not moved again."""
    if spot[v] >= 0 and most < rise[v]:
        rise[v] = most
        sift_up(heap, spot, rise, spot[v])


@kernel
def limit_others(
    v: int, d: int, rise: Any, heap: Any, spot: Any, where: Any, fields: Any,
    forest: Any, entries: Any, places: Any, nodes: Any, zeros: Any, control: Any,
) -> None:
    """Limit all that stay behind the entries of node v."""
    for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
        q = np.int64(where[slot])
        first = np.int64(fields[places[q].contest].first)
        stop = first + fields[places[q].contest].size
        # Behind q, as far as a twist beyond the first one that no twist can bring ahead of q.
        p, anchor = q - d, np.int64(-1)
        while first <= p < stop:
            if anchor >= 0 and not within_twist(p, anchor, places, nodes):
                break
            if anchor < 0 and not within_twist(p, q, places, nodes):
                anchor = p
            if spot[places[p].node] >= 0 and stays_behind(
                p, q, d, forest, entries, places, nodes, zeros, control
            ):
                gap = (places[q].hi - places[p].hi) * d
                limit(heap, spot, rise, np.int64(places[p].node), rise[v] + gap)
            p -= d
        # Ahead of q, but not at any optimum, by a twist.
        p = q + d
        while first <= p < stop and within_twist(p, q, places, nodes):
            if spot[places[p].node] >= 0 and stays_behind(
                p, q, d, forest, entries, places, nodes, zeros, control
            ):
                limit(heap, spot, rise, np.int64(places[p].node), rise[v])
            p += d


@inlined
def within_twist(p: int, q: int, places: Any, nodes: Any) -> bool:
    """Tell whether a twist could exchange two places."""
    return places[p].hi == places[q].hi and (
        abs(lo_at(places, nodes, p) - lo_at(places, nodes, q)) <= TWIST
    )


@kernel
def raise_most(
    d: int, count: int, rise: Any, heap: Any, spot: Any, where: Any, fields: Any,
    forest: Any, entries: Any, places: Any, nodes: Any, zeros: Any, control: Any,
) -> None:
    """Lower ``rise`` to how far each node can move in direction d, all at once, among the optima.

    ``heap`` and ``spot`` are room for one number per node.
    """
    for v in range(count):
        heap[v] = v
        spot[v] = v
    for k in range(count // 2 - 1, -1, -1):
        sift_down(heap, spot, rise, count, k)
    while count > 0:
        v = np.int64(heap[0])
        if rise[v] >= NEVER:
            break
        count -= 1
        heap[0] = heap[count]
        spot[v] = -1
        if count > 0:
            sift_down(heap, spot, rise, count, 0)
        limit_others(
            v, d, rise, heap, spot, where, fields,
            forest, entries, places, nodes, zeros, control,
        )
