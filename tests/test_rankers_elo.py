"""Elo by hand and pair by pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qrja import Contest, Contests, InputError
from qrja.rankers import elo
from reference.rankers import elo_ratings
from strategies import contests


def test_a_match_by_hand() -> None:
    ranker = elo.Elo(K=20)
    ranker.learn(Contest("first", np.array([0, 1]), np.array([1.0, 0.0])))
    np.testing.assert_allclose(ranker.scores(np.array([0, 1])), [1510, 1490])
    ranker.learn(Contest("second", np.array([0, 1]), np.array([0.0, 0.0])))
    lost = 20 * (1 / (1 + 10 ** (-20 / 400)) - 0.5)
    np.testing.assert_allclose(ranker.scores(np.array([0, 1])), [1510 - lost, 1490 + lost])


@given(contests())
def test_contests_pair_by_pair(problem: Contests) -> None:
    ranker = elo.Elo(K=32)
    for contest in problem:
        ranker.learn(contest)
    expected = elo_ratings(problem, K=32)
    found = ranker.scores(np.arange(problem.n))
    np.testing.assert_allclose(found, [expected[who] for who in range(problem.n)], rtol=1e-12)
    # Points are won from others: none are made.
    np.testing.assert_allclose(found.sum(), 1500 * problem.n)


def test_large_fields_are_read_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    score = np.random.default_rng(0).normal(size=50)
    field = Contest("large", np.arange(50), score)
    whole, parts = elo.Elo(), elo.Elo()
    whole.learn(field)
    monkeypatch.setattr(elo, "ROWS", 120)
    parts.learn(field)
    np.testing.assert_allclose(parts.scores(field.who), whole.scores(field.who), rtol=1e-13)


@pytest.mark.parametrize("K", [0, -1, np.inf, np.nan])
def test_a_wrong_k_is_told(K: float) -> None:
    with pytest.raises(InputError, match="give a positive number of points, such as 32"):
        elo.Elo(K)
