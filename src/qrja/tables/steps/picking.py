"""Rows for which a condition holds are kept; the others are left out, and counted."""

from __future__ import annotations

import numpy as np

from qrja.data import Offsets
from qrja.errors import InputError, nearest
from qrja.tables.roles import root
from qrja.tables.sources import DerivedPlace, Loaded
from qrja.tables.steps.conditions import Cells, Comparison, Condition
from qrja.tables.values import number_names

WHERE = "where"
"""The role of columns that conditions look at, with a number behind it."""
_SHOWN = 6


def condition_columns(condition: Condition, columns: tuple[str, ...]) -> dict[str, str]:
    """Give the columns of a condition roles, under which they are loaded."""
    named = dict.fromkeys(condition.columns())
    for name in named:
        if name not in columns:
            listed = ", ".join(map(repr, columns))
            raise InputError(
                f"where: no column {name!r}; the columns are {listed}{nearest(name, columns)}"
            )
    return {f"{WHERE}_{number}": name for number, name in enumerate(named, 1)}


def pick_rows(
    loaded: Loaded, condition: Condition, roles: dict[str, str]
) -> tuple[Loaded, Offsets]:
    """Return a table of the rows for which the condition holds, and the rows left out."""
    cells = {}
    for role, name in roles.items():
        (number,), labels = number_names(loaded, (role,))
        cells[name] = Cells(loaded, role, number, tuple(map(str, labels)))
    holds = condition.holds(cells)
    if not holds.any():
        raise loaded.place.of_table(f"the condition holds for no row{_found(condition, cells)}")
    kept = np.flatnonzero(holds)
    loaded.database.register("picked", {"row": kept})
    gone = ", ".join(role for role in loaded.types if root(role) == WHERE)
    picked = loaded.recast(
        f"""SELECT * EXCLUDE ({gone}) FROM loaded
        WHERE rowid IN (SELECT row FROM picked) ORDER BY rowid""",
        DerivedPlace.of_rows(loaded.place, kept),
    )
    return picked, np.flatnonzero(~holds)


def _found(condition: Condition, cells: dict[str, Cells]) -> str:
    """List what a column holds instead, if the condition is on one."""
    if not isinstance(condition, Comparison):
        return "; check its values"
    texts = cells[condition.column].texts
    more = ", ..." if len(texts) > _SHOWN else ""
    return f"; {condition.column!r} holds {', '.join(map(repr, texts[:_SHOWN]))}{more}"
