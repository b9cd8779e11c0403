"""What x and a flow prove, written out from the definition, judgment by judgment.

    loss(x)   =  sum w h(r) + ridge sum (x_v - goal_v)^2
    bound(f)  =  f . y - sum w h*(f / w) - sum_v g_v goal_v - sum over free v of g_v^2 / (4 ridge)

with g = A^T f, which is 0 at every free v if there is no ridge.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from qrja import Judgments

Function = Callable[[float], float]


def loss_and_bound(
    problem: Judgments,
    x: np.ndarray,
    flow: np.ndarray,
    h: Function,
    conjugate: Function,
    ridge: float = 0.0,
    goal: dict[int, float] | None = None,
    anchored: frozenset[int] = frozenset(),
) -> tuple[float, float, float]:
    """The loss of x, the bound of the flow, and the most that it leaves behind at a free one."""
    losses, gains, left = [], [], np.zeros(problem.n)
    goal = goal or {}
    for a, b, y, w, f in zip(problem.a, problem.b, problem.y, problem.w, flow, strict=True):
        losses.append(w * h(y - (x[a] - x[b])))
        gains += [f * y, -w * conjugate(f / w)]
        left[a] += f
        left[b] -= f
    free = [v for v in range(problem.n) if v not in anchored]
    losses += [ridge * (x[v] - goal.get(v, 0.0)) ** 2 for v in free]
    gains += [-left[v] * goal.get(v, 0.0) for v in range(problem.n)]
    if ridge:
        gains += [-(left[v] ** 2) / (4 * ridge) for v in free]
        return math.fsum(losses), math.fsum(gains), 0.0
    return math.fsum(losses), math.fsum(gains), max((abs(left[v]) for v in free), default=0.0)


def largest_and_bound(
    problem: Judgments, x: np.ndarray, flow: np.ndarray, goal: dict[int, float]
) -> tuple[float, float]:
    """The largest error of x, and what a flow of ``sum |f| / w <= 1`` proves."""
    rows = list(zip(problem.a, problem.b, problem.y, problem.w, flow, strict=True))
    largest = max((w * abs(y - (x[a] - x[b])) for a, b, y, w, _ in rows), default=0.0)
    assert math.fsum(abs(f) / w for _, _, _, w, f in rows) <= 1 + 1e-12
    gains = [f * (y - goal.get(a, 0.0) + goal.get(b, 0.0)) for a, b, y, _, f in rows]
    return float(largest), math.fsum(gains)
