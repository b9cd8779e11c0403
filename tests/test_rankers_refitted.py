"""QRJA rankers: optimal after every contest, from whatever start, for any loss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contest, Contests, InputError, solve
from qrja.losses import Huber
from qrja.rankers.refitted import HuberQRJA, PowerQRJA, margin_spread, without_repeats
from reference.graphs import pair_loss
from reference.squares import least_squares
from strategies import contests


@given(contests())
def test_least_squares_after_every_contest(problem: Contests) -> None:
    ranker = PowerQRJA()
    scale = 1 + np.abs(problem.score).max(initial=0)
    for i, contest in enumerate(problem, start=1):
        ranker.learn(contest)
        so_far = problem[:i]
        expected, _ = least_squares(so_far.to_judgments())
        found = ranker.scores(np.arange(problem.n))
        np.testing.assert_allclose(found[: so_far.n], expected, atol=1e-7 * scale)
        assert np.isnan(found[so_far.n :]).all()


@given(contests(), st.sampled_from([1.5, 3.0, np.inf]))
def test_a_warm_start_ends_where_a_cold_one_does(problem: Contests, p: float) -> None:
    ranker = PowerQRJA(p)
    for contest in problem:
        ranker.learn(contest)
    if ranker.solution is not None:
        cold = solve(problem, p)
        scale = 1 + np.abs(problem.score).max()
        np.testing.assert_allclose(ranker.solution.x, cold.x, atol=1e-3 * scale)
        assert ranker.solution.objective == pytest.approx(cold.objective, rel=1e-7, abs=1e-9)
        assert ranker.solution.status == "optimal"


@given(contests(), st.sampled_from([1.7, 0.1]))
def test_results_that_balance_out_tie_everybody(problem: Contests, unit: float) -> None:
    ranker = PowerQRJA()
    for contest in problem:
        for sign in (unit, -unit):
            ranker.learn(Contest(contest.label, contest.who, sign * contest.score))
    if ranker.solution is not None:
        assert len(set(ranker.scores(np.arange(problem.n)))) == 1


def test_what_a_pair_weighs() -> None:
    races = Contests.from_arrays(
        [1, 1, 1, 2, 2], list("abcab"), [9.0, 5.0, 1.0, 3.0, 4.0], weight=[2, 2, 2, 1, 1]
    )
    for pairs in ("unit", "mean"):
        ranker = PowerQRJA(pairs=pairs)
        for contest in races:
            ranker.learn(contest)
        expected = solve(races.with_pairs(pairs), p=2).x
        np.testing.assert_allclose(ranker.scores(np.arange(3)), expected, atol=1e-9)
    with pytest.raises(InputError, match="pairs is 'all'; choose one of unit, mean"):
        PowerQRJA(pairs="all")


@given(contests())
def test_huber_is_best_for_its_own_delta(problem: Contests) -> None:
    ranker, loss = HuberQRJA(delta=2.0), Huber(2.0)
    for contest in problem:
        ranker.learn(contest)
    if ranker.solution is None:
        return
    x = ranker.scores(np.arange(problem.n))

    def total(at: np.ndarray) -> float:
        return pair_loss(problem, at, lambda t: float(loss.value(np.array(t))))

    best = total(x)
    assert best == pytest.approx(ranker.solution.objective, rel=1e-6, abs=1e-6)
    assert ranker.solution.status == "optimal"
    for who in range(problem.n):
        for step in (-1e-3, 1e-3, 1.0):
            assert total(x + step * (np.arange(problem.n) == who)) >= best - 1e-8 * (1 + best)


def test_huber_finds_its_delta_from_the_spread_of_the_margins() -> None:
    random = np.random.default_rng(0)
    skill = random.normal(scale=50, size=30)
    ranker, problem = HuberQRJA(), []
    for number in range(40):
        who = random.permutation(30)[:12].astype(np.int32)
        problem.append(Contest(number, who, skill[who] + random.normal(scale=3, size=12)))
        ranker.learn(problem[-1])
    spread = margin_spread(ranker._learned.contests(), ranker.solution.x)
    # 400 entries less 30 skills and 40 levels: residuals are a little smaller than errors.
    assert 3.0 < spread < 3 * np.sqrt(2) * 1.1


def test_huber_resists_what_least_squares_do_not() -> None:
    truth = np.array([3.0, 2.0, 1.0, 0.0])
    huber, squares = HuberQRJA(), PowerQRJA()
    random = np.random.default_rng(2)
    for number in range(30):
        score = truth + random.normal(scale=0.1, size=4)
        score[0] -= 1000 * (number == 7)
        for ranker in (huber, squares):
            ranker.learn(Contest(number, np.arange(4, dtype=np.int32), score))
    centred = truth - truth.mean()
    np.testing.assert_allclose(huber.scores(np.arange(4)), centred, atol=0.1)
    assert np.abs(squares.scores(np.arange(4)) - centred).max() > 10


def test_huber_on_margins_that_all_agree() -> None:
    ranker = HuberQRJA()
    for number in range(3):
        ranker.learn(Contest(number, np.arange(3, dtype=np.int32), np.array([5.0, 2.0, 1.0])))
    x = ranker.scores(np.arange(3))
    np.testing.assert_allclose(x - x[2], [4, 1, 0], atol=1e-9)


def test_somebody_listed_twice_does_not_compete_with_himself() -> None:
    who, score = np.array([0, 1, 0], dtype=np.int32), np.array([5.0, 3.0, 1.0])
    squares = PowerQRJA()
    squares.learn(Contest("a shared car", who, score))
    x = squares.scores(np.arange(2))
    assert x[0] - x[1] == pytest.approx(0)  # +2 and -2
    races = squares._learned.contests()
    assert without_repeats(races).score.tolist() == [5, 3]


@pytest.mark.parametrize("delta", [0, -1, np.inf, np.nan])
def test_a_wrong_delta_is_told(delta: float) -> None:
    with pytest.raises(InputError, match="give a positive number, in units of the scores"):
        HuberQRJA(delta)
