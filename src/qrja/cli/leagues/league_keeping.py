"""``qrja league backup`` and its like: a league is looked after."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from qrja.cli import options
from qrja.cli.leagues.league_options import Author, Place, author_or_user, open_league, tell
from qrja.cli.output import note, say, say_json, wrote
from qrja.cli.shelf import OnceEach
from qrja.errors import InputError
from qrja.plurals import count

Target = Annotated[Path, typer.Argument(metavar="FILE", help="Where to: .jsonl, or .jsonl.gz.")]


def keep_commands(group: typer.Typer) -> None:
    """Give a group the commands that look after a league."""
    for command in (backup, restore, check, export):
        group.command(cls=OnceEach)(command)
    group.command("import", cls=OnceEach)(import_ratings)


def backup(
    place: Place, file: Target, json: options.Json = False, quiet: options.Quiet = False
) -> None:
    """Write the whole log into a file, from which it can be restored into any database.

    \b
    Examples:
      qrja league backup club.db club.jsonl.gz
      qrja league backup club.db club.jsonl --json
    """
    from qrja.league import backup as run

    options.check_folder(file)
    with open_league(place) as opened:
        events = run(opened, file)
    wrote(file, quiet)
    if json:
        say_json({"backup": str(file), "events": events})


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What qrja league backup wrote.")],
    place: Place,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a league again from a backup: a new file, or an empty database.

    \b
    Examples:
      qrja league restore club.jsonl.gz copy.db
      qrja league restore club.jsonl copy2.db --json
    """
    from qrja.league import read_backup
    from qrja.league import restore as run

    read_backup(file)  # before anything is made
    with open_league(place, create=True) as opened:
        events = run(file, opened)
        note(f"{opened.name}: restored {count(events, 'event')}", quiet)
        if json:
            say_json({"league": opened.name, "events": events})


def check(place: Place, json: options.Json = False, quiet: options.Quiet = False) -> None:
    """Look for damage: of the database, of the log, of ratings that follow it.

    \b
    Examples:
      qrja league check club.db
      qrja league check club.db --json
    """
    from qrja.league import check as run

    with open_league(place) as opened:
        found, events = run(opened), opened.version
    if json:
        say_json({"league": opened.name, "events": events, "well": found})
        return
    for line in found:
        say(f"+ {line}")


def export(
    place: Place,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A table of the results, or .qrja for the ratings."),
    ],
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Write the results as a table that qrja reads, or the ratings into one file.

    \b
    Examples:
      qrja league export club.db results.csv
      qrja league export club.db club.qrja
    """
    options.check_folder(file)
    with open_league(place) as opened:
        opened.export(file)
        events = opened.version
    wrote(file, quiet)
    if json:
        say_json({"file": str(file), "as_of": {"event": events}})


def import_ratings(
    place: Place,
    file: Annotated[Path, typer.Argument(metavar="FILE.qrja", help="Saved ratings.")],
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Add the results and the model of saved ratings; the league is made if it is not there.

    \b
    Examples:
      qrja league import season.db league.qrja
      qrja league import season2.db league.qrja --json
    """
    from qrja.cli.file_kinds import is_saved
    from qrja.league import drafts_of
    from qrja.ratings import load

    if not is_saved(str(file)):
        raise InputError(f"{file}: is not a file of saved ratings; add tables by qrja update")
    ratings = load(file)
    with open_league(place, create=True) as opened:
        events = opened.write(drafts_of(ratings), author=author_or_user(author))
        for event in events:
            tell(opened, event, quiet)
        if json:
            say_json({"league": opened.name, "events": [event.number for event in events]})
