"""``qrja league``: make a league, look at its log, change how it is rated, and undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.leagues.league_options import (
    Author,
    Place,
    as_json,
    author_or_user,
    open_league,
    tell,
)
from qrja.cli.output import note, say_json, say_table
from qrja.cli.shelf import OnceEach
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.league import Draft, Event, Incoming, League
    from qrja.tables import Table

league = typer.Typer(
    help="Keep a league in a database: results come in, ratings follow.\n\n\b\nExamples:\n"
    "  qrja league init club.db races.csv\n"
    "  qrja update club.db more.csv\n"
    "  qrja rank club.db",
    no_args_is_help=True,
    rich_markup_mode=None,
)

First = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="First results: a table, or ratings saved as .qrja."),
]
Number = Annotated[
    int | None, typer.Argument(metavar="[EVENT]", help="Its number in the log; else the last.")
]


@league.command(cls=OnceEach)
@options.expand
def init(
    place: Place,
    reading: options.Reading,
    modelling: options.Modelling,
    first: First = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="What it is called.")] = None,
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a league, with first results and a model if they are given.

    \b
    Examples:
      qrja league init sunday.db races.csv --title "Sunday races"
      qrja league init spring.db spellings.csv
      qrja league init football.db dataset:football --home
      qrja league init new.db --half-life "365 days"
    """
    with open_league(place, create=True) as opened:
        if opened.version:
            raise InputError(f"{opened.name}: is a league already; add to it by qrja update")
        drafts = _drafts(opened, first, title, reading, modelling, quiet)
        events: tuple[Event, ...] = ()
        if drafts:
            events = opened.write(drafts, author=author_or_user(author))
        for event in events:
            tell(opened, event, quiet)
        note(f"made the league {opened.name}", quiet)
        if json:
            say_json({"league": opened.name, "events": as_json(list(events), opened)})


def _drafts(
    opened: League,
    first: str | None,
    title: str | None,
    reading: options.Reading,
    modelling: options.Modelling,
    quiet: bool,
) -> list[Draft | Incoming]:
    """Return what a new league begins with."""
    from qrja.cli.file_kinds import is_saved
    from qrja.cli.file_ratings import with_contexts
    from qrja.league import Draft, draft_model

    drafts: list[Draft | Incoming] = [] if title is None else [Draft("titled", {"title": title})]
    if first is not None and is_saved(first):
        from qrja.league import drafts_of
        from qrja.ratings import load

        return [*drafts, *drafts_of(load(first))]
    table = None if first is None else _read(first, with_contexts(reading, modelling), quiet)
    if table is not None:
        drafts.append(opened.read(table))
    asked = model_of(modelling, table, reading.pairs) | terms_of(reading.covariates)
    if asked:
        problem = None if table is None else table.problem
        drafts.append(draft_model(opened.state, problem, asked))
    return drafts


def _read(file: str, reading: options.Reading, quiet: bool) -> Table:
    from qrja.cli.file_argument import load_and_tell

    return load_and_tell(file, reading, quiet)


def model_of(
    modelling: options.Modelling, table: Table | None, pairs: str = "unit"
) -> dict[str, Any]:
    """Return the arguments of a model that are not at their defaults."""
    from qrja.cli.fit_arguments import fit_arguments, model_arguments, split_anchor

    if table is not None:
        asked = fit_arguments(modelling, table)
    elif modelling.anchors is not None:
        raise InputError(
            "--anchors names contestants, and there are none yet; give it with results"
        )
    else:
        named = [split_anchor(text) for text in modelling.anchor or []]
        asked = model_arguments(modelling) | {"anchors": named or None}
    usual = model_arguments(options.Modelling()) | {"anchors": None, "pairs": "unit"}
    given = asked | {"pairs": pairs}
    return {name: value for name, value in given.items() if value != usual[name]}


def terms_of(covariates: list[str] | None) -> dict[str, Any]:
    """Return what a model asks for by its covariates."""
    return {"covariates": covariates} if covariates else {}


@league.command(cls=OnceEach)
@options.expand
def model(
    place: Place,
    modelling: options.Modelling,
    covariates: Annotated[
        list[str] | None,
        typer.Option(
            "--covariate",
            metavar="COLUMN",
            help="Find what a column of the results is worth; home: the home side (or --home"
            " alone). May be repeated.",
        ),
    ] = None,
    pairs: Annotated[
        str, typer.Option(metavar="RULE", help="What a pair weighs: unit, mean or additive.")
    ] = "unit",
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Change how a league is rated; what is not given is at its default.

    \b
    Examples:
      qrja league model club.db --p 1 --half-life "180 days"
      qrja league model club.db --home --drift auto
    """
    with open_league(place) as opened:
        asked = model_of(modelling, None, pairs) | terms_of(covariates)
        event = opened.change_model(author=author_or_user(author), **asked)
        tell(opened, event, quiet)
        if json:
            say_json(as_json([event], opened)[0])


@league.command(cls=OnceEach)
def log(
    place: Place,
    after: Annotated[int, typer.Option(min=0, metavar="EVENT", help="Only those after it.")] = 0,
    top: options.Top = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Show what happened to a league, the last event first.

    \b
    Examples:
      qrja league log club.db --top 10
      qrja league log club.db --json
    """
    from qrja.league import find_undone

    with open_league(place) as opened:
        whole = opened.log()
        undone = find_undone(whole)
        shown = [event for event in reversed(whole) if event.number > after][:top]
        told = as_json(shown, opened)
    for line in told:
        line["undone_by"] = undone.get(line["event"])
    if json:
        say_json({"league": opened.name, "events": told})
        return
    cells = [
        [
            str(line["event"]),
            str(line["at"])[:19].replace("T", " "),
            str(line["author"]),
            line["sentence"] + (f" (undone by {by})" if (by := line["undone_by"]) else ""),
        ]
        for line in told
    ]
    say_table(["event", "when (UTC)", "who", "what"], cells, left=("who", "what"))


@league.command(cls=OnceEach)
def undo(
    place: Place,
    event: Number = None,
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Undo an event, the last one unless named; undoing an undoing brings it back.

    \b
    Examples:
      qrja league undo club.db
      qrja league undo club.db 3
    """
    with open_league(place) as opened:
        _say(opened, opened.undo(event, author=author_or_user(author)), json, quiet)


@league.command(cls=OnceEach)
def rename(
    place: Place,
    contestant: Annotated[str, typer.Argument(help="The name so far.")],
    to: Annotated[str, typer.Argument(help="The new name.")],
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Give a contestant another name; later results by the old one are found as well.

    \b
    Examples:
      qrja league rename club.db Bob "Bob Smith"
      qrja league rename club.db Bob Robert --author Ann
    """
    with open_league(place) as opened:
        _say(opened, opened.rename(contestant, to, author=author_or_user(author)), json, quiet)


@league.command(cls=OnceEach)
def merge(
    place: Place,
    contestant: Annotated[str, typer.Argument(help="Who is somebody else.")],
    into: Annotated[str, typer.Argument(help="Who it is.")],
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say that two contestants are one, now and in results to come.

    \b
    Examples:
      qrja league merge spring.db "Bob S." "Bob Smith"
      qrja league merge spring.db A.Miller Alice --json
    """
    with open_league(place) as opened:
        _say(opened, opened.merge(contestant, into, author=author_or_user(author)), json, quiet)


def _say(opened: League, event: Event, json: bool, quiet: bool) -> None:
    tell(opened, event, quiet)
    if json:
        say_json(as_json([event], opened)[0])
