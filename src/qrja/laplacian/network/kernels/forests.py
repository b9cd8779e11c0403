"""Compiled: forests of the heaviest pairs, which carry an imbalance away.

The trees of :mod:`qrja.laplacian.routing` are searched by SciPy, which sorts all pairs: of 700,000
pairs that takes 110 ms and this 30 ms, three times in the second that such a problem takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import compiled, in_arrays, kernel
from qrja.laplacian.network.kernels.rows import adjacency


@compiled
def heaviest_arcs(pair: Offsets, weight: Floats, pairs: int) -> Any:
    """Return the heaviest arc of each pair, the first of equals."""
    arc = np.full(pairs, -1, np.int32)
    for i in range(len(pair)):
        best = arc[pair[i]]
        if best < 0 or weight[i] > weight[best]:
            arc[pair[i]] = i
    return arc


@in_arrays(heaviest_arcs)
def _heaviest_arcs(pair: Offsets, weight: Floats, pairs: int) -> Index:
    arc, top = np.full(pairs, -1, np.int32), np.full(pairs, -np.inf)
    np.maximum.at(top, pair, weight)
    heaviest = np.flatnonzero(weight == top[pair])[::-1]
    arc[pair[heaviest]] = heaviest  # the first of equals is written last
    return arc


@kernel
def _find(leader: Index, i: int) -> int:
    while leader[i] != i:
        leader[i] = leader[leader[i]]
        i = leader[i]
    return i


@compiled
def heaviest_forest(n: int, lows: Index, highs: Index, weight: Floats) -> Any:
    """Return the pairs of a maximum-weight spanning forest, by Borůvka's rounds.

    Each round joins every tree to its heaviest neighbour; among equal weights the first pair
    counts as heavier, so that no cycle closes.
    """
    leader = np.arange(n).astype(np.int32)
    live = np.arange(len(lows)).astype(np.int32)
    chosen = np.empty(max(n - 1, 0), np.int32)
    count = 0
    best = np.empty(n, np.int32)
    while len(live):
        best[:] = -1
        kept = 0
        for k in live:
            i, j = _find(leader, lows[k]), _find(leader, highs[k])
            if i == j:
                continue
            live[kept] = k
            kept += 1
            if best[i] < 0 or weight[k] > weight[best[i]]:
                best[i] = k
            if best[j] < 0 or weight[k] > weight[best[j]]:
                best[j] = k
        live = live[:kept]
        for i in range(n):
            k = best[i]
            if k >= 0:
                one, other = _find(leader, lows[k]), _find(leader, highs[k])
                if one != other:
                    leader[max(one, other)] = min(one, other)
                    chosen[count] = k
                    count += 1
    return chosen[:count]


@in_arrays(heaviest_forest)
def _heaviest_forest(n: int, lows: Index, highs: Index, weight: Floats) -> Index:
    node, label = np.arange(n), np.arange(n)
    live, chosen = np.arange(len(lows), dtype=np.int32), [np.zeros(0, np.int32)]
    while True:
        one, other = label[lows[live]], label[highs[live]]
        apart = one != other
        live, one, other = live[apart], one[apart], other[apart]
        if not len(live):
            return np.concatenate(chosen)
        w, top, best = weight[live], np.full(n, -np.inf), np.full(n, len(live))
        for ends in (one, other):
            np.maximum.at(top, ends, w)
        for ends in (one, other):
            heaviest = np.flatnonzero(w == top[ends])
            np.minimum.at(best, ends[heaviest], heaviest)
        trees = np.flatnonzero(best < len(live))
        k = best[trees]
        chosen.append(live[k[np.sort(np.unique(k, return_index=True)[1])]])
        # Every tree points to its neighbour, and of two that point to each other the lower stays.
        onto = node.copy()
        onto[trees] = np.where(one[k] == trees, other[k], one[k])
        onto = np.where((onto[onto] == node) & (node < onto), node, onto)
        while (onto != onto[onto]).any():
            onto = onto[onto]
        lowest = np.full(n, n)
        np.minimum.at(lowest, onto, node)
        label = lowest[onto][label]


@compiled
def root_forest(n: int, lows: Index, highs: Index, chosen: Index) -> Any:
    """Search the trees of a forest breadth first: order of visit, parent, pair to the parent."""
    rows = adjacency(n, lows[chosen], highs[chosen])
    order, parent = np.empty(n, np.int32), np.full(n, -1, np.int32)
    above = np.full(n, -1, np.int32)
    seen = np.zeros(n, np.bool_)
    filled = 0
    for root in range(n):
        if seen[root]:
            continue
        seen[root] = True
        order[filled] = root
        head = filled
        filled += 1
        while head < filled:
            i = order[head]
            head += 1
            for e in range(rows.start[i], rows.start[i + 1]):
                j = rows.neighbour[e]
                if not seen[j]:
                    seen[j] = True
                    parent[j], above[j] = i, chosen[rows.pair[e]]
                    order[filled] = j
                    filled += 1
    return order, parent, above


@kernel
def drain(order: Index, parent: Index, arc: Index, a: Index, excess: Floats, flow: Floats) -> None:
    """Send the excess of every node up its tree, changing ``flow`` on the arcs of the tree.

    ``excess`` is what leaves a node less what enters it; the roots keep what is left.
    """
    for k in range(len(order) - 1, -1, -1):
        v = order[k]
        up = parent[v]
        if up < 0:
            continue
        flow[arc[v]] += -excess[v] if a[arc[v]] == v else excess[v]
        excess[up] += excess[v]
        excess[v] = 0.0


@in_arrays(drain)
def _drain(order: Index, parent: Index, arc: Index, a: Index, excess: Floats, flow: Floats) -> None:
    above, over = parent.tolist(), excess.tolist()
    for v in order[::-1].tolist():
        if above[v] >= 0:
            flow[arc[v]] += -over[v] if a[arc[v]] == v else over[v]
            over[above[v]] += over[v]
            over[v] = 0.0
    excess[:] = over
