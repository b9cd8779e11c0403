"""Contests or judgments of a FILE argument, and a back-test with bars for people who wait."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrja.cli.option_groups import Reading
from qrja.cli.output import bars
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.backtesting import Backtest
    from qrja.data import Contests, Judgments

LITTLE, ALONE = 1_000_000, 3_000_000
"""Contests times entries up to which a back-test takes a second or two, and up to which it is over
before processes have been started: each contest is predicted from what came before it, so the time
grows with the product. 1,000 matches have 2,000,000."""


def problem_of(
    file: str, reading: Reading, quiet: bool, parts: str | None = None
) -> Contests | Judgments:
    """Read the contests or judgments of a table or of saved ratings, parts being covariates."""
    from qrja.cli.file_argument import load_and_tell
    from qrja.cli.file_kinds import holds_ratings
    from qrja.data import Contests
    from qrja.parts import as_parts, columns_of_parts, known_as_levels
    from qrja.terms import IF_ANY, as_terms, with_products

    composed = as_parts(parts)
    if holds_ratings(file):
        if composed:
            raise InputError(f"{file}: saved ratings know their parts; leave --with {parts} out")
        from qrja.cli.file_ratings import load_rated

        return load_rated(file)[0].data
    # Who is at home is known beforehand: rankers that can make use of it find out what it counts.
    asked = [*(reading.covariates or [IF_ANY]), *columns_of_parts(composed)]
    problem = load_and_tell(file, replace(reading, covariates=asked), quiet).problem
    if isinstance(problem, Contests):
        problem = known_as_levels(problem, composed)
        return with_products(problem, as_terms(reading.covariates))
    if composed:
        raise InputError(
            f"--with is {parts}, and rankers of judgments do not know parts; leave it out here"
        )
    if reading.covariates:
        raise InputError(
            f"--covariate is {reading.covariates[0]}, and rankers of judgments do not know"
            " covariates yet; leave it out here"
        )
    return problem


def need_contests(problem: Contests | Judgments, file: str) -> Contests:
    """Return contests; judgments are refused, where results in time order are wanted."""
    from qrja.data import Contests

    if not isinstance(problem, Contests):
        raise InputError(
            f"{file}: has judgments, and this back-test predicts contests; qrja backtest predicts"
            " judgments from each other"
        )
    return problem


def is_little(problem: Contests | Judgments) -> bool:
    """Tell whether a back-test takes seconds and not minutes."""
    return _work(problem) <= LITTLE


def _work(problem: Contests | Judgments) -> int:
    """Return contests times entries; judgments are fitted a few times, whatever their number."""
    return (1 if problem.directed else len(problem)) * problem.entries


def try_rankers(
    problem: Contests | Judgments,
    name: str,
    quiet: bool,
    *,
    rankers: Sequence[str] | None = None,
    rules: str = "fair",
    jobs: int | None = None,
    checkpoint: Path | None = None,
    **dealing: Any,
) -> Backtest:
    """Back-test rankers, the fast ones unless some are named; ``dealing`` is how, of judgments."""
    from qrja.backtesting import backtest

    if jobs is None:
        # Processes take a second to start.
        jobs = 1 if _work(problem) <= ALONE else os.cpu_count() or 1
    with bars(quiet) as progress:
        return backtest(
            problem,
            rankers,
            rules,
            dataset=name,
            jobs=jobs,
            checkpoint=checkpoint,
            progress=progress,
            **dealing,
        )
