"""Names become numbers 0, 1, ... in order of first mention, by grouping and joining in SQL.

Two spellings are one name if they differ by blanks at the ends or by the way Unicode composes
accents; both are settled on the distinct spellings only.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from qrja._arrays import Index
from qrja.tables.database import Loaded, stripped


def number_names(
    loaded: Loaded, roles: tuple[str, ...]
) -> tuple[list[Index], tuple[Hashable, ...]]:
    """Give the names of some columns numbers: row by row, and left to right within a row.

    Returns
    -------
    numbers, names
        One array of numbers for each column, -1 where the name is missing; the names.
    """
    kinds = {loaded.types[role] for role in roles}
    kind = kinds.pop() if len(kinds) == 1 else "mixed"
    mentions = " UNION ALL ".join(
        f"SELECT {_label(role, kind)} AS spelling, rowid * {len(roles)} + {order} AS mention"
        " FROM loaded"
        for order, role in enumerate(roles)
    )
    name = f"nfc_normalize({stripped('spelling')})" if not _is_whole(kind) else "spelling"
    loaded.database.execute(
        f"""CREATE OR REPLACE TEMP TABLE named AS
        WITH spelled AS (
            SELECT spelling, min(mention) AS mention FROM ({mentions}) GROUP BY spelling),
        tidy AS (SELECT spelling, {name} AS name, mention FROM spelled),
        numbered AS (
            SELECT name, row_number() OVER (ORDER BY min(mention)) - 1 AS number
            FROM tidy WHERE name IS NOT NULL GROUP BY name)
        SELECT spelling, name, number::INTEGER AS number FROM tidy JOIN numbered USING (name)"""
    )
    found = loaded.fetch("SELECT number, name FROM named")
    names = np.empty(int(found["number"].max(initial=-1)) + 1, dtype=found["name"].dtype)
    names[found["number"]] = found["name"]
    numbers = [_numbers(loaded, _label(f"loaded.{role}", kind)) for role in roles]
    return numbers, tuple(names.tolist())


def _numbers(loaded: Loaded, label: str) -> Index:
    found = loaded.fetch(
        f"SELECT loaded.rowid AS row, number FROM loaded JOIN named ON {label} = spelling"
    )
    column = np.full(loaded.rows, -1, dtype=np.int32)
    column[found["row"]] = found["number"]
    return column


def _label(column: str, kind: str) -> str:
    """Write a name as SQL: whole numbers stay numbers, everything else becomes text."""
    if kind == "VARCHAR" or _is_whole(kind):
        return column
    if kind in ("FLOAT", "DOUBLE"):  # pandas makes 7 into 7.0 where a column has gaps
        return f"regexp_replace({column}::VARCHAR, '\\.0$', '')"
    return f"{column}::VARCHAR"


def _is_whole(kind: str) -> bool:
    return kind.endswith(("INT", "INTEGER"))
