"""Predictions: against simulation, monotone, calibrated; what cannot be predicted is said."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import Contests, InputError, Judgments, fit
from qrja.laplacian import resistances
from qrja.ratings.precision import covariance
from qrja.ratings.predict import undated
from qrja.ratings.predict.noise import Noise, learn_noise, most_likely_tail
from qrja.ratings.predict.past_errors import walk_forward
from qrja.ratings.predict.prediction import Prediction, count_above
from qrja.ratings.predict.undated import leave_judgments_out


def predict(x: list[float], spread: list[float], tail: float = math.inf) -> Prediction:
    names = tuple(f"e{i}" for i in range(len(x)))
    return Prediction(names, np.array(x), np.array(x), np.array(spread), tail)


def simulate(prediction: Prediction, draws: int = 200_000) -> tuple[np.ndarray, np.ndarray]:
    """Places and pairwise wins by simulation: the slow twin of the integrals."""
    rng, tail = np.random.default_rng(0), prediction.tail
    shape = (draws, len(prediction.x))
    noise = rng.standard_normal(shape)
    if tail < math.inf:
        noise = rng.standard_t(tail, shape) / math.sqrt(tail / (tail - 2))
    score = prediction.expected + prediction.spread * noise
    place = (score[:, None, :] > score[:, :, None]).sum(axis=2)
    k = len(prediction.x)
    places = np.stack([(place == t).mean(axis=0) for t in range(k)], axis=1)
    return places, (score[:, :, None] > score[:, None, :]).mean(axis=0)


FIELDS = st.lists(
    st.tuples(st.floats(-5, 5), st.sampled_from([0.3, 1.0, 2.5])), min_size=2, max_size=6
)


@pytest.mark.parametrize("tail", [math.inf, 4.0])
def test_the_integrals_are_what_simulation_finds(tail: float) -> None:
    prediction = predict([1.0, 0.0, 0.5, -2.0], [1.0, 2.0, 0.5, 3.0], tail)
    places, beats = simulate(prediction)
    np.testing.assert_allclose(prediction.places, places, atol=0.005)
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(prediction.beats[off], beats[off], atol=0.005)
    np.testing.assert_allclose(prediction.win, places[:, 0], atol=0.005)


@given(FIELDS, st.sampled_from([math.inf, 3.0, 10.0]))
def test_probabilities_are_consistent(field: list[tuple[float, float]], tail: float) -> None:
    prediction = predict([x for x, _ in field], [s for _, s in field], tail)
    np.testing.assert_allclose(prediction.places.sum(axis=0), 1, atol=1e-6)
    np.testing.assert_allclose(prediction.places.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(prediction.beats + prediction.beats.T, 1, atol=1e-12)
    by_places = prediction.places @ np.arange(1, len(field) + 1)
    np.testing.assert_allclose(prediction.expected_place, by_places, atol=1e-5)


@given(FIELDS, st.floats(0, 3), st.sampled_from([math.inf, 3.0]))
def test_a_larger_rating_never_lowers_a_win_probability(
    field: list[tuple[float, float]], more: float, tail: float
) -> None:
    x, spread = [x for x, _ in field], [s for _, s in field]
    before, after = predict(x, spread, tail), predict([x[0] + more, *x[1:]], spread, tail)
    assert after.win[0] >= before.win[0] - 1e-7
    assert (after.beats[0] >= before.beats[0] - 1e-7).all()
    assert after.expected_place[0] <= before.expected_place[0] + 1e-6


def test_two_normal_entrants_have_a_closed_form() -> None:
    prediction = predict([3.0, 0.0], [3.0, 4.0])
    assert prediction.probability("e0", "e1") == pytest.approx(0.7257469, abs=1e-6)
    assert prediction.margin("e0", "e1") == 3
    low, high = prediction.margin_interval("e0", "e1")
    assert low == pytest.approx(3 - 5 * 1.959964, abs=1e-3)
    assert high == pytest.approx(3 + 5 * 1.959964, abs=1e-3)


def test_tiny_differences_of_large_ratings() -> None:
    prediction = predict([1e9, 1e9 + 1e-3, 1e9 - 5], [1e-3, 1e-3, 2.0])
    assert prediction.probability("e1", "e0") == pytest.approx(0.7602, abs=1e-3)
    assert prediction.win.sum() == pytest.approx(1, abs=1e-6)


def test_counts_of_independent_events() -> None:
    p = np.array([[0.2, 0.5, 0.9]])
    expected = [0.8 * 0.5 * 0.1, 0.41, 0.2 * 0.5 * 0.1 + 0.2 * 0.5 * 0.9 + 0.8 * 0.5 * 0.9, 0.09]
    np.testing.assert_allclose(count_above(p)[0], expected)


# ---------------------------------------------------------------------- noise


@pytest.mark.parametrize("noise", ["normal", "heavy"])
def test_the_noise_is_learned_from_past_errors(noise: Any) -> None:
    made = qrja.datasets.synthetic_races(
        races=400, entrants=60, field=10, noise=noise, spread=0.5, turnover=0.01, seed=5
    )
    learned = learn_noise(fit(made.contests))
    assert learned.result == pytest.approx(0.25, rel=0.15)
    assert learned.rating > 0
    assert learned.slope_known > 0.9
    assert learned.slope_once < learned.slope_known
    assert learned.tail == (math.inf if noise == "normal" else pytest.approx(4, abs=1))


def test_tails_are_told_apart() -> None:
    rng = np.random.default_rng(0)
    assert most_likely_tail(rng.standard_normal(5000)) >= 20
    assert most_likely_tail(rng.standard_t(3, 5000) / math.sqrt(3)) <= 4


def test_the_past_is_predicted_without_looking_ahead() -> None:
    made = qrja.datasets.synthetic_races(races=50, entrants=10, field=5, turnover=0, seed=1)
    full = walk_forward(fit(made.contests))
    # Nothing that happens in the last contest changes an error before it.
    spoiled = made.contests.score.copy()
    spoiled[made.contests.start[-2] :] += [90, -70, 5, 0, 3]
    contests = made.contests
    changed = Contests(
        contests.start,
        contests.who,
        spoiled,
        contests.names,
        contests.labels,
        contests.weight,
        contests.date,
    )
    other = walk_forward(fit(changed))
    np.testing.assert_allclose(other.x, full.x, atol=1e-5)
    np.testing.assert_array_equal(other.score[:-5], full.score[:-5])


def test_those_seen_once_are_predicted_with_less_certainty() -> None:
    made = qrja.datasets.synthetic_races(races=80, entrants=60, field=10, seed=2)
    ratings = fit(made.contests)
    often, once = ratings.appearances.argmax(), (ratings.appearances == 1).argmax()
    names = [ratings.problem.names[i] for i in (often, once)]
    often_spread, once_spread = ratings.predict(names).spread
    assert once_spread > 1.2 * often_spread


@pytest.mark.parametrize("noise", ["normal", "heavy"])
def test_predictions_are_calibrated(noise: Any) -> None:
    said, came, inside = [], [], []
    for seed in range(4):
        made = qrja.datasets.synthetic_races(
            races=160, entrants=40, field=10, noise=noise, turnover=0.01, seed=seed
        )
        past, future = made.contests[:120], list(made.contests)[120:]
        ratings = fit(past)
        for contest in future:
            known = [e for e in range(len(contest)) if contest.who[e] < past.n]
            prediction = ratings.predict([made.contests.names[i] for i in contest.who[known]])
            score = contest.score[known]
            i, j = np.triu_indices(len(known), 1)
            said.append(prediction.beats[i, j])
            came.append(score[i] > score[j])
            low, high = prediction.margin_interval(*prediction.names[:2], level=0.9)
            inside.append(low <= score[0] - score[1] <= high)
    said, came = np.concatenate(said), np.concatenate(came)
    said, came = np.maximum(said, 1 - said), np.where(said >= 0.5, came, ~came)
    for low in (0.5, 0.6, 0.7, 0.8, 0.9):
        bin_ = (said >= low) & (said < low + 0.1)
        assert abs(said[bin_].mean() - came[bin_].mean()) < 0.06
    assert abs(np.mean(inside) - 0.9) < 0.05
    assert np.mean((said - came) ** 2) < 0.16


def test_few_results_give_the_noise_around_the_ratings() -> None:
    races = Contests.from_arrays([1, 1, 2, 2, 3, 3], "ababab", [3, 1, 2, 1, 4, 1])
    noise = fit(races).noise
    assert noise.errors == 0
    assert noise.result == noise.rating > 0


def test_consistent_results_leave_no_noise() -> None:
    races = Contests.from_arrays(np.repeat(np.arange(30), 2), ["a", "b"] * 30, [1, 0] * 30)
    prediction = fit(races).predict(["a", "b"])
    assert prediction.probability("a", "b") == pytest.approx(1)


def test_the_half_life_and_ridge_reach_the_past() -> None:
    made = qrja.datasets.synthetic_races(races=40, entrants=10, field=5, turnover=0)
    plain, recent = fit(made.contests), fit(made.contests, half_life=28)
    pulled = fit(made.contests, ridge=50.0)
    assert np.abs(walk_forward(recent).x - walk_forward(plain).x).max() > 0.01
    assert np.abs(walk_forward(pulled).x).mean() < 0.95 * np.abs(walk_forward(plain).x).mean()
    anchored = fit(made.contests, anchors={"racer 1": 0.0})
    assert np.isfinite(anchored.predict(["racer 1", "racer 2"]).win).all()


def test_judgments_can_be_predicted() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.permuted(np.tile(np.arange(5), (200, 1)), axis=1)[:, :2].T
    y = b - a + rng.normal(0, 0.5, 200)
    ratings = fit(Judgments(a, b, y, np.ones(200), tuple("abcde")))
    assert ratings.predict(["a", "b"]).probability("a", "b") > 0.9


def test_pairs_of_one_contest_that_agree_with_each_other() -> None:
    # The first judgments are the pairs of one race: their residuals are rounding and nothing else.
    made = qrja.datasets.synthetic_races(races=30, entrants=10, field=5)
    ratings = fit(made.contests.to_judgments())
    assert np.isfinite(walk_forward(ratings).x).all()
    assert 0 < ratings.predict(["racer 1", "racer 2"]).win[0] < 1


def shuffled(judgments: Judgments, seed: int) -> Judgments:
    order = np.random.default_rng(seed).permutation(judgments.m)
    names = np.array(judgments.names)
    columns = names[judgments.a[order]], names[judgments.b[order]], judgments.y[order]
    return Judgments.from_arrays(*columns, judgments.w[order])


@pytest.mark.parametrize("p", [1, 2])
def test_the_order_of_rows_changes_no_prediction(p: float) -> None:
    rng = np.random.default_rng(3)
    a = rng.integers(8, size=40)
    b = (a + rng.integers(1, 8, size=40)) % 8
    y = 1.5 * (b - a) + rng.normal(0, 2, 40)
    judged = Judgments.from_arrays(a.astype(str), b.astype(str), y, rng.uniform(0.2, 3, 40))
    found = [fit(shuffled(judged, seed), p=2).predict(["1", "5"]) for seed in range(12)]
    for one in found[1:]:
        assert one.margin("1", "5") == pytest.approx(found[0].margin("1", "5"), abs=1e-9)
        assert one.beats == pytest.approx(found[0].beats, abs=1e-9)
    noises = [fit(shuffled(judged, seed), p=p).noise for seed in range(3)]
    assert noises[1].result == pytest.approx(noises[0].result, rel=1e-9)
    assert noises[0].errors == 2 * judged.m


def test_the_order_of_rows_changes_no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    a = rng.integers(8, size=60)
    b = (a + rng.integers(1, 8, size=60)) % 8
    judged = Judgments.from_arrays(a.astype(str), b.astype(str), rng.normal(size=60))
    monkeypatch.setattr(undated, "MOST", 30)
    for module in (covariance, resistances):
        monkeypatch.setattr(module, "DENSE", 0)
    found = [fit(shuffled(judged, seed)).noise for seed in range(4)]
    assert {one.errors for one in found} == {60}
    assert [one.result for one in found] == pytest.approx([found[0].result] * 4, rel=1e-5)


def test_errors_are_those_of_fits_without_each_judgment() -> None:
    rng = np.random.default_rng(5)
    a, b = np.append(rng.integers(5, size=12), 0), np.append(rng.integers(5, 8, size=12), 9)
    judged = Judgments.from_arrays(a, b, rng.normal(size=13), rng.uniform(0.1, 3, 13))
    errors = leave_judgments_out(fit(judged))
    wanted = []
    for i in range(12):
        rest = np.delete(np.arange(13), i)
        refit = fit(Judgments(judged.a[rest], judged.b[rest], judged.y[rest], judged.w[rest],
                              judged.names))  # fmt: skip
        x, label = refit.solution.x, refit.solution.components
        if label[judged.a[i]] == label[judged.b[i]]:
            wanted.append(x[judged.a[i]] - x[judged.b[i]])
    assert len(wanted) < 12  # bridges are left out
    assert 2 * errors.x[0::2] == pytest.approx(wanted)


def test_light_judgments_err_more_and_count_less() -> None:
    rng = np.random.default_rng(6)
    m = 600
    a = rng.integers(12, size=m)
    b = (a + rng.integers(1, 12, size=m)) % 12
    se = rng.choice([0.5, 3.0], m)
    judged = Judgments.from_arrays(a, b, 0.4 * (b - a) + se * rng.normal(size=m), se=se)
    noise = fit(judged).noise
    # A usual judgment is the median one; either error may be that.
    usual = np.median(1 / se**2)
    assert 2 * noise.result * usual == pytest.approx(1.0, rel=0.2)


def test_a_study_is_left_out_as_a_whole() -> None:
    rng = np.random.default_rng(7)
    a, b, y, study = [], [], [], []
    for trial in range(12):
        arms = rng.choice(5, 3, replace=False)
        means = arms + rng.normal(0, 0.5, 3)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            a, b = [*a, arms[i]], [*b, arms[j]]
            y, study = [*y, means[i] - means[j]], [*study, trial]
    judged = Judgments.from_arrays(a, b, y, se=np.full(36, 0.7), study=study)
    ratings = fit(judged)
    found = 2 * leave_judgments_out(ratings).x[0::2]
    keep = judged.study != 4
    rest = Judgments(judged.a[keep], judged.b[keep], judged.y[keep], judged.w[keep], judged.names)
    x = fit(rest).solution.x
    own = ~keep
    assert found[own] == pytest.approx(x[judged.a[own]] - x[judged.b[own]])


def test_the_table_of_a_prediction() -> None:
    frame = pl.DataFrame(
        {"race": [1, 1, 2, 2, 3, 3], "runner": [*"ababab"], "score": [3, 1, 2, 1, 4, 1]}
    )
    table = fit(frame).predict(["b", "a"]).table()
    assert isinstance(table, pl.DataFrame)
    assert table["contestant"].to_list() == ["a", "b"]
    assert table["win"].sum() == pytest.approx(1)


# ---------------------------------------------------------------------- mistakes

RACES = Contests.from_arrays(
    np.repeat(np.arange(6), 2), ["Alice", "Bob"] * 3 + ["Cid", "Dan"] * 3, np.arange(12) % 5
)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (
            lambda r: r.predict(["Alise", "Zoe"]),
            "nobody of the start list is rated: no contestant 'Alise'; did you mean 'Alice'?",
        ),
        (lambda r: r.predict(["Alice"]), "the start list is of one, 'Alice'; name at least two"),
        (lambda r: r.predict("Alice"), "the start list is of one, 'Alice'; name at least two"),
        (lambda r: r.predict([]), "the start list is of nobody; name at least two"),
        (lambda r: r.predict(["Bob", "Alice", "Bob"]), "the start list names 'Bob' twice"),
        (
            lambda r: r.predict(["Alice", "Bob", "Dan"]),
            "'Alice' and 'Dan' cannot be compared: no chain of contests joins them",
        ),
        (
            lambda r: r.predict(["Alice", "Bob"]).margin_interval("Alice", "Bob", 2),
            "level is 2; give a number between 0 and 1",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(ask: Callable[[Any], Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        ask(fit(RACES))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_noise_can_be_learned_where_nobody_meets_twice() -> None:
    races = Contests.from_arrays([1, 1, 2, 2], "abbc", [1, 0, 1, 0])
    with pytest.raises(InputError, match="nobody met twice, not even through others"):
        fit(races).predict(["a", "c"])
    assert Noise(1.0, 0.0).spread(np.array([1.0])) == 1
