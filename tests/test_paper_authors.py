"""Our figures beside the authors': every method on Chess, the quick ones on Marathon and F1."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from qrja.cli import run
from qrja.paper.experiments import MAIN

SLOW = ("kemeny-young", "mf-rank1", "mf-rank2", "mf-rank5")
QUICK = tuple(name for name in MAIN if name not in SLOW)


def run_and_check(
    data: Path, out: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> Counter[str]:
    """Run and check as a user would; count what `qrja paper check` says of the figures."""
    where = ["--data", str(data), "--out", str(out), "--rules", "paper", "--quiet"]
    assert run(["paper", "run", *where, *options]) == 0
    capsys.readouterr()
    expected = ["--expected", str(data.parent / "expected")]
    code = run(["paper", "check", "--out", str(out), *expected, "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert [it for it in figures if it["status"] == "FAIL"] == []
    assert code == 0
    return Counter(it["status"] for it in figures)


@pytest.mark.parametrize(
    ("dataset", "rankers", "figures"),
    [
        # zero: 4; main: 3 of each method, 1 of Borda and of Kemeny-Young; entrywise: 2 each of 5.
        ("chess", MAIN, 4 + 8 * 3 + 2 + 5 * 2),
        ("marathon", QUICK, 4 + 5 * 3 + 1 + 2 * 2),
        ("f1", QUICK, 4 + 5 * 3 + 1 + 2 * 2),
    ],
)
def test_every_figure_agrees(
    paper_data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    dataset: str,
    rankers: tuple[str, ...],
    figures: int,
) -> None:
    experiments = ["--experiment", "main", "--experiment", "entrywise"]
    chosen = ["--dataset", dataset, "--rankers", ",".join(rankers)]
    assert run_and_check(paper_data, tmp_path, capsys, *experiments, *chosen)["pass"] == figures


def test_every_epoch_agrees_on_chess(
    paper_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--dataset", "chess", "--experiment", "mf-epochs"]
    # zero: 4; accuracy and loss of three ranks after 0, 20, ..., 200 epochs.
    assert run_and_check(paper_data, tmp_path, capsys, *chosen)["pass"] == 4 + 3 * 2 * 11
