"""``qrja trust``: what the ratings of a file rest on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.output import note, say_json, say_table, working, wrote
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.ratings import Ratings

SHOWN = 20
"""Lines of a table that are printed."""
UNSEEN = ("difference", "se", "direct_se", "indirect_se")
"""Columns of splits that a screen has no room for; files and JSON have them."""
LEFT = ("a", "b", "moved", "contest", "study", "judgment", "cycle", "kind")
"""Columns of texts."""
PLAIN = ("share", "p", "studentised", "z", "q")
"""Columns that are plain numbers; others are in the units of the ratings."""


class Evidence(StrEnum):
    """Tables of results that disagree."""

    splits = "splits"
    omissions = "omissions"
    cycles = "cycles"
    misfit = "misfit"


Listed = Annotated[
    Evidence | None,
    typer.Option(
        "--list",
        help="Instead of findings, a table, the worst first: splits (of any two who met, direct"
        " against indirect evidence), omissions (each judgment, study or contest against all"
        " others, and ratings without it), cycles (of up to five, in standard errors), misfit (Q"
        " within repeated meetings, round short cycles and longer ones).",
    ),
]


@options.expand
def trust(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    table: Listed = None,
    json: options.Json = False,
    out: options.AnswerOut = None,
    quiet: options.Quiet = False,
) -> None:
    """Check what ratings of FILE rest on: a verdict, then one finding a line.

    Marks: + good, - worth knowing, ! a warning. Below a finding is what to do about it.

    \b
    Examples:
      qrja trust races.csv
      qrja trust dataset:football --json
      qrja trust races.csv --list omissions
    """
    from qrja.cli.answer_forms import give
    from qrja.cli.file_ratings import load_and_fit

    ratings = load_and_fit(file, reading, modelling, quiet).ratings
    if table is not None:
        _list(ratings, table, json, out, quiet)
        return
    with working("checking", quiet):
        report = ratings.trust()
    rows = [
        {
            "kind": finding.kind,
            "level": finding.level,
            "number": finding.number,
            "sentence": finding.sentence,
            "suggestion": finding.suggestion,
        }
        for finding in report.findings
    ]
    give(report, rows, json, out, quiet)


def _list(ratings: Ratings, table: Evidence, json: bool, out: Path | None, quiet: bool) -> None:
    """Print a table of results that disagree, or write it."""
    from qrja.ratings import Wording
    from qrja.tables import write_table

    with working("comparing", quiet):
        columns = _columns(ratings, table, None if out is not None or json else SHOWN + 1)
    if out is not None:
        write_table(columns, out)
        wrote(out, quiet)
    names = list(columns)
    rows = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if json:
        say_json({table.value: rows})
    elif out is None:
        narrow = table is Evidence.splits
        shown = [name for name in names if not narrow or name not in UNSEEN]
        lines = [[_cell(ratings, name, row[name]) for name in shown] for row in rows[:SHOWN]]
        called = {"contest": ratings.problem.nouns.event, "meetings": Wording.of(ratings).meetings}
        say_table(
            [called.get(name, name) for name in shown], lines, left=[*LEFT, called["contest"]]
        )
        if len(rows) > SHOWN:
            note(f"the first {SHOWN}; --out writes all of them", quiet)


def _columns(ratings: Ratings, table: Evidence, most: int | None) -> dict[str, list[Any]]:
    """Return a table, at least its first lines."""
    if table is Evidence.splits:
        return dict(ratings.splits(kind="dict"))
    if table is Evidence.misfit:
        parts = [part.to_dict() for part in ratings.misfit_parts()]
        if not parts:
            raise InputError(
                "the misfit of these is not split: it is for judgments that are checked by others,"
                " without a ridge, and at most 800 candidates and independent contrasts; look at"
                " --list cycles or omissions"
            )
        return {name: [part[name] for part in parts] for name in ("kind", "q", "df", "p")}
    asked = ratings.cycles if table is Evidence.cycles else ratings.omissions
    return dict(asked(most, kind="dict"))


def _cell(ratings: Ratings, name: str, value: Any) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.3f}" if name in PLAIN or name.endswith("se") else ratings.units.show(value)
