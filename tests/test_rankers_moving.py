"""Rivals whose ratings move: margin Elo, Glicko-2 and Kalman's filter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qrja import Contest, Contests
from qrja.adaptive import Drift
from qrja.backtesting import backtest
from qrja.data import Covariate, Fixture
from qrja.rankers import Glicko, Kalman, MarginElo, make_ranker
from reference.rankers import glicko_match, margin_elo_ratings
from strategies import contests

MOVING = ["margin-elo", "glicko", "kalman", "qrja-auto"]


def matches(
    count: int, home: float, strength: float = 2.0, seed: int = 0, teams: int = 6
) -> list[Contest]:
    random = np.random.default_rng(seed)
    skill, found = strength * random.normal(size=teams), []
    day = np.datetime64("2020-01-01", "s")
    for c in range(count):
        who = random.permutation(teams)[:2].astype(np.int32)
        at_home = np.array([1.0, 0.0])
        score = skill[who] + home * at_home + random.normal(size=2)
        found.append(Contest(c, who, score, 1.0, day, (Covariate("home", at_home),)))
        day = day + np.timedelta64(3, "D")
    return found


@pytest.mark.parametrize("name", MOVING)
def test_all_of_them_learn_home_and_never_look_ahead(name: str) -> None:
    games = matches(120, home=4.0, strength=0.5)
    changed = [*games[:100], *(Contest(it.label, it.who, -it.score, 1.0, it.date, it.covariates)
                               for it in games[100:])]  # fmt: skip
    said = []
    for listed in (games, changed):
        ranker, before = make_ranker(name), []
        for contest in listed[:101]:
            before.append(ranker.forecast(contest.fixture).predictions[0])
            ranker.learn(contest)
        said.append(before)
    np.testing.assert_array_equal(said[0], said[1])
    result = backtest(games, [name], resamples=2)
    assert result.value(name, "ordinal_accuracy") > 0.75
    assert result.value(name, "brier") < 0.2
    plain = backtest([Contest(it.label, it.who, it.score) for it in games], [name], resamples=2)
    assert result.value(name, "brier") < plain.value(name, "brier")


@pytest.mark.parametrize("name", MOVING)
def test_a_home_side_that_counts_nothing_costs_little(name: str) -> None:
    games = matches(200, home=0.0)
    plain = [Contest(it.label, it.who, it.score, 1.0, it.date) for it in games]
    with_home, without = (
        backtest(listed, [name], resamples=2).value(name, "brier") for listed in (games, plain)
    )
    assert with_home < without + 0.01


@given(contests())
def test_margin_elo_entry_by_entry(problem: Contests) -> None:
    ranker = MarginElo(gains=(0.1,), carries=(1.0,))
    for contest in problem:
        ranker.learn(contest)
    expected = margin_elo_ratings(problem, gain=0.1)
    found = ranker.scores(np.arange(problem.n))
    scale = 1 + np.abs(problem.score).max(initial=0)
    np.testing.assert_allclose(
        found, [expected[i] for i in range(problem.n)], rtol=1e-9, atol=1e-9 * scale
    )


def test_a_pause_leaves_a_share_of_a_rating() -> None:
    ranker = MarginElo(gains=(0.5,), carries=(0.5,))
    day = np.datetime64("2020-01-01", "s")
    ranker.learn(Contest(1, np.array([0, 1]), np.array([8.0, 0.0]), 1.0, day))
    soon, late = (day + np.timedelta64(days, "D") for days in (30, 200))
    said = [ranker.forecast(Fixture(np.array([0, 1]), it)).predictions[0] for it in (soon, late)]
    assert said[0].tolist() == [2.0, -2.0]
    assert said[1].tolist() == [1.0, -1.0]


def test_a_match_by_the_steps_of_glicko() -> None:
    ranker = Glicko(taus=(0.5,), homes=(0.0,))
    a, b = (1500.0, 350.0, 0.06), (1500.0, 350.0, 0.06)
    for winner in (0, 0, 1):
        ranker.learn(Contest("match", np.array([0, 1]), np.eye(2)[winner]))
        won = float(winner == 0)
        a, b = (
            glicko_match(a, [(b[0], b[1], won)], 0.5),
            glicko_match(b, [(a[0], a[1], 1 - won)], 0.5),
        )
    np.testing.assert_allclose(ranker.scores(np.array([0, 1])), [a[0], b[0]], rtol=1e-6)


def test_the_drift_that_erred_least_speaks() -> None:
    random, skill = np.random.default_rng(0), np.zeros(6)
    ranker = Kalman([Drift(1.0), Drift(1.0, "own", 2.0)])
    for c in range(200):
        skill += random.normal(size=6)
        who = random.permutation(6)[:3].astype(np.int32)
        ranker.learn(Contest(c, who, skill[who] + random.normal(size=3)))
    assert ranker.drift.clock == "own"


def test_contests_of_one_or_none_do_no_harm() -> None:
    for name in MOVING:
        ranker = make_ranker(name)
        ranker.learn(Contest("none", np.zeros(0, np.int32), np.zeros(0)))
        ranker.learn(Contest("one", np.array([3]), np.array([1.0])))
        ranker.learn(Contest("twice", np.array([3, 4, 3]), np.array([1.0, 2.0, 3.0])))
        assert ranker.scores(np.zeros(0, np.int32)).tolist() == []
        found = ranker.scores(np.array([3, 4, 5]))
        assert found[0] > found[1]
        assert np.isnan(found[2])
