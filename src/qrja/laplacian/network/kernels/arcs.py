"""Compiled: passes over arcs (a, b) in which nothing is lost to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Floats, Index
from qrja.jit import compiled, in_arrays
from qrja.laplacian.compensated import sum_exactly, two_sum


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


@in_arrays(residuals)
def _residuals(a: Index, b: Index, y: Floats, x: Floats, rest: Floats) -> Floats:
    fitted, lost = two_sum(x[a], -x[b])
    over, lost_again = two_sum(y, -fitted)
    return np.asarray(over + ((lost_again - lost) - (rest[a] - rest[b])))


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


@in_arrays(imbalance)
def _imbalance(n: int, a: Index, b: Index, flow: Floats) -> Floats:
    return sum_exactly(np.concatenate([a, b]), np.concatenate([flow, -flow]), n)


@compiled
def respond(a: Index, b: Index, change: Floats, slope: Floats, curvature: Floats) -> Any:
    """Return how the residuals answer a change of scores, and the flow ``g + D dr`` that makes."""
    turn, flow = np.empty(len(a)), np.empty(len(a))
    for i in range(len(a)):
        turn[i] = change[b[i]] - change[a[i]]
        flow[i] = slope[i] + curvature[i] * turn[i]
    return turn, flow


@in_arrays(respond)
def _respond(
    a: Index, b: Index, change: Floats, slope: Floats, curvature: Floats
) -> tuple[Floats, Floats]:
    turn = change[b] - change[a]
    return turn, slope + curvature * turn
