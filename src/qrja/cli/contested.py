"""Contests of a FILE argument, and a back-test of them with bars for people who wait."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qrja.cli.options import Reading
from qrja.cli.output import bars, note, working
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.backtesting import Backtest
    from qrja.contests import Contests
    from qrja.judgments import Judgments

LITTLE = 3_000
"""Entries up to which one process is faster than several, which take a second to start."""


def contests_of(file: str, reading: Reading, quiet: bool) -> Contests:
    """Read the contests of a table or of saved ratings."""
    from qrja.cli.fitted import is_saved
    from qrja.cli.source import load

    if is_saved(file):
        from qrja.ratings import load as load_saved

        return need_contests(load_saved(file).data, file)
    with working(f"reading {file}", quiet):
        table = load(file, reading)
    for line in table.summary.lines():
        note(line, quiet)
    return need_contests(table.problem, file)


def need_contests(problem: Contests | Judgments, file: str) -> Contests:
    """Return contests; judgments cannot be back-tested, and are refused."""
    from qrja.contests import Contests

    if not isinstance(problem, Contests):
        raise InputError(
            f"{file}: has judgments, and a back-test predicts contests with scores; qrja trust"
            " says how well ratings fit judgments"
        )
    return problem


def try_rankers(
    contests: Contests,
    name: str,
    quiet: bool,
    *,
    rankers: Sequence[str] | None = None,
    rules: str = "fair",
    jobs: int | None = None,
    checkpoint: Path | None = None,
) -> Backtest:
    """Back-test rankers, the fast ones unless some are named."""
    from qrja.backtesting import FAST, backtest

    if jobs is None:
        jobs = 1 if contests.entries <= LITTLE else os.cpu_count() or 1
    with bars(quiet) as progress:
        return backtest(
            contests,
            FAST if rankers is None else rankers,
            rules,
            dataset=name,
            jobs=jobs,
            checkpoint=checkpoint,
            progress=progress,
        )
