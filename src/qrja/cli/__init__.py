"""The command line: parse, call one library function, print it.

Exit codes: 0 done, 1 something failed, 2 the input or the command was wrong, 130 interrupted.
Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from qrja._version import __version__
from qrja.cli.datasets import datasets
from qrja.cli.demo import demo
from qrja.cli.explain import explain
from qrja.cli.rank import rank
from qrja.cli.report import report
from qrja.cli.suggest import suggest
from qrja.cli.trust import trust
from qrja.errors import InputError, QRJAError

app = typer.Typer(
    name="qrja",
    help="Turn race results, match scores and graded comparisons into ratings you can trust.",
    epilog="Start with: qrja demo, then qrja rank YOUR.csv",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(rank)
app.command()(explain)
app.command()(trust)
app.command()(suggest)
app.command()(report)
app.command()(datasets)
app.command()(demo)

UsageError = typer.BadParameter.__base__
"""Every mistake in the command itself; typer exports only one of its kinds."""

INTERRUPTED = 130
"""What typer makes of Ctrl-C."""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"qrja {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code; no user mistake shows a traceback."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        code = int(app(arguments, standalone_mode=False) or 0)
        return _fail("interrupted; nothing was written", code) if code == INTERRUPTED else code
    except QRJAError as error:
        return _fail(str(error), 2 if isinstance(error, InputError) else 1)
    except Exception as error:
        if UsageError is not None and isinstance(error, UsageError):
            return _fail(f"{error.format_message()} (see qrja --help)", 2)  # type: ignore[attr-defined]
        if os.environ.get("QRJA_DEBUG"):
            raise
        kind = type(error).__name__
        return _fail(f"unexpected {kind}: {error} (QRJA_DEBUG=1 shows where)", 1)


def _fail(message: str, code: int) -> int:
    print(f"qrja: {' '.join(message.split())}", file=sys.stderr)
    return code
