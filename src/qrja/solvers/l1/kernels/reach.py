"""Compiled: how far a node can move before it meets anyone, so that most need no look.

Towards the end a pivot moves thousands of nodes by a tiny step, and few of them cross anything. So
a node remembers how far the nearest judgment was that it could cross, above and below; ``drift`` is
the sum of all steps after which that was not measured again, and

    distance to the nearest judgment above  >=  up - drift

because no distance shrinks by more than the steps. Judgments of the forest count for nothing: while
they are in it, both ends move together. Pivots are the same, one by one.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Int, Tables, inner, tiny
from qrja.solvers.l1.kernels.exchange import FAR, LIMIT

NOBODY = FAR + LIMIT
"""Beyond any distance that is looked at; with the drift, which stays below ``LIMIT``, an int64."""
VAIN = 1.0
"""Looks in vain for each edge when all have drifted by the mean distance; tuned on Codeforces and
random graphs, where a quarter and four times of it take a tenth longer."""


@tiny
def may_meet(state: Tables, v: Int, d: Int) -> Int:
    """Tell whether node v may cross a judgment that is near enough."""
    reach, control = state.reach, state.forest.control
    if reach.size == 0:
        return True
    bound = reach[v].up if d > 0 else reach[v].down
    return bound - control[0].drift <= control[0].far_hi


@tiny
def is_joined(state: Tables, way: Int, ahead: Int) -> Int:
    """Tell whether the next judgment of an edge is in the forest."""
    return ahead == 0 and state.edges[state.ways[way].edge].is_tree != 0


@inner
def remember(state: Tables, v: Int, d: Int, nearest: Int) -> None:
    """Write down how far the nearest judgment ahead of node v is."""
    reach, control = state.reach, state.forest.control
    if d > 0:
        reach[v].up = control[0].drift + nearest
    else:
        reach[v].down = control[0].drift + nearest
    if nearest < LIMIT:
        control[0].length += float(nearest)
        control[0].entries += 1


@inner
def come_nearer(state: Tables, v: Int, d: Int, distance: Int) -> None:
    """Let node v know of a judgment ahead."""
    reach, meeting = state.reach, state.forest.control[0].drift + distance
    if d > 0:
        reach[v].up = min(reach[v].up, meeting)
    else:
        reach[v].down = min(reach[v].down, meeting)


@inner
def measure_edge(state: Tables, e: Int) -> None:
    """Let both ends of an edge know of the judgments next to it that are not in the forest."""
    nodes, ways, edges = state.nodes, state.ways, state.edges
    way = np.int64(edges[e].way_a)
    a, b = np.int64(edges[e].a), np.int64(edges[e].b)
    over = nodes[a].hi - nodes[b].hi
    up, down = ways[way].up - over, over - ways[way].down
    if not is_joined(state, way, up):
        come_nearer(state, a, np.int64(1), up)
        come_nearer(state, b, np.int64(-1), up)
    if not is_joined(state, way, down):
        come_nearer(state, a, np.int64(-1), down)
        come_nearer(state, b, np.int64(1), down)


@inner
def measure_moved(state: Tables, count: Int, d: Int) -> None:
    """Measure how far moved nodes are from those at rest ahead; all others are no nearer."""
    nodes, ways, stamp = state.nodes, state.ways, state.forest.control[0].stamp
    for k in range(count):
        v = np.int64(state.forest.moving[k])
        nearest = NOBODY
        for way in range(nodes[v].first, nodes[v].first + nodes[v].size):
            u = np.int64(ways[way].node)
            ahead = (ways[way].up if d > 0 else -ways[way].down) - (nodes[v].hi - nodes[u].hi) * d
            if not is_joined(state, np.int64(way), ahead):
                nearest = min(nearest, ahead)
                if nodes[u].mark != stamp:
                    come_nearer(state, u, -d, ahead)
        remember(state, v, d, nearest)


@inner
def settle(state: Tables, count: Int, moved: Int, d: Int, left: Int) -> None:
    """Keep what nodes know true after a move of ``count`` nodes; edge ``left`` left the forest.

    Distances are measured again if that is less work than what the drift would cost: a step over
    the mean distance is the share of all edges that will be looked at in vain.
    """
    control, crossed = state.forest.control, state.forest.crossed
    step = np.int64(crossed[0].hi)
    mean = control[0].length / max(float(control[0].entries), 1.0)
    if VAIN * float(control[0].size) * float(step) <= float(state.forest.tree[moved].size) * mean:
        control[0].drift += step
        if control[0].drift > LIMIT:
            control[0].drift = 0
            for v in range(state.reach.size):
                state.reach[v].up, state.reach[v].down = 0, 0
    else:
        measure_moved(state, count, d)
    for k in range(control[0].found):
        measure_edge(state, np.int64(crossed[k].i))
    if left >= 0:
        measure_edge(state, left)
