"""Disagreement: triangles, and what no score explains."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from qrja import Judgments
from reference.squares import least_squares


def triangles_by_trying(problem: Judgments) -> dict[tuple[int, int, int], float]:
    """The curl y_ij + y_jk + y_ki of every triangle i < j < k of averaged margins."""
    margin: dict[tuple[int, int], float] = {}
    for i in range(problem.n):
        for j in range(problem.n):
            forward = (problem.a == i) & (problem.b == j)
            backward = (problem.a == j) & (problem.b == i)
            weight = problem.w[forward].sum() + problem.w[backward].sum()
            if weight > 0:
                total = problem.w[forward] @ problem.y[forward]
                total -= problem.w[backward] @ problem.y[backward]
                margin[i, j] = total / weight
    return {
        (i, j, k): margin[i, j] + margin[j, k] + margin[k, i]
        for i, j, k in combinations(range(problem.n), 3)
        if (i, j) in margin and (j, k) in margin and (k, i) in margin
    }


def split_of_disagreement(problem: Judgments) -> tuple[float, float, float]:
    """What least squares leaves: between repeats, round triangles, round longer circles."""
    x, whole = least_squares(problem)
    pairs = sorted({(min(i, j), max(i, j)) for i, j in zip(problem.a, problem.b, strict=True)})
    of = [pairs.index((min(i, j), max(i, j))) for i, j in zip(problem.a, problem.b, strict=True)]
    y = np.where(problem.a < problem.b, problem.y, -problem.y)
    weight = np.bincount(of, problem.w)
    mean = np.bincount(of, problem.w * y) / weight
    left = mean - np.array([x[i] - x[j] for i, j in pairs])
    repeats = whole - weight @ left**2
    sides = [
        [pairs.index(p) for p in ((i, j), (j, k), (i, k))]
        for i, j, k in triangles_by_trying(problem)
    ]
    turning = np.zeros((len(pairs), len(sides)))
    for t, (ij, jk, ik) in enumerate(sides):
        turning[[ij, jk, ik], t] = np.array([1, 1, -1]) / np.sqrt(weight[[ij, jk, ik]])
    goal = np.sqrt(weight) * left
    inside = turning @ np.linalg.lstsq(turning, goal, rcond=None)[0] if sides else 0 * goal
    return float(repeats), float(inside @ inside), float(goal @ goal - inside @ inside)
