"""Intervals: resampling against refitting, the closed form against dense algebra, coverage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import Contests, InputError, Judgments, Ratings, fit, losses
from qrja.ratings.intervals.bounds import FewDraws
from qrja.ratings.intervals.clusters import find_clusters
from qrja.ratings.intervals.resampling import (
    NOT_DRAWN,
    deviate_by_solving,
    deviate_by_squares,
    draw,
    go_in_steps,
    resample,
)
from qrja.ratings.intervals.sandwich import covariance_root
from qrja.ratings.intervals.tails import Tails
from qrja.ratings.ranks import rank_draws
from reference.squares import resampled_scores, sandwich_covariance
from strategies import contests


def races(**options: Any) -> qrja.datasets.SyntheticRaces:
    options = {"races": 40, "entrants": 12, "field": 6, "turnover": 0.0, "seed": 3} | options
    return qrja.datasets.synthetic_races(**options)


def covered(intervals: Any, truth: np.ndarray) -> np.ndarray:
    return (intervals.low <= truth) & (truth <= intervals.high)


# ---------------------------------------------------------------------- resampling


@given(contests())
def test_all_resamples_at_once_are_as_good_as_one_by_one(problem: Contests) -> None:
    ratings, clusters = fit(problem), find_clusters(problem)
    if not len(problem):
        return
    drawn = np.maximum(next(draw(clusters, 4, np.random.default_rng(0))), NOT_DRAWN)
    found = deviate_by_squares(ratings, clusters, drawn)[0] + ratings.solution.x[:, None]
    for column in range(4):
        expected = resampled_scores(problem, drawn[:, column])
        shift = found[:, column] - expected
        size = 1 + np.abs(expected).max() + np.abs(ratings.solution.x).max()
        for component in np.unique(problem.components):
            inside = shift[problem.components == component]
            np.testing.assert_allclose(inside, inside[0], atol=1e-5 * size)


@pytest.mark.parametrize("options", [{"ridge": 0.7}, {"anchors": {"racer 1": 5.0}}, {}])
def test_ridge_and_anchors_hold_in_every_resample(options: dict[str, Any]) -> None:
    ratings = fit(races().contests, **options)
    clusters = find_clusters(ratings.problem)
    drawn = np.maximum(next(draw(clusters, 3, np.random.default_rng(1))), NOT_DRAWN)
    fast = deviate_by_squares(ratings, clusters, drawn)[0]
    slow = deviate_by_solving(ratings, clusters, drawn)[0]
    fast -= 0.0 if options else fast.mean(axis=0)
    np.testing.assert_allclose(fast, slow, atol=1e-4)


def test_other_losses_are_resampled_too() -> None:
    ratings = fit(races(races=12).contests, loss=losses.Huber(0.5))
    intervals = ratings.intervals(resamples=20)
    assert (intervals.low < intervals.high).all()
    assert intervals.resamples == 20


def test_absolute_losses_are_resampled_too() -> None:
    made = races(races=30)
    intervals = fit(made.contests, p=1).intervals(resamples=40)
    truth = made.strength - made.strength.mean()
    assert covered(intervals, truth).mean() > 0.7


def test_a_seed_fixes_the_intervals() -> None:
    ratings = fit(races().contests)
    first, again, other = (ratings.intervals(seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.low, again.low)
    assert (first.low != other.low).any()


def test_missing_contestants_and_bridges_are_counted() -> None:
    one_bridge = Contests.from_arrays(
        np.repeat(np.arange(9), 2), [*"abababab", *"bc", *"cdcdcdcd"], np.arange(18) % 5
    )
    intervals = fit(one_bridge).intervals(resamples=500)
    # A contest is not drawn in (1 - 1/9)^9 = 35 % of the resamples.
    assert 0.28 < intervals.degenerate / 500 < 0.42
    assert fit(races().contests).intervals().degenerate == 0


@given(contests(), st.integers(0, 99))
def test_degenerate_draws_have_more_components_than_all_contests(
    problem: Contests, seed: int
) -> None:
    clusters = find_clusters(problem)
    if not len(problem):
        return
    ratings = fit(problem)
    draws = draw(clusters, 20, np.random.default_rng(seed))
    fewer = [
        Contests.from_numbers(
            problem.contest_of_entry[in_it],
            problem.who[in_it],
            problem.score[in_it],
            names=problem.names,
            labels=problem.labels,
            weight=problem.weight,
        )
        for column in np.concatenate(list(draws), axis=1)[clusters.of].T
        for in_it in [column[problem.contest_of_entry] > 0]
    ]
    missing = [problem.n - part.n for part in fewer]  # each of them a component
    pieces = [
        absent + len(np.unique(part.components))
        for absent, part in zip(missing, fewer, strict=True)
    ]
    whole = len(np.unique(problem.components))
    found = resample(ratings, clusters, 20, np.random.default_rng(seed))
    assert found.degenerate == sum(count > whole for count in pieces)


def test_a_contest_that_is_not_drawn_still_places_who_hangs_on_it() -> None:
    problem = Contests.from_arrays([1, 1, 2, 2, 3, 3], "abbccd", [1, 0, 1, 0, 5, 0])
    left_out = fit(problem.with_weight(problem.weight * [1, 1, NOT_DRAWN]))
    assert left_out.solution.x[2] - left_out.solution.x[3] == pytest.approx(5)


@pytest.mark.parametrize("method", ["bootstrap", "sandwich"])
@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_results_that_agree_have_intervals_of_no_width(method: Any, shift: float) -> None:
    strength = np.array([0.1, 0.7, 1.3, 2.9])
    who = np.array([0, 1, 2, 1, 2, 3, 0, 3, 1, 0, 2, 3])
    problem = Contests.from_arrays(np.repeat(np.arange(4), 3), who, strength[who] / 3 + shift)
    found = fit(problem).intervals(method=method)
    np.testing.assert_allclose(found.low, found.high, atol=1e-6)
    np.testing.assert_allclose(found.low, (strength - strength.mean()) / 3, atol=1e-6)


def test_judges_are_drawn_whole() -> None:
    rng = np.random.default_rng(0)
    judge = np.repeat(np.arange(12), 6)
    pairs = np.tile([(0, 1), (1, 2), (0, 2), (2, 3), (1, 3), (0, 3)], (12, 1))
    # Judges exaggerate: all their margins are off together.
    y = (pairs[:, 1] - pairs[:, 0]) * rng.lognormal(0, 0.8, 12)[judge]
    ratings = fit(Judgments(pairs[:, 0], pairs[:, 1], y, np.ones(72), tuple("abcd")))
    alone, whole = ratings.intervals(), ratings.intervals(by=judge)
    assert whole.clusters == 12
    named = Judgments(
        pairs[:, 0], pairs[:, 1], y, np.ones(72), tuple("abcd"), judge, tuple(range(12))
    )
    np.testing.assert_array_equal(fit(named).intervals().low, whole.low)
    width = whole.difference("a", "d")[1] - whole.difference("a", "d")[0]
    assert width > 1.2 * (alone.difference("a", "d")[1] - alone.difference("a", "d")[0])


# ---------------------------------------------------------------------- the closed form


@given(contests())
def test_the_closed_form_is_the_sandwich(problem: Contests) -> None:
    ratings, clusters = fit(problem), find_clusters(problem)
    if not len(problem):
        return
    root = covariance_root(ratings, clusters)
    expected = sandwich_covariance(problem, ratings.solution.x)
    scale = max(np.abs(expected).max(), 1e-12 * np.abs(problem.score).max() ** 2, 1e-12)
    np.testing.assert_allclose(root @ root.T / scale, expected / scale, atol=1e-5)


def test_both_methods_tell_about_the_same() -> None:
    ratings = fit(races(races=200, field=5).contests)
    bootstrap = ratings.intervals(resamples=1000)
    sandwich = ratings.intervals(resamples=1000, method="sandwich")
    width = (bootstrap.high - bootstrap.low) / (sandwich.high - sandwich.low)
    assert 0.85 < width.min() <= width.max() < 1.15


# ---------------------------------------------------------------------- coverage


@pytest.mark.parametrize("method", ["bootstrap", "sandwich"])
@pytest.mark.parametrize("noise", ["normal", "heavy"])
def test_intervals_hold_the_truth_as_often_as_they_say(noise: str, method: Any) -> None:
    rating, difference, rank = [], [], []
    for seed in range(25):
        made = races(races=60, entrants=40, field=10, noise=noise, seed=seed)
        truth = made.strength - made.strength.mean()
        found = fit(made.contests).intervals(0.95, method=method, resamples=300, seed=seed)
        rating.append(covered(found, truth))
        low, high = np.quantile(found.draws[1:] - found.draws[:-1], [0.025, 0.975], axis=1)
        difference.append((low <= np.diff(truth)) & (np.diff(truth) <= high))
        true_rank = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
        rank.append((found.rank_low <= true_rank) & (true_rank <= found.rank_high))
    assert abs(np.mean(rating) - 0.95) < 0.03
    assert abs(np.mean(difference) - 0.95) < 0.03
    # A rank is a whole number, so its interval is rounded outward.
    assert 0.92 < np.mean(rank) <= 1


def test_intervals_of_those_seen_once_are_wide_enough() -> None:
    hits, once = [], []
    for seed in range(60):
        made = races(races=10, entrants=40, field=8, seed=seed)
        if made.contests.components.max() > 0:
            continue
        truth = made.strength - made.strength.mean()
        hits.append(covered(fit(made.contests).intervals(seed=seed), truth))
        once.append(np.bincount(made.contests.who) == 1)
    seen_once = np.concatenate(hits)[np.concatenate(once)]
    assert len(seen_once) > 400
    assert abs(seen_once.mean() - 0.95) < 0.03


# ---------------------------------------------------------------------- the table


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_table_comes_out_as_the_data_came_in(frame: Callable[[Any], Any]) -> None:
    made = races().contests
    rows = {
        "race": [str(made.labels[c]) for c in made.contest_of_entry],
        "runner": [made.names[i] for i in made.who],
        "score": made.score.tolist(),
        "date": made.date[made.contest_of_entry].astype("datetime64[D]").tolist(),
    }
    data = frame(rows)
    table = fit(data).table()
    assert type(table) is type(data)
    columns = table.column_names if isinstance(table, pa.Table) else list(table.columns)
    assert columns == [
        "rank",
        "contestant",
        "rating",
        "low",
        "high",
        "rank_low",
        "rank_high",
        "tied_for_first",
        "contests",
        "last_seen",
        "component",
    ]
    first = pa.table(table).to_pylist()[0] if isinstance(table, pa.Table) else None
    if first:
        assert first["rank"] == 1
        assert first["low"] < first["rating"] < first["high"]
        assert first["rank_low"] == 1
        assert first["tied_for_first"] is True
        assert str(first["last_seen"]) >= "2000-01-01"


def test_a_table_of_too_few_contests_has_empty_intervals() -> None:
    table = fit(Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 1])).table()
    assert table["low"] == [None, None]
    assert table["rating"] == pytest.approx([0.75, -0.75])
    assert table["last_seen"] == [2, 2]


def test_a_table_without_intervals() -> None:
    assert list(fit(Judgments.from_arrays("ab", "bc", [1, 2])).table(level=None)) == [
        "rank",
        "contestant",
        "rating",
        "contests",
        "component",
    ]


def test_tied_for_first_are_those_who_cannot_be_told_from_the_leader() -> None:
    intervals = fit(qrja.datasets.football()).intervals(resamples=200)
    tied = intervals.tied_for_first()
    assert 1 <= len(tied) < 10
    leader = tied[0]
    assert all(intervals.difference(leader, other)[0] <= 0 for other in tied)
    assert intervals.of(leader)[0] < intervals.of(leader)[1]


def grades(seed: int, candidates: int = 12, rows: int = 30) -> Judgments:
    """Return grades from -2 to 2 on few pairs: their optima for p = 1 tie and jump."""
    random = np.random.default_rng(seed)
    a = random.integers(candidates, size=rows)
    b = (a + random.integers(1, candidates, size=rows)) % candidates
    return Judgments.from_arrays(a, b, random.integers(-2, 3, size=rows))


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_ranks_that_are_possible_include_the_own_one(p: int, seed: int) -> None:
    ratings = fit(grades(seed), p=p)
    found = ratings.intervals(level=0.5, resamples=20)
    assert (found.rank_low <= ratings.ranks).all()
    assert (ratings.ranks <= found.rank_high).all()
    np.testing.assert_array_equal(found.is_tied_for_first, found.rank_low == 1)
    leaders = [found.names[i] for i in np.flatnonzero(ratings.ranks == 1)]
    for name in leaders:
        assert found.is_tied_for_first[found.names.index(name)]


# ---------------------------------------------------------------------- groups beside an anchor

BESIDE = [
    ("A", "B", 1.0),
    ("A", "B", 1.2),
    ("C", "D", 1.0),
    ("D", "E", 1.1),
    ("C", "E", 2.3),
    ("C", "D", 1.2),
    ("D", "E", 0.8),
]


@pytest.mark.parametrize("rows", [BESIDE, BESIDE[:2] + BESIDE[2:5]])
@pytest.mark.parametrize("method", ["bootstrap", "sandwich"])
def test_an_anchor_does_not_change_the_intervals_of_another_group(
    method: Any, rows: list[tuple[str, str, float]]
) -> None:
    judgments = Judgments.from_arrays(*zip(*rows, strict=True))
    free = fit(judgments).intervals(method=method)
    held = fit(judgments, anchors={"A": 0.0}).intervals(method=method)
    # Resampling weighs in what all candidates show, and an anchor takes one out: by 1e-7 here.
    rtol = 1e-9 if method == "sandwich" else 1e-6
    np.testing.assert_allclose(held.low[2:], free.low[2:], rtol=rtol)
    np.testing.assert_allclose(held.high[2:], free.high[2:], rtol=rtol)
    np.testing.assert_allclose(held.draws[2:].sum(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(held.difference("C", "E"), free.difference("C", "E"), rtol=rtol)
    assert held.low[0] == held.high[0] == 0.0
    # The held group is seen from A: the interval of B is that of the difference.
    expected = [-bound for bound in free.difference("A", "B")[::-1]]
    np.testing.assert_allclose(held.of("B"), expected, rtol=0.2)


# ---------------------------------------------------------------------- judges


def judged(rows: int) -> Judgments:
    a, b, y, judge = "abaa"[:rows], "bccb"[:rows], [1, 1, 3, 2][:rows], "XYXY"[:rows]
    return Judgments.from_arrays(a, b, y, judge=judge)


def test_two_judges_are_too_few_and_may_be_left_out() -> None:
    with pytest.raises(InputError) as caught:
        fit(judged(4)).intervals()
    assert str(caught.value) == (
        "an interval asked of 2 judges; it takes at least 3 to see how far they disagree;"
        ' --judge "" (judge="" in Python) takes each judgment by itself'
    )
    with pytest.raises(InputError) as caught:  # where that would not help, it is not offered
        fit(judged(2)).intervals()
    assert str(caught.value).endswith("to see how far they disagree")


# ---------------------------------------------------------------------- mistakes

TWO = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 1])
TREE = Contests.from_arrays([1, 1, 2, 2, 3, 3], "abbccd", [1, 0, 1, 0, 1, 0])
APART = Contests.from_arrays(np.repeat(np.arange(6), 2), "abababcdcdcd", np.arange(12) % 5)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: fit(TWO).intervals(), "an interval asked of 2 contests; it takes at least 3"),
        (lambda: fit(TREE).intervals(), "nobody met twice, not even through others"),
        (lambda: fit(APART).intervals(95), "level is 95; give a number between 0 and 1"),
        (lambda: fit(APART).intervals(resamples=3), "resamples is 3; give a whole number of at"),
        (lambda: fit(APART).intervals(resamples=30.5), "resamples is 30.5; give a whole number"),
        (
            lambda: fit(APART).intervals(method="bayes"),
            "method is 'bayes'; choose one of auto",
        ),
        (lambda: fit(APART).intervals(seed=-1), "seed is -1; give a whole number of at least 0"),
        (lambda: fit(APART).intervals(by=[1, 2]), "by has 2 labels for 6 contests; give one"),
        (
            lambda: fit(APART, p=1.5).intervals(method="sandwich"),
            "the closed form is for p = 2, and the loss is |t|^1.5; use method='bootstrap'",
        ),
        (
            lambda: fit(APART).intervals().difference("a", "c"),
            "'a' and 'c' cannot be compared: no chain of contests joins them",
        ),
        (
            lambda: fit(races().contests).intervals().of("raser 1"),
            "no contestant 'raser 1'; did you mean 'racer 1'",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(ask: Callable[[], Ratings], words: str) -> None:
    with pytest.raises(InputError) as caught:
        ask()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_ranks_of_draws_are_those_of_counting() -> None:
    random = np.random.default_rng(3)
    draws = random.integers(0, 4, (20, 9)).astype(float)
    for component in (np.zeros(9, dtype=np.int32), np.array([0, 2, 1, 0, 0, 1, 0, 2, 0])):
        best, worst = rank_draws(draws, component, np.full(component.max() + 1, 1e-9))
        for row, x in enumerate(draws):
            for i in range(9):
                rivals = x[component == component[i]]
                assert best[row, i] == 1 + (rivals > x[i]).sum()
                assert worst[row, i] == (rivals >= x[i]).sum()


def test_who_always_ties_has_all_the_ranks_they_share() -> None:
    who, score = ["A", "B", "C"], [3.0, 3.0, 1.0]
    races = Contests.from_arrays(np.repeat(np.arange(6), 3), who * 6, score * 6)
    found = fit(races).intervals(resamples=50)
    assert found.rank_low.tolist() == [1, 1, 3]
    assert found.rank_high.tolist() == [2, 2, 3]


def test_of_very_many_entries_few_draws_are_fitted_and_as_wide_as_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = qrja.datasets.synthetic_races(races=300, entrants=400, field=8, turnover=0, seed=5)
    rated = qrja.fit(made.contests)
    monkeypatch.setattr("qrja.ratings.intervals.bounds.can_moderate", lambda ratings: False)
    every = rated.intervals()
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("qrja.ratings.intervals.bounds.MOST_DRAWN", 1000)

    def never(ratings: object) -> bool:
        raise AssertionError("a covariance takes longer than all draws")

    monkeypatch.setattr("qrja.ratings.intervals.bounds.can_moderate", never)
    some = rated.intervals(progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (32, 32)
    assert (some.resamples, every.resamples) == (32, 400)
    ratio = (some.high - some.low) / (every.high - every.low)
    assert abs(np.median(ratio) - 1.0) < 0.06
    assert np.quantile(ratio, 0.05) > 0.7
    # The draws and the bounds of ratings tell the same, with the quantile of 32 degrees of freedom.
    spread = some.draws.std(axis=1) * 2 * 2.037
    assert abs(np.median(spread / (some.high - some.low)) - 1.0) < 0.05
    # So do differences and ranks, of which no draws show the ends.
    names = some.names
    ends = [
        [np.subtract(*found.difference(names[i], names[i + 1])[::-1]) for i in range(0, 200, 2)]
        for found in (some, every)
    ]
    assert abs(np.median(np.divide(*ends)) - 1.0) < 0.08
    for one, other in ((some.rank_low, every.rank_low), (some.rank_high, every.rank_high)):
        assert abs(np.mean(one - other)) < 0.02 * len(names)
        assert np.quantile(np.abs(one - other), 0.9) < 0.1 * len(names)
    assert (some.rank_low >= 1).all()
    assert (some.rank_high <= len(names)).all()
    # Whoever says how many has them fitted.
    monkeypatch.setattr("qrja.ratings.intervals.bounds.can_moderate", lambda ratings: False)
    told.clear()
    rated.intervals(resamples=100, progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (100, 100)


def test_few_draws_hold_the_truth_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qrja.ratings.intervals.bounds.MOST_DRAWN", 1000)
    held = []
    for seed in range(12):
        made = qrja.datasets.synthetic_races(
            races=400, entrants=150, field=8, turnover=0, seed=seed
        )
        rated = qrja.fit(made.contests)
        found = rated.intervals()
        assert isinstance(found, FewDraws)
        truth = made.strength[[int(name.split()[1]) - 1 for name in found.names]]
        truth = truth - truth.mean()
        rank = np.argsort(np.argsort(-truth)) + 1
        among = (found.rank_low <= rank) & (rank <= found.rank_high)
        apart = [found.difference(*found.names[i : i + 2]) for i in range(100)]
        differ = truth[:100] - truth[1:101]
        held.append(
            (
                np.mean((found.low <= truth) & (truth <= found.high)),
                among.mean(),
                np.mean([low <= d <= high for (low, high), d in zip(apart, differ, strict=True)]),
            )
        )
    ratings, ranks, differences = np.mean(held, axis=0)
    assert 0.93 < ratings < 0.975
    assert ranks > 0.93
    assert 0.93 < differences < 0.98


@pytest.mark.parametrize(
    "model", [{"p": 1}, {"p": 1.5}, {"loss": losses.Huber(1.0)}], ids=["1", "1.5", "huber"]
)
def test_of_very_many_entries_any_loss_is_drawn_in_steps(
    monkeypatch: pytest.MonkeyPatch, model: dict[str, Any]
) -> None:
    made = qrja.datasets.synthetic_races(races=150, entrants=60, field=10, turnover=0, seed=3)
    rated = qrja.fit(made.contests, **model)
    clusters = find_clusters(rated.problem)
    solved = resample(rated, clusters, 100, np.random.default_rng(0)).deviations.std(axis=1)
    monkeypatch.setattr("qrja.ratings.intervals.bounds.MOST_DRAWN", 1000)

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("one after the other takes longer")

    monkeypatch.setattr("qrja.ratings.intervals.bounds.resample", never)
    monkeypatch.setattr("qrja.ratings.intervals.bounds.can_moderate", never)
    found = rated.intervals()
    assert isinstance(found, FewDraws)
    se = (found.high - found.low) / (2 * 2.037)
    widening = clusters.shares.widening
    assert abs(np.median(se / (widening * solved)) - 1.0) < 0.12
    truth = made.strength[[int(name.split()[1]) - 1 for name in found.names]]
    truth = truth - truth.mean()
    assert np.mean((found.low <= truth) & (truth <= found.high)) > 0.9


def test_what_is_known_by_name_is_not_drawn_in_steps() -> None:
    made = qrja.datasets.synthetic_races(races=40, entrants=8, field=5, turnover=0)
    plain, ridge = qrja.fit(made.contests, p=1), qrja.fit(made.contests, p=1.5, ridge=1.0)
    steep = qrja.fit(made.contests, p=6)
    assert go_in_steps(plain, find_clusters(plain.problem))
    assert not go_in_steps(ridge, find_clusters(ridge.problem))
    assert not go_in_steps(steep, find_clusters(steep.problem))
    judged = find_clusters(plain.problem, np.arange(40) // 4)
    assert not go_in_steps(plain, judged)


def test_ranks_counted_among_few_draws_keep_to_components() -> None:
    who = ["a", "b", "c", "x", "y"]
    label = np.array([0, 0, 0, 1, 1], dtype=np.int32)
    x = np.array([9.0, 0.0, 0.0, 5.0, -5.0])
    draws = x[:, None] + np.zeros((5, 32))
    found = FewDraws(tuple(who), 0.95, "bootstrap", label, x, x - 1, x + 1, draws, 9, 0)
    assert found.rank_low.tolist() == [1, 1, 1, 1, 2]
    assert found.rank_high.tolist() == [1, 3, 3, 1, 2]


@pytest.mark.parametrize("freedom", [3.0, 6.0, 30.0])
def test_noise_drawn_with_tails_strays_as_students_t_does(freedom: float) -> None:
    from scipy.stats import t

    problem = Contests.from_arrays(np.arange(4000) // 2, np.arange(4000), np.zeros(4000))
    drawn = Tails(freedom).draw(problem, 50, np.random.default_rng(7)).ravel()
    assert drawn.var() == pytest.approx(1.0, rel=0.1)
    root = np.sqrt(1.0 - 2.0 / freedom)
    for level in (0.5, 0.9, 0.99, 0.999):
        share = (np.abs(drawn) > root * t(freedom).isf((1 - level) / 2)).mean()
        assert share == pytest.approx(1 - level, abs=4 * np.sqrt(level * (1 - level) / 200_000))
