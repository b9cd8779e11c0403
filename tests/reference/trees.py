"""p < 1 by trying spanning trees, and cuts by trying sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from qrja import Judgments
from reference.graphs import components_by_spreading, incidence, power_loss


def best_tree_loss(problem: Judgments, p: float) -> float:
    """Of one component: the least loss over all spanning trees of residuals 0, by trying them."""
    best = np.inf if problem.m else 0.0
    for rows in combinations(range(problem.m), problem.n - 1):
        tree = incidence(problem)[list(rows)]
        if np.linalg.matrix_rank(tree) == problem.n - 1:
            x = np.linalg.lstsq(tree, problem.y[list(rows)], rcond=None)[0]
            best = min(best, power_loss(problem, x, p))
    return best


def best_group_shift(problem: Judgments, x: np.ndarray, group: np.ndarray, p: float) -> float:
    """The least loss after shifting a group of candidates to satisfy one more judgment."""
    best = power_loss(problem, x, p)
    for i in range(problem.m):
        if group[problem.a[i]] != group[problem.b[i]]:
            r = problem.y[i] - x[problem.a[i]] + x[problem.b[i]]
            shift = r if group[problem.a[i]] else -r
            best = min(best, power_loss(problem, x + shift * group, p))
    return best


def sides_of_zero_tree(problem: Judgments, x: np.ndarray) -> list[np.ndarray]:
    """One side of each cut that an edge of the tree of residuals 0 makes, if they form a tree."""
    r = np.abs(x[problem.a] - x[problem.b] - problem.y)
    rows = np.flatnonzero(r <= 1e-11 * np.abs(problem.y).max(initial=0)).tolist()
    sides = []
    for cut in rows:
        kept = [(problem.a[i], problem.b[i]) for i in rows if i != cut]
        parts = components_by_spreading(problem.n, kept)
        side = next(part for part in parts if problem.a[cut] in part)
        assert problem.b[cut] not in side, "the residuals 0 form a cycle"
        sides.append(np.isin(np.arange(problem.n), list(side)))
    return sides


def largest_cut(vertices: list[object], edges: list[tuple[object, object]]) -> int:
    """The largest number of edges between two sides, by trying all of them."""
    best = 0
    for size in range(len(vertices) // 2 + 1):
        for side in combinations(vertices, size):
            best = max(best, sum((u in side) != (v in side) for u, v in edges))
    return best
