"""Contests that are refused, by the words of the message."""

import re

import numpy as np
import pytest

from qrja import Contests, InputError

NAN = float("nan")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            (["A", "A"], ["x", "x"], [1, 2]),
            "contest 'A' lists 'x' twice; keep one entry per contestant",
        ),
        ((["A"], ["x", "y"], [1, 2]), "contest has 1 rows and contestant has 2"),
        ((["A", "A"], ["x", "y"], [1]), "contest has 2 rows and score has 1"),
        (
            (["A", None], ["x", "y"], [1, 2]),
            "row 1: the contest is None; give it a name or leave the row out",
        ),
        (
            (["A", "A"], ["x", NAN], [1, 2]),
            "row 1: the contestant is nan; give it a name or leave the row out",
        ),
        (
            (["A", "A"], ["x", "y"], [1, NAN]),
            "row 1: the score is nan; give a finite number or leave the row out",
        ),
        (
            (["A"], ["x"], ["4:10:00"]),
            "row 0: the score is '4:10:00'; give a number",
        ),
        ((["A"], ["x"], [1], ["2020-01-01"] * 2), "contest has 1 rows and date has 2"),
        (
            (["A"], ["x"], [1], ["yesterday"]),
            'the dates are not all dates: Error parsing datetime string "yesterday" at position 0;'
            " write them as 2026-11-15",
        ),
        (
            (["A", "B"], ["x", "y"], [1, 2], ["2020-01-01", None]),
            "row 1: no date; date every contest or none",
        ),
        (
            (["A", "A"], ["x", "y"], [1, 2], ["2020-01-01", "2020-01-02"]),
            "row 1: contest 'A' has two dates, 2020-01-01T00:00:00 and 2020-01-02T00:00:00;"
            " give all its rows the same or name two contests",
        ),
        (
            (["A", "A"], ["x", "y"], [1, 2], None, [1, 2]),
            "row 1: contest 'A' has two weights, 1.0 and 2.0;"
            " give all its rows the same or name two contests",
        ),
        (
            (["A"], ["x"], [1], None, [0]),
            "row 0: the weight is 0; give a positive number or leave the row out",
        ),
    ],
)
def test_bad_columns(columns, message):
    with pytest.raises(InputError) as caught:
        Contests.from_arrays(*columns)
    assert str(caught.value) == message


GOOD = {
    "start": [0, 2],
    "who": [0, 1],
    "score": [1.0, 2.0],
    "names": ("x", "y"),
    "labels": ("A",),
    "weight": [1.0],
}
BAD_START = "start does not run from 0 to the number of entries, one step a contest"
BAD_WHO = "contestants are not numbered by first appearance; use Contests.from_arrays"
TWO = {"labels": ("A", "B"), "weight": [1.0, 1.0], "start": [0, 1, 2]}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"start": [0, 1]}, BAD_START),
        ({"start": [1, 2]}, BAD_START),
        ({"start": [0, 1, 2]}, BAD_START),
        ({"start": []}, BAD_START),
        (
            {**TWO, "labels": ("A", "B", "C"), "weight": [1.0] * 3, "start": [0, 2, 1, 2]},
            "start decreases; it holds the first entry of each contest, in order",
        ),
        ({"who": [1, 0]}, BAD_WHO),
        ({"who": [0, 2]}, "row 1: contestant number 2 is outside 0..1, the range of the names"),
        ({"who": [0, -1]}, "row 1: contestant number -1 is outside 0..1, the range of the names"),
        ({"names": ("x", "y", "z")}, BAD_WHO),
        ({"start": [0], "who": [], "score": [], "labels": (), "weight": []}, BAD_WHO),
        ({"score": [1.0]}, "who has 2 rows and score has 1"),
        ({"weight": [1.0, 1.0]}, "labels has 1 rows and weight has 2"),
        (
            {"who": [0, 0], "names": ("x",)},
            "contest 'A' lists 'x' twice; keep one entry per contestant",
        ),
        ({"date": ["2020-01-01"] * 2}, "1 contests have 2 dates"),
        ({"date": [None]}, "row 0: no date; date every contest or none"),
        (
            {**TWO, "date": ["2021-01-01", "2020-01-01"]},
            "contests are not in time order; use Contests.from_arrays",
        ),
        ({"pairs": "all"}, "pairs is 'all'; choose one of unit, mean, additive"),
    ],
)
def test_bad_fields(wrong, message):
    with pytest.raises(InputError) as caught:
        Contests(**{**GOOD, **wrong})
    assert str(caught.value) == message


def test_good_fields_are_accepted():
    assert Contests(**GOOD).m == 1
    assert Contests(**{**GOOD, **TWO}).m == 0


def test_with_pairs_checks_the_rule():
    with pytest.raises(InputError, match=r"^pairs is 'sum'; choose one of unit, mean, additive$"):
        Contests(**GOOD).with_pairs("sum")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"who": [0.0, 1.0]}, "the contestants are not numbers 0, 1, ...; use from_arrays"),
        ({"who": [0, 2**32 + 1]}, "row 1: contestant number 4294967297 is outside 0..1"),
        ({"who": ["a", "b"]}, "the contestants are not numbers"),
        ({"start": [0, 1.5]}, "the starts are not numbers"),
        ({"names": ("x", "x")}, "two candidates are called 'x'; give each a name of its own"),
        ({"score": [1.0, 1e200]}, "row 1: the score is 1e+200; give a smaller number"),
        ({"score": np.ma.array([1.0, 2.0], mask=[0, 1])}, "row 1: the score is nan"),
        ({"date": [2013]}, "2013 is a number; write them as 2026-11-15"),
        ({"date": ["2013-01-01T00:00:00+02:00"]}, "the dates are not all dates"),
        ({"date": "2013-01-01"}, "the dates have 0 dimensions"),
        ({"date": ["NaT"]}, "row 0: no date"),
    ],
)
def test_the_constructor_checks_every_field(changes, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Contests(**{**GOOD, **changes})


def test_numbered_entries_are_checked_too():
    one = np.ones(1)
    for group, who in [([-1], [0]), ([0], [5])]:
        with pytest.raises(InputError, match=r"is outside 0\.\.0"):
            Contests.from_numbers(
                np.array(group), np.array(who), one, names=("a",), labels=("r",), weight=one
            )


@pytest.mark.parametrize("label", [None, float("nan"), [1, 2]])
def test_a_label_must_be_a_name(label):
    with pytest.raises(InputError, match="the contestant"):
        Contests.from_arrays(["r", "r"], ["a", label], [1, 2])


def test_a_missing_label_of_pandas_is_missing():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="row 1: the contestant is <NA>; give it a name"):
        Contests.from_arrays(["r", "r"], ["a", pandas.NA], [1, 2])
