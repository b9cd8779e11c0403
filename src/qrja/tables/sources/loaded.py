"""The columns of a table after loading: in the database, under the names of their roles."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from numpy.typing import NDArray

from qrja.tables.roles import NUMERIC, root
from qrja.tables.sources.database import Database
from qrja.tables.sources.place import Place
from qrja.tables.sources.plain_cells import Cells

_BLANK = r"[\s\p{Z}]"
"""White space in the widest sense, as a regular expression."""

Columns = dict[str, NDArray[Any]]
"""The result of a query."""
_TYPED = re.compile(
    r"U?[A-Z]*INT(EGER)?|FLOAT|DOUBLE|DECIMAL(\(\d+,\d+\))?|BOOLEAN|INTERVAL|TIME(_NS)?"
)
"""The types that stay what they are; dates, categories, lists and the rest become texts."""


SLIPS = ("+-", "_")
"""What is no part of a number, though the database reads ``+-5`` as -5 and ``1_000`` as 1000."""


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
    left_out: frozenset[str] = frozenset()
    """Words for "no score" of the user's own, folded."""
    skips: bool = False
    """Whether scores that cannot be read are left out, and are not an error."""
    plain: Cells | None = None
    """The fields by role, where the table is small and tidy; the database has them when asked."""

    def fetch(self, sql: str) -> Columns:
        """Run a query and return its columns; NULLs are masked."""
        # Its type allows for pandas categories, which only enum columns become.
        return cast(Columns, self.database.execute(sql).fetchnumpy())

    def recast(self, sql: str, place: Place) -> Loaded:
        """Make the table anew by a query over ``loaded``; ``place`` names the new rows."""
        self.database.execute(f"CREATE OR REPLACE TABLE loaded AS {sql}")
        described = self.database.execute("DESCRIBE loaded").fetchall()
        types = {str(name): str(kind) for name, kind, *_ in described}
        told = {role: kind for role, kind in types.items() if not role.endswith("_value")}
        (rows,) = self.database.execute("SELECT count(*) FROM loaded").fetchall()[0]
        return replace(self, place=place, types=told, rows=int(rows), plain=None)

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
    texts = {role: kind for role, kind in types.items() if not _TYPED.fullmatch(kind)}
    columns = {
        role: sql if role not in texts else f"({sql})::VARCHAR" for role, sql in expressions.items()
    }
    for role in (role for role in texts if root(role) in NUMERIC):
        # Not by the name of the role: a column of the file may have it, and be another one.
        columns[f"{role}_value"] = plain_number(columns[role])
    database.execute(f"CREATE OR REPLACE TABLE loaded AS SELECT {_listed(columns)} FROM {relation}")
    (rows,) = database.execute("SELECT count(*) FROM loaded").fetchall()[0]
    return Loaded(database, place, types | dict.fromkeys(texts, "VARCHAR"), int(rows))


def _listed(columns: dict[str, str]) -> str:
    return ", ".join(f"{sql} AS {name}" for name, sql in columns.items())


def plain_number(text: str) -> str:
    """Write SQL for the number that a text is, NULL if it is none; ``+-5`` is a slip, not -5."""
    slip = " OR ".join(f"contains({text}, '{it}')" for it in SLIPS)
    return f"CASE WHEN NOT ({slip}) THEN try_cast({text} AS DOUBLE) END"


def stripped(text: str) -> str:
    """Write SQL for a text without blanks at its ends, NULL if nothing is left."""
    # The replacement is costly and rarely needed, hence the test before it.
    return (
        f"CASE WHEN regexp_matches({text}, '^{_BLANK}|{_BLANK}$')"
        f" THEN nullif(regexp_replace({text}, '^{_BLANK}+|{_BLANK}+$', '', 'g'), '')"
        f" ELSE nullif({text}, '') END"
    )
