"""``qrja plot``: pictures for papers and slides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from qrja.cli import options
from qrja.cli.output import working, wrote
from qrja.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Hashable

    from qrja.ratings import Ratings

KINDS = ("ratings", "history")
LINES = 6
"""Contestants whose history is drawn unless some are named."""

Kind = Annotated[
    str, typer.Option(metavar="KIND", help=f"What to draw: {' or '.join(KINDS)} (over time).")
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
    """Draw the ratings with their intervals, or how they grew, into a picture.

    \b
    Examples:
      qrja plot races.csv -o ratings.png
      qrja plot dataset:football --kind history --contestants "Barcelona,R. Madrid" -o years.svg
    """
    from qrja.cli.fitted import load_and_fit
    from qrja.plots import check_ending, draw_history, draw_ratings

    if kind not in KINDS:
        hint = nearest(kind, KINDS) or f"; choose one of {', '.join(KINDS)}"
        raise InputError(f"no kind of plot {kind!r}{hint}")
    check_ending(out)
    ratings = load_and_fit(file, reading, modelling, quiet).ratings
    with working("drawing", quiet):
        if kind == "history":
            draw_history(ratings, out, _chosen(ratings, contestants, top))
        else:
            draw_ratings(
                ratings,
                out,
                top=top or 20,
                level=sampling.level,
                resamples=sampling.resamples,
                seed=sampling.seed,
            )
    wrote(out, quiet)


def _chosen(ratings: Ratings, contestants: str | None, top: int | None) -> list[Hashable]:
    from qrja.cli.names import parse_names

    if contestants is not None:
        return list(parse_names(contestants))
    best = [row for row in ratings.leaderboard() if row.component == 0]
    return [row.contestant for row in best[: top or LINES]]
