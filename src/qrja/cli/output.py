"""What every command prints with: results to stdout, notes to stderr, colours on terminals."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from time import monotonic
from typing import Any, TextIO

import typer

from qrja.letters import visible, visible_json

EVERY = 30.0
"""Seconds between two notes on how far something is, where no bar can be drawn."""

PATIENCE = 2.0
"""Seconds after which work shows how far it is."""

WIDTH = 80
"""Columns of a table that is not printed to a terminal."""

WIDEST = 100
"""Columns of a text, however wide the terminal: longer lines are hard to read."""

MARK = re.compile(r" *(?:(?:[-+!]|\d+[.]|[-+]\S+|<?\d+%:) +)?")
"""What may stand before the words of a line: a sign, a number, an amount or a share."""

SILENT = "QRJA_QUIET"
"""The variable that keeps the compiler silent."""

KEPT: list[str] = []
"""What this run has written: it is there even if the run is interrupted."""


def say(text: str = "") -> None:
    """Print a result; what a terminal would obey is shown instead."""
    _print(visible(text, lines=True))


_headings: list[str] = []
"""What stands above the next result, if there is any."""


@contextmanager
def headed(heading: str) -> Iterator[None]:
    """Print a heading above what is printed; nothing if nothing is."""
    _headings.append(heading)
    try:
        yield
    finally:
        if _headings:
            _headings.pop()
        else:
            say()


def _print(text: str) -> None:
    """Print. A reader that closed the pipe, such as ``head``, has had enough: stop."""
    if _headings:
        text = f"{visible(_headings.pop())}\n{text}"
    try:
        print(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more at exit: give it somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


_noted: list[set[str]] = []
"""What was remarked, while the same is not to be said again."""


@contextmanager
def noting_once() -> Iterator[None]:
    """Print each remark once."""
    _noted.append(set())
    try:
        yield
    finally:
        _noted.pop()


def note(text: str, quiet: bool = False, *, again: bool = False) -> None:
    """Print a remark on how the result came about; ``again``: though it was made before."""
    if quiet or (not again and _noted and text in _noted[-1]):
        return
    if _noted:
        _noted[-1].add(text)
    colour = "33" if text.startswith("warning: ") else "2"
    print(painted(visible(text, lines=True), colour, sys.stderr), file=sys.stderr)


def wrote(path: Path, quiet: bool = False) -> None:
    """Note that a file is written, and that an interruption does not undo it."""
    KEPT.append(str(path))
    note(f"wrote {path}", quiet)


def painted(text: str, colour: str, stream: TextIO) -> str:
    """Colour a text, by its ANSI code, if a person sees it on a terminal that shows colours."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


_collected: list[list[Any]] = []
"""Where JSON goes instead, while answers for several groups are collected."""


@contextmanager
def collecting_json() -> Iterator[list[Any]]:
    """Collect what would be printed as JSON."""
    _collected.append([])
    try:
        yield _collected[-1]
    finally:
        _collected.pop()


def say_json(value: Any) -> None:
    """Print a result as JSON; a NaN would be a mistake of ours and is refused."""
    if _collected:
        _collected[-1].append(value)
        return
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=str)
    say(visible_json(text))


def say_text(text: str) -> None:
    """Print lines no longer than the terminal is wide, or 80 columns; the rest hangs below."""
    width = min(get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else WIDTH
    say("\n".join(wrapped(line, width) for line in text.split("\n")))


def wrapped(line: str, width: int) -> str:
    """Break a line between words; what follows stands below its first word, not its mark.

    Examples
    --------
    >>> print(wrapped("  +1:00  a long name of a contest", 24))
      +1:00  a long name of
             a contest
    """
    from textwrap import fill

    mark = MARK.match(line)
    hang = " " * min(mark.end() if mark else 0, width // 2)
    return fill(line, width, subsequent_indent=hang, break_on_hyphens=False) if line else line


def say_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Sequence[str] = ("contestant",),
) -> None:
    """Print a table as wide as the terminal, or 80 columns; long names give way."""
    width = get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    head, *lines = aligned(header, rows, left, width).split("\n")
    _print("\n".join([painted(head, "1", sys.stdout), *lines]))


def fits(header: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str]) -> bool:
    """Tell whether a table can be printed with nothing cut."""
    width = get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    return max(map(len, aligned(header, rows, left).split("\n"))) <= width


def aligned(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Sequence[str],
    width: int | None = None,
) -> str:
    """Lay out a table: columns named in ``left`` to the left, all others to the right.

    The widest column to the left is cut until the table fits ``width``, or holds 8 characters.

    Examples
    --------
    >>> print(aligned(["rank", "name"], [["1", "Alice"], ["12", "Bob"]], left=["name"]))
    rank  name
       1  Alice
      12  Bob
    """
    from rich.cells import cell_len

    lines = [[visible(" ".join(text.split())) for text in line] for line in (header, *rows)]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(header))]
    names = [i for i, name in enumerate(header) if name in left]
    while width and names and sum(widths) + 2 * len(widths) - 2 > width:
        widest = max(names, key=lambda i: widths[i])
        if widths[widest] <= 8:
            break
        widths[widest] -= 1

    def pad(text: str, i: int) -> str:
        text = shorten(text, widths[i]) if i in names else text
        space = " " * (widths[i] - cell_len(text))
        return text + space if i in names else space + text

    return "\n".join(
        "  ".join(pad(text, i) for i, text in enumerate(line)).rstrip() for line in lines
    )


def shorten(text: str, width: int = 40) -> str:
    """Cut a long name so that a table fits a screen.

    Examples
    --------
    >>> shorten("Wolverhampton Wanderers", 12)
    'Wolverhampt…'
    """
    from rich.cells import cell_len, set_cell_size

    text = visible(" ".join(text.split()))
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[None]:
    """Show on a terminal that something is under way."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(visible(what))):  # a file may be called [/]
        yield


@contextmanager
def without_notices(quiet: bool) -> Iterator[None]:
    """Keep silent that something is compiled, here and in processes that are started."""
    before = os.environ.get(SILENT)
    if quiet:
        os.environ[SILENT] = "1"
    try:
        yield
    finally:
        if quiet and before is None:
            del os.environ[SILENT]


@contextmanager
def bars(quiet: bool = False) -> Iterator[Callable[[str, int, int], None] | None]:
    """Give a function to be told (what, done, of how many).

    On a terminal it draws a bar with the time left, once the work has taken two seconds.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    shown: dict[str, Any] = {}
    began = monotonic()

    def tell(what: str, done: int, steps: int) -> None:
        if what not in shown:
            shown[what] = progress.add_task(visible(what), total=steps)
        progress.update(shown[what], completed=done, visible=done < steps)
        if monotonic() - began > PATIENCE:
            progress.start()

    try:
        yield tell
    finally:
        progress.stop()


@contextmanager
def kept_when_interrupted(kept: bool) -> Iterator[None]:
    """Say, after Ctrl-C, that what was done until then is kept."""
    try:
        yield
    except KeyboardInterrupt:
        if kept:
            KEPT.append("what is done; the same command continues")
        raise


def told_now_and_then(say_how_far: Callable[[Any], str], quiet: bool) -> Callable[[Any], None]:
    """Give a function that notes how far something is, at most twice a minute."""
    last = monotonic()

    def tell(status: Any) -> None:
        nonlocal last
        if not quiet and monotonic() - last >= EVERY:
            last = monotonic()
            note(say_how_far(status))

    return tell
