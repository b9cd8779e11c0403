"""The quick walk: p = 1 is named where results have outliers, nothing where errors are normal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja.backtesting import try_quickly
from qrja.cli import run
from qrja.data import Contests, Judgments


def races(outliers: float, contests: int = 40, seed: int = 3) -> Contests:
    rng = np.random.default_rng(seed)
    contest, who = np.repeat(np.arange(contests), 10), np.tile(np.arange(10), contests)
    error = rng.normal(0, 3, len(who))
    error += np.where(rng.random(len(who)) < outliers, 80 * rng.random(len(who)), 0)
    return Contests.from_arrays(contest.tolist(), who.tolist(), -who + error)


def test_it_names_p_1_where_a_full_back_test_does() -> None:
    wild = races(0.08)
    found = try_quickly(wild, qrja.solve(wild).x)
    assert found is not None
    assert found.option == "--p 1"
    assert found.advice == "To rate that way: qrja rank FILE --p 1"
    whole = qrja.backtest(wild, ["qrja-l2", "qrja-l1"]).verdict
    assert (whole.best, whole.worse) == (found.best, found.worse)


@pytest.mark.parametrize(
    "problem",
    [races(0.0), races(0.08, contests=12), races(0.08, contests=500), races(0.0).to_judgments()],
    ids=["normal errors", "few contests", "many entries", "normal judgments"],
)
def test_elsewhere_it_does_not_even_look(problem: Contests | Judgments) -> None:
    assert try_quickly(problem, qrja.solve(problem).x) is None


def test_judgments_are_dealt() -> None:
    wild = races(0.08, contests=20).to_judgments()
    found = try_quickly(wild, qrja.solve(wild).x)
    assert found is not None
    assert found == qrja.backtest(wild, ["qrja-l2", "qrja-l1"]).verdict


def write(path: Path, contests: Contests) -> Path:
    rows = zip(contests.contest_of_entry, contests.who, contests.score, strict=True)
    path.write_text("\n".join(["race,runner,points", *(f"{c},{w},{s:.2f}" for c, w, s in rows)]))
    return path


def test_rank_says_what_to_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "wild.csv", races(0.08))
    assert run(["rank", str(file), "--no-intervals"]) == 0
    told = capsys.readouterr().err
    assert "hint: Trust qrja-l1: it puts" in told
    assert told.rstrip().endswith("is real. To rate that way: qrja rank FILE --p 1")
    for options in (["--p", "1"], ["--ridge", "1"], ["-q"]):  # asked for, or silent
        assert run(["rank", str(file), "--no-intervals", *options]) == 0
        assert "hint" not in capsys.readouterr().err
    calm = write(tmp_path / "calm.csv", races(0.0))
    assert run(["rank", str(calm), "--no-intervals"]) == 0
    assert "hint" not in capsys.readouterr().err


def test_rank_names_the_scale(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    rows = [
        f"{k},{i},{km * (240 + 6 * i + rng.normal(0, 8)):.0f}"
        for k, km in enumerate([5, 10, 21.1, 42.2] * 3)
        for i in range(8)
    ]
    file = tmp_path / "season.csv"
    file.write_text("\n".join(["race,runner,seconds", *rows]))
    assert run(["rank", str(file), "--no-intervals"]) == 0
    told = capsys.readouterr().err
    assert "hint: Margins grow with the level of a contest" in told
    assert "--scale log" in told
    assert run(["rank", str(file), "--no-intervals", "--scale", "log"]) == 0
    assert "hint" not in capsys.readouterr().err
