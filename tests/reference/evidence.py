"""Direct and indirect evidence, and fits without one result, by fitting anew."""

from __future__ import annotations

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
