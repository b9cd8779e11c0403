"""A wide table made long: row r with the scores s_1 ... s_k becomes k rows (r, column j, s_j)."""

from __future__ import annotations

from qrja.tables.roles import root
from qrja.tables.sources import DerivedPlace, Loaded, literal


def unpivot(loaded: Loaded, names: dict[str, str], spread: str) -> Loaded:
    """Give every cell of the columns of scores a row of its own, row by row.

    Parameters
    ----------
    loaded : Loaded
        Its columns ``score``, ``score_2``, ... hold the cells; those of a matrix, ratio or y.
    names : dict
        Role -> the name of its column.
    spread : {"contestant", "contest", "b"}
        What the columns of scores are.
    """
    held = next(role for role in ("score", "ratio", "y") if role in loaded.types)
    cells = [role for role in loaded.types if root(role) == held]
    others = [role for role in loaded.types if root(role) != held]
    headers = tuple(names[role] for role in cells)
    as_texts = any(loaded.types[role] == "VARCHAR" for role in cells)
    kind = "VARCHAR" if as_texts else _common(loaded, cells)
    made = [
        *others,
        f"unnest({literal(headers)}) AS {spread}",
        f"unnest([{', '.join(f'{role}::{kind}' for role in cells)}]) AS {held}",
    ]
    if as_texts:
        texts = {role for role in cells if loaded.types[role] == "VARCHAR"}
        values = ", ".join(
            f"{role}_value" if role in texts else f"{role}::DOUBLE" for role in cells
        )
        made.append(f"unnest([{values}]) AS {held}_value")
    place = DerivedPlace.of_cells(loaded.place, loaded.rows, headers)
    return loaded.recast(f"SELECT {', '.join(made)} FROM loaded", place)


def _common(loaded: Loaded, cells: list[str]) -> str:
    kinds = {loaded.types[role] for role in cells}
    return kinds.pop() if len(kinds) == 1 else "DOUBLE"
