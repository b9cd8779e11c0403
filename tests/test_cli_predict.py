"""``qrja predict``: a start list in words and numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qrja
from qrja.cli import run

RACES = Path(__file__).parent / "examples" / "races.csv"


def test_margins_chances_and_places_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", str(RACES), "--start-list", "Charlie, Alice,Bob", "-q"]) == 0
    entrants, pairs = capsys.readouterr().out.split("\n\n")
    assert entrants.splitlines()[0].split("  ")[0] == "contestant"
    assert [line.split()[0] for line in entrants.splitlines()[1:]] == ["Alice", "Bob", "Charlie"]
    assert pairs.splitlines()[1].split()[:3] == ["Alice", "Bob", "+10:09"]
    assert len(pairs.splitlines()) == 1 + 3


def test_things_that_are_judged_are_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "verdicts.csv"
    table.write_text("a,b,verdict\n" + "x,y,A>B\ny,z,A>>B\nz,x,B>A\n" * 9 + "p,q,A>B\n")
    assert run(["predict", str(table), "--start-list", "x,y", "-q"]) == 0
    assert capsys.readouterr().out.split()[0] == "item"
    for command, told in (
        (["predict", "--start-list", "no,on"], "nobody of the start list is rated: no item 'no'"),
        (["predict", "--start-list", "x,p"], "no chain of judgments joins them; a judgment with"),
        (["explain", "x", "none"], "no item 'none'"),
        (["explain", "x", "x"], "name two different items"),
    ):
        assert run([command[0], str(table), *command[1:], "-q"]) == 2
        assert told in capsys.readouterr().err
    assert run(["explain", str(table), "x", "p", "-q"]) == 0
    assert "x is joined to 2 other items" in " ".join(capsys.readouterr().out.split())


def test_json_is_the_prediction_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["predict", str(RACES), "--start-list", "Alice,Bob,Charlie", "--level", "0.5"]
    assert run([*command, "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    expected = qrja.fit(RACES).predict(["Alice", "Bob", "Charlie"])
    pair = told["pairs"][0]
    assert pair["a_beats_b"] == pytest.approx(expected.probability("Alice", "Bob"))
    assert (pair["low"], pair["high"]) == pytest.approx(
        expected.margin_interval("Alice", "Bob", 0.5)
    )
    assert sum(entrant["win"] for entrant in told["entrants"]) == pytest.approx(1)
    assert told["entrants"][0]["places"] == pytest.approx(expected.places[0].tolist())


def test_ties_are_told_where_there_are_such(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["predict", "dataset:football", "--start-list", "Barcelona,Sevilla"]
    assert run(command) == 0
    told = capsys.readouterr()
    header, pair = told.out.strip().splitlines()[-2:]
    assert header.split()[-4:] == ["a", "beats", "b", "tie"]
    assert 10 < float(pair.split()[-1].removesuffix("%")) < 30
    assert "a tie counts half" in told.err
    assert run(["predict", str(RACES), "--start-list", "Alice,Bob", "-q"]) == 0
    assert "tie" not in capsys.readouterr().out


def test_start_lists_from_files_and_with_commas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "races.csv"
    table.write_text(RACES.read_text().replace("Alice", '"Smith, Alice"'), encoding="utf-8")
    start = tmp_path / "start.txt"
    start.write_text("Smith, Alice\n\nBob\n", encoding="utf-8-sig")
    assert run(["predict", str(table), "--start-list", f"@{start}", "-q"]) == 0
    from_file = capsys.readouterr().out
    assert run(["predict", str(table), "--start-list", '"Smith, Alice",Bob', "-q"]) == 0
    assert capsys.readouterr().out == from_file


def test_long_start_lists_show_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    teams = "Barcelona,Valencia,Sevilla,Atletico,Eibar,Celta,Malaga"
    assert run(["predict", "dataset:football", "--start-list", teams]) == 0
    out, err = capsys.readouterr()
    assert len(out.split("\n\n")[1].splitlines()) == 1 + 6
    assert "neighbours only; --json holds every pair" in err


def test_out_holds_the_entrants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "start.csv"
    assert run(["predict", str(RACES), "--start-list", "Alice,Bob", "--out", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert out.read_text() == (
        "contestant,wins,expected place,rating\nAlice,>99%,1.0,+9:34\nBob,<1%,2.0,-0:34\n"
    )
    command = ["predict", str(RACES), "--start-list", "Alice,Bob", "--raw", "--out", str(out)]
    assert run(command) == 0
    assert out.read_text().startswith("contestant,rating,expected,spread,win,expected_place\nAlice")


def test_newcomers_are_forecast_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", str(RACES), "--start-list", "Alice,Bbo"]) == 0
    out, err = capsys.readouterr()
    assert "Bbo" in out
    assert "Bbo is new: forecast as anybody of the 3 rated, give or take" in err
    assert "nobody is called 'Bbo'; did you mean 'Bob'?" in err


def test_a_file_of_names_may_have_a_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "start.txt"
    names.write_text("Name\nAlice\nBob\n")
    assert run(["predict", str(RACES), "--start-list", f"@{names}"]) == 0
    out, err = capsys.readouterr()
    assert "the first line, 'Name', is taken for a header" in err
    assert "Name" not in out


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("Alice", "the start list is of one, 'Alice'; name at least two"),
        ("", "the start list is of nobody; name at least two"),
        ("Bbo,Zoe", "nobody of the start list is rated: no contestant 'Bbo'; did you mean 'Bob'?"),
        ("Alice,Bob,Alice", "names 'Alice' twice"),
        ("@absent.txt", "absent.txt: cannot be read: No such file"),
    ],
)
def test_mistakes_in_a_start_list(
    start: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["predict", str(RACES), "--start-list", start, "-q"]) == 2
    assert message in capsys.readouterr().err
