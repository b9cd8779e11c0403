"""Means, medians and zero against Python's own statistics."""

from __future__ import annotations

import statistics

import numpy as np
from hypothesis import given

from qrja import Contests
from qrja.paper.as_published import UpperMedian
from qrja.rankers.averages import Mean, Median, Zero
from strategies import contests


def scores_of(problem: Contests) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {who: [] for who in range(problem.n)}
    for who, score in zip(problem.who.tolist(), problem.score.tolist(), strict=True):
        found[who].append(score)
    return found


@given(contests())
def test_means_and_medians(problem: Contests) -> None:
    rankers = Mean(), Median(), UpperMedian(), Zero()
    for contest in problem:
        for ranker in rankers:
            ranker.learn(contest)
    mean, median, upper, zero = (ranker.scores(np.arange(problem.n)) for ranker in rankers)
    for who, scores in scores_of(problem).items():
        np.testing.assert_allclose(mean[who], statistics.fmean(scores), atol=1e-9)
        np.testing.assert_allclose(median[who], statistics.median(scores), atol=1e-9)
        assert upper[who] == statistics.median_high(scores)
        assert zero[who] == 0


def test_the_middle_of_huge_scores_does_not_overflow() -> None:
    ranker = Median()
    for contest in Contests.from_arrays([1, 2], ["a", "a"], [9e99, 9.2e99]):
        ranker.learn(contest)
    np.testing.assert_allclose(ranker.scores(np.array([0])), 9.1e99)
