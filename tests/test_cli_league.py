"""``qrja league``, and leagues as FILE of every other command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qrja
from qrja.cli import run

EXAMPLES = Path(__file__).parent / "examples"
RACES, MORE = str(EXAMPLES / "races.csv"), str(EXAMPLES / "more.csv")


@pytest.fixture
def place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = str(tmp_path / "club.db")
    assert run(["league", "init", path, RACES, "-q", "--author", "Ann"]) == 0
    capsys.readouterr()
    return path


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert run([*arguments, "--json", "-q"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def board(path: str) -> dict[object, object]:
    with qrja.League.open(path, create=False) as league:
        return {row.contestant: pytest.approx(row.rating) for row in league.ratings.leaderboard()}


def test_a_league_is_made_with_its_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "club.db")
    asked = ["league", "init", path, RACES, "--title", "Club", "--p", "1", "--anchor", "Bob=0:00"]
    events = told(asked, capsys)["events"]
    assert [event["kind"] for event in events] == ["titled", "added", "modelled"]
    assert events[-1]["sentence"] == "changed the model: p = 1, anchors"
    expected = qrja.fit(RACES, p=1, anchors={"Bob": 0.0}).leaderboard()
    assert {row.contestant: row.rating for row in expected} == board(path)
    assert run(["league", "init", path]) == 2
    assert "is a league already; add to it by qrja update" in capsys.readouterr().err


def test_commands_take_a_league_as_they_take_a_file(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", place, "--no-intervals"]) == 0
    out, err = capsys.readouterr()
    assert "loaded ratings of 3 contestants from 3 contests, as of event 1" in err
    assert run(["rank", RACES, "--no-intervals", "-q"]) == 0
    assert out == capsys.readouterr().out
    assert told(["predict", place, "--start-list", "Alice,Bob"], capsys)["entrants"]
    assert run(["explain", place, "Alice", "Bob", "-q"]) == 0
    assert run(["trust", place, "-q"]) == 0
    capsys.readouterr()
    for arguments, words in [
        (
            ["rank", place, "--p", "1"],
            "--p comes too late; give it when they are made: qrja league",
        ),
        (["rank", place, "--by", "race"], "--by needs a table in a file"),
        (["rank", place, RACES], "goes alone; several files are tables"),
        (["rank", str(tmp_path / "none.db")], "no such league; make one by: qrja league init"),
        (["update", place, "--remove", "Boston", "--save", "x.qrja"], "qrja league export writes"),
    ]:
        assert run(arguments) == 2
        assert words in capsys.readouterr().err


def test_updates_are_events(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = board(place)
    arguments = ["update", place, MORE, "--correct", "Boston,Bob,4:10:30"]
    dry = told([*arguments, "--dry-run"], capsys)
    assert dry["saved"] is False
    assert board(place) == first
    assert told(arguments, capsys)["changes"] == dry["changes"]
    expected = qrja.fit(RACES).update(MORE).correct("Boston", "Bob", "4:10:30")
    assert {row.contestant: row.rating for row in expected.leaderboard()} == board(place)
    events = told(["league", "log", place], capsys)["events"]
    assert [event["sentence"] for event in events[:2]] == [
        "added 5 results of Berlin and Paris",
        "corrected Bob in Boston to 4:10:30",
    ]
    labels = {"Boston", "Chicago", "New York", "Berlin", "Paris"}
    everything = [part for label in labels for part in ("--remove", label)]
    assert run(["update", place, *everything]) == 2
    assert "nothing would be left" in capsys.readouterr().err


def test_the_log_is_shown_and_undone(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = board(place)
    assert run(["league", "rename", place, "Bob", "\x1b[2J", "-q", "--author", "Eve"]) == 0
    assert told(["league", "undo", place], capsys)["payload"] == {"event": 2}
    assert board(place) == first
    assert run(["league", "log", place, "--after", "1"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "renamed Bob to \\x1b[2J (undone" in out
    assert run(["league", "undo", place, "2"]) == 2
    assert "event 2 is undone already, by event 3" in capsys.readouterr().err


def test_tokens_are_made_listed_and_revoked(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    made = told(["serve", "token", "make", place, "judge", "Bea"], capsys)
    listed = told(["serve", "token", "list", place], capsys)["tokens"]
    assert [(it["role"], it["name"], it["revoked"]) for it in listed] == [("judge", "Bea", None)]
    assert made["token"] not in Path(place).read_bytes().decode("latin-1")
    assert told(["serve", "token", "revoke", place, "Bea"], capsys)["revoked"] == listed[0]["id"]
    for arguments, words in [
        (["serve", "token", "revoke", place, "Bea"], "there is no token 'Bea', or it is revoked"),
        (["serve", "token", "make", place, "king", "Bea"], "the role is 'king'; choose one of"),
        (["serve", "token", "make", place, "judge", "\x1b"], "use letters that can be seen"),
        (["serve"], "name the league to serve, or --demo; make one by: qrja league init"),
        (["serve", place, "--demo"], "name the league to serve, or --demo"),
    ]:
        assert run(arguments) == 2
        assert words in capsys.readouterr().err
    assert told(["serve", place, "--check", "--port", "7"], capsys)["address"].endswith(":7")


def test_a_league_goes_out_and_comes_in(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = board(place)
    saved, copy = str(tmp_path / "club.qrja"), str(tmp_path / "copy.db")
    assert told(["league", "export", place, saved], capsys)["as_of"] == {"event": 1}
    assert told(["league", "import", copy, saved], capsys)["events"] == [1, 2]
    assert board(copy) == first
    other = str(tmp_path / "other.db")
    assert told(["league", "init", other, saved], capsys)["league"] == other
    assert board(other) == first
    assert run(["league", "import", copy, RACES]) == 2
    assert "is not a file of saved ratings; add tables by qrja update" in capsys.readouterr().err
    backup, again = str(tmp_path / "club.jsonl"), str(tmp_path / "again.db")
    assert told(["league", "backup", place, backup], capsys)["events"] == 1
    assert run(["league", "restore", RACES, again]) == 2
    assert not Path(again).exists()
    assert told(["league", "restore", backup, again], capsys)["events"] == 1
    assert board(again) == first
    assert len(told(["league", "check", again], capsys)["well"]) == 3


def test_a_league_of_matches_rates_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "cup.csv"
    table.write_text(
        "date,home,away,home_score,away_score,neutral\n"
        "2026-01-01,Leeds,Derby,5,2,0\n2026-01-02,Derby,Stoke,3,2,0\n"
        "2026-01-03,Stoke,Leeds,4,3,0\n2026-01-04,Leeds,Stoke,6,1,1\n2026-01-05,Stoke,Derby,2,2,0\n"
    )
    path = str(tmp_path / "cup.db")
    events = told(["league", "init", path, str(table), "--home"], capsys)["events"]
    assert events[-1]["sentence"] == "changed the model: p = 2, home"
    assert run(["rank", path, "-q"]) == 0
    assert "home is worth" in capsys.readouterr().out
    assert run(["rank", str(table), "--home", "-q", "--no-intervals"]) == 0
    expected = capsys.readouterr().out
    assert run(["rank", path, "-q", "--no-intervals"]) == 0
    assert capsys.readouterr().out == expected
    found = told(["predict", path, "--start-list", "Derby (home),Leeds"], capsys)
    assert found["notes"][0].startswith("home adds")
    more = tmp_path / "more.csv"
    more.write_text("date,home,away,home_score,away_score,neutral\n2026-02-01,Derby,Leeds,1,0,0\n")
    assert run(["update", path, str(more), "-q"]) == 0
    capsys.readouterr()
    asked = ["league", "model", path, "--home", "--covariate-ridge", "2"]
    assert told(asked, capsys)["sentence"] == "changed the model: p = 2, home, term ridges"
    assert run(["league", "check", path, "-q"]) == 0
