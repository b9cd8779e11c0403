"""The paper's main experiment as a user runs it, `qrja paper run`: python run.py paper.

Rows add up the processor seconds that the run itself writes down, task by task. Two free cores need
half of them at least, and no less than the longest task takes. A run that was stopped is continued
if ``QRJA_PAPER`` names its folder, so the tasks may come from several hours. The last row is what
the paper reports of all its experiments, for comparison: it was not measured here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import OURS, Row
from problems import PAPER, has_paper

METHODS = {
    "QRJA l1 and l2": ("qrja-l1", "qrja-l2"),
    "averages and Borda": ("zero", "median", "mean", "borda"),
    "factorisations": ("mf-rank1", "mf-rank2", "mf-rank5", "mf-additive"),
    "Kemeny-Young": ("kemeny-young",),
}
AUTHORS = 14 * 24 * 3600.0


def rows() -> Iterator[Row]:
    if not has_paper():
        return
    with tempfile.TemporaryDirectory() as out:
        taken = run(Path(os.environ.get("QRJA_PAPER", out)))
    everything = tuple(method for methods in METHODS.values() for method in methods)
    for title, methods in (*METHODS.items(), ("all ten methods", everything)):
        tasks = [seconds for of_set in taken.values() for seconds in picked(of_set, methods)]
        note = f"fair rules; CPU seconds, the longest task {max(tasks):.0f}"
        yield Row("paper, main experiment", f"{title}, all seven sets", OURS, sum(tasks), "", note)
    yield Row(
        "paper, every experiment",
        "all seven sets",
        "authors, 56 cores",
        AUTHORS,
        "",
        "two weeks, as the paper reports",
    )


def picked(seconds: dict[str, float], methods: tuple[str, ...]) -> list[float]:
    """Return what the tasks of some methods took."""
    return [taken for method, taken in seconds.items() if method in methods]


def run(out: Path) -> dict[str, dict[str, float]]:
    """Run the main experiment; return the seconds of each set and method."""
    command = [sys.executable, "-m", "qrja", "paper", "run", "--quiet", "--data", str(PAPER)]
    subprocess.run([*command, "--out", str(out), "--rules", "fair"], check=True)
    found: dict[str, dict[str, float]] = json.loads((out / "fair" / "seconds.json").read_text())
    return found
