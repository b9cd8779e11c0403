"""``qrja rank``: a leaderboard from a file."""

from __future__ import annotations

from itertools import groupby
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.output import bars, note, say, say_json, say_table, wrote

if TYPE_CHECKING:
    from qrja.cli.file_ratings import Fitted
    from qrja.ratings import Ratings

SHOWN = 5
"""Leaderboards shown on a screen; a file or JSON holds all of them."""

Line = dict[str, Any]

WithIntervals = Annotated[
    bool,
    typer.Option("--intervals/--no-intervals", help="How far ratings may be from the truth."),
]
Save = Annotated[
    Path | None,
    typer.Option(
        metavar="NAME.qrja", help="Save the ratings, for qrja update and as FILE of any command."
    ),
]


@options.expand
def rank(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    sampling: options.Sampling,
    intervals: WithIntervals = True,
    top: options.Top = None,
    save: Save = None,
    json: options.Json = False,
    out: options.Out = None,
    quiet: options.Quiet = False,
) -> None:
    """Print a leaderboard: rank, contestant, rating, and how sure that is.

    Ratings are in the units of the scores; the average contestant has 0. The true rating is
    between low and high with a probability of 95 % (see --level), the true rank within ranks.

    \b
    Examples:
      qrja rank races.csv
      qrja rank dataset:football --top 5 --half-life "365 days" --out board.csv
      qrja rank races.csv --p 1 --save league.qrja
    """
    from qrja.cli.file_ratings import load_and_fit, save_ratings

    fitted = load_and_fit(file, reading, modelling, quiet)
    if save is not None:
        save_ratings(fitted.ratings, save, quiet)
    board = tabulate(fitted.ratings, sampling if intervals else None, quiet)
    if out is not None:
        from qrja.tables import write_table

        write_table(_columns(board, top), out)
        wrote(out, quiet)
    if json:
        say_json(_report(fitted, board, top))
    elif out is None:
        print_boards(fitted.ratings, board, top, quiet)


def tabulate(ratings: Ratings, sampling: options.Sampling | None, quiet: bool) -> list[Line]:
    """Return the lines of the leaderboard, ``low`` and ``high`` only where there are intervals."""
    level, resamples, seed = (
        (sampling.level, sampling.resamples, sampling.seed) if sampling else (None, 200, 0)
    )
    with bars(quiet) as progress:
        columns: dict[str, list[Any]] = ratings.table(
            level=level,
            resamples=resamples,
            seed=seed,
            kind="dict",
            progress=progress and (lambda done, of: progress("resampling", done, of)),
        )
    if level is not None and columns["low"] and columns["low"][0] is None:
        note(
            "no intervals: they need at least 3 contests, and contestants with several results",
            quiet,
        )
        for name in ("low", "high", "rank_low", "rank_high", "tied_for_first"):
            del columns[name]
    names = list(columns)
    return [dict(zip(names, line, strict=True)) for line in zip(*columns.values(), strict=True)]


def _boards(board: list[Line]) -> list[list[Line]]:
    return [list(group) for _, group in groupby(board, key=lambda line: line["component"])]


def _columns(board: list[Line], top: int | None) -> dict[str, list[Any]]:
    kept = [line for one in _boards(board) for line in one[:top]]
    return {name: [line[name] for line in kept] for name in board[0]}


def _report(fitted: Fitted, board: list[Line], top: int | None) -> dict[str, Any]:
    solution = fitted.ratings.solution
    return {
        "loss": solution.loss,
        # p < 1 proves nothing: there is no gap to give. p = 200 may cost more than a float holds.
        **{name: _finite(getattr(solution, name)) for name in ("objective", "lower_bound", "gap")},
        "status": solution.status,
        "units": fitted.ratings.units.kind,
        "components": [
            {
                "size": len(one),
                "leaderboard": [
                    {name: value for name, value in line.items() if name != "component"}
                    for line in one[:top]
                ],
            }
            for one in _boards(board)
        ],
        "summary": None if fitted.summary is None else fitted.summary.to_dict(),
    }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def print_boards(ratings: Ratings, board: list[Line], top: int | None, quiet: bool) -> None:
    """Print the leaderboard of each group of contestants that compare."""
    boards = _boards(board)
    groups = [one for one in boards if len(one) > 1]
    if len(boards) > 1:
        note(_warn_apart(groups, len(boards) - len(groups)), quiet)
    for number, one in enumerate(groups[:SHOWN], start=1):
        if len(groups) > 1:
            say(f"Group {number} of {len(groups)}: {len(one)} contestants")
        say_table(*lay_out(ratings, one[:top]))
        if len(one) > len(one[:top]):
            say(f"... and {len(one) - len(one[:top])} more")
        if number < min(len(groups), SHOWN):
            say()
    if len(groups) > SHOWN:
        say(f"... and {len(groups) - SHOWN} more groups; --out FILE or --json holds them all")


def lay_out(ratings: Ratings, lines: list[Line]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of one leaderboard, as texts."""
    show = _shower(ratings)
    sure = "low" in lines[0]
    header = ["rank", "contestant", "rating", *(["low", "high", "ranks"] if sure else [])]
    rows = []
    for line in lines:
        row = [str(line["rank"]), str(line["contestant"]), show(line["rating"])]
        if sure:
            row += [show(line["low"]), show(line["high"]), _span(line)]
        rows.append([*row, str(line["contests"])])
    return [*header, "contests"], rows


def _shower(ratings: Ratings) -> Any:
    from math import log

    # A table holds ratios where ratings are logarithms of them.
    if ratings.units.kind == "ratio":
        return lambda value: ratings.units.show(log(value))
    return ratings.units.show


def _span(line: Line) -> str:
    low, high = line["rank_low"], line["rank_high"]
    return str(low) if low == high else f"{low}-{high}"


def _warn_apart(groups: list[list[Line]], alone: int) -> str:
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
