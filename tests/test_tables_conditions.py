"""Conditions on rows, and groups of them, by options only."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import qrja
from qrja.cli import run
from qrja.tables import find_groups
from test_tables_documents import refused
from test_tables_read import read

RACES = """race,runner,time,category,km,day
A,Ann,4:00,F,10,14.04.2024
A,Bob,4:10,M,10,14.04.2024
A,Eve,4:20,F,"10,0",14.04.2024
A,Dan,4:30,M,5,02.05.2024
A,Fay,4:40,,5,02.05.2024
A,Gus,4:50,O'Hara,5,02.05.2024
"""


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("category = 'F'", "Ann Eve"),
        ("category = F", "Ann Eve"),
        ('"category" == "F"', "Ann Eve"),
        ("category != 'F' and category is not empty", "Bob Dan Gus"),
        ("not category = F", "Bob Dan Fay Gus"),
        ("category in (F, 'M')", "Ann Bob Eve Dan"),
        ("category not in (F, 'M')", "Fay Gus"),
        ("category is empty or category = 'O''Hara'", "Fay Gus"),
        ("km = 10", "Ann Bob Eve"),
        ("km < 10", "Dan Fay Gus"),
        ("km >= 10 and (runner = 'Ann' or runner = Bob)", "Ann Bob"),
        ("time <= 4:10", "Ann Bob"),
        ("day > '2024-04-30'", "Dan Fay Gus"),
        ("day <= 2024-04-14 AND category <> M", "Ann Eve"),
    ],
)
def test_rows_for_which_it_holds(where: str, names: str) -> None:
    table = read(RACES, where=where, date="")
    assert table.problem.names == tuple(names.split())
    assert table.summary.rows == 6
    assert table.reading == {"where": where, "date": ""}


def test_rows_left_out_by_wish_are_counted() -> None:
    table = read(RACES.replace("4:30", "fast"), where="category = 'F'", date="")
    assert table.summary.lines()[:2] == [
        "read 6 rows, used 2",
        "left out 4 rows: not category = 'F'",
    ]
    with pytest.raises(qrja.InputError, match=r"^the file:5: 'fast' is neither"):
        read(RACES.replace("4:30", "fast"), where="category = 'M'", date="")
    wide = read("task,area,x,y\nm,math,1,2\nc,code,3,4\nd,code,,5\n", where="area = code")
    assert wide.summary.lines()[:3] == [
        "read 6 cells, used 3",
        "left out 2 cells: not area = code",
        "left out 1 cell: no score (line 4)",
    ]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("category = 'f'", "the file: the condition holds for no row; 'category' holds 'F', 'M',"),
        ("categorie = 'F'", "where: no column 'categorie'; the columns are 'race', "),
        ("category = 'F", 'where is "category = \'F": a quote has no end; write such as'),
        ("category", "where is 'category': something is missing at its end;"),
        ("category 'F'", "where is \"category 'F'\": after 'category' comes a sign such as"),
        ("category = F)", "where is 'category = F)': ')' is not expected there;"),
        ("(category = F", "where is '(category = F': a parenthesis has no end;"),
        ("category in F", "where is 'category in F': after in come values in parentheses;"),
        ("category is F", "where is 'category is F': after is comes empty, or not empty;"),
        ("km > many", "where: 'many' is neither a number, a time nor a date;"),
        ("runner > 5", "where: 'runner' holds no number, such as 'Ann'"),
        ("1 = 1; DROP TABLE loaded", "where is '1 = 1; DROP TABLE loaded': 'DROP' is not"),
        ("category = 'F' union select * from x", "where is \"category = 'F' union select * from"),
        ("x in (select 1)", "where is 'x in (select 1)': a parenthesis has no end;"),
        ("read_csv('/etc/passwd') = 1", "where is \"read_csv('/etc/passwd') = 1\": '(' is not"),
    ],
)
def test_bad_conditions(where: str, message: str) -> None:
    assert refused(io.BytesIO(RACES.encode()), where=where).startswith(message)


def test_groups_of_a_table() -> None:
    source = io.BytesIO(RACES.encode())
    assert find_groups(source, "category", where="km = 5") == {
        "F": "(km = 5) and category = 'F'",
        "M": "(km = 5) and category = 'M'",
        "(empty)": "(km = 5) and category is empty",
        "O'Hara": "(km = 5) and category = 'O''Hara'",
    }
    tables = qrja.read_groups(source, "race,category", date="")
    assert {label: table.problem.names for label, table in tables.items()} == {
        "A, F": ("Ann", "Eve"),
        "A, M": ("Bob", "Dan"),
    }
    with pytest.raises(qrja.InputError, match="no column 'sex' to group by; the columns are"):
        qrja.read_groups(source, "sex")


@pytest.fixture
def races(tmp_path: Path) -> Path:
    path = tmp_path / "races.csv"
    path.write_text(RACES)
    return path


def told(capsys: pytest.CaptureFixture[str], *arguments: Any) -> tuple[str, str]:
    assert run([str(it) for it in arguments]) == 0
    out, err = capsys.readouterr()
    return out, err


def test_a_board_for_each_group(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("rank", races, "--date", "", "--by", "category", "--no-intervals")
    out, err = told(capsys, *command)
    assert [line for line in out.splitlines() if line.startswith("category")] == [
        "category: F",
        "category: M",
    ]
    assert out.split("category: M")[0].splitlines()[2].split()[:2] == ["1", "Ann"]
    assert "warning: category (empty) is left out: " in err
    out, _ = told(capsys, *command, "--json", "-q")
    answer = json.loads(out)
    assert list(answer["groups"]) == ["F", "M"]
    assert list(answer["left_out"]) == ["(empty)", "O'Hara"]
    assert answer["groups"]["M"]["summary"]["used"] == 2
    told(capsys, *command, "-o", races.with_name("board.csv"))
    assert races.with_name("board-F.csv").exists()
    assert "Bob" in races.with_name("board-M.csv").read_text()


def test_groups_that_cannot_be(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", "dataset:football", "--by", "home"]) == 2
    assert "--by needs a table in a file" in capsys.readouterr().err
    assert run(["trust", str(races), "--by", "runner"]) == 2
    assert "no contest has two contestants" in capsys.readouterr().err
