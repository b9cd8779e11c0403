"""Compiled: the linear relaxation of Kemeny's rule, and the cycles that it keeps whole.

Arc e stands for a pair with ``D[tail, head] > 0``; ``x[e]`` is 1 where the order reverses it and 0
where it keeps it, and anything between in the linear relaxation.

Cuts are rows of a sparse matrix: ``sum of sign[k] * x[arc[k]] >= right`` over
``start[r]:start[r + 1]``, the condition that a cycle is not kept whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.jit import compiled, numeric

FAR = 9.0
"""A length no cut needs: cycles longer than 1 are not violated."""


@compiled
def three_cycles(tail: Any, head: Any, arc_of: Any, most: int) -> Any:
    """Return the arcs of cycles of three, one row each, no more than ``most``."""
    n = len(arc_of)
    found = np.empty((most, 3), dtype=np.int32)
    count = 0
    for e in range(len(tail)):
        a, b = tail[e], head[e]
        for c in range(n):
            # Each cycle once, at the arc that leaves its least contestant.
            if a < b and a < c and arc_of[b, c] >= 0 and arc_of[c, a] >= 0 and count < most:
                found[count, 0], found[count, 1], found[count, 2] = e, arc_of[b, c], arc_of[c, a]
                count += 1
    return found[:count]


@numeric
def primal_dual_steps(
    w: Any,
    low: Any,
    high: Any,
    start: Any,
    arc: Any,
    sign: Any,
    right: Any,
    x: Any,
    y: Any,
    balance: float,
    steps: int,
) -> tuple[Any, Any]:
    """Return the averages of x and y over steps of the primal-dual hybrid gradient method.

    It is to::

        minimise w . x   subject to   low <= x <= high   and the cuts, whose prices are y >= 0

    Each variable and each cut has a step length of its own, by the number of its neighbours. Cuts
    are looked at once a step, each giving its new price back at once; those of three arcs, nearly
    all, stand in columns and need no inner loop.
    """
    m, cuts = len(w), len(right)
    degree, paid, ahead = np.zeros(m), np.zeros(m), np.empty(m)
    triple, others = np.empty(cuts, dtype=np.int32), np.empty(cuts, dtype=np.int32)
    arcs, signs = np.empty((3, cuts), dtype=np.uint32), np.empty((3, cuts))
    triples = longer = 0
    for r in range(cuts):
        for k in range(start[r], start[r + 1]):
            degree[arc[k]] += 1
            paid[arc[k]] += sign[k] * y[r]
        if start[r + 1] - start[r] == 3:
            for side in range(3):
                arcs[side, triples] = arc[start[r] + side]
                signs[side, triples] = sign[start[r] + side]
            triple[triples] = r
            triples += 1
        else:
            others[longer] = r
            longer += 1
    for e in range(m):
        degree[e] = balance / max(degree[e], 1.0)
    price, least, sum_price = np.empty(triples), np.empty(triples), np.zeros(triples)
    for t in range(triples):
        price[t], least[t] = y[triple[t]], right[triple[t]]
    mean_x, mean_y = np.zeros(m), np.zeros(cuts)
    pace = 1.0 / (3 * balance)
    for _ in range(steps):
        for e in range(m):
            moved = x[e] - degree[e] * (w[e] - paid[e])
            moved = min(max(moved, low[e]), high[e])
            ahead[e] = 2 * moved - x[e]
            x[e] = moved
            mean_x[e] += moved
            paid[e] = 0.0
        for t in range(triples):
            a, b, c = arcs[0, t], arcs[1, t], arcs[2, t]
            short = least[t] - signs[0, t] * ahead[a] - signs[1, t] * ahead[b]
            short -= signs[2, t] * ahead[c]
            found = max(price[t] + pace * short, 0.0)
            price[t] = found
            sum_price[t] += found
            paid[a] += signs[0, t] * found
            paid[b] += signs[1, t] * found
            paid[c] += signs[2, t] * found
        for other in range(longer):
            r = others[other]
            short = right[r]
            for k in range(start[r], start[r + 1]):
                short -= sign[k] * ahead[arc[k]]
            y[r] = max(y[r] + short / (balance * (start[r + 1] - start[r])), 0.0)
            mean_y[r] += y[r]
            if y[r] > 0:
                for k in range(start[r], start[r + 1]):
                    paid[arc[k]] += sign[k] * y[r]
    for t in range(triples):
        mean_y[triple[t]] = sum_price[t]
    return mean_x / steps, mean_y / steps


@compiled
def price(
    w: Any, low: Any, high: Any, start: Any, arc: Any, sign: Any, right: Any, y: Any
) -> tuple[float, Any]:
    """Return the lower bound that prices y prove, and what each arc costs at these prices.

    For any y >= 0 the cost of every order is at least
    ``y . right + sum over arcs of min(left * low, left * high)`` with ``left = w - A^T y``.
    """
    left, bound = w.copy(), 0.0
    for r in range(len(right)):
        if y[r] > 0:
            bound += y[r] * right[r]
            for k in range(start[r], start[r + 1]):
                left[arc[k]] -= sign[k] * y[r]
    for e in range(len(w)):
        bound += left[e] * (low[e] if left[e] > 0 else high[e])
    return bound, left


@compiled
def shortfall(start: Any, arc: Any, sign: Any, right: Any, x: Any) -> Any:
    """Return by how much x misses each cut; negative where there is slack."""
    short = right.copy()
    for r in range(len(right)):
        for k in range(start[r], start[r + 1]):
            short[r] -= sign[k] * x[arc[k]]
    return short


@compiled
def shortest_ways(length: Any) -> tuple[Any, Any]:
    """Return all distances below 1 and the first step of each way (Floyd and Warshall)."""
    n = len(length)
    distance = length.copy()
    first = np.empty((n, n), dtype=np.int32)
    for i in range(n):
        for j in range(n):
            first[i, j] = j
    for k in range(n):
        for i in range(n):
            so_far = distance[i, k]
            if so_far < 1.0 and i != k:
                for j in range(n):
                    if so_far + distance[k, j] < distance[i, j]:
                        distance[i, j] = so_far + distance[k, j]
                        first[i, j] = first[i, k]
    return distance, first


@compiled
def violated_cycles(
    tail: Any, head: Any, length: Any, arc_of: Any, least: float
) -> tuple[Any, Any, Any]:
    """Return one shortest cycle through each pair in each direction, where it is below 1 - least.

    A step a -> b along an arc costs x, against an arc 1 - x, as ``length`` says.

    Returns
    -------
    start, arc, sign
        The arcs of each cycle; the sign is -1 where it runs against the arc. A step that is
        forced, not an arc, costs nothing and is left out.
    """
    distance, first = shortest_ways(length)
    start, arc, sign = [0], [0], [0.0]
    for e in range(len(tail)):
        for turned in range(2):
            a, b = (head[e], tail[e]) if turned else (tail[e], head[e])
            if length[a, b] + distance[b, a] > 1 - least or first[b, a] == a:
                continue
            at, to = a, b
            while True:
                if arc_of[at, to] >= 0:
                    arc.append(arc_of[at, to])
                    sign.append(1.0)
                elif arc_of[to, at] >= 0:
                    arc.append(arc_of[to, at])
                    sign.append(-1.0)
                if to == a:
                    break
                at, to = to, first[to, a]
            start.append(len(arc) - 1)
    return np.array(start), np.array(arc[1:], dtype=np.int32), np.array(sign[1:])
