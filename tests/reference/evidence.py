"""Direct and indirect evidence, and fits without one result, by fitting anew."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from qrja import Contests, Judgments


def normal_equations(judgments: Judgments) -> tuple[np.ndarray, np.ndarray]:
    """The Laplacian of judgments and their pull at 0, one by one."""
    laplacian, pull = np.zeros((judgments.n, judgments.n)), np.zeros(judgments.n)
    rows = zip(judgments.a, judgments.b, judgments.y, judgments.w, strict=True)
    for a, b, y, w in rows:
        laplacian[[a, b], [a, b]] += w
        laplacian[[a, b], [b, a]] -= w
        pull[a] += w * y
        pull[b] -= w * y
    return laplacian, pull


def kept(judgments: Judgments, keep: np.ndarray) -> Judgments:
    """Some of the judgments, with the weights that they have."""
    columns = judgments.a[keep], judgments.b[keep], judgments.y[keep], judgments.w[keep]
    return Judgments(*columns, judgments.names)


def difference_of(laplacian: np.ndarray, pull: np.ndarray, a: int, b: int) -> tuple[float, float]:
    """The difference of two scores of least squares, and its variance."""
    inverse = np.linalg.pinv(laplacian, hermitian=True, rcond=1e-10)
    x = inverse @ pull
    return x[a] - x[b], inverse[a, a] + inverse[b, b] - 2 * inverse[a, b]


def without_contrast(
    means: np.ndarray, covariance: np.ndarray, a: int, b: int
) -> tuple[np.ndarray, np.ndarray]:
    """What arms of a trial say, given the contrast of two of them: its Laplacian and pull.

    The arms' means but for a common shift are k - 1 contrasts to the first arm; those are taken
    apart into the contrast of a and b and what is uncorrelated with it.
    """
    k = len(means)
    basis = np.hstack([-np.ones((k - 1, 1)), np.eye(k - 1)])
    y, V = basis @ means, basis @ covariance @ basis.T
    of_pair = np.zeros(k)
    of_pair[a], of_pair[b] = 1.0, -1.0
    c = np.linalg.lstsq(basis.T, of_pair, rcond=None)[0]
    spread = V @ c
    others = np.eye(k - 1) - np.outer(spread, c) / (c @ spread)
    inverse = np.linalg.pinv(others @ V @ others.T, rcond=1e-10)
    weight = basis.T @ others.T @ inverse @ others
    return weight @ basis, weight @ y


def direct_of_contests(contests: Contests, i: int, j: int) -> tuple[float, float]:
    """The margin of two in contests that both entered, each by its ``w k / 2``, and their sum."""
    total = weight = 0.0
    for contest in contests:
        place = {int(who): e for e, who in enumerate(contest.who)}
        if i in place and j in place:
            share = contest.weight * len(contest) / 2
            total += share * (contest.score[place[i]] - contest.score[place[j]])
            weight += share
    return total / weight, weight


def pooled_pairs(judgments: Judgments) -> dict[tuple[int, int], tuple[float, float]]:
    """The mean margin of each pair, both ways round, and its variance."""
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for i, j in permutations(range(judgments.n), 2):
        there = (judgments.a == i) & (judgments.b == j)
        back = (judgments.a == j) & (judgments.b == i)
        weight = judgments.w[there].sum() + judgments.w[back].sum()
        if weight > 0:
            total = judgments.w[there] @ judgments.y[there] - judgments.w[back] @ judgments.y[back]
            found[i, j] = total / weight, 1 / weight
    return found


def cycles_by_trying(
    judgments: Judgments, longest: int
) -> dict[tuple[int, ...], tuple[float, float]]:
    """What margins round each cycle add up to, and the variance; turned one way only."""
    pairs = pooled_pairs(judgments)
    found = {}
    for length in range(3, longest + 1):
        for nodes in permutations(range(judgments.n), length):
            if nodes[0] != min(nodes) or nodes[1] > nodes[-1]:
                continue
            steps = list(zip(nodes, nodes[1:] + nodes[:1], strict=True))
            if all(step in pairs for step in steps):
                margins, variances = zip(*(pairs[step] for step in steps), strict=True)
                found[nodes] = sum(margins), sum(variances)
    return found


def chi_square_of_cycles(judgments: Judgments, longest: int) -> tuple[float, int]:
    """The chi-square of all cycles up to a length closing, and how many are independent."""
    pairs = sorted(pair for pair in pooled_pairs(judgments) if pair[0] < pair[1])
    margin, variance = np.array([pooled_pairs(judgments)[pair] for pair in pairs]).T
    cycles = list(cycles_by_trying(judgments, longest))
    C = np.zeros((len(pairs), len(cycles)))
    for k, nodes in enumerate(cycles):
        for i, j in zip(nodes, nodes[1:] + nodes[:1], strict=True):
            C[pairs.index((min(i, j), max(i, j))), k] = 1.0 if i < j else -1.0
    rank = int(np.linalg.matrix_rank(C)) if cycles else 0
    covariance = np.linalg.pinv(C.T @ (variance[:, None] * C), hermitian=True, rcond=1e-9)
    return float(margin @ C @ covariance @ C.T @ margin), rank
