"""Contests of a FILE argument, and a back-test of them with bars for people who wait."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qrja.cli.option_groups import Reading
from qrja.cli.output import bars
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.backtesting import Backtest
    from qrja.data import Contests, Judgments

LITTLE = 1_000_000
"""Contests times entries up to which a back-test takes seconds: each contest is predicted from what
came before it, so the time grows with the product."""


def contests_of(file: str, reading: Reading, quiet: bool) -> Contests:
    """Read the contests of a table or of saved ratings."""
    from qrja.cli.file_argument import load_and_tell
    from qrja.cli.file_kinds import is_saved

    if is_saved(file):
        from qrja.ratings import load as load_saved

        return need_contests(load_saved(file).data, file)
    return need_contests(load_and_tell(file, reading, quiet).problem, file)


def need_contests(problem: Contests | Judgments, file: str) -> Contests:
    """Return contests; judgments cannot be back-tested, and are refused."""
    from qrja.data import Contests

    if not isinstance(problem, Contests):
        raise InputError(
            f"{file}: has judgments, and a back-test predicts contests with scores; qrja trust"
            " says how well ratings fit judgments"
        )
    return problem


def is_little(contests: Contests) -> bool:
    """Tell whether a back-test takes seconds and not minutes."""
    return len(contests) * contests.entries <= LITTLE


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
        # Processes take a second to start.
        jobs = 1 if is_little(contests) else os.cpu_count() or 1
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
