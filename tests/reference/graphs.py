"""What problems are made of: pairs, components, ranks, sums of losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

import numpy as np

from qrja import Contest, Contests, Judgments


def incidence(problem: Judgments) -> np.ndarray:
    """The dense matrix A with (A x)_i = x_a - x_b."""
    A = np.zeros((problem.m, problem.n))
    A[np.arange(problem.m), problem.a] = 1
    A[np.arange(problem.m), problem.b] -= 1
    return A


def pairs_of_contests(contests: Contests) -> list[tuple[object, object, float, float]]:
    """The judgments that contests stand for, (a, b, y, w) by name, one pair after another."""
    rows = []
    for c in range(len(contests)):
        entries = range(contests.start[c], contests.start[c + 1])
        weight = contests.weight[c]
        if contests.pairs == "mean" and len(entries) > 1:
            weight = weight / (len(entries) - 1)
        for i, j in combinations(entries, 2):
            a, b = contests.names[contests.who[i]], contests.names[contests.who[j]]
            rows.append((a, b, contests.score[i] - contests.score[j], weight))
    return rows


def merged_by_dict(problem: Judgments) -> dict[tuple[int, int], tuple[float, float]]:
    """The total weight and the weighted mean margin of each pair, the lower number first."""
    parts: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for a, b, y, w in zip(problem.a, problem.b, problem.y, problem.w, strict=True):
        pair, margin = ((int(a), int(b)), y) if a < b else ((int(b), int(a)), -y)
        parts.setdefault(pair, []).append((w, margin))
    total = {pair: sum(w for w, _ in rows) for pair, rows in parts.items()}
    mean = {pair: sum(w * y for w, y in rows) / total[pair] for pair, rows in parts.items()}
    return {pair: (total[pair], mean[pair]) for pair in sorted(parts)}


def components_by_spreading(n: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """The components of a graph: each node takes the smallest label next to it until none moves."""
    label = list(range(n))
    moved = True
    while moved:
        moved = False
        for a, b in edges:
            least = min(label[a], label[b])
            moved |= label[a] != least or label[b] != least
            label[a] = label[b] = least
    return [{i for i in range(n) if label[i] == k} for k in sorted(set(label))]


def ranks(x: np.ndarray, component: np.ndarray) -> list[int]:
    """One plus the number of better candidates in the component."""
    return [
        1 + sum(x[j] > x[i] and component[j] == component[i] for j in range(len(x)))
        for i in range(len(x))
    ]


def power_loss(problem: Judgments, x: np.ndarray, p: float) -> float:
    """The loss of x, residuals of rounding size counted as 0."""
    r = np.abs(x[problem.a] - x[problem.b] - problem.y)
    r[r <= 1e-11 * np.abs(problem.y).max(initial=0)] = 0
    return float(problem.w @ r**p)


def pair_loss(contests: Iterable[Contest], x: np.ndarray, loss: Callable[[float], float]) -> float:
    """A loss of all margins, pair by pair."""
    return sum(
        contest.weight
        * loss(contest.score[i] - contest.score[j] - x[contest.who[i]] + x[contest.who[j]])
        for contest in contests
        for i, j in combinations(range(len(contest)), 2)
    )


def pieces_without(n: int, groups: list[list[int]], node: int, *, is_group: bool) -> list[int]:
    """Sizes of the pieces that the component of a node falls into without it, largest first."""
    around = set(groups[node]) if is_group else {i for g in groups if node in g for i in g} - {node}
    kept = [
        [i for i in g if is_group or i != node]
        for c, g in enumerate(groups)
        if not (is_group and c == node)
    ]
    edges = [(g[0], other) for g in kept for other in g[1:]]
    parts = components_by_spreading(n, edges)
    return sorted((len(part) for part in parts if part & around), reverse=True)
