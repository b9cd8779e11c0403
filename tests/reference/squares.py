"""p = 2 by dense linear algebra."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from qrja import Contest, Contests, Judgments
from reference.graphs import incidence


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


def lewis_matrix(problem: Judgments, p: float) -> np.ndarray:
    """The matrix whose Lewis weights are those of the problem: |A (x, 1)|_p^p is the loss of x."""
    rows = np.hstack([incidence(problem), -problem.y[:, None]])
    return problem.w[:, None] ** (1 / p) * rows


def sampled_loss(problem: Judgments, sample: Judgments, p: float) -> float:
    """The loss, on all judgments, of the scores that are best for a sample; p = 1 or 2."""
    if p == 2:
        x = least_squares(sample)[0]
    else:
        A, m = incidence(sample), sample.m
        rows = np.vstack([np.hstack([A, -np.eye(m)]), np.hstack([-A, -np.eye(m)])])
        cost, right = np.append(np.zeros(sample.n), sample.w), np.append(sample.y, -sample.y)
        x = linprog(cost, rows, right, bounds=[(None, None)] * sample.n + [(0, None)] * m).x
        x = x[: sample.n]
    return float(problem.w @ np.abs(incidence(problem) @ x - problem.y) ** p)


def resampled_scores(problem: Contests, drawn: np.ndarray) -> np.ndarray:
    """Return the least-squares scores of contests that count ``drawn`` times, by dense algebra."""
    laplacian, pull = np.zeros((problem.n, problem.n)), np.zeros(problem.n)
    for number, contest in enumerate(problem):
        for i, si in zip(contest.who, contest.score, strict=True):
            for j, sj in zip(contest.who, contest.score, strict=True):
                w = problem.pair_weight[number] * drawn[number]
                laplacian[i, i] += w
                laplacian[i, j] -= w
                pull[i] += w * (si - sj)
    return np.linalg.pinv(laplacian, rcond=1e-13) @ pull


def sandwich_covariance(problem: Contests, x: np.ndarray) -> np.ndarray:
    """Return ``L^+ (sum of g g^T over contests) L^+``, from pairs and a dense inverse."""
    laplacian = np.zeros((problem.n, problem.n))
    meat = np.zeros((problem.n, problem.n))
    for number, contest in enumerate(problem):
        pull = np.zeros(problem.n)
        for i, si in zip(contest.who, contest.score, strict=True):
            for j, sj in zip(contest.who, contest.score, strict=True):
                w = problem.pair_weight[number]
                laplacian[i, i] += w
                laplacian[i, j] -= w
                pull[i] += w * (si - sj - x[i] + x[j])
        meat += np.outer(pull, pull)
    inverse = np.linalg.pinv(laplacian, rcond=1e-13)
    return inverse @ meat @ inverse


def contributions_by_pseudo_inverse(problem: Judgments, a: int, b: int) -> np.ndarray:
    """What each judgment adds to x_a - x_b: row a less row b of L^+ A^T W, times y."""
    A = incidence(problem)
    inverse = np.linalg.pinv(A.T @ (problem.w[:, None] * A), hermitian=True)
    return (inverse[a] - inverse[b]) @ A.T * problem.w * problem.y


def resistance_by_pseudo_inverse(problem: Judgments, a: int, b: int) -> float:
    """The effective resistance between two candidates of one component."""
    A = incidence(problem)
    inverse = np.linalg.pinv(A.T @ (problem.w[:, None] * A), hermitian=True)
    return float(inverse[a, a] + inverse[b, b] - 2 * inverse[a, b])


def total_variance(problem: Judgments) -> float:
    """The trace of the pseudo-inverse of the Laplacian."""
    A = incidence(problem)
    return float(np.trace(np.linalg.pinv(A.T @ (problem.w[:, None] * A), hermitian=True)))


def with_a_meeting(problem: Judgments, who: list[int], weight: float) -> Judgments:
    """The judgments and one more for every two of some candidates."""
    pairs = list(combinations(who, 2))
    a = np.append(problem.a, [i for i, _ in pairs]).astype(np.int32)
    b = np.append(problem.b, [j for _, j in pairs]).astype(np.int32)
    y, w = (
        np.append(column, np.full(len(pairs), v))
        for column, v in ((problem.y, 0.0), (problem.w, weight))
    )
    return Judgments(a, b, y, w, problem.names)


def member_objective(
    contests: list[Contest],
    g: list[np.ndarray],
    half_life: float,
    own_half_life: float,
    delta: float,
    field: float,
    zero: float,
) -> Callable[[np.ndarray], float]:
    """What a member of qrja-auto minimises, entry by entry, as a function of scores and levels."""
    n = 1 + max(int(contest.who.max()) for contest in contests)
    rows = []
    for c, contest in enumerate(contests):
        for i, score in zip(contest.who.tolist(), g[c].tolist(), strict=True):
            later = sum(i in other.who for other in contests[c + 1 :])
            a = 2.0 ** (-(len(contests) - 1 - c) / half_life) * 2.0 ** (-later / own_half_life)
            rows.append((c, i, score, a * contest.weight))
    weight = {i: sum(row[3] for row in rows if row[1] == i) for i in range(n)}

    def value(z: np.ndarray) -> float:
        x, t = z[:n], z[n:]
        total = zero * float((x**2).sum())
        for c, i, score, a in rows:
            r = abs(score - x[i] - t[c])
            total += a * (r**2 if r <= delta else 2 * delta * r - delta**2)
            total += field * a / weight[i] * (x[i] + t[c]) ** 2
        return total

    return value


def explained_share(problem: Judgments, grades: np.ndarray) -> float:
    """The share of squared margins that their least-squares ratings explain, by dense algebra.

    The margins are those of ``problem``, whose sizes 1, 2, ... count ``grades``.
    """
    sizes = np.unique(np.abs(problem.y[problem.y != 0]))
    y = np.array(
        [np.sign(y) * dict(zip(sizes, grades, strict=True)).get(abs(y), 0) for y in problem.y]
    )
    design = np.zeros((problem.m, problem.n))
    design[np.arange(problem.m), problem.a] += 1
    design[np.arange(problem.m), problem.b] -= 1
    root = np.sqrt(problem.w)
    x = np.linalg.lstsq(design * root[:, None], y * root, rcond=None)[0]
    return float(((design @ x) ** 2 * problem.w).sum() / (y**2 * problem.w).sum())
