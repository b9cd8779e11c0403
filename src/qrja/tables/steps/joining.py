"""Several columns that name one thing: ``event, distance`` become the contest ``Hill, 10 km``."""

from __future__ import annotations

from qrja.tables.roles import SEVERAL, root
from qrja.tables.sources import Loaded, literal, stripped

BETWEEN = {"contest": ", ", "contestant": " "}
"""What stands between the parts of a name."""


def join_columns(loaded: Loaded) -> Loaded:
    """Make one column of all that play a role together; a part that is empty is skipped."""
    joined = {role: _columns_of(loaded, role) for role in SEVERAL if role in BETWEEN}
    joined = {role: columns for role, columns in joined.items() if len(columns) > 1}
    if not joined:
        return loaded
    gone = ", ".join(column for columns in joined.values() for column in columns)
    made = ", ".join(
        f"{_joined(columns, BETWEEN[role])} AS {role}" for role, columns in joined.items()
    )
    return loaded.recast(f"SELECT * EXCLUDE ({gone}), {made} FROM loaded", loaded.place)


def _columns_of(loaded: Loaded, role: str) -> list[str]:
    return [column for column in loaded.types if root(column) == role]


def _joined(columns: list[str], between: str) -> str:
    parts = ", ".join(stripped(f"{column}::VARCHAR") for column in columns)
    return f"nullif(concat_ws({literal(between)}, {parts}), '')"
