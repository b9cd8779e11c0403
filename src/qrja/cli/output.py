"""What every command prints with: results to stdout, notes to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

import typer

EVERY = 30.0
"""Seconds between two notes on how far something is, where no bar can be drawn."""


def say(text: str = "") -> None:
    """Print a result. A reader that closed the pipe, such as ``head``, has had enough: stop."""
    try:
        print(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more at exit: give it somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def note(text: str, quiet: bool = False) -> None:
    """Print a remark on how the result came about."""
    if not quiet:
        print(text, file=sys.stderr)


def say_json(value: Any) -> None:
    """Print a result as JSON; a NaN would be a mistake of ours and is refused."""
    say(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=str))


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str]) -> str:
    """Lay out a table: columns named in ``left`` to the left, all others to the right.

    Examples
    --------
    >>> print(aligned(["rank", "name"], [["1", "Alice"], ["12", "Bob"]], left=["name"]))
    rank  name
       1  Alice
      12  Bob
    """
    from rich.cells import cell_len

    lines = [list(header), *map(list, rows)]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(header))]

    def pad(text: str, i: int) -> str:
        space = " " * (widths[i] - cell_len(text))
        return text + space if header[i] in left else space + text

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

    text = " ".join(text.split())
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[None]:
    """Show on a terminal that something is under way."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def bars(quiet: bool = False) -> Iterator[Callable[[str, int, int], None] | None]:
    """Give a function to be told (what, done, of how many); on a terminal it draws bars."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        shown: dict[str, Any] = {}

        def tell(what: str, done: int, steps: int) -> None:
            if what not in shown:
                shown[what] = progress.add_task(what, total=steps)
            progress.update(shown[what], completed=done, visible=done < steps)

        yield tell


@contextmanager
def kept_when_interrupted(kept: bool, quiet: bool) -> Iterator[None]:
    """Say, after Ctrl-C, that what was done until then is kept."""
    try:
        yield
    except KeyboardInterrupt:
        if kept:
            note("what is done is kept: the same command continues", quiet)
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
