"""Ratings in the units of the scores; summaries in words."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests, Judgments, LeftOut, Summary, Units
from qrja.tables.values import clock_time, show_time, units_of


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (480, "+8:00"),
        (-3723.5, "-1:02:03.5"),
        (0, "0:00"),
        (-0.0, "0:00"),
        (59.996, "+1:00"),
        (3599.999, "+1:00:00"),
        (0.004, "0:00"),
        (-0.25, "-0:00.25"),
        (360000, "+100:00:00"),
    ],
)
def test_times(value: float, shown: str) -> None:
    assert Units("time", lower_is_better=True).show(value) == shown


@given(st.integers(-(10**7), 10**7), st.integers(0, 3))
def test_a_shown_time_reads_back(ticks: int, decimals: int) -> None:
    seconds = ticks / 10**decimals
    assert clock_time(show_time(seconds, decimals)) == pytest.approx(seconds, abs=1e-9)


@pytest.mark.parametrize(
    ("value", "shown"), [(1234.5678, "1234.57"), (-1.005, "-1.00"), (-0.001, "0.00"), (3, "3.00")]
)
def test_numbers(value: float, shown: str) -> None:
    assert Units("number").show(value) == shown


@pytest.mark.parametrize(
    ("ratio", "shown"),
    [(3, "3"), (1 / 3, "0.3333"), (1, "1"), (12345.6, "12346"), (1e-7, "1.000e-07"), (2.5, "2.5")],
)
def test_ratios(ratio: float, shown: str) -> None:
    assert Units("ratio").show(np.log(ratio)) == shown


def test_a_ratio_never_overflows() -> None:
    assert Units("ratio").show(1e9) == Units("ratio").show(700)


@pytest.mark.parametrize(
    ("kind", "values", "decimals"),
    [
        ("number", [0, 10], 2),
        ("number", [0, 4860], 0),
        ("number", [0.91, 0.93], 5),
        ("number", [5, 5], 2),
        ("number", [], 2),
        ("time", [-14400, -15060], 1),
        ("time", [-9.58, -9.81], 4),
        ("number", [1e-12, 3e-12], 15),
    ],
)
def test_decimals_follow_the_margins(kind: str, values: list[float], decimals: int) -> None:
    race = Contests.from_arrays(["Rome"] * len(values), range(len(values)), values)
    assert units_of(kind, False, race).decimals == decimals
    judged = [values[-1] - values[0]] if values else []
    pair = Judgments.from_arrays("a" * len(judged), "b" * len(judged), judged)
    assert units_of(kind, False, pair).decimals == decimals


def test_the_levels_of_contests_take_no_decimals_away() -> None:
    times = [-25.01, -25.03, -60.5, -60.52, -1000.0, -1000.01]
    swims = Contests.from_arrays([50, 50, 100, 100, 1500, 1500], ["Ann", "Bob"] * 3, times)
    assert units_of("time", True, swims).show(0.0156) == "+0:00.0156"


SUMMARY = Summary(
    rows=30,
    used=15,
    left_out=(LeftOut("DNF", tuple(range(2, 16))), LeftOut("duplicate", (20,))),
    notes=("a note",),
    warnings=("a warning",),
)


def test_a_summary_in_words() -> None:
    assert SUMMARY.lines() == [
        "read 30 rows, used 15",
        "left out 14 rows: DNF (lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 4 more)",
        "left out 1 row: duplicate (line 20)",
        "a note",
        "warning: a warning",
    ]


def test_a_summary_for_json() -> None:
    assert json.loads(json.dumps(SUMMARY.to_dict())) == {
        "rows": 30,
        "used": 15,
        "left_out": [
            {"reason": "DNF", "count": 14, "lines": list(range(2, 16))},
            {"reason": "duplicate", "count": 1, "lines": [20]},
        ],
        "notes": ["a note"],
        "warnings": ["a warning"],
    }
