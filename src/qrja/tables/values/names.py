"""Names become numbers 0, 1, ... in order of first mention, by grouping and joining in SQL.

Two spellings are one name if they differ by blanks at the ends or by the way Unicode composes
accents; this is settled on the distinct spellings only.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from qrja.data import Index
from qrja.tables.sources import Columns, Loaded, number_plain_names, shorten, stripped


def number_names(
    loaded: Loaded, roles: tuple[str, ...], *, blocks: bool = False
) -> tuple[list[Index], tuple[Hashable, ...]]:
    """Give the names of some columns numbers: row by row, and left to right within a row.

    With ``blocks`` the rows of one name are likely to be consecutive, which saves the join.

    Returns
    -------
    numbers, names
        One array of numbers for each column, -1 where the name is missing; the names.
    """
    if loaded.plain is not None and all(loaded.types[role] == "VARCHAR" for role in roles):
        return number_plain_names([loaded.plain[role] for role in roles])
    kinds = {loaded.types[role] for role in roles}
    kind = kinds.pop() if len(kinds) == 1 else "mixed"
    spellings = _group(loaded, roles, kind, blocks)
    number, names = _settle(spellings)
    if blocks and _in_blocks(spellings, loaded.rows):
        return [np.repeat(number, spellings["mentions"])], names
    number_of_mention = np.full(loaded.rows * len(roles), -1, dtype=np.int32)
    number_of_mention[spellings["first"]] = number
    numbers = [
        _numbers(loaded, _label(f"loaded.{role}", kind), number_of_mention) for role in roles
    ]
    return numbers, names


def _group(loaded: Loaded, roles: tuple[str, ...], kind: str, blocks: bool) -> Columns:
    """List the distinct spellings, in order, with their names and where they are mentioned."""
    mentions = " UNION ALL ".join(
        f"SELECT {_label(role, kind)} AS spelling, rowid * {len(roles)} + {order} AS mention"
        " FROM loaded"
        for order, role in enumerate(roles)
    )
    extent = ", max(mention) AS last, count(*) AS mentions" if blocks else ""
    loaded.database.execute(
        f"""CREATE OR REPLACE TEMP TABLE spelled AS
        SELECT spelling, min(mention) AS first{extent}
        FROM ({mentions}) WHERE spelling IS NOT NULL GROUP BY spelling"""
    )
    name, broken = f"nfc_normalize({stripped('spelling')})", "contains(spelling, chr(0))"
    if _is_whole(kind):
        name, broken = "spelling", "false"
    spellings = loaded.fetch(
        f"""SELECT * EXCLUDE (spelling), name IS DISTINCT FROM spelling AS changed,
            {broken} AS broken
        FROM (SELECT *, {name} AS name FROM spelled) ORDER BY first"""
    )
    _check_letters(loaded, spellings, len(roles))
    return spellings


def _check_letters(loaded: Loaded, spellings: Columns, width: int) -> None:
    """Refuse names with the letter of number 0: they come from files that are no texts."""
    broken = np.ma.filled(spellings["broken"], False)
    if broken.any():
        first = int(broken.argmax())
        raise loaded.place.error(
            int(spellings["first"][first]) // width,
            f"{shorten(spellings['name'][first])} holds a letter of number 0; is the file damaged?",
        )


def _settle(spellings: Columns) -> tuple[Index, tuple[Hashable, ...]]:
    """Give each spelling the number of its name, -1 if nothing is left of it."""
    listed: list[Hashable] = spellings["name"].tolist()
    if not spellings["changed"].any():
        return np.arange(len(listed), dtype=np.int32), tuple(listed)
    numbers: dict[Hashable, int] = {}
    number = [-1 if name is None else numbers.setdefault(name, len(numbers)) for name in listed]
    return np.array(number, dtype=np.int32), tuple(numbers)


def _in_blocks(spellings: Columns, rows: int) -> bool:
    """Check whether the rows of each spelling are consecutive, as contests often are."""
    length = spellings["last"] - spellings["first"] + 1
    return bool((length == spellings["mentions"]).all() and length.sum() == rows)


def _numbers(loaded: Loaded, label: str, number_of_mention: Index) -> Index:
    found = loaded.fetch(
        f"""SELECT loaded.rowid::UINTEGER AS row, first::UINTEGER AS first
        FROM loaded JOIN spelled ON {label} = spelling"""
    )
    column = np.full(loaded.rows, -1, dtype=np.int32)
    column[found["row"]] = number_of_mention[found["first"]]
    return column


def _label(column: str, kind: str) -> str:
    """Write a name as SQL: whole numbers stay numbers, everything else becomes text."""
    if kind == "VARCHAR" or _is_whole(kind):
        return column
    if kind in ("FLOAT", "DOUBLE"):  # pandas makes 7 into 7.0 where a column has gaps
        text = f"regexp_replace({column}::VARCHAR, '\\.0$', '')"
        return f"CASE WHEN NOT isnan({column}) THEN {text} END"
    return f"{column}::VARCHAR"


def _is_whole(kind: str) -> bool:
    return kind.endswith(("INT", "INTEGER"))
