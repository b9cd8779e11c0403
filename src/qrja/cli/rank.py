"""``qrja rank``: a leaderboard from a file."""

from __future__ import annotations

from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING, Any

from qrja.cli import options
from qrja.cli.output import aligned, note, say, say_json, shorten, working

if TYPE_CHECKING:
    from qrja.ratings import Ratings, Row
    from qrja.solution import Solution

SHOWN = 5
"""Leaderboards shown on a screen; a file or JSON holds all of them."""


@options.expand
def rank(
    file: options.File,
    reading: options.Reading,
    p: options.P = 2.0,
    top: options.Top = None,
    json: options.Json = False,
    out: options.Out = None,
    quiet: options.Quiet = False,
) -> None:
    """Print a leaderboard: rank, contestant, rating, contests.

    Ratings are in the units of the scores; the average contestant has 0.

    \b
    Examples:
      qrja rank races.csv
      qrja rank dataset:football --top 5
    """
    from qrja.cli.source import load
    from qrja.ratings import fit

    with working(f"reading {file}", quiet):
        table = load(file, reading)
    with working("rating", quiet):
        ratings = fit(table, p=p)
    for line in table.summary.lines():
        note(line, quiet)
    if ratings.solution.status != "optimal":
        note(warn_unproved(ratings.solution), quiet)
    rows = ratings.leaderboard()
    if out is not None:
        from qrja.tables import write_table

        write_table(_columns(rows, top), out)
        note(f"wrote {out}", quiet)
    if json:
        say_json(_report(ratings, rows, top) | {"summary": table.summary.to_dict()})
    elif out is None:
        _print(ratings, rows, top, quiet)


def _boards(rows: list[Row]) -> list[list[Row]]:
    return [list(group) for _, group in groupby(rows, key=lambda row: row.component)]


def _columns(rows: list[Row], top: int | None) -> dict[str, list[Any]]:
    names = ["rank", "contestant", "rating", "contests", "component"]
    kept = [row for board in _boards(rows) for row in board[:top]]
    return {name: [getattr(row, name) for row in kept] for name in names}


def _report(ratings: Ratings, rows: list[Row], top: int | None) -> dict[str, Any]:
    solution = ratings.solution
    return {
        "loss": solution.loss,
        "objective": solution.objective,
        "lower_bound": solution.lower_bound,
        # p < 1 proves nothing: there is no gap to give.
        "gap": solution.gap if isfinite(solution.gap) else None,
        "status": solution.status,
        "units": ratings.units.kind,
        "components": [
            {
                "size": len(board),
                "leaderboard": [
                    {
                        "rank": row.rank,
                        "contestant": row.contestant,
                        "rating": row.rating,
                        "contests": row.contests,
                    }
                    for row in board[:top]
                ],
            }
            for board in _boards(rows)
        ],
    }


def _print(ratings: Ratings, rows: list[Row], top: int | None, quiet: bool) -> None:
    boards = _boards(rows)
    groups = [board for board in boards if len(board) > 1]
    if len(boards) > 1:
        note(_warn_apart(groups, len(boards) - len(groups)), quiet)
    for number, board in enumerate(groups[:SHOWN], start=1):
        if len(groups) > 1:
            say(f"Group {number} of {len(groups)}: {len(board)} contestants")
        say(_leaderboard(ratings, board[:top]))
        if len(board) > len(board[:top]):
            say(f"... and {len(board) - len(board[:top])} more")
        if number < min(len(groups), SHOWN):
            say()
    if len(groups) > SHOWN:
        say(f"... and {len(groups) - SHOWN} more groups; --out FILE or --json holds them all")


def _leaderboard(ratings: Ratings, board: list[Row]) -> str:
    return aligned(
        ["rank", "contestant", "rating", "contests"],
        [
            [
                str(row.rank),
                shorten(str(row.contestant)),
                ratings.units.show(row.rating),
                str(row.contests),
            ]
            for row in board
        ],
        left=["contestant"],
    )


def _warn_apart(groups: list[list[Row]], alone: int) -> str:
    told = []
    if len(groups) > 1:
        told.append(f"{len(groups)} groups of contestants never met, not even through others")
    if alone:
        told.append(
            "1 contestant met nobody and is not ranked"
            if alone == 1
            else f"{alone} contestants met nobody and are not ranked"
        )
    return f"warning: {'; '.join(told)}; ratings compare within a group only"


def warn_unproved(solution: Solution) -> str:
    """Say what was not proved of a solution that is not optimal."""
    if solution.status == "local":
        return "warning: a local optimum; for p < 1 nobody knows a quick way to the best one"
    return f"warning: not solved to the end; the loss may be {solution.gap:.1e} too large"
