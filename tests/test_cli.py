"""The command line as a user meets it: output, notes, errors, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from qrja.cli import run

RACES = (
    "race,runner,time\nBoston,Alice,4:00:00\nBoston,Bob,4:11:00\n"
    "Chicago,Bob,4:01:00\nChicago,Cid,4:09:00\n"
)


@pytest.fixture
def races(tmp_path: Path) -> Path:
    file = tmp_path / "races.csv"
    file.write_text(RACES)
    return file


def qrja(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qrja", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
    )


def test_rank_prints_a_leaderboard(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(races)]) == 0
    out, err = capsys.readouterr()
    assert out == (
        "rank  contestant  rating  contests\n"
        "   1  Alice       +10:00         1\n"
        "   2  Bob          -1:00         2\n"
        "   3  Cid          -9:00         1\n"
    )
    assert "read 4 rows, used 4" in err
    assert "contest is 'race', contestant is 'runner', score is 'time'" in err
    assert "lower is taken to be better" in err


def test_quiet_is_quiet(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(races), "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_top_says_how_many_are_hidden(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(races), "--top", "1"]) == 0
    out = capsys.readouterr().out
    assert "Alice" in out
    assert "Bob" not in out
    assert "... and 2 more" in out


def test_json_holds_the_proof_and_what_became_of_every_row(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", str(races), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["status"] == "optimal"
    assert report["lower_bound"] <= report["objective"]
    board = report["components"][0]["leaderboard"]
    assert [row["contestant"] for row in board] == ["Alice", "Bob", "Cid"]
    assert report["summary"]["rows"] == 4


def test_a_local_optimum_has_no_gap(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(races), "--p", "0.5", "--json"]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert (report["status"], report["gap"]) == ("local", None)
    assert "warning: a local optimum" in err


def test_out_writes_a_table_and_prints_none(
    races: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board.csv"
    assert run(["rank", str(races), "--out", str(out)]) == 0
    assert capsys.readouterr().out == ""
    lines = out.read_text().splitlines()
    assert lines[0] == "rank,contestant,rating,contests"
    assert lines[1].startswith("1,Alice,+10:00")
    assert run(["rank", str(races), "--out", str(out), "--raw"]) == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "rank,contestant,rating,contests,last_seen,component"
    assert lines[1].startswith("1,Alice,600")


def test_stdin_and_embedded_sets_are_files_too(races: Path) -> None:
    assert "Alice" in qrja("rank", "-", stdin=RACES).stdout
    done = qrja("rank", "dataset:football", "--top", 1)
    assert done.returncode == 0
    assert "Group 5 of 5" in done.stdout
    assert "5 groups of contestants never met" in done.stderr


def test_contestants_who_met_nobody_are_counted_not_ranked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "races.csv"
    file.write_text(RACES + "Paris,Dan,4:00:00\n")
    assert run(["rank", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "Dan" not in out
    assert "1 contestant met nobody and is not ranked" in err


def test_only_the_largest_groups_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "many.csv"
    rows = [f"a{i},b{i},1" for i in range(9)]
    file.write_text("\n".join(["a,b,y", *rows]))
    assert run(["rank", str(file)]) == 0
    assert "... and 4 more groups; --out FILE or --json holds them all" in capsys.readouterr().out
    assert run(["rank", str(file), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["components"]) == 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "absent.csv"], "qrja: absent.csv: no such file"),
        (["rank", "dataset:footbal"], "qrja: no data set 'footbal'; did you mean 'football'?"),
        (["rank", "{races}", "--score", "tme"], "did you mean 'time'?"),
        (["rank", "{races}", "--p", "-1"], "qrja: p is -1.0; give a positive number"),
        (["rank", "{races}", "--tpo", "3"], "No such option: --tpo"),
        (["rnk", "{races}"], "No such command 'rnk'"),
        (["rank"], "Missing argument 'FILE'"),
        (["rank", "{races}", "--out", "board.xyz"], "board.xyz"),
        (["rank", "{races}", "--top", "0"], "--top"),
        (["explain", "{races}", "Alise", "Bob"], "no contestant 'Alise'; did you mean 'Alice'?"),
        (["explain", "{races}", "Bob", "Bob"], "both are 'Bob'; name two different contestants"),
        (["explain", "{races}", "Bob"], "Missing argument 'B'"),
        (["explain", "{races}", "Bob", "Cid", "--out", "no/where.svg"], "there is no folder 'no'"),
        (["rank", "{races}", "--save", "no/where.qrja"], "no/where.qrja: there is no folder 'no'"),
        (["predict", "{races}", "--start-list", "Bob"], "at least two, separated by commas"),
        (["explain", "{races}", "Bob", "Cid", "--out", "why.xyz"], "why.xyz: the ending"),
        (["trust", "{races}", "--loss", "hubber:2"], "no loss 'hubber'; did you mean 'huber'?"),
        (["trust", "{races}", "--loss", "huber"], "give its number after a colon, such as huber:"),
        (["trust", "{races}", "--half-life", "soon"], "half_life is 'soon'; give a number, or"),
        (["trust", "{races}", "--anchor", "Bob"], "write NAME=RATING, such as Bob=1500"),
        (["trust", "{races}", "--anchor", "Bub=3"], "no contestant 'Bub'; did you mean 'Bob'?"),
        (["rank", "{races}", "--level", "95"], "level is 95.0; give a number between 0 and 1"),
        (["suggest", "{races}", "--size", "1"], "--size"),
        (["suggest", "{races}", "--size", "9"], "size is 9; there are 3 contestants"),
        (["trust", "absent.csv"], "absent.csv: no such file"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(
    races: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([argument.replace("{races}", str(races)) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("qrja: ")]
    assert len(lines) == 1
    assert message in lines[0]
    assert "Traceback" not in err


def test_a_surprise_is_one_line_and_exit_code_1(
    races: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def explode(*arguments: object, **options: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("qrja.ratings.fit", explode)
    assert run(["rank", str(races)]) == 1
    assert capsys.readouterr().err.endswith(
        "\nqrja: unexpected RuntimeError: boom (QRJA_DEBUG=1 shows where)\n"
    )
    monkeypatch.setenv("QRJA_DEBUG", "1")
    with pytest.raises(RuntimeError, match="boom"):
        run(["rank", str(races)])


def test_ctrl_c_ends_with_a_line(
    races: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("qrja.ratings.fit", interrupt)
    assert run(["rank", str(races)]) == 130
    assert capsys.readouterr().err.endswith("qrja: interrupted; nothing was written\n")


def test_ctrl_c_says_what_was_kept(
    races: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("qrja.ratings.Ratings.table", interrupt)
    saved = tmp_path / "league.qrja"
    assert run(["rank", str(races), "--save", str(saved)]) == 130
    assert capsys.readouterr().err.endswith(f"qrja: interrupted; kept: {saved}\n")
    assert saved.exists()


def test_a_broken_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m qrja datasets football | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.startswith("date,")


def test_datasets_lists_and_exports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["datasets"]) == 0
    assert "football: matches of five" in capsys.readouterr().out
    assert run(["datasets", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["football"]["contestants"] > 100
    out = tmp_path / "m.csv"
    assert run(["datasets", "marathons", "--out", str(out)]) == 0
    capsys.readouterr()
    assert run(["rank", str(out), "-q"]) == 0
    assert "Alice" in capsys.readouterr().out


def test_demo_says_why_the_mean_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["demo"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert "A season of football" in page
    assert "380 contests" in page
    out = " ".join(out.split())
    assert "The mean is wrong about Bob and Charlie" in out
    assert "Bob was 8:00 faster" in out
    for stop in ("low", "A prediction:", "An explanation:", "The verdict on trust:"):
        assert stop in out
    assert "A back-test: the last season of that league, 380 matches" in out
    assert "to open in a browser: demo/report.html Try next: qrja rank" in out
    assert run(["demo", "--json", "--out", "tour.html"]) == 0
    told = json.loads(capsys.readouterr().out)
    by_rank = {row["contestant"]: (row["rank"], row["rank_by_mean"]) for row in told["marathons"]}
    assert told["trust"]["verdict"]
    assert told["backtest"]["best"] == "qrja-l2"
    assert told["report"] == "tour.html"
    assert 0.5 < told["prediction"]["a_beats_b"] < 1
    assert told["football"][0]["low"] < told["football"][0]["rating"]
    assert by_rank == {"Alice": (1, 1), "Bob": (2, 3), "Charlie": (3, 2)}


def test_explain_tells_and_draws(
    races: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "chains.svg"
    assert run(["explain", str(races), "Alice", "Cid", "--out", str(picture)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert f"wrote {picture}" in err
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    assert run(["explain", str(races), "Alice", "Cid"]) == 0
    out, _ = capsys.readouterr()
    assert out == (
        "Alice is rated 19:00 above Cid (the parts below add up to it exactly).\n"
        "  +11:00  Boston (100% of the evidence passes through it)\n"
        "   +8:00  Chicago (100% of the evidence passes through it)\n"
        "\n"
        "The strongest chains:\n"
        "  100%: Alice beat Bob by 11:00 in Boston; Bob beat Cid by 8:00 in Chicago,\n"
        "        together +19:00\n"
        "\n"
        "They would be level after one more contest between the two alone that Cid won by\n"
        "9:30.\n"
        "\n"
        "100%  Alice ──11:00 (Boston)── Bob ──8:00 (Chicago)── Cid  = +19:00\n"
    )


def test_explain_trust_and_suggest_speak_json(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", str(races), "Alice", "Cid", "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sum(one["amount"] for one in told["contributions"]) == pytest.approx(1140)
    assert run(["trust", str(races), "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == "warning"
    assert run(["suggest", str(races), "--json", "--quiet", "-k", "1"]) == 0
    (item,) = json.loads(capsys.readouterr().out)["suggestions"]
    assert set(item["contestants"]) == {"Alice", "Cid"}


@pytest.mark.parametrize("command", [["explain", "Alice", "Cid"], ["trust"], ["suggest"]])
def test_answers_are_written_as_words_json_and_tables(
    races: Path, tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *arguments = command
    for ending in ("txt", "json", "csv"):
        out = tmp_path / f"answer.{ending}"
        assert run([name, str(races), *arguments, "--out", str(out), "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    told = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    (rows,) = [told[key] for key in ("contributions", "findings", "suggestions") if key in told]
    assert len((tmp_path / "answer.csv").read_text(encoding="utf-8").splitlines()) == 1 + len(rows)
    assert "Alice" in (tmp_path / "answer.txt").read_text(encoding="utf-8") or name == "trust"


def test_trust_begins_with_the_verdict(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["trust", str(races)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Use with care: 67% of the contestants have a single result")
    assert "read 4 rows, used 4" in err


def test_suggest_says_how_many_pairs_it_considered(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["suggest", str(races)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1. Alice - Cid: would remove")
    assert "Considered 3 of 3 pairs, exactly." in " ".join(out.split())


def test_two_groups_are_explained_not_subtracted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "dataset:football", "Barcelona", "Liverpool", "-q"]) == 0
    assert "cannot be compared: no chain of contests joins them" in capsys.readouterr().out


def test_shells_complete_commands_options_and_files(
    races: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(races.parent)
    monkeypatch.setenv("_QRJA_COMPLETE", "complete_bash")
    for words, offered in [
        ("qrja pre", "predict"),
        ("qrja rank --half", "--half-life"),
        ("qrja rank dataset:foot", "dataset:football"),
        ("qrja rank rac", "races.csv"),
    ]:
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        with pytest.raises(SystemExit):
            run([])
        assert capsys.readouterr().out.split() == [offered]


def test_a_command_alone_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    for group in ([], ["paper"]):
        assert run(group) == 2
        assert len(capsys.readouterr().err.splitlines()) > 10


def test_which_scores_win_is_said_unless_it_is_clear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "laps.csv"
    file.write_text("race,driver,score\nMonza,Ann,80.1\nMonza,Bob,81.5\nMonza,Cid,79.9\n")
    said = "higher scores are taken to be better; --lower-is-better turns it around"
    assert run(["rank", str(file)]) == 0
    assert said in capsys.readouterr().err
    for clear in ([str(file), "--lower-is-better"], ["dataset:football", "--top", "1"]):
        assert run(["rank", *clear]) == 0
        assert said not in capsys.readouterr().err


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("qrja 0.")
    assert run(["--help"]) == 0
    assert "rank" in capsys.readouterr().out
