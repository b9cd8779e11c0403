"""``qrja paper`` as a user meets it, on an invented data set."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from qrja.cli import run

EXAMPLES = Path(__file__).parent / "examples"
HERE = ["--data", str(EXAMPLES / "data"), "--dataset", "chess", "--jobs", "1", "-q"]


def test_run_check_and_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path)]
    assert run(["paper", "run", *HERE, *out, "--rules", "paper", "--rankers", "mean,borda"]) == 0
    told = capsys.readouterr().out
    assert "chess        3" in told
    assert "The authors report two weeks on 56 cores" in told
    expected = ["--expected", str(EXAMPLES / "expected")]
    assert run(["paper", "check", *out, *expected]) == 0
    told = capsys.readouterr().out
    assert "mean/ordinal_accuracy" in told
    assert told.splitlines()[-1] == "10 figures: 8 pass, 2 not run"
    assert "Not run (--all lists them):" in told
    assert sum(line.endswith("not run") for line in told.splitlines()[:-1]) == 0
    assert run(["paper", "check", *out, *expected, "--all"]) == 0
    told = capsys.readouterr().out
    assert sum(line.endswith("not run") for line in told.splitlines()[:-1]) == 2
    assert run(["paper", "figures", *out, "-q"]) == 0
    assert (tmp_path / "figures" / "paper" / "main.png").exists()
    assert str(tmp_path / "figures" / "paper" / "main.png") in capsys.readouterr().out


def test_all_experiments_by_one_command_with_seconds_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--experiment", "all", "--rankers", "mean,qrja-l2,mf-rank1", "--repeats", "1"]
    assert run(["paper", "run", *HERE, "--out", str(tmp_path), *words]) == 0
    header, chess, total = (
        line.split() for line in capsys.readouterr().out.splitlines()[:3] if line.strip()
    )
    assert header == ["dataset", "tasks", "main", "subsample", "mf-epochs", "seconds"]
    # zero and three rankers, ten rates of one ranker, one factorisation watched while it learns
    assert chess[:2] == ["chess", str(4 + 10 + 1)]
    assert total[1:] == chess[1:]
    *parts, whole = map(float, chess[2:])
    assert sum(parts) == pytest.approx(whole, abs=0.2)
    assert min(parts) >= 0
    seconds = json.loads((tmp_path / "fair" / "seconds.json").read_text())
    assert whole == pytest.approx(sum(seconds["chess"].values()), abs=0.06)


def test_a_figure_that_differs_is_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = ["--rules", "paper", "--rankers", "mean"]
    assert run(["paper", "run", *HERE, *rules, "--out", str(tmp_path)]) == 0
    theirs = json.loads((EXAMPLES / "expected" / "chess.json").read_text())
    theirs["main"]["mean"]["ordinal_accuracy"] += 2e-6
    (tmp_path / "chess.json").write_text(json.dumps(theirs))
    capsys.readouterr()
    command = ["paper", "check", "--out", str(tmp_path), "--expected", str(tmp_path)]
    assert run(command) == 1
    told = capsys.readouterr().out
    (line,) = (line for line in told.splitlines() if line.endswith("FAIL"))
    assert line.split()[:3] == ["chess", "main", "mean/ordinal_accuracy"]
    assert "-2e-06" in line
    assert run([*command, "--json"]) == 1
    (failed,) = (it for it in json.loads(capsys.readouterr().out) if it["status"] == "FAIL")
    assert failed["key"] == "mean/ordinal_accuracy"


def test_fetch_lists_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QRJA_CACHE", str(tmp_path))
    assert run(["paper", "fetch", "--list"]) == 0
    told = capsys.readouterr().out
    assert f"{tmp_path / 'paper' / 'chess.csv'}  (not fetched)" in told
    assert "140884 bytes from https://raw.githubusercontent.com/" in told
    assert run(["paper", "fetch", "--list", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 7


def test_fetch_takes_a_copy(
    paper_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "data" / "chess" / "clean.in"
    copy.parent.mkdir(parents=True)
    copy.write_bytes((paper_data.parent / "raw" / "chess.clean.in").read_bytes())
    out = tmp_path / "out"
    command = ["paper", "fetch", "--dataset", "chess", "--from", str(tmp_path / "data")]
    assert run([*command, "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out / 'chess.csv'}\n"
    assert (out / "chess.csv").read_bytes() == (paper_data / "chess.csv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--out", "x", "--dataset", "ches"], "the paper has no set 'ches'; did you mean"),
        (["run", "--out", "x", "--experiment", "mai"], "no experiment 'mai'; did you mean 'main'?"),
        (["run", "--out", "x", "--repeats", "0"], "--repeats"),
        (["run"], "Missing option '--out'"),
        (["check", "--out", "x", "--expected", "y"], "y: has no numbers to compare with"),
        (["figures", "--out", "x"], "x: has no results"),
        (["fetch", "--dataset", "ches"], "the paper has no set 'ches'"),
        (["fetch", "--dataset", "chess", "--from", "x", "--out", "y"], "x/chess/clean.in: cannot"),
        (["ran"], "No such command 'ran'"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["paper", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_no_connection_is_exit_code_1_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("qrja.paper.download.fetch.__kwdefaults__", {
        "base": "http://127.0.0.1:9", "copy": None, "progress": None
    })  # fmt: skip
    assert run(["paper", "fetch", "--dataset", "chess", "--out", str(tmp_path)]) == 1
    assert "qrja paper fetch --from FOLDER" in capsys.readouterr().err


def test_ctrl_c_says_that_what_is_done_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("qrja.paper.reproduction.run_paper", interrupt)
    assert run(["paper", "run", "--out", str(tmp_path)]) == 130
    said = "qrja: interrupted; kept: what is done; the same command continues"
    assert capsys.readouterr().err.splitlines() == [said]


def test_a_warning_is_one_line_without_code(paper_data: Path, tmp_path: Path) -> None:
    where = ["--data", paper_data, "--out", tmp_path, "--dataset", "f1-full"]
    command = ["paper", "run", *where, "--rankers", "mean", "--jobs", "1", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "qrja", *map(str, command)], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stderr == (
        "warning: f1-full: 26 contests list a contestant twice; only the best row is kept\n"
    )
