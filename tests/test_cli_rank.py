"""``qrja rank``: intervals, model options, saved ratings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qrja
from qrja.cli import run

RACES = Path(__file__).parent / "examples" / "races.csv"


def board(capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, object]]:
    assert run(["rank", str(RACES), "--json", "-q", *options]) == 0
    told = json.loads(capsys.readouterr().out)
    return [row for group in told["components"] for row in group["leaderboard"]]


def test_intervals_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    rows = board(capsys, "--level", "0.8", "--resamples", "50", "--seed", "3")
    table = qrja.fit(RACES).table(level=0.8, resamples=50, seed=3)
    assert [row["low"] for row in rows] == table["low"]
    assert [row["high"] for row in rows] == table["high"]
    assert [row["tied_for_first"] for row in rows] == table["tied_for_first"]


def test_the_table_shows_intervals_and_fits_a_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", str(RACES)]) == 0
    head, first, *_ = capsys.readouterr().out.splitlines()
    assert head.split() == ["rank", "contestant", "rating", "low", "high", "ranks", "contests"]
    assert first.split()[:3] == ["1", "Alice", "+9:34"]
    file = tmp_path / "long.csv"
    file.write_text(RACES.read_text().replace("Alice", "A" * 120))
    assert run(["rank", str(file), "-q"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) == 80
    assert "A…" in lines[1]


def test_without_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert "low" not in board(capsys, "--no-intervals")[0]
    assert run(["rank", str(RACES), "--no-intervals", "-q"]) == 0
    assert "low" not in capsys.readouterr().out


def test_too_few_contests_for_intervals_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.csv"
    file.write_text("".join(RACES.read_text().splitlines(keepends=True)[:3]))
    assert run(["rank", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "low" not in out
    assert "no intervals: they need at least 3 contests" in err


def test_too_few_judges_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "judged.csv"
    file.write_text("a,b,y,judge\na,b,1,X\nb,c,1,Y\na,c,3,X\na,b,2,Y\n")
    assert run(["rank", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "low" not in out
    assert "no intervals: 2 judges; it takes at least 3 to see how far they disagree;" in err
    assert '--judge "" (judge="" in Python) takes each judgment by itself' in err
    assert run(["rank", str(file), "--judge", ""]) == 0
    assert "low" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--p", "1"], {"p": 1}),
        (["--loss", "huber:60"], {"loss": qrja.losses.Huber(60)}),
        (["--half-life", "2 contests"], {"half_life": "2 contests"}),
        (["--half-life", "2"], {"half_life": 2}),
        (["--ridge", "0.5"], {"ridge": 0.5}),
        (["--anchor", "Bob=+10:00"], {"anchors": {"Bob": 600}}),
        (["--anchor", "Bob=0", "--anchor", "Alice=600"], {"anchors": {"Bob": 0, "Alice": 600}}),
    ],
)
def test_model_options_are_those_of_fit(
    options: list[str], arguments: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = board(capsys, "--no-intervals", *options)
    expected = qrja.fit(RACES, **arguments).leaderboard()
    assert [(row["contestant"], row["rating"]) for row in rows] == [
        (row.contestant, pytest.approx(row.rating)) for row in expected
    ]


def test_saved_ratings_are_a_file_for_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = str(tmp_path / "league.qrja")
    assert run(["rank", str(RACES), "--save", saved, "--p", "1"]) == 0
    before, err = capsys.readouterr()
    assert f"wrote {saved}" in err
    assert run(["rank", saved]) == 0
    after, err = capsys.readouterr()
    assert after == before
    assert "loaded ratings of 3 contestants from 3 contests" in err
    assert run(["trust", saved, "-q"]) == 0
    assert run(["explain", saved, "Alice", "Bob", "-q"]) == 0


def test_saved_ratings_are_not_made_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = str(tmp_path / "league.qrja")
    qrja.fit(RACES).save(saved)
    assert run(["rank", saved, "--half-life", "3"]) == 2
    assert "holds ratings, so --half-life comes too late" in capsys.readouterr().err
    assert run(["rank", str(RACES), "--save", str(tmp_path / "league.zip")]) == 2
    assert "let the name end in .qrja" in capsys.readouterr().err


def test_a_loss_beyond_all_numbers_is_null_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "races.csv"
    file.write_text("race,runner,score\nA,x,100\nA,y,3\nA,z,5\nB,y,900\nB,x,1\nB,z,7\n")
    assert run(["rank", str(file), "--p", "200", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["objective"], told["status"]) == (None, "optimal")
    assert told["gap"] < 1e-8


def test_an_option_given_twice_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", "races.csv", "--contest", "event", "--contest", "distance"]) == 2
    told = "qrja: --contest is given twice; give it once; several columns: --contest A,B"
    assert capsys.readouterr().err.strip() == told
    assert run(["rank", "races.csv", "--top", "1", "--top", "2"]) == 2
    assert capsys.readouterr().err.strip() == "qrja: --top is given twice; give it once"


@pytest.mark.parametrize("option", [["--min-contests", "2"], ["--columns", "rating"], ["--raw"]])
def test_differences_refuse_what_is_for_boards(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", "dataset:marathons", "--against", "Bob", *option]) == 2
    told = f"qrja: --against prints differences, without {option[0]}; leave one of them out"
    assert capsys.readouterr().err.strip() == told


def test_columns_name_a_contest_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "season.csv"
    path.write_text(
        "event,km,first,last,time\nHill,10,Ann,Li,40:00\nHill,10,Bob,Li,41:00\nHill,5,Bob,Li,20:00\n"
    )
    columns = ["--contest", "event,km", "--contestant", "first,last"]
    assert run(["rank", str(path), *columns, "--no-intervals"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["1", "Ann", "Li", "+0:30", "1"]
    assert qrja.read_contests(path, contest="event,km", contestant="first").labels == (
        "Hill, 10",
        "Hill, 5",
    )
