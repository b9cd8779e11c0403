"""What a fit can be asked for: half-lives, ridge, priors, anchors, ratios; and what it refuses."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given

import qrja
from qrja import Contests, InputError, Judgments, fit, losses
from qrja.ratings.model.decay import OLDEST, ages
from strategies import contests

ROWS = {"race": ["B", "B", "C", "C"], "runner": ["Ann", "Bob", "Bob", "Cid"], "score": [9, 7, 4, 1]}


def dated(days: list[int]) -> Contests:
    """Two contestants who meet once on each of some days; a wins the first meeting only."""
    contest = np.repeat(np.arange(len(days)), 2)
    date = np.repeat(np.datetime64("2026-01-01") + np.array(days), 2)
    score = [1.0, 0.0] + [0.0, 1.0] * (len(days) - 1)
    return Contests.from_arrays(contest, ["a", "b"] * len(days), score, date)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_data_frames_of_every_kind(frame: Callable[[Any], Any]) -> None:
    ratings = fit(frame(ROWS), contest="race", contestant="runner")
    assert [row.contestant for row in ratings.leaderboard()] == ["Ann", "Bob", "Cid"]
    assert ratings.kind == frame.__module__.split(".")[0]


def test_a_half_life_in_days_halves_the_weight_of_older_contests() -> None:
    ratings = fit(dated([0, 10, 30]), half_life=10)
    np.testing.assert_allclose(ratings.problem.weight, [2**-3, 2**-2, 1])
    np.testing.assert_array_equal(ratings.data.weight, 1)
    # The weighted mean of the margins 1, -1, -1 is the difference.
    x = ratings.solution.x
    assert x[0] - x[1] == pytest.approx((0.125 - 0.25 - 1) / 1.375)


def test_a_half_life_in_contests() -> None:
    ratings = fit(dated([0, 10, 30]), half_life="1 contest")
    np.testing.assert_allclose(ratings.problem.weight, [0.25, 0.5, 1])


def test_without_dates_a_half_life_counts_contests() -> None:
    races = Contests.from_arrays([1, 1, 2, 2, 3, 3], "ababab", [1, 0, 0, 1, 0, 1])
    np.testing.assert_allclose(fit(races, half_life=2).problem.weight, np.exp2([-1, -0.5, 0]))


def test_nobody_is_forgotten_entirely() -> None:
    ratings = fit(dated([0, 10, 40000]), half_life="1 day")
    np.testing.assert_array_equal(ratings.problem.weight, [OLDEST, OLDEST, 1])
    assert ratings.solution.status == "optimal"


@given(contests())
def test_a_long_half_life_changes_nothing(problem: Contests) -> None:
    plain, long = fit(problem), fit(problem, half_life=1e15)
    np.testing.assert_allclose(long.solution.x, plain.solution.x, atol=1e-6)


def test_ages_of_contests_without_any() -> None:
    assert len(ages(Contests.from_arrays([], [], []), None)) == 0


def test_a_ridge_shrinks_newcomers_and_keeps_components_apart() -> None:
    names = ["a", "b", "a", "b", "a", "b", "a", "n", "x", "y"]
    races = Contests.from_arrays([1, 1, 2, 2, 3, 3, 4, 4, 5, 5], names, [1, 0] * 3 + [0, 9, 5, 0])
    plain, pulled = fit(races), fit(races, ridge=1.0)
    newcomer = races.names.index("n")
    assert pulled.solution.x[newcomer] < 0.7 * plain.solution.x[newcomer]
    np.testing.assert_array_equal(pulled.solution.components, races.components)
    for component in (0, 1):
        assert pulled.solution.x[races.components == component].sum() == pytest.approx(0, abs=1e-6)


def test_a_prior_makes_ratings_absolute() -> None:
    races = Contests.from_arrays([1, 1, 2, 2], "abxy", [1, 0, 5, 0])
    ratings = fit(races, ridge=1.0, prior={"a": 100, "b": 100})
    assert ratings.solution.components.tolist() == [0, 0, 0, 0]
    assert ratings.solution.x[:2].mean() == pytest.approx(100)
    assert ratings.solution.x[2:].mean() == pytest.approx(0)


def test_anchors_fix_the_scale() -> None:
    races = Contests.from_arrays([1, 1, 2, 2], ["Stockfish 16", "b", "b", "c"], [30, 0, 5, 0])
    x = fit(races, anchors={"Stockfish 16": 3500}).solution.x
    np.testing.assert_allclose(x, [3500, 3470, 3465])


def test_the_loss_reaches_the_solver() -> None:
    races = qrja.datasets.marathons(example=1)
    assert fit(races, loss=losses.Huber(60)).solution.loss == "Huber(60)"
    assert fit(races, p=1.5).solution.loss == "|t|^1.5"
    assert fit(races, p=math.inf).solution.loss != "|t|^2"


def test_pairs_reach_the_contests() -> None:
    races = Contests.from_arrays([1, 1, 1, 2, 2], "abcab", [3, 2, 1, 1, 4])
    assert fit(races, pairs="mean").problem.pairs == "mean"
    assert fit(pd.DataFrame(ROWS), pairs="mean").problem.pairs == "mean"


RATIOS = b"a,b,ratio\ngasoline,trash,4\nwater,trash,2\ngasoline,water,2\npaper,glass,3\n"


def test_exchange_rates_multiply_along_chains_and_stop_at_components() -> None:
    table = fit(io.BytesIO(RATIOS)).exchange_rates(kind="pandas").set_index("one unit of")
    assert table.loc["gasoline", "trash"] == pytest.approx(4)
    assert table.loc["trash", "gasoline"] == pytest.approx(0.25)
    assert table.loc["paper", "glass"] == pytest.approx(3)
    assert pd.isna(table.loc["paper", "trash"])


def test_anchors_of_ratios_are_ratios() -> None:
    ratings = fit(io.BytesIO(RATIOS), anchors={"trash": 5})
    assert ratings.units.show(ratings.solution.x[ratings.problem.names.index("gasoline")]) == "20"


JUDGED = Judgments.from_arrays(["a"], ["b"], [1])
RACES = Contests.from_arrays([1, 1], ["Alice", "Bob"], [1, 0])


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (RACES, {"half_life": 0}, "half_life is 0; give a positive number"),
        (RACES, {"half_life": -3}, "half_life is -3; give a positive number"),
        (RACES, {"half_life": float("nan")}, "half_life is nan; give a positive number"),
        (RACES, {"half_life": "a year"}, "half_life is 'a year'; give a number, or a text"),
        (RACES, {"half_life": "30 days"}, "half_life is in days, and the contests have no dates"),
        (JUDGED, {"half_life": 3}, "half_life is 3, and judgments have no time"),
        (RACES, {"ridge": -1}, "ridge is -1; give a finite number of at least 0"),
        (RACES, {"ridge": "much"}, "ridge is 'much'; give a finite number of at least 0"),
        (RACES, {"prior": [0, 0], "ridge": 1}, "prior is a list; give a mapping"),
        (RACES, {"anchors": {"Alise": 3}}, "anchor 'Alise' is not a candidate; did you mean 'Al"),
        (
            RACES,
            {"anchors": [("Bob", 3), ("Bob", 4)]},
            "anchor 'Bob' is given twice, as 3 and as 4; keep one",
        ),
        (RACES, {"anchors": ["Bob"]}, "anchor 'Bob' is not a pair; give (contestant, rating)"),
        (RACES, {"score": "time"}, "score says how to read a table; a Contests is read"),
        (JUDGED, {"pairs": "mean"}, "pairs is 'mean', and judgments are pairs"),
        (RACES, {"pairs": "median"}, "pairs is 'median'; choose one of unit, mean"),
        (RACES, {"p": 0}, "p is 0; give a positive number"),
    ],
)
def test_mistakes_are_told_in_one_line(data: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        fit(data, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rates_are_for_ratios() -> None:
    with pytest.raises(InputError, match="exchange rates need judgments that are ratios, and"):
        fit(JUDGED).exchange_rates()
    with pytest.raises(InputError, match="anchor 'trash' is 0; ratios are positive numbers"):
        fit(io.BytesIO(RATIOS), anchors={"trash": 0})


def test_an_unknown_kind_of_table() -> None:
    with pytest.raises(InputError, match="kind is 'excel'; choose one of pandas, polars"):
        fit(io.BytesIO(RATIOS)).exchange_rates(kind="excel")
