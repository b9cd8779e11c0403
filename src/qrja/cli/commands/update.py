"""``qrja update``: saved ratings or a league, and what new results make of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.config import read_config
from qrja.cli.file_kinds import is_league, is_saved
from qrja.cli.output import note, say, say_json, say_table, working, wrote
from qrja.errors import FileChangedError, InputError
from qrja.speech import plural

if TYPE_CHECKING:
    from qrja.ratings import Changes, Ratings
    from qrja.tables import Table

CHANGED = 10
"""How many contestants are listed unless --top says otherwise: those who moved most."""

TRIES = 20
"""How often an update begins again because another one of the same file was quicker."""

Saved = Annotated[
    str,
    typer.Argument(
        metavar="SAVED",
        help="Ratings saved by qrja rank --save, or a league: a .db file or postgresql://...",
        is_eager=True,
        callback=read_config,
    ),
]
More = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="New results: a table as in qrja rank, or '-'."),
]
Remove = Annotated[
    list[str] | None,
    typer.Option(metavar="CONTEST", help="Withdraw a contest; may be repeated."),
]
Correct = Annotated[
    list[str] | None,
    typer.Option(metavar="CONTEST,CONTESTANT,SCORE", help="Correct one result; may be repeated."),
]
Save = Annotated[
    Path | None,
    typer.Option(metavar="NAME.qrja", help="Save here, and leave the old file as it is."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]


@options.expand
def update(
    saved: Saved,
    reading: options.Reading,
    file: More = None,
    remove: Remove = None,
    correct: Correct = None,
    save: Save = None,
    dry_run: DryRun = False,
    top: options.Top = None,
    json: options.Json = False,
    out: options.Out = None,
    quiet: options.Quiet = False,
) -> None:
    """Add, withdraw or correct results in saved ratings or a league, and show who moved.

    The ratings are those of a fit of everything, in whatever order results arrive. Contests are
    withdrawn first, so that a contest can be replaced by a new version of it.

    \b
    Examples:
      qrja update league.qrja more.csv
      qrja update league.db more.csv
      qrja update league.qrja --correct "Boston,Bob,4:10:30" --dry-run
    """
    from qrja.cli.file_ratings import given

    if file is None and not remove and not correct:
        raise InputError("nothing to update; give a FILE of new results, --remove or --correct")
    if not (is_saved(saved) or is_league(saved)):
        raise InputError(
            f"{saved}: is not a file of saved ratings; make one by"
            f" qrja rank {saved} --save {Path(saved).stem}.qrja"
        )
    if "pairs" in given(reading):
        raise InputError("--pairs comes too late; give it to qrja rank --save, which weighs pairs")
    if is_league(saved):
        after, changes = _update_league(
            saved, file, given(reading), remove or [], correct or [], save, dry_run, quiet
        )
    else:
        before, after = _update_file(
            saved, file, reading, remove or [], correct or [], save, dry_run, quiet
        )
        changes = after.changes_since(before)
    if out is not None:
        from qrja.tables import write_table

        write_table(changes.columns(), out)
        wrote(out, quiet)
    if json:
        say_json({"saved": not dry_run, **changes.to_dict()})
    elif out is None:
        _print(after, changes, top, quiet)
    if gone := changes.gone:
        shown = ", ".join(map(str, gone[:CHANGED]))
        more = f" and {len(gone) - CHANGED} more" if len(gone) > CHANGED else ""
        note(f"without a result now, and not rated any more: {shown}{more}", quiet)


def _update_league(
    place: str,
    file: str | None,
    reading: dict[str, Any],
    remove: list[str],
    correct: list[str],
    save: Path | None,
    dry_run: bool,
    quiet: bool,
) -> tuple[Ratings, Changes]:
    """Write events into a league; return the ratings after them, and who moved."""
    from qrja.cli.leagues import update_league

    if save is not None:
        raise InputError("--save is for files of ratings; qrja league export writes one")
    corrections = [parse_correction(text) for text in correct]
    before, after = update_league(
        place, file, reading, remove, corrections, dry_run=dry_run, quiet=quiet
    )
    return after, after.changes_since(before)


def _update_file(
    saved: str,
    file: str | None,
    reading: options.Reading,
    remove: list[str],
    correct: list[str],
    save: Path | None,
    dry_run: bool,
    quiet: bool,
) -> tuple[Ratings, Ratings]:
    """Change saved ratings; return them before and after."""
    from qrja.cli.file_ratings import save_ratings
    from qrja.ratings import load

    before = load(saved)
    table = None if file is None else _read(before, file, reading, quiet)
    for last in (*[False] * TRIES, True):
        after = _apply(before, table, remove, correct, quiet)
        if not after.problem.n:
            raise InputError(f"nothing would be left; delete {saved} if that is meant")
        try:
            if not dry_run:
                save_ratings(after, save or Path(saved), quiet)
            break
        except FileChangedError:  # another update came first: this one is of what it left
            if last:
                raise
            before = load(saved)
    return before, after


def _apply(
    ratings: Ratings, table: Table | None, remove: list[str], correct: list[str], quiet: bool
) -> Ratings:
    for contest in remove:
        ratings = ratings.remove(contest)
    for text in correct:
        ratings = ratings.correct(*parse_correction(text))
    if table is None:
        return ratings
    with working("updating", quiet):
        return ratings.update(table)


def _read(ratings: Ratings, file: str, reading: options.Reading, quiet: bool) -> Table:
    from qrja.cli.file_argument import load
    from qrja.cli.file_ratings import given

    # The new table is read as the first one was, unless told otherwise.
    how = replace(options.Reading(), **{**ratings.reading, **given(reading)})
    with working(f"reading {file}", quiet):
        table = load(file, how)
    for line in table.summary.lines():
        note(line, quiet)
    return table


def parse_correction(text: str) -> tuple[str, str, str]:
    """Read a correction; names that hold commas are put in quotes.

    Examples
    --------
    >>> parse_correction('"Paris, 2024",Alice,4:00:00')
    ('Paris, 2024', 'Alice', '4:00:00')
    """
    from qrja.cli.name_lists import parse_names

    parts = [] if text.startswith("@") else parse_names(text)
    if len(parts) != 3:
        raise InputError(
            f"--correct is {text!r}; write CONTEST,CONTESTANT,SCORE, with quotes around a name"
            " that holds a comma"
        )
    return parts[0], parts[1], parts[2]


def _print(ratings: Ratings, changes: Changes, top: int | None, quiet: bool) -> None:
    moved = changes.moved()
    if not moved:
        say("no rating changed")
        return
    # Those who moved furthest; the list itself is by rank.
    shown = sorted(moved[: top or CHANGED], key=lambda one: (one.component, one.rank))
    show = ratings.units.show
    rows = [
        [
            str(one.rank),
            "new" if one.rank_before is None else str(one.rank_before),
            str(one.contestant),
            show(one.rating),
            "" if one.change is None else show(one.change),
            str(one.contests),
        ]
        for one in shown
    ]
    nouns = ratings.data.nouns
    header = ["rank", "was", nouns.candidate, "rating", "change", plural(nouns.event)]
    say_table(header, rows, left=[nouns.candidate])
    if len(moved) > len(shown):
        note(f"{len(moved) - len(shown)} more moved less; --top N shows more", quiet)
