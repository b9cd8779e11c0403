"""The database in memory that parses and numbers: one per table read, closed with it.

It may touch the files given and one scratch directory, neither network nor extensions, and
nothing of the user's ever becomes SQL: texts go in as quoted literals, columns under names of our
own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Self

from qrja.errors import InputError
from qrja.interrupts import import_whole
from qrja.letters import cut

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Database:
    """A database that can read ``paths`` and ``scratch`` and nothing else, opened on first use.

    Examples
    --------
    >>> with Database(".") as database:
    ...     database.execute("SELECT 6 * 7").fetchall()
    [(42,)]
    """

    def __init__(self, scratch: str, *paths: str) -> None:
        self._scratch, self._paths = scratch, paths

    @cached_property
    def _connection(self) -> DuckDBPyConnection:
        import_whole("duckdb")
        import duckdb

        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        config: dict[str, str | bool | int | float | list[str]] = {
            "threads": cores or 1,
            "temp_directory": self._scratch,
            "python_enable_replacements": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        connection = duckdb.connect(":memory:", config=config)
        # In a notebook without ipywidgets the setting is refused, and no bar can be drawn anyway.
        with suppress(duckdb.InvalidInputException):
            connection.execute("SET enable_progress_bar = false")
        allowed = [it for path in self._paths for it in (path, one_file(path))]
        connection.execute(
            f"""SET allowed_directories = {literal([self._scratch])};
            SET allowed_paths = {literal(allowed)};
            SET enable_external_access = false;
            SET lock_configuration = true"""
        )
        return connection

    def execute(self, sql: str) -> DuckDBPyConnection:
        """Run a statement; the answer gives its rows."""
        try:
            return self._connection.execute(sql)
        except RuntimeError:  # Ctrl-C, as the database tells it; its errors are of another kind
            raise KeyboardInterrupt from None

    def register(self, name: str, frame: object) -> None:
        """Let statements read a data frame under a name."""
        self._connection.register(name, frame)

    def __enter__(self) -> Self:
        """Return the database."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it, if it was opened."""
        if "_connection" in vars(self):
            self._connection.close()


@contextmanager
def in_our_words(name: str) -> Iterator[None]:
    """Turn what the database says of a table into an error of ours, whatever it is."""
    try:
        yield
    except Exception as error:
        import duckdb

        if not isinstance(error, duckdb.Error) or isinstance(error, duckdb.InterruptException):
            raise
        if isinstance(error, duckdb.OutOfMemoryException):
            raise InputError(
                f"{name}: takes more memory than there is; leave out columns, or give fewer rows"
            ) from None
        said = cut(str(error).partition("\n")[0], 300)
        raise InputError(f"{name}: cannot be read, the database says: {said}") from None


def literal(value: object) -> str:
    """Write a Python value as SQL.

    Examples
    --------
    >>> print(literal("O'Hara"), literal(True), literal(["a", "b"]))
    'O''Hara' true ['a', 'b']
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, int):
        return str(value)
    quoted = str(value).replace("'", "''")
    return f"'{quoted}'"


def identifier(name: str) -> str:
    """Quote the name of a column.

    Examples
    --------
    >>> print(identifier('a "b" c'))
    "a ""b"" c"
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def one_file(path: str) -> str:
    """Write a path as a pattern that matches this file alone, whatever characters it holds.

    Examples
    --------
    >>> one_file("heat[1]*.csv")
    'heat[[]1][*].csv'
    """
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path)
