"""Borda points against counting who beat whom, and as published."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from qrja import Contest, Contests
from qrja.paper.as_published import ListedBorda
from qrja.rankers.borda import Borda
from strategies import contests


@given(contests())
def test_points_are_wins_less_losses(problem: Contests) -> None:
    ranker, expected = Borda(), np.zeros(problem.n)
    for contest in problem:
        ranker.learn(contest)
        for a, s in zip(contest.who, contest.score, strict=True):
            won = sum(np.sign(s - t) for t in contest.score)
            expected[a] += won / max(len(contest) - 1, 1)
    np.testing.assert_allclose(ranker.scores(np.arange(problem.n)), expected, atol=1e-12)


def test_the_formula_of_the_paper() -> None:
    ranker = Borda()
    ranker.learn(Contest("May", np.arange(4), np.array([9.0, 7.0, 5.0, 1.0])))
    np.testing.assert_allclose(ranker.scores(np.arange(4)), [1 - 2 * i / 3 for i in range(4)])


def test_as_published_places_count_from_zero_as_listed() -> None:
    ranker = ListedBorda()
    ranker.learn(Contest("May", np.arange(3), np.array([5.0, 9.0, 5.0])))
    np.testing.assert_array_equal(ranker.scores(np.arange(3)), [2, 1, 0])
    ranker.learn(Contest("June", np.array([0]), np.array([1.0])))
    assert ranker.scores(np.array([0]))[0] == 5
