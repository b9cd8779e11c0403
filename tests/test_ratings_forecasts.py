"""Forecasts of newcomers, and of scores where contests have a usual level."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest

import qrja
from qrja.ratings.intervals import find_clusters
from qrja.ratings.predict.noise import Noise
from qrja.ratings.predict.start_list import expect, find_entrants
from qrja.ratings.predict.usual_level import find_level


def races(levels: list[float], seed: int = 0) -> bytes:
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 600, 12)
    rows = ["race,runner,time"]
    for race, level in enumerate(levels):
        for i in range(12):
            seconds = int(level + strength[i] + rng.normal(0, 120))
            rows.append(
                f"R{race},runner {i},{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
            )
    return "\n".join(rows).encode()


@pytest.fixture(scope="module")
def ratings() -> qrja.Ratings:
    return qrja.fit(io.BytesIO(races([12_000.0 + 60 * (k % 3) for k in range(15)])))


def test_a_newcomer_is_as_good_as_the_field_and_less_sure(ratings: qrja.Ratings) -> None:
    with pytest.warns(qrja.QRJAWarning, match="Zoe is new: forecast as anybody of the 12 rated"):
        prediction = ratings.predict(["runner 0", "Zoe", "runner 1"])
    assert prediction.newcomers == ("Zoe",)
    zoe = prediction.names.index("Zoe")
    assert prediction.x[zoe] == pytest.approx(ratings.solution.x.mean())
    assert prediction.spread[zoe] > 3 * prediction.spread[0]
    assert prediction.table()["new"].count(True) == 1
    assert prediction.to_dict()["notes"] == list(prediction.notes)


def test_the_spread_of_newcomers_is_that_of_strengths(ratings: qrja.Ratings) -> None:
    with pytest.warns(qrja.QRJAWarning):
        prediction = ratings.predict(["runner 0", "Zoe"])
    strengths = math.sqrt(prediction.spread[1] ** 2 - ratings.noise.result)
    assert strengths == pytest.approx(ratings.solution.x.std(), rel=0.1)


def test_nobody_is_surer_of_a_newcomer_than_of_the_known() -> None:
    # All items rest on as many judgments: what is noise of results may be learned as of ratings.
    a, b = (np.tile(side, 20).astype(str) for side in np.triu_indices(6, 1))
    y = b.astype(float) - a.astype(float) + np.random.default_rng(1).normal(0, 1, len(a))
    ratings = qrja.fit(qrja.Judgments.from_arrays(a, b, y))
    entrants = find_entrants(ratings, ["0", "1", "Zoe"])
    share = find_clusters(ratings.problem).shares.squares[0]
    of_results = expect(ratings, entrants, Noise(result=4.0, rating=0.0))[2]
    of_ratings = expect(ratings, entrants, Noise(result=0.0, rating=4.0 / share))[2]
    assert of_ratings == pytest.approx(of_results, rel=0.05)
    assert of_results[2] == pytest.approx(math.hypot(2.0, ratings.solution.x.std()))


def test_the_known_are_forecast_as_without_newcomers(ratings: qrja.Ratings) -> None:
    known = ["runner 0", "runner 1"]
    with pytest.warns(qrja.QRJAWarning):
        more = ratings.predict([*known, "Zoe", "Yan"])
    alone = ratings.predict(known)
    assert more.spread[:2] == pytest.approx(alone.spread)
    assert more.x[:2] == pytest.approx(alone.x)


def test_a_near_name_is_pointed_at(ratings: qrja.Ratings) -> None:
    with pytest.warns(qrja.QRJAWarning) as warned:
        ratings.predict(["runner 0", "Runner 1"])
    assert "nobody is called 'Runner 1'; did you mean 'runner 1'?" in str(warned[-1].message)


def test_scores_follow_from_the_usual_level(ratings: qrja.Ratings) -> None:
    prediction = ratings.predict(["runner 0", "runner 1"])
    assert prediction.scores is not None
    times = ratings.data.score[ratings.data.who == ratings.problem.number["runner 0"]]
    assert prediction.scores[0] == pytest.approx(-times.mean(), abs=120)
    low, high = prediction.score_interval("runner 0")
    assert low < prediction.scores[0] < high
    inside = np.mean((low < -times) & (-times < high))
    assert inside >= 0.8
    shown = prediction.present()
    assert list(shown)[-3:] == ["score", "from", "to"]
    assert all(":" in text and text[0].isdigit() for text in shown["score"])


def test_contests_of_several_distances_foretell_no_score() -> None:
    mixed = qrja.fit(io.BytesIO(races([3000.0, 12_000.0, 24_000.0] * 5)))
    prediction = mixed.predict(["runner 0", "runner 1"])
    assert prediction.scores is None
    assert "score" not in prediction.present()
    with pytest.raises(qrja.InputError, match="contests have no usual level; margins can"):
        prediction.score_interval("runner 0")


def test_levels_move_with_the_scores() -> None:
    made = qrja.datasets.synthetic_races(races=40, entrants=8, field=5, turnover=0).contests
    names = [made.names[i] for i in made.who]
    first = find_level(qrja.fit(made), 0, math.inf)
    moved = qrja.Contests.from_arrays(made.contest_of_entry, names, made.score + 7.0)
    second = find_level(qrja.fit(moved), 0, math.inf)
    assert first is not None
    assert second is not None
    assert second.value == pytest.approx(first.value + 7.0)
    assert second.spread == pytest.approx(first.spread)


def test_judgments_have_no_scores() -> None:
    judged = qrja.fit(qrja.Judgments.from_arrays("abca" * 6, "bcac" * 6, [1, 1, -2, 2] * 6))
    assert judged.predict(["a", "b"]).scores is None


def test_no_score_is_foretold_below_0_where_none_was() -> None:
    random = np.random.default_rng(0)
    goals = random.poisson(0.7, 120)
    who = np.stack([random.permutation(6)[:2] for _ in range(60)]).ravel()
    matches = qrja.Contests.from_arrays(np.repeat(np.arange(60), 2), who, goals)
    told = qrja.fit(matches).predict([0, 1])
    ends = [told.score_interval(name, 0.99) for name in (0, 1)]
    assert all(low == 0 < high for low, high in ends)
    shifted = qrja.fit(
        qrja.Contests.from_arrays(np.repeat(np.arange(60), 2), who, goals - 1)
    ).predict([0, 1])
    assert all(shifted.score_interval(name, 0.99)[0] < -1 for name in (0, 1))
