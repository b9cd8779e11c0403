"""Data frames of three libraries hold the same table as a file; rows count from 0."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import qrja

MAKERS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "pyarrow": pa.table,
}
every_frame = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
Make = Callable[[dict[str, list[Any]]], Any]


@every_frame
def test_texts(make: Make) -> None:
    frame = make(
        {
            "race": ["A", "A", "B", "B", None],
            "runner": ["x", "y", "x", " y", None],
            "time": ["4:10", "4:20", "4:15", "DNF", None],
            "unused": [1, 2, 3, 4, 5],
        }
    )
    table = qrja.read_table(frame)
    assert table.problem.names == ("x", "y")
    assert table.problem.score.tolist() == [-250, -260, -255]
    assert table.summary.to_dict()["left_out"] == [
        {"reason": "empty row", "count": 1, "rows": [4]},
        {"reason": "DNF", "count": 1, "rows": [3]},
    ]
    assert table.summary.lines()[1:3] == [
        "left out 1 row: empty row (row 4)",
        "left out 1 row: DNF (row 3)",
    ]


@every_frame
def test_numbers_keep_their_type_as_names(make: Make) -> None:
    frame = make({"race": [1, 1, 2, 2], "runner": [7, 8, 7, 8], "score": [1.5, 2.5, None, 3]})
    table = qrja.read_table(frame)
    assert (table.problem.names, table.problem.labels) == ((7, 8), (1, 2))
    assert table.problem.score.tolist() == [1.5, 2.5, 3]
    assert table.summary.left_out == (qrja.LeftOut("no score", (2,)),)


@every_frame
def test_durations_and_clock_times(make: Make) -> None:
    for times in (
        [dt.timedelta(seconds=61.5), dt.timedelta(hours=1)],
        [dt.time(0, 1, 1, 500000), dt.time(1)],
    ):
        table = qrja.read_table(make({"race": [1, 1], "runner": ["x", "y"], "time": times}))
        assert table.units.kind == "time"
        assert table.problem.score.tolist() == [-61.5, -3600]


@every_frame
@pytest.mark.parametrize(
    "days",
    [
        [dt.date(2026, 2, 1), dt.date(2025, 1, 1)],
        [dt.datetime(2026, 2, 1), dt.datetime(2025, 1, 1)],
        ["2026-02-01", "2025-01-01"],
        [
            dt.datetime(2026, 2, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))),
            dt.datetime(2025, 1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))),
        ],
    ],
    ids=["date", "datetime", "text", "zoned"],
)
def test_dates(make: Make, days: list[Any]) -> None:
    frame = make(
        {
            "race": ["A", "A", "B", "B"],
            "runner": ["x", "y", "x", "y"],
            "score": [1, 2, 3, 4],
            "date": [days[0], days[0], days[1], days[1]],
        }
    )
    problem = qrja.read_contests(frame)
    assert problem.labels == ("B", "A")
    assert problem.date.astype("datetime64[D]").astype(str).tolist() == ["2025-01-01", "2026-02-01"]


@every_frame
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"a": ["p", "q"], "b": ["q", "r"], "y": [1, 2], "w": [1, 0]},
            "row 1: the weight is '0'; give a positive number",
        ),
        (
            {"a": ["p", "q"], "b": ["q", "r"], "y": ["1", "x"]},
            "row 1: 'x' is neither a number nor a time like 4:10:00;"
            " correct it, or leave it empty to leave the row out",
        ),
        (
            {"a": ["p", "q"], "b": ["q", "r"], "y": [1.0, float("inf")]},
            "row 1: the y is inf; give a finite number, or leave it empty to leave the row out",
        ),
        (
            {"a": [], "b": [], "y": []},
            "the data frame: the table has no rows; write one for each result",
        ),
        (
            {"a": ["p"], "b": ["q"], "z": [1]},
            "the data frame: no column looks like the y (y, margin, difference, diff, ...);"
            " the columns are 'a', 'b', 'z'; say which it is (--y COLUMN in the shell)",
        ),
    ],
)
def test_complaints(make: Make, columns: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_table(make(columns))
    assert str(caught.value) == message


def test_nan_is_missing_in_pandas_and_a_number_elsewhere() -> None:
    columns = {"a": ["p", "q"], "b": ["q", "r"], "y": [1.0, float("nan")]}
    assert qrja.read_judgments(pd.DataFrame(columns)).m == 1
    for make in (pl.DataFrame, pa.table):
        with pytest.raises(qrja.InputError, match=r"^row 1: the y is nan; give a finite number"):
            qrja.read_table(make(columns))


def test_categories() -> None:
    frame = pd.DataFrame(
        {"race": ["A", "A"], "runner": ["x", "y"], "score": ["1", "2"]}, dtype="category"
    )
    assert qrja.read_contests(frame).names == ("x", "y")
    polars = pl.DataFrame(
        {"race": ["A", "A"], "runner": ["x", "y"], "score": ["1", "2"]},
        schema={"race": pl.Categorical, "runner": pl.Enum(["y", "x"]), "score": pl.Categorical},
    )
    assert qrja.read_contests(polars).names == ("x", "y")


def test_numbers_with_gaps_in_pandas() -> None:
    frame = pd.DataFrame(
        {"race": [1.0, 1.0, None], "runner": [7.0, 8.0, None], "score": [1, 2, None]}
    )
    problem = qrja.read_contests(frame)
    assert (problem.names, problem.labels) == (("7", "8"), ("1",))
    holey = pl.DataFrame({"race": [1.0, float("nan")], "runner": [7.5, 8.0], "score": [1, 2]})
    with pytest.raises(qrja.InputError, match=r"^row 1: the contest is empty; give it a name$"):
        qrja.read_table(holey)


def test_a_column_called_read_makes_no_file() -> None:
    frame = pd.DataFrame({"race": [1, 1], "runner": [2, 3], "score": [4, 5], "read": [6, 7]})
    assert qrja.read_contests(frame).m == 1


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame([[1, 2, 3]], columns=["a", "b", "b"]),
            "the data frame: two columns have the same name; rename one",
        ),
        (
            pd.DataFrame([[1, 2, 3]]),
            "the data frame: the column 0 is not named by a text; rename it",
        ),
    ],
)
def test_odd_headers_of_pandas(frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_table(frame)
    assert str(caught.value) == message


def test_a_frame_of_one_library_needs_no_other() -> None:
    code = """
import sys
sys.modules["pandas"] = sys.modules["pyarrow"] = None
import polars, qrja
frame = polars.DataFrame({"race": ["A", "A"], "runner": ["x", "y"], "score": [1, 2]})
print(qrja.read_contests(frame).names, qrja.read_contests(frame.lazy()).m)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "('x', 'y') 1\n"
