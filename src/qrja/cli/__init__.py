"""The command line: parse, call one library function, print it.

Exit codes: 0 done, 1 something failed, 2 the input or the command was wrong, 130 interrupted.
Results go to stdout, everything else to stderr.

Read ``commands``, a file a command, first; ``fileless`` has those that need no file, ``leagues`` is
a group of them, ``shelf`` says where each lives. What they share, from the words typed to what is
printed: ``options`` (each written once), ``option_groups``,
``group_runs`` (--by), ``config`` (options from a qrja.toml), ``name_lists``, ``error_kinds`` and
``fit_arguments`` (their values), ``file_kinds``, ``file_argument`` (a FILE becomes a table),
``file_ratings`` (and its ratings), ``ranker_trials`` (back-tests with bars), ``output`` (tables,
colours, bars) and ``answer_forms`` (words, tables or JSON).
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated, Any

import typer

from qrja._version import __version__
from qrja.cli.config import NAME as CONFIG
from qrja.cli.output import KEPT, note, painted
from qrja.cli.shelf import ShelvedGroup
from qrja.errors import InputError, QRJAError
from qrja.interrupts import INTERRUPTED
from qrja.letters import visible

__all__ = ["app", "main", "run"]

app = typer.Typer(
    name="qrja",
    cls=ShelvedGroup,
    help="Turn race results, match scores and graded comparisons into ratings you can trust.",
    epilog="Start with: qrja demo, then qrja rank YOUR.csv",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("help")
def show_help(
    context: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="Such as rank, or paper run.")
    ] = None,
) -> None:
    """Show what a command does, as its --help.

    \b
    Examples:
      qrja help
      qrja help rank
    """
    root = context.find_root()
    app([*(command or []), "--help"], standalone_mode=False, prog_name=root.info_name)


UsageError = typer.BadParameter.__base__
"""Every mistake in the command itself; typer exports only one of its kinds."""


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
    warnings.showwarning = _show_warning
    try:
        KEPT.clear()
        code = int(app(arguments, standalone_mode=False, prog_name="qrja") or 0)
        if code == INTERRUPTED:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt
        return code
    except KeyboardInterrupt:
        return _fail(_interrupted(), INTERRUPTED)
    except QRJAError as error:
        return _fail(str(error), 2 if isinstance(error, InputError) else 1)
    except Exception as error:
        if UsageError is not None and isinstance(error, UsageError):
            if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help, in lines
                print(error, file=sys.stderr)
                return 2
            return _fail(_explain(error), 2)
        if _comes_of_interrupt(error):
            return _fail(_interrupted(), INTERRUPTED)
        if os.environ.get("QRJA_DEBUG"):
            raise
        kind = type(error).__name__
        return _fail(f"unexpected {kind}: {error} (QRJA_DEBUG=1 shows where)", 1)


def _comes_of_interrupt(error: BaseException | None) -> bool:
    """Tell whether Ctrl-C is behind an error: Python wraps one that comes while a class is made.

    Examples
    --------
    >>> _comes_of_interrupt(ValueError())
    False
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__
    return False


def _show_warning(message: Warning | str, *where: Any, **more: Any) -> None:
    """Say what the library warns of in one line, without the line of code."""
    note(f"warning: {message}")


def _explain(error: Any) -> str:
    """Say what is wrong with the command, where the value came from, and where to read on."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    named = context is not None and getattr(parameter, "name", None) in (context.default_map or {})
    told = f"{error.format_message().rstrip('.')} ({CONFIG} gives one)" if named else ""
    where = "qrja" if context is None else context.command_path
    return f"{told or error.format_message()} (see {where} --help)"


def _interrupted() -> str:
    return f"interrupted; kept: {', '.join(KEPT)}" if KEPT else "interrupted; nothing was written"


def _fail(message: str, code: int) -> int:
    line = visible(f"qrja: {' '.join(message.split())}")
    print(painted(line, "31", sys.stderr), file=sys.stderr)
    return code
