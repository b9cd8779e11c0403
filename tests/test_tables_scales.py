"""Scales on which scores of different contests compare, and a season that needs one."""

from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qrja
from qrja.cli import run
from qrja.tables.values.score_scales import rescale
from reference.sheets import Cell, write_xlsx
from test_tables_documents import refused
from test_tables_read import read

TWO = "race,runner,time\n5k,Ann,20:00\n5k,Bob,22:00\n50k,Ann,200:00\n50k,Bob,220:00\n"


def test_percent_are_the_same_over_any_distance() -> None:
    table = read(TWO, scale="log")
    margins = table.problem.score[::2] - table.problem.score[1::2]
    assert margins.tolist() == pytest.approx([math.log(1.1)] * 2)
    assert table.units.show(margins[0]) == "+10.00%"
    assert table.units.as_written(table.problem.score[:1]).tolist() == pytest.approx([1200.0])
    assert table.units.show_written(1200.0) == "20:00"
    assert table.summary.notes[-1] == (
        "the scale is logarithmic: ratings are in percent, and plus is better"
    )
    assert table.reading == {"scale": "log"}


@pytest.mark.parametrize("scale", ["sd", "mad", "range", "rank"])
def test_a_contest_in_other_units_counts_the_same(scale: str) -> None:
    points = np.array([1.0, 2.0, 4.0, 8.0, 8.0])
    contest = np.zeros(5, dtype=np.int32)
    once = rescale(scale, points, contest, False)  # type: ignore[arg-type]
    again = rescale(scale, 1000 * points - 7, contest, False)  # type: ignore[arg-type]
    assert np.diff(once) == pytest.approx(np.diff(again))
    assert (np.diff(once) >= 0).all()
    level = rescale(scale, np.full(5, 3.0), contest, False)  # type: ignore[arg-type]
    assert np.ptp(level) == 0


@settings(max_examples=20)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=8))
def test_ranks_are_the_share_beaten(points: list[int]) -> None:
    scores = np.array(points, dtype=float)
    told = rescale("rank", scores, np.zeros(len(points), dtype=np.int32), False)
    slow = [
        sum((a > b) + (a == b) / 2 for j, b in enumerate(points) if i != j) / (len(points) - 1)
        for i, a in enumerate(points)
    ]
    assert told.tolist() == pytest.approx(slow)


def test_bad_scales() -> None:
    source = io.BytesIO(b"race,runner,points\nA,x,3\nA,y,0\n")
    assert refused(source, scale="log") == (
        "the file:3: the score is 0; the logarithmic scale needs positive scores, correct it or"
        " choose another scale"
    )
    assert refused(source, scale="ln") == "scale is 'ln'; choose one of log, sd, mad, range, rank"
    assert refused(io.BytesIO(b"a,b,y\nx,y,1\n"), scale="sd") == (
        "scale is for contests of several entrants, and this table has pairs"
    )


def season(kilometres: tuple[int, ...] = (5, 10, 42)) -> tuple[list[list[Cell]], list[str]]:
    """Draw eight events of three distances, with misspellings and DNF; and runners, best first."""
    rng = np.random.default_rng(3)
    names = [f"Läufer{k:02d}, {'Ingrid' if k % 2 else 'Jörg'}" for k in range(24)]
    pace = np.exp(np.linspace(0.0, 0.5, 24))
    rows: list[list[Cell]] = [["Ergebnisse der Saison 2024"], []]
    rows += [["Lauf", "Strecke", "Name", "Zeit", "Datum", "AK"]]
    for event in range(8):
        for km in kilometres:
            for k in rng.choice(24, 14, replace=False).tolist():
                seconds = 240.0 * km * pace[k] * math.exp(rng.normal(0, 0.03))
                time: Cell = ("time", round(seconds, 1))
                if rng.random() < 0.05:
                    time = "Aufg." if rng.random() < 0.5 else "nicht angetreten"
                name = names[k] if rng.random() > 0.1 else names[k].replace(", ", ",").upper()
                day: Cell = ("date", 45396.0 + 7 * event)
                rows.append([f"Lauf {event}", f"{km} km", name, time, day, "WM"[k % 2]])
    return rows, names


def test_a_german_season_from_sheet_to_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
    rows, names = season()
    path = write_xlsx(tmp_path / "saison.xlsx", {"Ergebnisse": rows, "Notizen": [["leer"]]})
    command = ["rank", str(path), "--contest", "Lauf,Strecke", "--scale", "log"]
    assert run([*command, "--aliases", "alike", "--no-intervals"]) == 0
    out, err = capsys.readouterr()
    board = [line for line in out.splitlines()[1:] if line.strip()]
    assert len(board) == 24
    assert names[0].split(",")[0] in board[0]
    assert "%" in board[0]
    assert "skipped 1 line above the header, which is line 3: 'Ergebnisse der Saison 2024'" in err
    assert "contestant is 'Name', score is 'Zeit', date is 'Datum'" in err
    assert ": DNF (lines" in err
    assert "read as another name" in err
    assert run([*command, "--by", "AK", "--no-intervals", "-q"]) == 0
    assert sorted(line for line in capsys.readouterr().out.splitlines() if "AK" in line) == [
        "AK: M",
        "AK: W",
    ]


def test_trust_recommends_a_scale() -> None:
    rows, _ = season()
    header, *lines = rows[2:]
    timed = [line for line in lines if isinstance(line[3], tuple)]
    frame = {
        str(name): [cell[1] if isinstance(cell, tuple) else cell for cell in column]
        for name, column in zip(header, zip(*timed, strict=True), strict=True)
    }
    polars = pytest.importorskip("polars")
    table = polars.DataFrame(frame)
    options = {"lower_is_better": True, "date": "", "aliases": "alike"}
    apart = qrja.fit(table, contest="Lauf,Strecke", **options).trust()
    assert apart["scales"].suggestion.startswith("Let ratings be in percent: --scale log")
    assert apart.verdict.startswith("Use with care: margins that grow with the scores")
    pooled = qrja.fit(table, contest="Lauf", **options).trust()
    assert pooled["scales"].level == "warning"
    assert pooled["scales"].suggestion == "Name contests by more columns: --contest event,distance."
    assert "Sound" not in pooled.verdict
    percent = qrja.fit(table, contest="Lauf,Strecke", scale="log", **options).trust()
    assert "scales" not in {finding.kind for finding in percent.findings}
    named = qrja.fit(table, contest="Lauf,Strecke", lower_is_better=True, date="").trust()
    assert named["names"].short == "names that look alike"


def test_trust_points_out_names_that_look_alike() -> None:
    odd = "Ann; if they are, Bea"  # no words of ours are looked for in what others wrote
    judged = qrja.Judgments.from_arrays([odd, "Bob"], [odd.upper(), odd], [1, 2])
    finding = qrja.fit(judged).trust()["names"]
    assert (finding.number, finding.sentence) == (
        2.0,
        f"2 of 3 names look like another: '{odd}' and '{odd.upper()}'.",
    )
    assert finding.suggestion == (
        "If they are the same, --aliases alike reads each as one, and --aliases FILE those it"
        " lists."
    )


def test_trust_names_the_contest_that_outweighs() -> None:
    rng = np.random.default_rng(0)
    score = rng.normal(size=(12, 5))
    score[3] *= 50
    contests = qrja.Contests.from_arrays(
        np.repeat(np.arange(12), 5), np.tile(np.arange(5), 12), score.ravel()
    )
    finding = qrja.fit(contests).trust()["scales"]
    assert finding.sentence.startswith("3 holds ")
    assert finding.suggestion.startswith("Put contests on one scale: --scale sd")
