"""``qrja serve``: a league in the browser and behind an API, and tokens for who may."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from qrja.cli import options
from qrja.cli.leagues.demo_panel import fill_demo_panel
from qrja.cli.leagues.league_options import Place, open_league
from qrja.cli.output import note, say, say_json, say_table
from qrja.cli.shelf import OnceEach
from qrja.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qrja.league import League

LOOPBACK = ("127.0.0.1", "::1", "localhost")
LOGS = ("text", "json")
DEMO = "2016-08-01"
"""When the season of the demonstration begins."""


class OrRun(TyperGroup):
    """A group whose first word may be left out: ``qrja serve club.db`` runs a server."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the word in where it was left out."""
        known = (*self.commands, "--help", "-h")
        return super().parse_args(ctx, args if args and args[0] in known else ["run", *args])


serve = typer.Typer(
    cls=OrRun,
    help="Serve a league: pages for people, JSON for programs.\n\n\b\nExamples:\n"
    "  qrja serve --demo --check\n"
    "  qrja serve run league.db --check",
    rich_markup_mode=None,
)
token = typer.Typer(
    help="Make, list and revoke tokens: who may read, judge or organise.\n\n\b\nExamples:\n"
    "  qrja serve token make league.db judge Bea\n"
    "  qrja serve token list league.db",
    no_args_is_help=True,
    rich_markup_mode=None,
)
serve.add_typer(token, name="token")


@serve.command(cls=OnceEach)
def run(
    place: Annotated[
        str | None,
        typer.Argument(metavar="[LEAGUE]", help="A file .db, or postgresql://user@host/name."),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="A season of football, to try out.")] = False,
    panel: Annotated[
        bool, typer.Option("--panel", help="With --demo: a hackathon and its judges instead.")
    ] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Who can reach it.")] = LOOPBACK[0],
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N")] = 8000,
    private: Annotated[bool, typer.Option("--private", help="Reading needs a token.")] = False,
    read_only: Annotated[bool, typer.Option("--read-only", help="Nothing can be written.")] = False,
    secure: Annotated[
        bool, typer.Option("--secure", help="Cookies for HTTPS only, as behind a proxy.")
    ] = False,
    per_minute: Annotated[
        int, typer.Option(min=1, metavar="N", help="Writes of one address in a minute.")
    ] = 600,
    log: Annotated[
        str, typer.Option(metavar="KIND", help="Of the lines on standard error: text or json.")
    ] = LOGS[0],
    check: Annotated[
        bool, typer.Option("--check", help="Only see whether it would start.")
    ] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Serve a league until interrupted; on this machine only, unless --host says otherwise.

    Whoever starts it gets a link that signs them in as organiser, once.

    \b
    Examples:
      qrja serve --demo --check
      qrja serve --demo --panel --check
      qrja serve league.db --private --check
    """
    if panel and not demo:
        raise InputError("--panel is what --demo shows; set up your own: qrja league panel setup")
    if (place is None) == (not demo):
        raise InputError("name the league to serve, or --demo; make one by: qrja league init")
    if log not in LOGS:
        raise InputError(f"--log is {log!r}; choose one of {', '.join(LOGS)}")
    try:
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtraError.of("uvicorn", "serve", "servers") from None
    from qrja.serve import Settings, make_app
    from qrja.serve.operation import listen, run_server, stop_by_signal

    with stop_by_signal(), _league(place, panel) as (league, guest):
        settings = Settings(private, read_only, secure, per_minute=per_minute)
        app = make_app(league, settings)
        taken = None if check else listen(host, port)
        port = port if taken is None else taken.getsockname()[1]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        if host not in LOOPBACK:
            note(f"warning: {host} can be reached by other machines; see the guide on proxies")
        told = {"league": league.name, "address": address, "event": league.version}
        if json:
            say_json(told)
        else:
            say(f"serving {league.name} at {address}")
        if taken is None:
            return
        if not read_only:
            code = app.state.access.make_code()
            note(f"sign in as organiser, by this link, once: {address}/enter/{code}", quiet)
            if guest:
                note(f"judge as a guest, in another browser: {address}/j#{guest}", quiet)
        run_server(app, taken, log=log, quiet=quiet)


@contextmanager
def _league(place: str | None, panel: bool) -> Iterator[tuple[League, str]]:
    """Open a league, or make one that vanishes afterwards: the football season, or a panel.

    Of a panel, a code for a judge is given as well.
    """
    if place is not None:
        with open_league(place) as league:
            yield league, ""
        return
    with (
        tempfile.TemporaryDirectory(prefix="qrja-demo-") as folder,
        open_league(str(Path(folder, "demo.db")), create=True) as league,
    ):
        yield league, fill_demo_panel(league) if panel else _fill_season(league)


def _fill_season(league: League) -> str:
    import numpy as np

    from qrja.datasets import football

    matches = football()
    assert matches.date is not None
    league.entitle("Football in Europe, 2016/17", author="demo")
    league.add(matches[matches.date >= np.datetime64(DEMO)], author="demo")
    return ""


@token.command(cls=OnceEach)
def make(
    place: Place,
    role: Annotated[str, typer.Argument(help="reader, judge or organiser.")],
    name: Annotated[str, typer.Argument(help="Whose it is: what the log calls them.")],
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a token, and show it: it is kept nowhere.

    \b
    Examples:
      qrja serve token make league.db organiser Ann
      qrja serve token make league.db reader "The club's page" --json
    """
    from qrja.league import Tokens

    with open_league(place) as league:
        secret = Tokens(league.store).make(role, name)
    if json:
        say_json({"token": secret, "role": role, "name": name})
    else:
        note(f"a token for {name} ({role}); it is shown this once:", quiet)
        say(secret)


@token.command("list", cls=OnceEach)
def list_tokens(place: Place, json: options.Json = False, quiet: options.Quiet = False) -> None:
    """List the tokens of a league, without their secrets.

    \b
    Examples:
      qrja serve token list league.db
      qrja serve token list league.db --json
    """
    from qrja.league import Tokens

    with open_league(place) as league:
        found = Tokens(league.store).all()
    if json:
        say_json({"tokens": [vars(one) for one in found]})
        return
    rows = [[one.id, one.role, one.name, one.made[:10], (one.revoked or "")[:10]] for one in found]
    say_table(["id", "role", "name", "made", "revoked"], rows, left=("id", "role", "name"))


@token.command(cls=OnceEach)
def revoke(
    place: Place,
    id: Annotated[str, typer.Argument(help="From the list; or the name, if only one has it.")],
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Let a token be worth nothing from now on; its sessions end.

    \b
    Examples:
      qrja serve token revoke league.db Bea
      qrja serve token revoke league.db Ann --json
    """
    from qrja.league import Tokens

    with open_league(place) as league:
        tokens = Tokens(league.store)
        named = [it.id for it in tokens.all() if it.name == id and it.revoked is None]
        found = named[0] if len(named) == 1 else id
        tokens.revoke(found)
    note(f"revoked {found}", quiet)
    if json:
        say_json({"revoked": found})
