"""Exchange: a league as a table of its results, or as ratings in a file.

Scores are written as they came, times as times, so that the table is read as the first one was.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.league.state import State
from qrja.ratings import Ratings
from qrja.tables import Units, write_table
from qrja.tables.values import show_date

SAVED = ".qrja"
"""How the names of saved ratings end."""


def export_league(
    state: State, ratings: Ratings | None, path: str | os.PathLike[str] | None
) -> dict[str, list[Any]] | None:
    """Return the results of a state as columns, or write them; see :meth:`qrja.League.export`."""
    if path is None:
        return columns_of(state)
    if ratings is None:
        raise InputError(f"{os.fspath(path)}: not written, the league holds no results yet")
    if Path(path).suffix.casefold() == SAVED:
        ratings.save(path)
    else:
        write_table(columns_of(state), path)
    return None


def columns_of(state: State) -> dict[str, list[Any]]:
    """Return the results of a state as columns that can be read again."""
    columns = _judged(state) if state.judgments else _scored(state)
    return {name: it for name, it in columns.items() if any(value is not None for value in it)}


def _scored(state: State) -> dict[str, list[Any]]:
    units = state.units or Units()
    rows = [(one, name, it) for one in state.contests.values() for name, it in one.results.items()]
    scores = units.as_written(np.array([score for *_, score in rows], dtype=np.float64))
    weighted = any(contest.weight != 1.0 for contest in state.contests.values())
    clock = "time" in (units.kind, units.written)
    return {
        "contest": [contest.label for contest, *_ in rows],
        "date": [contest.date and show_date(contest.date) for contest, *_ in rows],
        "contestant": [name for _, name, _ in rows],
        ("time" if clock else "score"): _written(scores, clock),
        "weight": [contest.weight if weighted else None for contest, *_ in rows],
        "judge": [contest.judge for contest, *_ in rows],
        **{
            name: [_plain(contest.known(name, who)) for contest, who, _ in rows]
            for name in state.covariates
        },
    }


def _plain(value: float | str) -> float | int | str:
    """Write whole numbers without a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _written(scores: Floats, clock: bool) -> list[Any]:
    """Write times as clocks do where that says all of it, and numbers as they are."""
    from qrja.tables.values import clock_time, show_time

    told: list[Any] = []
    for value in scores.tolist():
        text = show_time(value, 6).removeprefix("+") if clock else ""
        told.append(text if clock and clock_time(text) == value else value)
    return told


def _judged(state: State) -> dict[str, list[Any]]:
    judged = list(state.judgments.values())
    ratio = state.units is not None and state.units.kind == "ratio"
    weighted = any(one.w != 1.0 for one in judged) and all(one.se is None for one in judged)
    lower = state.units is not None and state.units.lower_is_better
    return {
        "a": [one.a for one in judged],
        "b": [one.b for one in judged],
        ("ratio" if ratio else "y"): [
            float(np.exp(one.y)) if ratio else -one.y if lower else one.y for one in judged
        ],
        "w": [one.w if weighted else None for one in judged],
        "judge": [one.judge for one in judged],
        "se": [one.se for one in judged],
        "study": [one.study for one in judged],
        "date": [one.date and show_date(one.date) for one in judged],
        "topic": [one.topic for one in judged],
    }
