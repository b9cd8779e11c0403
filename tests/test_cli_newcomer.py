"""A newcomer's file: other column names, semicolons, decimal commas, a byte order mark."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from qrja.cli import run

COLUMNS = ["--contest", "Turnier", "--contestant", "Spieler", "--score", "Punkte"]


@pytest.fixture
def chess(paper_data: Path, tmp_path: Path) -> Path:
    with (paper_data / "chess.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    path = tmp_path / "schach.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["Turnier", "Spieler", "Platz", "Punkte"])
        writer.writerows(
            [it["event"], it["contestant"], it["place"], it["score"].replace(".", ",")]
            for it in rows
        )
    return path


def test_the_first_try_leads_to_the_options(
    chess: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", str(chess)]) == 2
    err = capsys.readouterr().err
    assert "the columns are 'Turnier', 'Spieler', 'Platz', 'Punkte'" in err
    assert "--contest COLUMN --contestant COLUMN --score COLUMN" in err


def test_every_question_is_answered(chess: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(chess), *COLUMNS, "--top", "3"]) == 0
    out, err = capsys.readouterr()
    assert "Garry Kasparov" in out.splitlines()[1]
    assert "read 1,080 rows, used 1,080" in err
    config = chess.with_name("qrja.toml")
    config.write_text('contest = "Turnier"\ncontestant = "Spieler"\nscore = "Punkte"\n')
    players = ["Garry Kasparov", "Magnus Carlsen"]
    assert run(["predict", str(chess), "--start-list", ",".join(players), "-q"]) == 0
    assert run(["explain", str(chess), *players, "-q"]) == 0
    assert run(["trust", str(chess), "-q"]) == 0
    assert "Garry Kasparov is rated" in capsys.readouterr().out


def test_a_name_in_another_case_is_offered_alone(
    chess: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", str(chess), "garry kasparov", "Magnus Carlsen", *COLUMNS, "-q"]) == 2
    assert capsys.readouterr().err == (
        "qrja: no contestant 'garry kasparov'; did you mean 'Garry Kasparov'?\n"
    )
