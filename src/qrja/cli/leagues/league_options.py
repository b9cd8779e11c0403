"""Arguments that the commands of leagues share."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli.output import note

if TYPE_CHECKING:
    from qrja.league import Event, League

Place = Annotated[
    str,
    typer.Argument(metavar="LEAGUE", help="A league: a file .db, or postgresql://user@host/name."),
]
Author = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who the log says did it; by default who you are logged in."),
]


def open_league(place: str, *, create: bool = False) -> League:
    """Open a league that a command names."""
    from qrja.league import League

    return League.open(place, create=create)


def author_or_user(author: str | None) -> str:
    """Return who does it: who is named, or logged in."""
    if author is not None:
        return author
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user without a name, as in a container
        return ""


def tell(league: League, event: Event, quiet: bool) -> None:
    """Note what was written."""
    from qrja.league import say_event

    said = say_event(event, league.state.units)
    note(f"{league.name}: event {event.number}: {said}", quiet)


def as_json(events: list[Event], league: League) -> list[dict[str, Any]]:
    """Give events as JSON, each with a sentence."""
    from qrja.league import say_event

    units = league.state.units
    return [event.to_dict() | {"sentence": say_event(event, units)} for event in events]
