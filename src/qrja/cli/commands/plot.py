"""``qrja plot``: pictures for papers and slides."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.error_kinds import interval_arguments
from qrja.cli.name_lists import parse_names
from qrja.cli.output import bars, note, working, wrote
from qrja.errors import InputError, nearest
from qrja.plurals import count

if TYPE_CHECKING:
    from qrja.ratings import Ratings

BACKTEST = "backtest"
"""The one kind that is drawn from contests, not from ratings."""

Kind = Annotated[
    str,
    typer.Option(
        metavar="KIND",
        help="What to draw: ratings, forest (differences from --reference), history (over time),"
        " league (all differences), network (who met whom), critical (who cannot be told apart),"
        " reliability (of forecasts) or backtest (of methods).",
    ),
]
Picture = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="The picture: .png, .svg or .pdf.")
]
Contestants = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help="Who is drawn: 'Alice,Bob', or @FILE; else the best."),
]
Reference = Annotated[
    str | None, typer.Option(metavar="NAME", help="Draw differences from this one.")
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="Above the picture.")]


@options.expand
def plot(
    file: options.File,
    out: Picture,
    reading: options.Reading,
    modelling: options.Modelling,
    sampling: options.Sampling,
    kind: Kind = "ratings",
    contestants: Contestants = None,
    reference: Reference = None,
    title: Title = None,
    top: options.Top = None,
    quiet: options.Quiet = False,
) -> None:
    """Draw ratings, differences, histories, networks, forecasts or methods.

    With --kind backtest FILE may also be the .json that qrja backtest --out wrote.

    \b
    Examples:
      qrja plot races.csv -o ratings.png
      qrja plot races.csv --kind history --contestants "Alice,Bob" -o races.svg
      qrja plot races.csv --kind forest --reference Bob -o forest.pdf
      qrja plot dataset:classifiers --kind backtest -o methods.pdf
    """
    from qrja.cli.file_ratings import load_and_fit
    from qrja.plots import check_ending, save_picture

    check_ending(out)
    _check_kind(kind)
    if kind == BACKTEST:
        figure = _draw_backtest(file, reading, title, quiet)
    else:
        ratings = load_and_fit(file, reading, modelling, quiet).ratings
        _warn_of_groups(ratings, quiet or contestants is not None)
        with bars(quiet) as tell:
            figure = ratings.plot(
                kind,
                top=top,
                who=None if contestants is None else parse_names(contestants),
                reference=reference,
                title=title,
                progress=tell and partial(tell, "resampling"),
                **interval_arguments(sampling),
            )
    with working("drawing", quiet):
        save_picture(figure, out)
    wrote(out, quiet)


def _check_kind(kind: str) -> None:
    from qrja.ratings.pictures import KINDS

    known = [*KINDS, BACKTEST]
    if kind not in known:
        hint = nearest(kind, known) or f"; choose one of {', '.join(known)}"
        raise InputError(f"no kind of plot {kind!r}{hint}")


def _warn_of_groups(ratings: Ratings, quiet: bool) -> None:
    from qrja.ratings import Wording

    groups = int(ratings.solution.components.max(initial=0)) + 1
    if groups > 1:
        others, words = int((ratings.solution.components > 0).sum()), Wording.of(ratings)
        note(
            f"warning: {groups} groups that {words.never_met} cannot be compared; the largest is"
            f" drawn, {count(others, words.who)} {'is' if others == 1 else 'are'} not",
            quiet,
        )


def _draw_backtest(file: str, reading: options.Reading, title: str | None, quiet: bool) -> Any:
    from qrja.backtesting import outline
    from qrja.plots import draw_trials

    result = _written(file) or _back_test(file, reading, quiet)
    return draw_trials(outline(result)["metrics"], title=title)


def _written(file: str) -> dict[str, Any] | None:
    """Return the back-test in a file that ``qrja backtest --out`` wrote; None for a table."""
    from json import loads

    path = Path(file)
    if path.suffix.casefold() != ".json":
        return None
    try:
        found = loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, OSError):  # JSON lines, perhaps: a table; or nothing, which its reader says
        return None
    return found if isinstance(found, dict) and "rankers" in found else None


def _back_test(file: str, reading: options.Reading, quiet: bool) -> dict[str, Any]:
    from qrja.cli.ranker_trials import problem_of, try_rankers

    return try_rankers(problem_of(file, reading, quiet), file, quiet).to_dict()
