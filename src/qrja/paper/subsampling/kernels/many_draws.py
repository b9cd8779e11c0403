"""Compiled: squares of many draws of the same pairs, a column for each draw.

Who met whom is the same in all of them, so that one pass over the edges serves every column.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Table, numeric


@numeric
def count_draws(drawn: Table, place: Table, times: Table) -> None:
    """Count at the place of each pair how often it was drawn."""
    for k in range(drawn.size):
        times[place[drawn[k]]] += 1


@numeric
def add_up_edges(
    first: Table, ends: tuple[Table, Table], margin: Table, weight: Table, times: Table,
    heavy: Table, pull: Table, squares: Table,
) -> None:  # fmt: skip
    """Add up the drawn pairs of each two contestants, whom they pull, and their squared margins."""
    low, high = ends
    moment = np.zeros(squares.size)
    for e in range(first.size):
        begin = first[e]
        a, b = low[begin], high[begin]
        for r in range(squares.size):
            heavy[e, r], moment[r] = 0.0, 0.0
        if a == b:
            continue
        for k in range(begin, first[e + 1] if e + 1 < first.size else weight.size):
            w, y = weight[k], margin[k]
            for r in range(squares.size):
                drawn = w * times[r, k]
                heavy[e, r] += drawn
                moment[r] += drawn * y
                squares[r] += drawn * y * y
        for r in range(squares.size):
            pull[a, r] += moment[r]
            pull[b, r] -= moment[r]


@numeric
def add_degrees(low: Table, high: Table, heavy: Table, degree: Table) -> None:
    """Add up what the edges of each contestant weigh."""
    for e in range(low.size):
        a, b = low[e], high[e]
        for r in range(degree.shape[1]):
            degree[a, r] += heavy[e, r]
            degree[b, r] += heavy[e, r]


@numeric
def multiply(low: Table, high: Table, heavy: Table, x: Table, out: Table) -> None:
    """Add the Laplacian of each column times x to ``out``."""
    flow = np.empty(x.shape[1])
    for e in range(low.size):
        a, b = low[e], high[e]
        # One loop for all three would wait for what it has written.
        for r in range(flow.size):
            flow[r] = heavy[e, r] * (x[a, r] - x[b, r])
        for r in range(flow.size):
            out[a, r] += flow[r]
        for r in range(flow.size):
            out[b, r] -= flow[r]


@numeric
def span_and_centre(
    low: Table, high: Table, heavy: Table, x: Table, imbalance: Table, excess: Table
) -> None:
    """Give each component of each column mean 0; bound what its imbalance could save.

    The imbalance is sent along a spanning forest, from the leaves inwards. Of each contestant the
    edges of the forest that are left are counted, and their numbers are mixed into one, which is
    that of the edge where one is left.
    """
    n, columns = x.shape
    leader = np.empty((n, columns), dtype=np.int32)
    for v in range(n):
        for r in range(columns):
            leader[v, r] = v
    left, mixed = np.zeros((n, columns), dtype=np.int32), np.zeros((n, columns), dtype=np.int32)
    for e in range(low.size):
        a, b = low[e], high[e]
        for r in range(columns):
            if leader[a, r] == leader[b, r] or heavy[e, r] == 0:
                continue
            one, other = a, b
            while leader[one, r] != one:
                leader[one, r] = leader[leader[one, r], r]
                one = leader[one, r]
            while leader[other, r] != other:
                leader[other, r] = leader[leader[other, r], r]
                other = leader[other, r]
            leader[a, r] = leader[b, r] = leader[other, r] = leader[one, r] = min(one, other)
            if one != other:
                for v in (a, b):
                    left[v, r] += 1
                    mixed[v, r] ^= e
    total, count = np.zeros((n, columns)), np.zeros((n, columns))
    for v in range(n):
        for r in range(columns):  # whoever leads has a lower number, and knows its leader
            leader[v, r] = leader[leader[v, r], r]
            total[leader[v, r], r] += x[v, r]
            count[leader[v, r], r] += 1.0
    for v in range(n):
        for r in range(columns):
            x[v, r] -= total[leader[v, r], r] / count[leader[v, r], r]
    for v in range(n):
        for r in range(columns):
            u = v
            while left[u, r] == 1:
                e = mixed[u, r]
                on = low[e] + high[e] - u
                excess[r] += imbalance[u, r] ** 2 / heavy[e, r]
                imbalance[on, r] += imbalance[u, r]
                left[u, r] = 0
                left[on, r] -= 1
                mixed[on, r] ^= e
                u = on
