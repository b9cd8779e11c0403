"""The problems that benchmarks run on: the paper's sets where present, and synthetic races."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

from qrja import Contest, Contests, QRJAWarning, datasets, read_contests
from qrja.paper import load

PAPER = Path(__file__).parents[2] / "shared" / "paper" / "data"
PAPER_SETS = [
    "chess",
    "f1",
    "f1-full",
    "marathon",
    "cross-tables",
    "codeforces-core",
    "codeforces",
]


def has_paper() -> bool:
    """Tell whether the paper's sets, which are not part of the project, are at hand."""
    if not PAPER.is_dir():
        print("skipped: the paper's sets are not in ../shared/paper/data")
    return PAPER.is_dir()


@cache
def paper(name: str) -> Contests:
    """Read one of the paper's sets."""
    file = PAPER / f"{name}.csv"
    with warnings.catch_warnings():
        # F1-Full lists a driver twice in some races; the better row is kept.
        warnings.simplefilter("ignore", QRJAWarning)
        return read_contests(file, contest="contest", contestant="contestant", score="score")


def races(entries: int, field: int = 100) -> Contests:
    """Make synthetic races in which everyone starts about twenty times."""
    count = entries // field
    return datasets.synthetic_races(
        races=count, entrants=max(entries // 20, field), field=field, turnover=0.0, seed=1
    ).contests


def fair(name: str) -> Contests | tuple[Contest, ...]:
    """Return the contests of one of the paper's or of the embedded sets, under the fair rules."""
    if name not in PAPER_SETS:
        return getattr(datasets, name)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QRJAWarning)
        return load(name, PAPER, "fair").contests
