"""``qrja backtest`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrja.backtesting import FAST
from qrja.cli import run

RACES = """race,runner,score
A,ann,9
A,bob,7
B,bob,5
B,ann,4
B,cid,3
C,cid,8
C,ann,7
C,bob,2
"""


@pytest.fixture
def races(tmp_path: Path) -> Path:
    file = tmp_path / "races.csv"
    file.write_text(RACES)
    return file


def test_it_prints_a_table_and_what_the_rules_do(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["backtest", str(races), "--rankers", "mean,borda", "--jobs", "1", "-q"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("Too little to tell: only 2 contests could be predicted.")
    at = next(i for i, line in enumerate(lines) if line.startswith("ranker"))
    assert lines[at].split()[:2] == ["ranker", "accuracy"]
    assert {lines[at + 1].split()[0], lines[at + 2].split()[0]} == {"mean", "borda"}
    assert "a predicted tie earns half a point" in " ".join(lines)
    assert max(map(len, lines)) <= 80
    assert err == ""


def test_the_verdict_says_which_lead_is_real(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["backtest", "dataset:classifiers", "--rankers", "mean,zero,borda", "-q"]
    assert run(command) == 0
    out = capsys.readouterr().out
    assert " ".join(out.split("\n\n")[0].split()) == (
        "borda puts 65.9% of pairs in the right order, but its lead over mean may be chance: trust"
        " any of these. Its lead over zero is real. No method predicts the margins better than"
        " predicting none."
    )
    by_name = {line.split()[0]: line for line in out.splitlines() if line}
    assert "*" in by_name["zero"]
    assert "*" not in by_name["mean"]


def test_the_fast_rankers_are_compared_unless_some_are_named(
    races: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["backtest", str(races), "--json", "-q"]) == 0
    assert tuple(json.loads(capsys.readouterr().out)["rankers"]) == FAST
    saved = tmp_path / "races.qrja"
    assert run(["rank", str(races), "--save", str(saved), "-q"]) == 0
    capsys.readouterr()
    assert run(["backtest", str(saved), "--rankers", "mean", "--json", "-q"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 4


def test_no_pair_seen_before_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "once.csv"
    file.write_text("race,runner,score\nA,ann,9\nA,bob,7\nB,cid,3\nB,dan,1\n")
    assert run(["backtest", str(file), "-q"]) == 0
    assert capsys.readouterr().out.startswith("Nothing could be predicted: nowhere are two")


def test_json_is_the_same_on_stdout_and_in_the_file(
    races: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "result.json"
    command = ["backtest", str(races), "--rankers", "mean", "--out", str(out), "--json"]
    assert run(command) == 0
    printed, written = json.loads(capsys.readouterr().out), json.loads(out.read_text())
    assert printed == written
    assert printed["rules"] == "fair"
    assert set(printed["rankers"]) == {"mean"}
    assert sorted(tmp_path.iterdir()) == [races, out]


def test_series_are_added_when_asked_for(races: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["backtest", str(races), "--rankers", "mean", "--series", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["series"]["contests"] == ["A", "B", "C"]
    assert report["series"]["rankers"]["mean"]["ordinal_accuracy"][0] is None


def test_the_paper_s_rules_count_ties_as_right(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {}
    for rules in ("fair", "paper"):
        assert run(["backtest", str(races), "--rankers", "zero", "--rules", rules, "--json"]) == 0
        found[rules] = json.loads(capsys.readouterr().out)["rankers"]["zero"]["ordinal_accuracy"]
    assert found == {"fair": 0.5, "paper": 1.0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rules", "far"], "the rules are 'far'; choose fair or paper; did you mean 'fair'?"),
        (["--rankers", "maen"], "'maen'"),
        (["--rankers", ","], "no ranker is named; give at least one, such as mean"),
        (["--out", "result.txt"], "result.txt: the result is JSON; let the name end in .json"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(
    races: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["backtest", str(races), "-q", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_one_judgment_cannot_be_back_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "judgments.csv"
    file.write_text("a,b,y\nx,y,1\n")
    assert run(["backtest", str(file), "-q"]) == 2
    assert (
        "there are fewer than two judgments; nothing predicts one of them"
        in capsys.readouterr().err
    )


def test_parts_of_entries_are_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "races.csv"
    lines = ["race,horse,points,jockey"]
    for k in range(40):
        riders = [(k + j) % 3 for j in range(3)]
        lines += [
            f"{k},horse {(k * k + 5 * j) % 7},{5 * r + j},{r + 1}" for j, r in enumerate(riders)
        ]
    file.write_text("\n".join(dict.fromkeys(lines)))
    names = ["--contest", "race", "--contestant", "horse", "--score", "points"]
    command = ["backtest", str(file), *names, "--rankers", "kalman", "--json", "-q"]
    accuracy = []
    for more in ([], ["--with", "jockey"]):
        assert run([*command, *more]) == 0
        told = json.loads(capsys.readouterr().out)["rankers"]["kalman"]
        accuracy.append(told["ordinal_accuracy"])
    assert accuracy[0] < 0.8 < 0.95 < accuracy[1]
    assert run([*command, "--with", "jockey+horse"]) == 2
    assert "has two columns; a back-test knows one" in capsys.readouterr().err
    file.write_text(file.read_text().replace(",1\n", ",Ann; Bob\n"))
    assert run([*command, "--with", "jockey"]) == 2
    assert "'Ann; Bob' in a cell" in capsys.readouterr().err
