"""Updates: equal to a fit of everything, whatever the order; and what cannot be updated."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import Contests, InputError, Judgments, Ratings, fit, losses
from qrja.ratings.updates import join_contests
from strategies import contests, judgments


def by_name(ratings: Ratings) -> dict[Any, float]:
    return dict(zip(ratings.problem.names, ratings.solution.x.tolist(), strict=True))


def same(one: Ratings, other: Ratings, tolerance: float = 1e-9) -> None:
    left, right = by_name(one), by_name(other)
    assert left.keys() == right.keys()
    scale = 1 + max(map(abs, right.values()), default=0)
    for name, x in right.items():
        assert left[name] == pytest.approx(x, abs=tolerance * scale), name
    assert one.solution.objective == pytest.approx(other.solution.objective, rel=1e-9, abs=1e-9)


MADE = qrja.datasets.synthetic_races(races=30, entrants=12, field=6, seed=4).contests


@given(contests(max_contests=6), st.integers(0, 6))
def test_appending_equals_a_fit_of_everything(problem: Contests, cut: int) -> None:
    cut = min(cut, len(problem))
    updated = fit(problem[:cut]).update(problem[cut:])
    assert updated.problem.names == problem.names
    same(updated, fit(problem))


@given(judgments())
def test_appending_judgments_equals_a_fit_of_everything(problem: Judgments) -> None:
    def part(rows: slice) -> Judgments:
        names = (
            [problem.names[i] for i in problem.a[rows]],
            [problem.names[i] for i in problem.b[rows]],
        )
        return Judgments.from_arrays(*names, problem.y[rows], problem.w[rows])

    half = problem.m // 2
    whole = part(slice(None))
    same(fit(part(slice(half))).update(part(slice(half, None))), fit(whole))


@pytest.mark.parametrize(
    "options",
    [{}, {"half_life": 60}, {"ridge": 0.5}, {"anchors": {"racer 1": 1.0}}, {"pairs": "mean"}],
    ids=str,
)
def test_the_order_of_updates_does_not_matter(options: dict[str, Any]) -> None:
    # The anchored contestant has to be there from the start.
    order = np.concatenate([[0], 1 + np.random.default_rng(0).permutation(len(MADE) - 1)])
    ratings = fit(MADE[[0]], **options)
    for piece in np.array_split(order[1:], 5):
        ratings = ratings.update(MADE[np.sort(piece)])
    same(ratings, fit(MADE, **options))
    np.testing.assert_array_equal(ratings.data.date, MADE.date)


@pytest.mark.parametrize(
    "options",
    [
        {"p": 1.5},
        {"p": 10},
        {"p": 0.5},
        {"p": 1, "ridge": 0.1},
        {"loss": losses.Huber(1.0)},
        {"loss": losses.EpsilonInsensitive(1.0)},
    ],
    ids=str,
)
def test_other_losses_are_fitted_anew(options: dict[str, Any]) -> None:
    # Their optima are flat or many: a start would show in the scores.
    same(fit(MADE[:-3], **options).update(MADE[-3:]), fit(MADE, **options), 1e-12)


@given(contests(max_contests=6), st.integers(0, 6))
def test_absolute_losses_are_equal_to_the_last_digit(problem: Contests, cut: int) -> None:
    cut = min(cut, len(problem))
    updated, full = fit(problem[:cut], p=1).update(problem[cut:]), fit(problem, p=1)
    assert updated.solution.objective == full.solution.objective
    np.testing.assert_allclose(updated.solution.x, full.solution.x, rtol=1e-12, atol=1e-12)


def test_one_fit_can_be_updated_in_two_ways() -> None:
    # The first update goes on from the solver's own state, which the second must not see.
    before = fit(MADE[:-2], p=1)
    one, other = before.update(MADE[[-2]]), before.update(MADE[[-1]])
    same(one.update(MADE[[-1]]), fit(MADE, p=1))
    same(other.update(MADE[[-2]]), fit(MADE, p=1))


def test_a_contest_that_is_removed_leaves_no_trace() -> None:
    label = MADE.labels[7]
    keep = np.arange(len(MADE)) != 7
    same(fit(MADE).remove(label), fit(MADE[keep]))
    same(fit(MADE[keep]).update(MADE[[7]]).remove(label), fit(MADE[keep]))


def test_a_corrected_result() -> None:
    contest, who = MADE.labels[3], MADE.names[MADE.who[MADE.start[3] + 2]]
    wrong = fit(MADE)
    right = wrong.correct(contest, who, 9.5)
    scores = MADE.score.copy()
    scores[MADE.start[3] + 2] = 9.5
    expected = Contests(
        MADE.start, MADE.who, scores, MADE.names, MADE.labels, MADE.weight, MADE.date
    )
    same(right, fit(expected))
    same(right.correct(contest, who, MADE.score[MADE.start[3] + 2]), wrong)


def test_ratings_as_of_a_day() -> None:
    ratings = fit(MADE)
    same(ratings.as_of(str(MADE.date[9])), fit(MADE[:10]))
    same(ratings.as_of(MADE.date[9].astype("datetime64[D]")), fit(MADE[:10]))
    same(ratings.as_of("2000-01-12"), fit(MADE[:2]))
    same(ratings.as_of("2999-01-01"), ratings)


TIMES = "race,runner,time\nA,Ann,10:00\nA,Bob,11:00\nB,Bob,9:00\nB,Cid,9:30\n"


def test_tables_are_read_as_the_first_one_was(tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text("race,runner,time\nC,Ann,8:00\nC,Cid,8:50\n")
    everything = TIMES + "C,Ann,8:00\nC,Cid,8:50\n"
    ratings = fit(io.BytesIO(TIMES.encode()))
    same(ratings.update(more), fit(io.BytesIO(everything.encode())))
    assert ratings.correct("A", "Bob", "10:30").solution.x[1] > ratings.solution.x[1]
    frame = pd.DataFrame({"r": ["A", "A"], "n": ["x", "y"], "points": [3, 1]})
    names = {"contest": "r", "contestant": "n", "score": "points"}
    table = fit(frame, **names).update(frame.assign(r="B")).table()
    assert isinstance(table, pd.DataFrame)
    assert table["contests"].tolist() == [2, 2]


def test_judges_go_along() -> None:
    first = Judgments.from_arrays(["a"], ["b"], [1], judge=["Ann"])
    more = Judgments.from_arrays(["c", "b"], ["a", "c"], [1, 0], judge=["Bob", "Ann"])
    data = fit(first).update(more).data
    assert (data.judge.tolist(), data.judges) == ([0, 1, 0], ("Ann", "Bob"))


def test_joining_nothing() -> None:
    nothing = Contests.from_arrays([], [], [])
    assert join_contests(MADE, nothing) is MADE
    assert join_contests(nothing, MADE[:2]).names == MADE[:2].names


def test_appending_to_codeforces_is_a_fit_of_everything(paper_data: Path) -> None:
    columns = {"contest": "contest", "contestant": "contestant", "score": "score"}
    races = qrja.read_contests(paper_data / "codeforces.csv", **columns)
    updated = fit(races[:-1]).update(races[-1:])
    full = fit(races)
    assert np.abs(updated.solution.x - full.solution.x).max() < 1e-9


# ---------------------------------------------------------------------- mistakes

ONE = Contests.from_arrays(["Boston", "Boston"], ["Alice", "Bob"], [2, 1])
JUDGED = Judgments.from_arrays(["a"], ["b"], [1])


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: fit(ONE).update(ONE), "contest 'Boston' is there already; correct or remove it"),
        (lambda: fit(ONE).update(MADE[:1]), "only the new contests have dates; date every"),
        (lambda: fit(MADE).update(ONE), "only the contests so far have dates; date every"),
        (lambda: fit(ONE).update(JUDGED), "the ratings are of contests, and these are judgments"),
        (lambda: fit(ONE).update(io.BytesIO(TIMES.encode())), "are numbers, higher is better, and"),
        (
            lambda: fit(JUDGED).update(Judgments.from_arrays("a", "c", [1], judge=["Ann"])),
            "only the new judgments name their judges; name them in every row or none",
        ),
        (lambda: fit(ONE).remove("Bosten"), "no contest 'Bosten'; did you mean 'Boston'?"),
        (lambda: fit(JUDGED).remove("a"), "remove is for contests, and these are judgments"),
        (lambda: fit(JUDGED).correct("a", "b", 1), "correct is for contests, and these are"),
        (lambda: fit(ONE).correct("Boston", "Alise", 3), "no contestant 'Alise'; did you mean"),
        (
            lambda: fit(join_contests(ONE, MADE_UNDATED)).correct("Boston", "racer 1", 3),
            "'racer 1' was not in contest 'Boston'",
        ),
        (lambda: fit(ONE).correct("Boston", "Bob", "fast"), "the score is 'fast'; give a number"),
        (lambda: fit(ONE).as_of("2020-01-01"), "as_of needs dates, and these contests have none"),
        (lambda: fit(JUDGED).as_of("2020-01-01"), "as_of needs dates, and these judgments have"),
        (lambda: fit(MADE).as_of("soon"), "the date is 'soon'; write it as 2026-11-15"),
        (lambda: fit(MADE).as_of("1999-12-31"), "no contest took place by 1999-12-31; the first"),
    ],
)
def test_mistakes_are_told_in_one_line(ask: Callable[[], Ratings], words: str) -> None:
    with pytest.raises(InputError) as caught:
        ask()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


MADE_UNDATED = Contests(
    MADE.start, MADE.who, MADE.score, MADE.names, MADE.labels, MADE.weight, None
)
