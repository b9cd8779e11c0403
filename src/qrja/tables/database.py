"""The database in memory that parses and numbers: one per table read, closed with it.

It may touch one file and one scratch directory, neither network nor extensions, and nothing of
the user's ever becomes SQL: texts go in as quoted literals, columns under names of our own.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from numpy.typing import NDArray

from qrja.tables.place import Place

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BLANK = r"[\s\p{Z}]"
"""White space in the widest sense, as a regular expression."""

Columns = dict[str, NDArray[Any]]
"""The result of a query."""
NUMERIC = frozenset({"score", "home_score", "away_score", "y", "ratio", "weight", "w"})
"""The roles whose texts are numbers or times."""
SCORES = frozenset({"score", "home_score", "away_score", "y"})
"""The roles that may be read as numbers at once: no message quotes theirs as written."""
_TYPED = re.compile(r"U?[A-Z]*INT(EGER)?$|FLOAT|DOUBLE|DECIMAL|BOOLEAN|INTERVAL|TIME(_NS)?$")
"""The types that stay what they are; dates, categories and the rest become texts."""


class Source(Protocol):
    """A table that is open: its columns are known, its rows are not read yet."""

    @property
    def place(self) -> Place:
        """How to name its rows."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""

    def load(self, chosen: dict[str, str]) -> Loaded:
        """Read the columns ``chosen`` (role -> column) into the table ``loaded``."""


class Database:
    """A database that can read ``path`` and ``scratch`` and nothing else, opened on first use.

    Examples
    --------
    >>> with Database(".") as database:
    ...     database.execute("SELECT 6 * 7").fetchall()
    [(42,)]
    """

    def __init__(self, scratch: str, path: str | None = None) -> None:
        self._scratch, self._path = scratch, path

    @cached_property
    def _connection(self) -> DuckDBPyConnection:
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
        allowed = [] if self._path is None else [self._path, one_file(self._path)]
        connection.execute(
            f"""SET allowed_directories = {literal([self._scratch])};
            SET allowed_paths = {literal(allowed)};
            SET enable_progress_bar = false;
            SET enable_external_access = false;
            SET lock_configuration = true"""
        )
        return connection

    def execute(self, sql: str) -> DuckDBPyConnection:
        """Run a statement; the answer gives its rows."""
        return self._connection.execute(sql)

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


@dataclass(frozen=True)
class Loaded:
    """Columns of a table, named by their roles, in the database table ``loaded``.

    Texts are as in the file, see :func:`stripped`; ``rowid`` is the position of a row. Where a
    text is a plain number, the column ``<role>_value`` holds it.
    """

    database: Database
    place: Place
    types: dict[str, str]
    rows: int
    notes: tuple[str, ...] = ()

    def fetch(self, sql: str) -> Columns:
        """Run a query and return its columns; NULLs are masked."""
        # Its type allows for pandas categories, which only enum columns become.
        return cast(Columns, self.database.execute(sql).fetchnumpy())

    def text(self, role: str, row: int) -> str | None:
        """Return one cell as text, or None if it is empty."""
        ((cell,),) = self.database.execute(
            f"SELECT {stripped(f'{role}::VARCHAR')} FROM loaded WHERE rowid = {row}"
        ).fetchall()
        return None if cell is None else str(cell)


def load_columns(
    database: Database, place: Place, expressions: dict[str, str], relation: str
) -> Loaded:
    """Create the table ``loaded`` from SQL expressions over a relation."""
    described = database.execute(
        f"DESCRIBE SELECT {_listed(expressions)} FROM {relation}"
    ).fetchall()
    types = {str(name): str(kind) for name, kind, *_ in described}
    texts = [role for role, kind in types.items() if not _TYPED.match(kind)]
    columns = {
        role: sql if role not in texts else f"({sql})::VARCHAR" for role, sql in expressions.items()
    }
    for role in NUMERIC.intersection(texts):
        columns[f"{role}_value"] = f"try_cast({role} AS DOUBLE)"
    database.execute(f"CREATE TABLE loaded AS SELECT {_listed(columns)} FROM {relation}")
    (rows,) = database.execute("SELECT count(*) FROM loaded").fetchall()[0]
    return Loaded(database, place, types | dict.fromkeys(texts, "VARCHAR"), int(rows))


def _listed(columns: dict[str, str]) -> str:
    return ", ".join(f"{sql} AS {name}" for name, sql in columns.items())


def stripped(text: str) -> str:
    """Write SQL for a text without blanks at its ends, NULL if nothing is left."""
    # The replacement is costly and rarely needed, hence the test before it.
    return (
        f"CASE WHEN regexp_matches({text}, '^{_BLANK}|{_BLANK}$')"
        f" THEN nullif(regexp_replace({text}, '^{_BLANK}+|{_BLANK}+$', '', 'g'), '')"
        f" ELSE nullif({text}, '') END"
    )


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
