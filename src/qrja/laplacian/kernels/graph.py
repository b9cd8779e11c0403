"""Compiled graph passes of the Newton solver: pairs, Laplacian products, trees.

Arcs are judgments (a, b); a pair is a set of parallel arcs. Compiled once and cached on disk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import compiled, inner, kernel
from qrja.laplacian.kernels.cholesky import Factor, apply_factor


class Rows(NamedTuple):
    """The pairs seen from either end: those of node i are ``start[i]:start[i + 1]``."""

    start: Offsets
    neighbour: Index
    pair: Index


@compiled
def group_pairs(n: int, a: Index, b: Index) -> Any:
    """Find the distinct pairs of arcs; return the pair of each arc and the two ends of each pair.

    A counting sort by the larger end and then by the smaller one: linear time, no keys.
    """
    m = len(a)
    first = np.zeros(n + 1, np.int64)
    for i in range(m):
        first[max(a[i], b[i]) + 1] += 1
    first = np.cumsum(first)
    by_high = np.empty(m, np.int32)
    for i in range(m):
        high = max(a[i], b[i])
        by_high[first[high]] = i
        first[high] += 1
    first = np.zeros(n + 1, np.int64)
    for i in range(m):
        first[min(a[i], b[i]) + 1] += 1
    first = np.cumsum(first)
    order = np.empty(m, np.int32)
    for k in range(m):
        i = by_high[k]
        low = min(a[i], b[i])
        order[first[low]] = i
        first[low] += 1
    pair, lows, highs = np.empty(m, np.int32), np.empty(m, np.int32), np.empty(m, np.int32)
    count = 0
    for k in range(m):
        i = order[k]
        low, high = min(a[i], b[i]), max(a[i], b[i])
        if count == 0 or lows[count - 1] != low or highs[count - 1] != high:
            lows[count], highs[count] = low, high
            count += 1
        pair[i] = count - 1
    return pair, lows[:count].copy(), highs[:count].copy()


@compiled
def adjacency(n: int, lows: Index, highs: Index) -> Rows:
    """Return the pairs of every node."""
    start = np.zeros(n + 1, np.int64)
    for k in range(len(lows)):
        start[lows[k] + 1] += 1
        start[highs[k] + 1] += 1
    start = np.cumsum(start)
    place = start[:-1].copy()
    neighbour, pair = np.empty(2 * len(lows), np.int32), np.empty(2 * len(lows), np.int32)
    for k in range(len(lows)):
        high = highs[k]
        neighbour[place[high]], pair[place[high]] = lows[k], k
        place[high] += 1
    for k in range(len(lows)):
        low = lows[k]
        neighbour[place[low]], pair[place[low]] = highs[k], k
        place[low] += 1
    return Rows(start, neighbour, pair)


@compiled
def add_up(pair: Index, weight: Floats, pairs: int) -> Any:
    """Add up the weights of the arcs of each pair."""
    total = np.zeros(pairs)
    for i in range(len(pair)):
        total[pair[i]] += weight[i]
    return total


@compiled
def respond(a: Index, b: Index, change: Floats, slope: Floats, curvature: Floats) -> Any:
    """Return how the residuals answer a change of scores, and the flow ``g + D dr`` that makes."""
    turn, flow = np.empty(len(a)), np.empty(len(a))
    for i in range(len(a)):
        turn[i] = change[b[i]] - change[a[i]]
        flow[i] = slope[i] + curvature[i] * turn[i]
    return turn, flow


@compiled
def lay_weights(rows: Rows, conductance: Floats) -> Any:
    """Return the weight of each entry of the rows, and the sum of each row."""
    value, diagonal = np.empty(len(rows.pair)), np.zeros(len(rows.start) - 1)
    for i in range(len(diagonal)):
        for e in range(rows.start[i], rows.start[i + 1]):
            value[e] = conductance[rows.pair[e]]
            diagonal[i] += value[e]
    return value, diagonal


@compiled
def imbalance(n: int, a: Index, b: Index, flow: Floats) -> Any:
    """Return what leaves each node less what enters it, to the last digit.

    Flows nearly cancel at a node. Errors of the size of the flows would add up over a set of nodes
    that hangs on the rest by light arcs alone, and push it far away: so every sum is kept with
    what it lost to rounding.
    """
    net, lost = np.zeros(n), np.zeros(n)
    for i in range(len(a)):
        for side in range(2):
            v = a[i] if side == 0 else b[i]
            add = flow[i] if side == 0 else -flow[i]
            total = net[v] + add
            shadow = total - net[v]
            lost[v] += (net[v] - (total - shadow)) + (add - shadow)
            net[v] = total
    return net + lost


@compiled
def residuals(a: Index, b: Index, y: Floats, x: Floats, rest: Floats) -> Any:
    """Return ``y - (x_a - x_b) - (rest_a - rest_b)``; the large differences lose nothing."""
    result = np.empty(len(y))
    for i in range(len(y)):
        left, right = x[a[i]], x[b[i]]
        fitted = left - right
        shadow = fitted - left
        lost = (left - (fitted - shadow)) - (right + shadow)
        over = y[i] - fitted
        shadow = over - y[i]
        lost_again = (y[i] - (over - shadow)) - (fitted + shadow)
        result[i] = over + ((lost_again - lost) - (rest[a[i]] - rest[b[i]]))
    return result


@kernel
def multiply(rows: Rows, value: Floats, x: Floats, out: Floats) -> None:
    """Multiply by the Laplacian in the form of differences, which cancels nothing."""
    for i in range(len(out)):
        total, own = 0.0, x[i]
        for e in range(rows.start[i], rows.start[i + 1]):
            total += value[e] * (own - x[rows.neighbour[e]])
        out[i] = total


@kernel
def precondition(residual: Floats, diagonal: Floats, factor: Factor, out: Floats) -> None:
    """Apply the factor if there is one, the inverse diagonal otherwise."""
    if len(factor.order):
        apply_factor(factor, residual, out)
        return
    for i in range(len(residual)):
        out[i] = residual[i] / diagonal[i] if diagonal[i] > 0 else 0.0


@inner
def _heaviest_node(block: Offsets, c: int, diagonal: Floats) -> Any:
    best = block[c]
    for i in range(block[c], block[c + 1]):
        if diagonal[i] > diagonal[best]:
            best = i
    return best


@compiled
def conjugate_gradients(
    rows: Rows,
    value: Floats,
    diagonal: Floats,
    factor: Factor,
    block: Offsets,
    rhs: Floats,
    tol: float,
    limit: int,
) -> Any:
    """Solve the Laplacian system of every block of nodes at once, each with its own steps.

    ``value`` is the weight of each entry of ``rows``. Stop a block when its residual, in the norm
    of the preconditioner, fell by ``tol``. Return x, the number of steps and whether every block
    got there. The right-hand side of a block sums to 0 but for rounding, which its heaviest node
    takes upon itself; x is 0 there.
    """
    n, blocks = len(rhs), len(block) - 1
    x, r = np.zeros(n), rhs.copy()
    z, product = np.empty(n), np.empty(n)
    for c in range(blocks):
        r[_heaviest_node(block, c, diagonal)] -= r[block[c] : block[c + 1]].sum()
    precondition(r, diagonal, factor, z)
    p = z.copy()
    norm, goal = np.empty(blocks), np.empty(blocks)
    going = np.zeros(blocks, np.bool_)
    for c in range(blocks):
        total = 0.0
        for i in range(block[c], block[c + 1]):
            total += r[i] * z[i]
        norm[c], goal[c], going[c] = total, total * tol * tol, total > 0
    steps = 0
    while steps < limit and going.any():
        steps += 1
        multiply(rows, value, p, product)
        for c in range(blocks):
            if not going[c]:
                continue
            energy = 0.0
            for i in range(block[c], block[c + 1]):
                energy += p[i] * product[i]
            if not 0.0 < energy < np.inf:
                going[c] = False
                goal[c] = norm[c]
                continue
            length = norm[c] / energy
            for i in range(block[c], block[c + 1]):
                x[i] += length * p[i]
                r[i] -= length * product[i]
        precondition(r, diagonal, factor, z)
        for c in range(blocks):
            if not going[c]:
                continue
            total = 0.0
            for i in range(block[c], block[c + 1]):
                total += r[i] * z[i]
            turn = total / norm[c]
            norm[c] = total
            if total <= goal[c]:
                going[c] = False
            for i in range(block[c], block[c + 1]):
                p[i] = z[i] + turn * p[i]
    for c in range(blocks):
        level = x[_heaviest_node(block, c, diagonal)]
        for i in range(block[c], block[c + 1]):
            x[i] -= level
    return x, steps, not going.any()


@compiled
def heaviest_arcs(pair: Index, weight: Floats, pairs: int) -> Any:
    """Return the heaviest arc of each pair, the first of equals."""
    arc = np.full(pairs, -1, np.int32)
    for i in range(len(pair)):
        best = arc[pair[i]]
        if best < 0 or weight[i] > weight[best]:
            arc[pair[i]] = i
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
