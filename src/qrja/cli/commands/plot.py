"""``qrja plot``: pictures for papers and slides."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.error_kinds import interval_arguments
from qrja.cli.output import bars, note, working, wrote
from qrja.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Hashable

    from qrja.ratings import Ratings

KINDS = ("ratings", "history", "backtest")
LINES = 6
"""Contestants whose history is drawn unless some are named."""

Kind = Annotated[
    str,
    typer.Option(
        metavar="KIND", help="What to draw: ratings, history (over time) or backtest (of methods)."
    ),
]
Picture = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="The picture: .png, .svg or .pdf.")
]
Contestants = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help="Whose history: 'Alice,Bob', or @FILE; else the best."),
]


@options.expand
def plot(
    file: options.File,
    out: Picture,
    reading: options.Reading,
    modelling: options.Modelling,
    sampling: options.Sampling,
    kind: Kind = "ratings",
    contestants: Contestants = None,
    top: options.Top = None,
    quiet: options.Quiet = False,
) -> None:
    """Draw ratings with their intervals, how they grew, or which method predicts best.

    With --kind backtest FILE may also be the .json that qrja backtest --out wrote.

    \b
    Examples:
      qrja plot races.csv -o ratings.png
      qrja plot races.csv --kind history --contestants "Alice,Bob" -o races.svg
      qrja plot dataset:classifiers --kind backtest -o methods.pdf
    """
    from qrja.cli.file_ratings import load_and_fit
    from qrja.plots import check_ending, draw_backtest, draw_history, draw_ratings

    if kind not in KINDS:
        hint = nearest(kind, KINDS) or f"; choose one of {', '.join(KINDS)}"
        raise InputError(f"no kind of plot {kind!r}{hint}")
    check_ending(out)
    if kind == "backtest":
        result = _written(file) or _back_test(file, reading, quiet)
        with working("drawing", quiet):
            draw_backtest(result, out)
        wrote(out, quiet)
        return
    if contestants is not None and kind != "history":
        raise InputError("--contestants is for --kind history; --top says how many to draw")
    ratings = load_and_fit(file, reading, modelling, quiet).ratings
    groups = int(ratings.solution.components.max(initial=0)) + 1
    if groups > 1 and contestants is None:
        others = int((ratings.solution.components > 0).sum())
        note(
            f"warning: {groups} groups that never met cannot be compared; the largest is drawn,"
            f" {others} contestants are not",
            quiet,
        )
    if kind == "history":
        with working("drawing", quiet):
            draw_history(ratings, out, _chosen(ratings, contestants, top))
    else:
        with bars(quiet) as tell:
            progress = tell and partial(tell, "resampling")
            draw_ratings(
                ratings, out, top=top or 20, progress=progress, **interval_arguments(sampling)
            )
    wrote(out, quiet)


def _written(file: str) -> dict[str, Any] | None:
    """Return the back-test in a file that ``qrja backtest --out`` wrote; None for a table."""
    from json import loads

    path = Path(file)
    if path.suffix.casefold() != ".json" or not path.is_file():
        return None
    try:
        found = loads(path.read_text(encoding="utf-8-sig"))
    except ValueError:  # JSON lines, perhaps: a table
        return None
    return found if isinstance(found, dict) and "rankers" in found else None


def _back_test(file: str, reading: options.Reading, quiet: bool) -> dict[str, Any]:
    from qrja.cli.ranker_trials import contests_of, try_rankers

    return try_rankers(contests_of(file, reading, quiet), file, quiet).to_dict()


def _chosen(ratings: Ratings, contestants: str | None, top: int | None) -> list[Hashable]:
    from qrja.cli.name_lists import parse_names

    if contestants is not None:
        return list(parse_names(contestants))
    best = [row for row in ratings.leaderboard() if row.component == 0]
    return [row.contestant for row in best[: top or LINES]]
