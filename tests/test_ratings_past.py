"""The past: the same walk for histories, days and reports, and nothing of what came later."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import qrja
from qrja import Contests, InputError, Judgments, fit
from qrja.ratings import cut_evenly, trace, walk

MADE = qrja.datasets.synthetic_races(races=30, entrants=9, field=4, turnover=0.2, seed=3).contests
LATE = Contests.from_arrays(
    [1, 1, 2, 2, 3, 3],
    ["Alice", "Bob", "Alice", "Bob", "Bob", "Charlie"],
    [3.0, 1.0, 4.0, 1.0, 5.0, 2.0],
    date=np.array(["2026-01-01", "2026-01-01", "2026-02-01", "2026-02-01", "2026-03-01"] * 2)[
        [0, 1, 2, 3, 4, 4]
    ],
)
KNOWN = [
    {"anchors": {"Charlie": 0}},
    {"anchors": {"Charlie": 0, "Bob": 10}},
    {"ridge": 2.0, "prior": {"Charlie": 7}},
    {"ridge": 2.0, "prior": {"Charlie": 7, "Alice": 1}, "anchors": {"Charlie": 7}},
]


@pytest.mark.parametrize("model", [{}, {"p": 1}, {"p": 1.5}, {"half_life": 5}, {"ridge": 3.0}])
def test_each_step_is_a_fit_of_the_contests_so_far(model: dict[str, Any]) -> None:
    counts = [1, 4, 11, 30]
    for count, past in zip(counts, walk(fit(MADE, **model), counts), strict=True):
        alone = fit(MADE[:count], **model)
        assert past.solution.names == alone.solution.names
        assert past.solution.objective == pytest.approx(alone.solution.objective)
        assert past.solution.x == pytest.approx(alone.solution.x, abs=1e-4)


@pytest.mark.parametrize("known", KNOWN)
def test_who_has_not_appeared_says_nothing(known: dict[str, Any]) -> None:
    early, late = walk(fit(LATE, **known), [2, 3])
    seen = fit(LATE[:2], **{name: _of(value, "AliceBob") for name, value in known.items()})
    assert early.solution.names == ("Alice", "Bob")
    assert early.solution.x == pytest.approx(seen.solution.x)
    assert late.solution.x == pytest.approx(fit(LATE, **known).solution.x)


def _of(value: Any, names: str) -> Any:
    return {k: v for k, v in value.items() if k in names} if isinstance(value, dict) else value


@pytest.mark.parametrize("known", KNOWN)
def test_a_day_before_an_anchor_or_prior_appeared(known: dict[str, Any]) -> None:
    ratings = fit(LATE, **known)
    day = ratings.as_of("2026-02-15")
    assert day.solution.names == ("Alice", "Bob")
    assert day.predict(["Alice", "Bob"]).names == ("Alice", "Bob")
    assert ratings.as_of("2026-03-01").solution.x == pytest.approx(ratings.solution.x)


@pytest.mark.parametrize("known", KNOWN)
def test_a_history_before_an_anchor_or_prior_appeared(known: dict[str, Any]) -> None:
    ratings = fit(LATE, **known)
    found = trace(ratings, ["Alice", "Charlie"])
    assert [when.month for when, _ in found["Alice"]] == [1, 2, 3]
    assert [when.month for when, _ in found["Charlie"]] == [3]
    last = dict(zip(ratings.problem.names, ratings.solution.x.tolist(), strict=True))
    assert found["Charlie"][-1][1] == pytest.approx(last["Charlie"])


def test_a_misspelt_anchor_is_still_told() -> None:
    with pytest.raises(InputError, match="anchor 'Charly' is not a candidate; did you mean"):
        fit(LATE, anchors={"Charly": 0})


def test_judgments_have_no_past() -> None:
    with pytest.raises(
        InputError, match="a history needs an order in time, and these judgments have no"
    ):
        trace(fit(Judgments.from_arrays("ab", "bc", [1, 2])), ["a"])


def test_cuts_are_even_and_end_with_all() -> None:
    for contests in range(1, 60):
        cuts = cut_evenly(contests, 7)
        assert (cuts[0], cuts[-1]) == (0, contests)
        assert max(np.diff(cuts)) - min(np.diff(cuts)) <= 1
