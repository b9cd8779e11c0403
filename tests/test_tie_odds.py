"""Ties: their probabilities are learned from the past, and scored beside wins and losses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja.adaptive.chances import Chances
from qrja.adaptive.tie_odds import CELLS, KAPPAS, PRIOR, TieOdds
from qrja.data import Contest
from qrja.metrics import score_contest
from qrja.rankers import make_ranker


@pytest.mark.parametrize("kappa", [0.0, 0.5, 2.0])
def test_the_model_that_ties_came_from_is_found(kappa: float) -> None:
    random, draws = np.random.default_rng(0), TieOdds()
    chance = random.uniform(0.02, 0.98, 40_000)
    odds = 0.6 * (4 * chance * (1 - chance)) ** kappa
    draws.add(chance, random.random(len(chance)) < odds / (1 + odds))
    assert draws.chosen[1] == kappa
    assert np.abs(draws.ties(chance) - odds / (1 + odds)).max() < 0.02


def test_the_least_surprise_is_chosen_by_a_slow_search() -> None:
    random, draws = np.random.default_rng(1), TieOdds()
    chance, tied = random.uniform(0, 1, 300), random.random(300) < 0.2
    draws.add(chance, tied)
    even = 4 * chance * (1 - chance)
    cell = [min(int(it * CELLS), CELLS - 1) for it in even]
    best = (math.inf, 0.0, 0.0)
    for kappa in KAPPAS:
        for log_nu in np.arange(-4.0, 2.0, 0.01):
            surprise = 0.0
            for k in range(CELLS):
                mine = [i for i in range(300) if cell[i] == k]
                pairs, ties = len(mine) + PRIOR, sum(tied[mine]) + PRIOR / (2 * CELLS)
                middle = (sum(even[mine]) + PRIOR * (k + 0.5) / CELLS) / pairs
                z = log_nu + kappa * math.log(middle)
                surprise += pairs * math.log1p(math.exp(z)) - ties * z
            best = min(best, (surprise, log_nu, float(kappa)))
    assert draws.chosen[1] == best[2]
    assert math.log(draws.chosen[0]) == pytest.approx(best[1], abs=0.006)


def test_nothing_ties_until_something_did() -> None:
    draws = TieOdds()
    assert draws.ties(np.array([0.5]))[0] < 0.1
    draws.add(np.full(1000, 0.5), np.zeros(1000, dtype=np.bool_))
    assert draws.ties(np.array([0.5]))[0] < 0.001
    assert np.isnan(draws.ties(np.array([np.nan]))).all()


def test_old_ties_are_forgotten() -> None:
    draws = TieOdds()
    draws.add(np.full(500, 0.5), np.ones(500, dtype=np.bool_))
    draws.add(np.full(500, 0.5), np.zeros(500, dtype=np.bool_), kept=0.01)
    assert draws.ties(np.array([0.5]))[0] < 0.05


@given(st.integers(2, 8), st.integers(0, 10**6))
def test_win_tie_and_loss_are_scored_pair_by_pair(k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    truth, x = random.integers(0, 4, k).astype(float), random.normal(size=k)
    chances = 1 / (1 + np.exp(-(x[:, None] - x)))
    ties = Chances().ties(chances)
    sums = score_contest(truth, x, chances=chances, ties=ties)
    wrong = 0.0
    for i in range(k):
        for j in range(i):
            tie = ties[i, j]
            said = [(1 - tie) * chances[i, j], tie, (1 - tie) * chances[j, i]]
            came = [truth[i] > truth[j], truth[i] == truth[j], truth[i] < truth[j]]
            wrong += sum((a - b) ** 2 for a, b in zip(said, came, strict=True)) / 2
    assert sums.outcomes == k * (k - 1) // 2
    assert sums.tie_brier == pytest.approx(wrong)
    same = score_contest(truth, x, chances=chances)
    assert (same.tie_brier, same.tie_shares()) == (0.0, None)


def test_where_nothing_ties_both_scores_are_the_same() -> None:
    x = np.array([2.0, 1.0, 0.0])
    chances = 1 / (1 + np.exp(-(x[:, None] - x)))
    sums = score_contest(x, x, chances=chances, ties=np.zeros((3, 3)))
    assert sums.value("brier_with_ties") == pytest.approx(sums.value("brier"))


def test_football_ties_come_as_often_as_foretold() -> None:
    matches = qrja.datasets.football()[:1500]
    result = qrja.backtest(matches, ["margin-elo", "glicko"], resamples=2)
    report = result.to_dict()["rankers"]
    told = report["margin-elo"]
    assert told["ties_seen"] == pytest.approx(0.25, abs=0.05)
    assert told["ties_foretold"] == pytest.approx(told["ties_seen"], abs=0.02)
    # To say of every match how often sides of home, draw and away came is worth more than this.
    share = told["ties_seen"]
    constant = ((1 - share) * (((1 + share) / 2) ** 2 + share**2 + ((1 - share) / 2) ** 2)) / 2
    constant += share * ((1 - share) ** 2 + (1 - share) ** 2 / 2) / 2
    assert told["brier_with_ties"] < constant
    assert report["glicko"]["brier_with_ties"] is None
    assert "ties_seen" not in report["glicko"]


def test_a_ranker_tells_ties() -> None:
    random, ranker = np.random.default_rng(2), make_ranker("qrja-auto")
    for number in range(80):
        score = random.integers(0, 2, 2).astype(np.float64)
        ranker.learn(Contest(number, np.array([0, 1]), score))
    ties = ranker.ties(np.array([0, 1, 5]))  # type: ignore[attr-defined]
    assert ties[0, 1] == ties[1, 0] == pytest.approx(0.5, abs=0.12)
    assert ties[0, 0] == 0.0
    assert np.isnan(ties[0, 2])


def test_predictions_of_ratings_tell_ties() -> None:
    matches = qrja.datasets.football()
    ratings = qrja.fit(matches, half_life=365)
    prediction = ratings.predict(["Barcelona", "Sevilla", "Valencia"])
    chance, ties = prediction.beats, prediction.ties
    assert (ties == ties.T).all()
    assert (np.diag(ties) == 0).all()
    apart = ~np.eye(3, dtype=np.bool_)
    assert ((ties > 0.05) & (ties < 0.35))[apart].all()
    assert (chance - ties / 2)[apart].min() > 0  # to be strictly ahead is possible
    order = np.argsort(np.abs(chance - 0.5)[0, 1:])
    assert (np.diff(ties[0, 1:][order]) < 0).all()  # the more even, the likelier
    pair = prediction.pair("Barcelona", "Sevilla")
    assert pair["tie"] == prediction.tie_probability("Barcelona", "Sevilla") == ties[0, 1]
    moving = qrja.fit(matches[:200], drift="1 per year").predict(["Barcelona", "Sevilla"])
    assert (moving.ties == 0).all()


def test_nobody_ties_where_scores_never_do() -> None:
    made = qrja.datasets.synthetic_races(races=60, entrants=8, field=5, turnover=0)
    ties = qrja.fit(made.contests).predict(["racer 1", "racer 2"]).ties
    assert ties[0, 1] < 0.005
