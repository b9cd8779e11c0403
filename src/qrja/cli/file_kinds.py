"""What a FILE argument may name besides a table: an embedded set, saved ratings, or a league."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from qrja.errors import InputError

EMBEDDED = "dataset:"
"""How the names of embedded sets begin."""

SAVED = ".qrja"
"""How the names of saved ratings end."""

LEAGUES = (".db", ".sqlite", ".sqlite3")
"""How the names of leagues end that are files."""


class SeveralFiles(str):
    """What several files are called together; ``paths`` are they."""

    __slots__ = ("paths",)

    paths: list[str]


def gather(files: list[str]) -> str:
    """Return one file as it is, and several under one name.

    Examples
    --------
    >>> gather(["a.csv"]), gather(["a.csv", "b.csv"]), gather(["a.csv", "b.csv"]).paths
    ('a.csv', 'a.csv and 1 more', ['a.csv', 'b.csv'])
    """
    if len(files) == 1:
        return files[0]
    for name in files:
        if name == "-" or name.startswith(EMBEDDED) or holds_ratings(name):
            raise InputError(f"{name}: goes alone; several files are tables, read as one")
    together = SeveralFiles(f"{files[0]} and {len(files) - 1} more")
    together.paths = files
    return together


def is_saved(file: str) -> bool:
    """Tell saved ratings from tables, by their name."""
    return Path(file).suffix.casefold() == SAVED


def is_league(file: str) -> bool:
    """Tell leagues from tables, by their name or address.

    Examples
    --------
    >>> is_league("club.db"), is_league("postgresql://ann@host/club"), is_league("races.csv")
    (True, True, False)
    """
    if file.startswith(("postgresql:", "postgresql+psycopg:", "postgres:", "sqlite:")):
        return "://" in file
    return Path(file).suffix.casefold() in LEAGUES


def holds_ratings(file: str) -> bool:
    """Tell saved ratings and leagues, which are rated already, from tables."""
    return is_saved(file) or is_league(file)


def complete_file(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Complete a FILE argument in a shell: embedded sets, then files."""
    from qrja.datasets import DATASETS

    folder = Path(incomplete) if incomplete.endswith("/") else Path(incomplete).parent
    paths = sorted(folder.glob("*")) if folder.is_dir() else []
    offered = [f"{EMBEDDED}{name}" for name in DATASETS]
    offered += [f"{path}/" if path.is_dir() else str(path) for path in paths]
    yield from (text for text in offered if text.startswith(incomplete))
