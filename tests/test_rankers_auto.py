"""The ranker that chooses among many fits by their past predictions."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from qrja import Contest, InputError, datasets
from qrja.adaptive import Grid, Tracked
from qrja.backtesting import backtest
from qrja.data import Covariate
from qrja.rankers import make_ranker
from qrja.rankers.auto import Auto, Objective
from qrja.rankers.averages import Mean

SMALL = Grid(half_lives=((5, 3), (math.inf, math.inf)))


def races(
    contests: int = 40, noise: float = 1.0, skills: float = 5.0, drift: float = 0.0, seed: int = 0
) -> list[Contest]:
    random = np.random.default_rng(seed)
    skill = random.normal(scale=skills, size=12)
    found = []
    for c in range(contests):
        who = random.permutation(12)[:6].astype(np.int32)
        found.append(Contest(c, who, skill[who] + noise * random.normal(size=6)))
        skill += drift * random.normal(size=12)
    return found


def predictions(contests: list[Contest], until: int) -> list[list[float]]:
    """Everything said before each of the first contests."""
    ranker, said = Auto(grid=SMALL), []
    for contest in contests[:until]:
        said.append([*ranker.scores(contest.who), *ranker.margins(contest.who)])
        ranker.learn(contest)
    return said


def test_no_prediction_looks_ahead() -> None:
    contests = races()
    changed = list(contests)
    changed[25] = Contest(25, contests[25].who, -1000 * contests[25].score)
    before, after = predictions(contests, 40), predictions(changed, 40)
    np.testing.assert_array_equal(before[:26], after[:26])
    assert not np.array_equal(before[26:], after[26:])


def test_margins_that_cannot_be_predicted_are_not() -> None:
    random = np.random.default_rng(3)
    noise = [Contest(c, np.arange(8), random.normal(size=8)) for c in range(100)]
    result = backtest(noise, {"auto": lambda: Auto(grid=SMALL), "mean": Mean})
    late = {name: run.column("margin_l1")[50:].sum() for name, run in result.runs.items()}
    zero = result.zero.column("margin_l1")[50:].sum()
    assert late["auto"] < 1.005 * zero
    assert result.relative("auto", "quantitative_l1") < 1.02
    assert result.relative("mean", "quantitative_l1") > 1.02


def test_form_that_changes_is_followed_and_skill_that_stays_is_remembered() -> None:
    lasting, passing = (Auto(grid=SMALL, drifts=(), paces=()) for _ in range(2))
    for contest in races(150, noise=6, skills=3, seed=1):
        lasting.learn(contest)
    for contest in races(150, noise=0.5, drift=2.0, seed=1):
        passing.learn(contest)
    for goal in ("order", "margin"):
        assert lasting.choices[goal][-1].member.half_life == math.inf
        assert passing.choices[goal][-1].member.half_life == 5


def test_equal_histories_have_equal_scores() -> None:
    ranker = Auto()
    random = np.random.default_rng(3)
    for number in range(12):
        score = random.normal(size=23).round(1)
        score[7:] = score[7]  # everybody from the eighth on always comes in together
        ranker.learn(Contest(str(number), np.arange(23, dtype=np.int32), score))
    for found in (ranker.scores, ranker.margins):
        for begin in range(7):
            assert len(set(found(np.arange(begin, 23, dtype=np.int32))[7 - begin :])) == 1


def test_each_objective_has_its_own_scores() -> None:
    contests = races(30)
    rankers = {goal: Auto(goal, grid=SMALL) for goal in ("both", "order", "margin")}
    for ranker in rankers.values():
        for contest in contests:
            ranker.learn(contest)
    who = np.arange(12)
    both, order, margin = rankers.values()
    assert both.scores(who).tolist() == order.scores(who).tolist() == order.margins(who).tolist()
    assert both.margins(who).tolist() == margin.margins(who).tolist() == margin.scores(who).tolist()
    assert both.scores(who).tolist() != both.margins(who).tolist()


def test_a_backtest_takes_order_and_margins_from_where_they_are() -> None:
    contests = races(30)
    result = backtest(
        contests, {goal: lambda goal=goal: Auto(goal, grid=SMALL) for goal in _goals()}
    )
    for goal, metric in ("order", "ordinal_accuracy"), ("margin", "quantitative_l1"):
        assert result.value("both", metric) == result.value(goal, metric)


def _goals() -> tuple[Objective, ...]:
    return "both", "order", "margin"


def test_stretched_scores_stretch_margins_and_keep_the_order() -> None:
    contests = races(25)
    stretched = [Contest(it.label, it.who, 1000 * it.score + 5 * it.label) for it in contests]
    one, other = Auto(grid=SMALL), Auto(grid=SMALL)
    for contest, same in zip(contests, stretched, strict=True):
        one.learn(contest)
        other.learn(same)
    who = np.arange(12)
    np.testing.assert_allclose(other.margins(who), 1000 * one.margins(who), rtol=1e-6)
    np.testing.assert_allclose(other.scores(who), 1000 * one.scores(who), rtol=1e-6)


def test_contests_without_entries_or_pairs_do_no_harm() -> None:
    ranker = Auto(grid=SMALL)
    nobody = np.zeros(0, dtype=np.int32)
    ranker.learn(Contest("nobody", nobody, np.zeros(0)))
    assert ranker.scores(nobody).tolist() == []
    ranker.learn(Contest("alone", np.array([4]), np.array([7.0])))
    ranker.learn(Contest("twice", np.array([4, 5, 4]), np.array([1.0, 2.0, 3.0])))
    ranker.learn(Contest("tied", np.array([4, 5]), np.array([1.0, 1.0])))
    assert np.isfinite(ranker.scores(np.array([4, 5]))).all()
    assert ranker.scores(np.array([4]))[0] > ranker.scores(np.array([5]))[0]


def test_strengths_that_wander_are_tracked_and_home_is_told() -> None:
    ranker, random, skill = Auto(grid=SMALL, paces=()), np.random.default_rng(2), np.zeros(8)
    for c in range(250):
        skill += 0.1 * random.normal(size=8)
        who = random.permutation(8)[:2].astype(np.int32)
        score = skill[who] + np.array([3.0, 0.0]) + random.normal(size=2)
        ranker.learn(Contest(c, who, score, covariates=(Covariate("home", [1.0, 0.0]),)))
    assert isinstance(ranker.choices["margin"][-1].member, Tracked)
    assert re.match(r"home \+(2\.[5-9]|3|3\.[0-5]); Strengths wander", ranker.tell("margin"))


def test_the_choice_is_kept_after_every_contest_and_told_in_a_sentence() -> None:
    ranker = Auto(grid=SMALL, drifts=(), paces=())
    for contest in datasets.football()[:30]:
        ranker.learn(contest)
    for goal in ("order", "margin"):
        assert [it.contest for it in ranker.choices[goal]] == list(datasets.football()[:30].labels)
        assert all(0 < it.weight <= 1 for it in ranker.choices[goal])
        assert re.match(
            r"(Nothing is forgotten|Results count half after).*results\.", ranker.tell(goal)
        )
    with pytest.raises(InputError, match="no choice 'speed'; choose order or margin"):
        ranker.tell("speed")
    with pytest.raises(InputError, match="nothing was learned yet"):
        Auto().tell("order")


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(InputError, match="objective is 'rank'; choose one of both, order, margin"):
        Auto("rank")  # type: ignore[arg-type]


def test_it_is_first_on_chess(paper_data) -> None:  # type: ignore[no-untyped-def]
    from qrja.paper.listings import load

    chess = load("chess", paper_data)
    found = backtest(chess.contests, ["qrja-auto", "mf-additive"])
    assert found.value("qrja-auto", "ordinal_accuracy") > 0.68
    for metric, sign in ("ordinal_accuracy", 1), ("quantitative_l1", -1):
        best, other = (found.value(name, metric) for name in ("qrja-auto", "mf-additive"))
        assert sign * best > sign * other


def test_probabilities_are_those_of_two_who_were_seen() -> None:
    ranker = Auto(grid=SMALL)
    for contest in races(60):
        ranker.learn(contest)
    who = np.array([0, 1, 2, 99])
    chance = ranker.probabilities(who)
    assert np.isnan(chance[3]).all()
    np.testing.assert_allclose((chance + chance.T)[:3, :3], 1.0)
    x = ranker.scores(who)[:3]
    assert np.array_equal(np.sign(chance[:3, :3] - 0.5), np.sign(x[:, None] - x))


def test_it_is_made_by_name() -> None:
    assert isinstance(make_ranker("qrja-auto"), Auto)
