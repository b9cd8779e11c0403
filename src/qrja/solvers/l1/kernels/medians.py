"""Compiled: a start nearer to the optimum of judgments, node by node.

Each node goes where the weighted median of its judgments wants it while nobody else moves. That
lowers the loss by passes over the judgments, where pivots would move one node after another.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Int, Table, Tables, inner, kernel
from qrja.solvers.l1.kernels.pairs import SEVERAL


@inner
def list_wishes(state: Tables, v: Int, wishes: Table) -> Int:
    """List how far each judgment of v wants it to rise; return how many there are.

    What hangs at v goes with it.
    """
    tree, nodes, ways = state.forest.tree, state.nodes, state.ways
    edges, margins = state.edges, state.margins
    count = np.int64(0)
    for way in range(nodes[v].first, nodes[v].first + nodes[v].size):
        u, e = ways[way].node, ways[way].edge
        if tree[v].child >= 0 and tree[u].parent == v:
            continue
        over = nodes[u].hi - nodes[v].hi
        if ways[way].down != SEVERAL:
            wishes[count].rise, wishes[count].weight = over + ways[way].up, ways[way].down
            count += 1
            continue
        sign = np.int64(1 if edges[e].a == v else -1)
        for k in range(edges[e].first, edges[e].first + edges[e].size):
            wishes[count].rise = over + sign * margins[k].hi
            wishes[count].weight = margins[k].weight
            count += 1
    return count


@inner
def keep(wishes: Table, count: Int, d: Int, at: Int) -> Int:
    """Keep the wishes beyond ``at`` in direction d; return how many."""
    kept = np.int64(0)
    for k in range(count):  # nobody can guess which: a branch would take longer
        wishes[kept].rise, wishes[kept].weight = wishes[k].rise, wishes[k].weight
        kept += np.int64(d * (wishes[k].rise - at) > 0)
    return kept


@inner
def find_rise(wishes: Table, count: Int, d: Int, need: Int) -> Int:
    """Return the least rise, in direction d, that fulfils wishes which weigh half of ``need``."""
    while True:
        one, mid, last = wishes[0].rise, wishes[count >> 1].rise, wishes[count - 1].rise
        at = max(min(one, mid), min(max(one, mid), last))
        nearer = equal = np.int64(0)
        for k in range(count):
            nearer += wishes[k].weight * np.int64(d * (wishes[k].rise - at) < 0)
            equal += wishes[k].weight * np.int64(wishes[k].rise == at)
        if 2 * nearer >= need:
            count = keep(wishes, count, -d, at)
        elif 2 * (nearer + equal) >= need:
            return at
        else:
            need -= 2 * (nearer + equal)
            count = keep(wishes, count, d, at)


@inner
def go_to_median(state: Tables, v: Int, wishes: Table) -> None:
    """Put v where the median of its judgments wants it."""
    count = list_wishes(state, v, wishes)
    below = above = exact = np.int64(0)
    for k in range(count):
        below += wishes[k].weight * np.int64(wishes[k].rise < 0)
        above += wishes[k].weight * np.int64(wishes[k].rise > 0)
        exact += wishes[k].weight * np.int64(wishes[k].rise == 0)
    d = np.int64(1 if above > below else -1)
    need = abs(above - below) - exact
    if need > 0:
        count = keep(wishes, count, d, np.int64(0))
        state.nodes[v].hi += find_rise(wishes, count, d, need)


@kernel
def go_to_medians(sweeps: Int, wishes: Table, state: Tables) -> None:
    """Let all who do not hang on another go to their medians, so many times."""
    for _ in range(sweeps):
        for v in range(state.nodes.size):
            if state.forest.tree[v].parent < 0:
                go_to_median(state, np.int64(v), wishes)
