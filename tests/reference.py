"""Slow, obvious twins of the fast code, and checks that trust nothing a solver says."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from qrja import Contests, Judgments


def incidence(problem: Judgments) -> np.ndarray:
    """The dense matrix A with (A x)_i = x_a - x_b."""
    A = np.zeros((problem.m, problem.n))
    A[np.arange(problem.m), problem.a] = 1
    A[np.arange(problem.m), problem.b] -= 1
    return A


def least_squares(problem: Judgments) -> tuple[np.ndarray, float]:
    """Minimum-norm least squares, dense: the l2 solution with each component centred at 0."""
    if not problem.m:
        return np.zeros(problem.n), 0.0
    root = np.sqrt(problem.w)
    A = incidence(problem)
    x = np.linalg.lstsq(root[:, None] * A, root * problem.y, rcond=None)[0]
    return x, float(problem.w @ (problem.y - A @ x) ** 2)


def dual_bound(problem: Judgments, flow: np.ndarray, p: float) -> tuple[float, float]:
    """The lower bound that a flow proves for loss w |t|^p, p > 1, and its largest imbalance."""
    q = p / (p - 1)
    conjugate = (p - 1) * problem.w * (np.abs(flow) / (p * problem.w)) ** q
    imbalance = incidence(problem).T @ flow
    return float(flow @ problem.y - conjugate.sum()), float(np.abs(imbalance).max(initial=0))


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


def count_order_pair_by_pair(
    truth: list[float], prediction: list[float], rules: str, who: list[int]
) -> tuple[int, float, int]:
    """Pairs with different scores, points for their order, and predicted ties among them."""
    # Python's sort is stable, also in reverse; a name listed twice keeps its later place.
    listing = sorted(range(len(truth)), key=lambda i: prediction[i], reverse=True)
    place = {who[i]: at for at, i in enumerate(listing)}
    value = {who[i]: prediction[i] for i in listing}
    ordered, points, tied = 0, 0.0, 0
    for i, j in combinations(range(len(truth)), 2):
        if truth[i] == truth[j]:
            continue
        ordered += 1
        if rules == "paper":
            points += place[who[i]] < place[who[j]]
            tied += value[who[i]] == value[who[j]]
        elif prediction[i] == prediction[j]:
            points += 0.5
            tied += 1
        else:
            points += (truth[i] > truth[j]) == (prediction[i] > prediction[j])
    return ordered, points, tied


def sum_margin_errors(truth: list[float], prediction: list[float]) -> tuple[int, float, float]:
    """Pairs, and the absolute and squared errors of their predicted margins, one by one."""
    errors = [
        abs((truth[i] - truth[j]) - (prediction[i] - prediction[j]))
        for i, j in combinations(range(len(truth)), 2)
    ]
    return len(errors), sum(errors), sum(error**2 for error in errors)
