"""Verdicts in words, as judges of models and of matches write them."""

from __future__ import annotations

import numpy as np
import pytest

import qrja
from qrja.tables.values import read_grades
from qrja.tables.values.verdict_words import Preference, read_verdict
from test_tables_read import read
from test_tables_wide import refused


@pytest.mark.parametrize(
    ("text", "sign", "strength"),
    [
        ("A>>B", 1, 2),
        ("A > B", 1, 1),
        ("B>>A", -1, 2),
        ("A<<B", -1, 2),
        ("[[A>B]]", 1, 1),
        ("A≫B", 1, 2),
        ("A=B", 0, 0),
        ("A==B", 0, 0),
        ("A≈B", 0, 0),
        ("model_a", 1, 2),
        ("modelB", -1, 2),
        ("Assistant A", 1, 2),
        ("left", 1, 2),
        ("second", -1, 2),
        ("tie", 0, 0),
        ("Tie (bothbad)", 0, 0),
        ("both_bad", 0, 0),
        ("about the same", 0, 0),
        ("draw", 0, 0),
        ("A wins", 1, 2),
        ("loss", -1, 2),
        ("better", 1, 2),
        ("much better", 1, 3),
        ("a bit worse", -1, 1),
        ("slightly worse", -1, 1),
        ("B is significantly better than A", -1, 3),
        ("Strongly prefer B", -1, 3),
        ("Response 1 is slightly better", 1, 1),
    ],
)
def test_one_verdict(text: str, sign: int, strength: int) -> None:
    assert read_verdict(text) == Preference(sign, strength)


@pytest.mark.parametrize("text", ["Ann", "A>C", "4:10", "much", "A>A", ">", "", "A better idea"])
def test_no_verdict(text: str) -> None:
    assert read_verdict(text) is None


@pytest.mark.parametrize(
    ("text", "y", "note"),
    [
        (
            "model_a,model_b,winner\nx,y,model_a\ny,z,tie\nx,z,model_b\n",
            [1, 0, -1],
            "verdicts count: model_a 1, tie 0, model_b -1; --grades sets other numbers",
        ),
        (
            "left,right,winner\nx,y,left\ny,z,right\nx,z,both bad\n",
            [1, -1, 0],
            "verdicts count: left 1, both bad 0, right -1; --grades sets other numbers",
        ),
        (
            "a,b,winner\nx,y,x\ny,z,z\nx,z,draw\n",
            [1, -1, 0],
            "verdicts count: the winner 1, draw 0; --grades sets other numbers",
        ),
        (
            "a,b,winner\nx,y,1\ny,z,2\n",
            [1, -1],
            "verdicts count: 1 1, 2 -1; --grades sets other numbers",
        ),
        (
            "a,b,verdict\nx,y,A>>B\ny,z,B>A\n",
            [2, -1],
            "verdicts count: A>>B 2, B>A -1; --grades sets other numbers, --grades fitted fits them"
            " to the data",
        ),
        (
            "a,b,preference\nx,y,much better\ny,z,slightly worse\n",
            [2, -1],
            "verdicts count: much better 2, slightly worse -1; --grades sets other numbers,"
            " --grades fitted fits them to the data",
        ),
        ("winner,loser\nx,y\ny,z\n", [1, 1], "no margins: every row counts 1 for the winner"),
        (
            "event,winner,loser,score\nE,x,y,6-4\nE,y,z,7-6\n",
            [1, 1],
            "no margins: every row counts 1 for the winner",
        ),
    ],
)
def test_columns_of_verdicts(text: str, y: list[float], note: str) -> None:
    table = read(text)
    assert table.problem.y.tolist() == y
    assert table.summary.notes[-1] == note


def test_rows_without_a_verdict_are_left_out() -> None:
    table = read("left,right,winner\nx,y,left\ny,z,ignore\nx,z,\ny,z,right\n")
    assert table.summary.lines()[:3] == [
        "read 4 rows, used 2",
        "left out 1 row: ignore (line 3)",
        "left out 1 row: no verdict (line 4)",
    ]


def test_grades_as_said() -> None:
    text = "a,b,y\nx,y,A>>B\ny,z,B>A\nx,z,meh\n"
    table = read(text, grades="A>>B=3,A>B=0.5,meh=0")
    assert table.problem.y.tolist() == [3, -0.5, 0]
    assert table.grades == {"A>>B": 3.0, "meh": 0.0, "B>A": -0.5}
    assert table.reading == {"grades": "A>>B=3,A>B=0.5,meh=0"}
    assert read(text, grades={"A>>B": 3, "A>B": 0.5, "meh": 0}).problem.y.tolist() == [3, -0.5, 0]
    assert read("a,b,y\nx,y,3\ny,z,1\n", grades="3=1,1=-1").problem.y.tolist() == [1, -1]
    assert read("a,b\nx,y\ny,z\n", y="").problem.y.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "a,b,y\nx,y,A>B\ny,z,meh\nx,z,so so\n",
            {},
            ":3: no grade is known for 'meh', 'so so'; give what each counts, such as"
            ' --grades "meh=1"',
        ),
        (
            "a,b,winner\nx,y,z\ny,z,tie\n",
            {},
            ":2: the winner 'z' is neither 'x' nor 'y'; name one of the two, or a tie",
        ),
        (
            "a,b,winner\nx,y,0\ny,z,1\n",
            {},
            ":2: no grade is known for '0'; give what each counts, such as --grades \"0=1\"",
        ),
        (
            "a,b,y\nx,y,Ann\ny,z,Bob\n",
            {},
            ":2: 'Ann' is neither a number nor a time like 4:10:00, nor is anything in its column;"
            " is that the column of the margins?",
        ),
    ],
)
def test_bad_verdicts(text: str, options: dict[str, str], message: str) -> None:
    assert refused(text, **options) == message


def test_bad_grades() -> None:
    for grades in ("A>>B", "A>>B=x", "=3", 7, {"A>B": "much"}, {1: 1}):
        with pytest.raises(
            qrja.InputError, match=r"^grades is .*; give what verdicts count, such as"
        ):
            read_grades(grades)
    numbers = refused("a,b,y\nx,y,1\ny,z,2\n", grades="fitted")
    assert numbers == "grades are for verdicts in words, and these margins are numbers"


def test_ratios_that_are_not_positive_may_be_left_out() -> None:
    text = "a,b,ratio\nx,y,2\ny,z,0\nx,z,4\nz,x,-1\n"
    assert refused(text).endswith(":3: the ratio is 0; give a positive number")
    skipped = read(text, on_error="skip")
    assert np.exp(skipped.problem.y).round(6).tolist() == [2, 4]
    assert skipped.summary.lines()[1] == "left out 2 rows: the ratio is not positive (lines 3, 5)"


def test_verdicts_that_nobody_knows_may_be_left_out() -> None:
    text = "a,b,verdict\nx,y,A>>B\ny,z,wonderful\nz,x,A>B\nq,x,meh\n"
    assert refused(text).endswith(
        ":3: no grade is known for 'wonderful', 'meh'; give what each counts, such as"
        ' --grades "wonderful=1"'
    )
    skipped = read(text, on_error="skip")
    assert skipped.problem.y.tolist() == [2, 1]
    assert skipped.summary.lines()[1] == "left out 2 rows: cannot be read (lines 3, 5)"
    named = read(text, left_out="Meh, wonderful")
    assert named.problem.y.tolist() == [2, 1]
    assert named.summary.lines()[1:3] == [
        "left out 1 row: wonderful (line 3)",
        "left out 1 row: meh (line 5)",
    ]
    assert named.grades == {"A>>B": 2, "A>B": 1}
