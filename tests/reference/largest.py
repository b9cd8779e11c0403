"""p = infinity by linear programs and by cycles."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from qrja import Judgments
from reference.graphs import incidence


def smallest_largest_error(problem: Judgments, anchors: dict[int, float] | None = None) -> float:
    """min t with |x_a - x_b - y| <= t / w, some x given: the linear program, by HiGHS."""
    if not problem.m:
        return 0.0
    A, t = incidence(problem), -1 / problem.w[:, None]
    rows = np.vstack([np.hstack([A, t]), np.hstack([-A, t])])
    cost = np.append(np.zeros(problem.n), 1.0)
    limits = [(None, None)] * problem.n + [(0, None)]
    for candidate, value in (anchors or {}).items():
        limits[candidate] = (value, value)
    return linprog(cost, rows, np.append(problem.y, -problem.y), bounds=limits).fun


def largest_cycle_ratio(problem: Judgments) -> float:
    """The largest sum +-y / sum 1/w over simple cycles, by walking them all."""
    steps = [
        (one, other, sign * y, 1 / w)
        for a, b, y, w in zip(problem.a, problem.b, problem.y, problem.w, strict=True)
        for one, other, sign in ((a, b, 1), (b, a, -1))
    ]

    def walk(origin: int, at: int, seen: set[int], gain: float, span: float) -> float:
        best = 0.0
        for tail, head, more, longer in steps:
            if tail == at and head == origin:
                best = max(best, (gain + more) / (span + longer))
            elif tail == at and head > origin and head not in seen:
                best = max(best, walk(origin, head, seen | {head}, gain + more, span + longer))
        return best

    return max((walk(v, v, {v}, 0.0, 0.0) for v in range(problem.n)), default=0.0)


def half_way_optimum(problem: Judgments, t: float, near: np.ndarray) -> np.ndarray:
    """Of one component: the mean of the greatest x <= near and the least x >= near, errors <= t."""
    reach = np.where(np.eye(problem.n, dtype=bool), 0.0, np.inf)
    for a, b, y, w in zip(problem.a, problem.b, problem.y, problem.w, strict=True):
        reach[b, a] = min(reach[b, a], y + t / w)
        reach[a, b] = min(reach[a, b], -y + t / w)
    for k in range(problem.n):
        reach = np.minimum(reach, reach[:, [k]] + reach[[k], :])
    greatest = (near[:, None] + reach).min(axis=0)
    least = (near[None, :] - reach).max(axis=1)
    return (greatest + least) / 2
