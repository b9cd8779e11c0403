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
    arc = np.full(pairs, -1, np.int32)
    order = np.lexsort((-weight, pair))
    numbers, first = np.unique(pair[order], return_index=True)
    arc[numbers] = order[first]
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
    leader, label = list(range(n)), np.arange(n)
    chosen: list[int] = []
    # Once sorted, the first pair of a tree is its heaviest; of equals the first.
    live = np.lexsort((np.arange(len(lows)), -weight))
    while True:
        live = live[label[lows[live]] != label[highs[live]]]
        if not len(live):
            return np.array(chosen, dtype=np.int32)
        ends = np.stack([label[lows[live]], label[highs[live]]], axis=1).ravel()
        _, first = np.unique(ends, return_index=True)
        for k in live[first // 2].tolist():
            one, other = _lead(leader, int(lows[k])), _lead(leader, int(highs[k]))
            if one != other:
                leader[max(one, other)] = min(one, other)
                chosen.append(k)
        label = np.array([_lead(leader, i) for i in range(n)])


def _lead(leader: list[int], i: int) -> int:
    while leader[i] != i:
        leader[i] = i = leader[leader[i]]
    return i


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
