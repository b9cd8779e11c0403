"""``qrja league panel``: set up a panel of judges, list what it compares, invite, and look how far.

Judging itself is done in the browser, see ``qrja serve``.
"""

from __future__ import annotations

from typing import Annotated, Any

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
from qrja.cli.output import note, say, say_json, say_table
from qrja.cli.shelf import OnceEach
from qrja.errors import InputError

panel = typer.Typer(
    help="Ask a panel of judges: two items at a time, how much better one is.\n\n\b\nExamples:\n"
    "  qrja league panel setup hack.db projects.csv --question 'Which project should win?'\n"
    "  qrja league panel invite hack.db Ann Bea",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Items = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE]",
        help="A table of items: item, and perhaps text, link, image (a file beside it) and owner"
        " (a judge who is not asked about it); or a name a line.",
    ),
]


@panel.command(cls=OnceEach)
def setup(
    place: Place,
    items: Items = None,
    question: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What judges are asked.")
    ] = None,
    scale: Annotated[
        str | None, typer.Option(metavar="SCALE", help="grades, slider or ratio.")
    ] = None,
    grades: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Words of the grades: 'a bit better,better'."),
    ] = None,
    accuracy: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Wished reliability, 0.8 unless given."),
    ] = None,
    repeats: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Of pairs that a judge sees twice.")
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(metavar="WHO", help="Who sees the ratings: everybody, judges, organisers."),
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="What it is called.")] = None,
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Set up a panel, or change its rules; the league is made if it is not there.

    \b
    Examples:
      qrja league panel setup hack.db projects.csv --question "Which project should win?"
      qrja league panel setup worth.db --scale ratio --board everybody
    """
    from qrja.league import LeaguePanel

    asked: dict[str, Any] = {"question": question, "scale": scale, "accuracy": accuracy}
    asked |= {"repeats": repeats, "board": board}
    asked["grades"] = None if grades is None else [word.strip() for word in grades.split(",")]
    with open_league(place, create=True) as opened:
        desk, by = LeaguePanel(opened), author_or_user(author)
        given = None if items is None else desk.read(items)
        events = [desk.set_up(author=by, **{k: v for k, v in asked.items() if v is not None})]
        if title is not None:
            events.append(opened.entitle(title, author=by))
        if given is not None:
            events.append(desk.list_items(given, author=by))
        for event in events:
            tell(opened, event, quiet)
        if json:
            say_json({"league": opened.name, "events": as_json(events, opened)})


@panel.command("items", cls=OnceEach)
def list_items(
    place: Place,
    items: Items = None,
    retire: Annotated[
        list[str] | None,
        typer.Option(metavar="ITEM", help="Ask no more about it; may be given several times."),
    ] = None,
    author: Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """List the items of a panel; add or change those of a table first, if one is given.

    \b
    Examples:
      qrja league panel items hack.db projects.csv
      qrja league panel items hack.db --json
    """
    from qrja.league import LeaguePanel

    with open_league(place) as opened:
        desk, by = LeaguePanel(opened), author_or_user(author)
        if items is not None:
            tell(opened, desk.list_items(items, author=by), quiet)
        if retire:
            tell(opened, desk.unlist(retire, author=by), quiet)
        found = [it for it in opened.state.items.values() if not it.retired]
        given = [name for one in opened.state.judgments.values() for name in (one.a, one.b)]
    if json:
        say_json({"items": [it.to_dict() | {"comparisons": given.count(it.name)} for it in found]})
        return
    rows = [[it.name, str(given.count(it.name)), it.text.replace("\n", " ")] for it in found]
    say_table(["item", "comparisons", "text"], rows, left=("item", "text"))


@panel.command(cls=OnceEach)
def invite(
    place: Place,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="The judges.")],
    address: Annotated[
        str, typer.Option(metavar="URL", help="Where judges reach the server.")
    ] = "http://127.0.0.1:8000",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a link for each judge, and show it: it is kept nowhere.

    What comes after # is the judge's code, which browsers do not send with the address; it can be
    typed as well. Codes are listed and revoked by qrja serve token.

    \b
    Examples:
      qrja league panel invite hack.db Ann Bea
      qrja league panel invite hack.db Cid --address https://judge.example.org --json
    """
    from qrja.league import Tokens

    with open_league(place) as opened:
        if opened.state.rules is None:
            raise InputError(f"{opened.name}: has no panel; set one up: qrja league panel setup")
        tokens = Tokens(opened.store)
        for name in names:
            tokens.check_name(name)
        made = {name: tokens.make("judge", name) for name in dict.fromkeys(names)}
    links = {name: f"{address.rstrip('/')}/j#{code}" for name, code in made.items()}
    if json:
        say_json({"judges": [{"name": it, "code": made[it], "link": links[it]} for it in made]})
        return
    note("links for judges; they are shown this once:", quiet)
    say_table(
        ["judge", "link"], [[name, link] for name, link in links.items()], left=("judge", "link")
    )


@panel.command(cls=OnceEach)
def progress(place: Place, json: options.Json = False, quiet: options.Quiet = False) -> None:
    """Say how far a panel is: its reliability, how many comparisons it needs, and its judges.

    \b
    Examples:
      qrja league panel progress hack.db
      qrja league panel progress hack.db --json
    """
    from qrja.league import LeaguePanel

    with open_league(place) as opened:
        desk = LeaguePanel(opened)
        sign, judges = desk.stop_sign(), desk.judges()
    if json:
        say_json(sign.to_dict() | {"by_judge": [one.to_dict() for one in judges]})
        return
    say(sign.text())
    rows = [
        [
            one.judge,
            str(one.votes),
            "" if one.line is None or one.line.agreement is None else f"{one.line.agreement:.2f}",
            "; ".join(one.words),
        ]
        for one in judges
    ]
    if rows:
        say("")
        say_table(["judge", "votes", "agreement", "to note"], rows, left=("judge", "to note"))
