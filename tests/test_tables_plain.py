"""Small tidy files are read without the database, and nothing tells which of the two read them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qrja import InputError
from qrja.tables import read_table
from qrja.tables.sources import plain_cells

ODD = ["", " x", "y ", "a b", '"q"', "DNF", "é", "1_0", "3,5", "4:10", "nan", "NULL", "#", "'"]
NUMBERS = ["7", "-3", "2.50", "0.1", "1e3", "+5", "007", "-0", "123456789012345678"]
CELLS = st.sampled_from(["ann", "Bob", "\\N", *ODD, *NUMBERS])
ROWS = st.lists(
    st.tuples(st.sampled_from("ABC"), st.sampled_from(["ann", "bob", "cid"]), st.integers(-9, 9)),
    min_size=2,
    max_size=9,
)


def outcome(path: Path, **options: object) -> object:
    """What reading a file gives: all there is to see of the table, or what is said instead."""
    try:
        table = read_table(path, **options)
    except InputError as error:
        return str(error)
    problem = table.problem
    numbers = problem.who.tolist(), problem.start.tolist(), problem.score.tolist()
    labels = getattr(problem, "labels", None)
    return numbers, problem.names, labels, table.units, str(table.summary)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=ROWS,
    odd=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2), CELLS), max_size=2),
    end=st.sampled_from(["\n", "", "\r\n", "\n\n", "\n \n"]),
    delimiter=st.sampled_from(",;"),
)
def test_both_readers_see_the_same(
    rows: list[tuple[str, str, int]],
    odd: list[tuple[int, int, str]],
    end: str,
    delimiter: str,
    tmp_path: Path,
) -> None:
    cells = [[str(cell) for cell in row] for row in rows]
    for row, column, cell in odd:
        cells[row % len(cells)][column] = cell
    path = tmp_path / "races.csv"
    lines = [["race", "runner", "points"], *cells]
    path.write_text("\n".join(map(delimiter.join, lines)) + end, encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        ours = outcome(path)
        patch.setattr(plain_cells, "LARGEST", 0)
        assert ours == outcome(path)


@pytest.mark.parametrize(
    "options",
    [{"where": "points > 1"}, {"where": "judge = 'v'"}, {"scale": "rank"}, {"judge": "judge"}],
)
def test_questions_that_need_the_database_get_it(
    options: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "races.csv"
    path.write_text("race,runner,points,judge\nA,x,3,u\nA,y,2,u\nB,x,5,v\nB,y,1,v\nB,z,4,v\n")
    ours = outcome(path, **options)
    assert not isinstance(ours, str), ours
    monkeypatch.setattr(plain_cells, "LARGEST", 0)
    assert ours == outcome(path, **options)


def test_matches_are_numbered_left_to_right(tmp_path: Path) -> None:
    path = tmp_path / "matches.csv"
    path.write_text("home,away,home goals,away goals\nA,B,2,1\nC,A,0,4\n")
    problem = read_table(path).problem
    assert problem.names == ("A", "B", "C")
    np.testing.assert_array_equal(problem.score, [2, 1, 0, 4])


def test_a_small_file_loads_no_database(tmp_path: Path) -> None:
    path = tmp_path / "races.csv"
    path.write_text("race,runner,points\nA,x,3\nA,y,2\nB,x,5\nB,y,1\n")
    code = f"import sys; from qrja.tables import read_table; read_table({str(path)!r});"
    code += "sys.exit('duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
