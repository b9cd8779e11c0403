"""Names become numbers 0, 1, ... in order of first mention, by grouping and joining in SQL.

Two spellings are one name if they differ by blanks at the ends or by the way Unicode composes
accents; this is settled on the distinct spellings only.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from qrja._arrays import Index, Offsets
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
    loaded.database.execute(
        f"""CREATE OR REPLACE TEMP TABLE spelled AS
        SELECT spelling, min(mention) AS mention FROM ({mentions}) GROUP BY spelling"""
    )
    number_of_mention, names = _settle(loaded, kind, len(roles))
    numbers = [
        _numbers(loaded, _label(f"loaded.{role}", kind), number_of_mention) for role in roles
    ]
    return numbers, names


def _settle(loaded: Loaded, kind: str, columns: int) -> tuple[Index, tuple[Hashable, ...]]:
    """Give the distinct names numbers; return the number by first mention of a spelling."""
    name = "spelling" if _is_whole(kind) else f"nfc_normalize({stripped('spelling')})"
    found = loaded.fetch(
        f"""SELECT mention, name, name IS DISTINCT FROM spelling AS changed
        FROM (SELECT mention, spelling, {name} AS name FROM spelled WHERE spelling IS NOT NULL)
        ORDER BY mention"""
    )
    mention: Offsets = found["mention"]
    listed: list[Hashable] = found["name"].tolist()
    number_of_mention = np.full(loaded.rows * columns, -1, dtype=np.int32)
    if not found["changed"].any():
        number_of_mention[mention] = np.arange(len(listed), dtype=np.int32)
        return number_of_mention, tuple(listed)
    numbers: dict[Hashable, int] = {}
    number_of_mention[mention] = [
        -1 if name is None else numbers.setdefault(name, len(numbers)) for name in listed
    ]
    return number_of_mention, tuple(numbers)


def _numbers(loaded: Loaded, label: str, number_of_mention: Index) -> Index:
    found = loaded.fetch(
        f"SELECT loaded.rowid AS row, mention FROM loaded JOIN spelled ON {label} = spelling"
    )
    column = np.full(loaded.rows, -1, dtype=np.int32)
    column[found["row"]] = number_of_mention[found["mention"]]
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
