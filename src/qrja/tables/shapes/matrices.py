"""Square tables of judgments: the cell of row a and column b says how a compares with b.

Rows and columns have the same names. With 1 on the diagonal the cells are ratios; with 0 there, or
a negative cell, they are margins. Cells may be empty, and so may a triangle.
"""

from __future__ import annotations

from qrja.errors import InputError
from qrja.tables.shapes.columns import ChosenColumns
from qrja.tables.sources import Source, stripped
from qrja.tables.values import read_fraction, read_number

KINDS = {"ratios": "ratio", "margins": "y"}
"""What the cells are -> the role they play."""
LARGEST = 2000
"""Rows up to which a table may be a matrix."""


def choose_matrix(source: Source, kind: str) -> ChosenColumns:
    """Give the columns of a square table their roles."""
    label, *names = source.columns
    role = KINDS[kind]
    cells = {f"{role}_{at}" if at > 1 else role: name for at, name in enumerate(names, 1)}
    return ChosenColumns("judgments", {"a": label} | cells, (), "b")


def recognise_matrix(source: Source) -> ChosenColumns | None:
    """Recognise a square table whose rows are called like its columns; None if it is none.

    Raises
    ------
    InputError
        If it is one, and its cells may be ratios or margins.
    """
    names = source.columns[1:]
    if not 2 <= len(names) <= LARGEST:
        return None
    loaded = source.load({f"cell_{at}": name for at, name in enumerate(source.columns)})
    texts = ", ".join(f"coalesce({stripped(f'{role}::VARCHAR')}, '')" for role in loaded.types)
    if loaded.rows != len(names):
        return None
    rows = loaded.database.execute(f"SELECT {texts} FROM loaded ORDER BY rowid").fetchall()
    if {row[0] for row in rows} != set(names):
        return None
    kind = _kind(
        {(row[0], name): it for row in rows for name, it in zip(names, row[1:], strict=True)}
    )
    if kind is None:
        raise InputError(
            f"a square table of {len(names)} by {len(names)} whose cells may be ratios"
            " (--wide ratios) or margins (--wide margins); say which"
        )
    return choose_matrix(source, kind)


def _kind(cells: dict[tuple[str, str], str]) -> str | None:
    """Tell ratios from margins by the diagonal, else by their signs."""
    read = {pair: _number(text) for pair, text in cells.items() if text}
    level = {value for (a, b), value in read.items() if a == b}
    if level == {1.0}:
        return "ratios"
    if level == {0.0} or any(value is not None and value < 0 for value in read.values()):
        return "margins"
    return None


def _number(text: str) -> float | None:
    fraction = read_fraction(text)
    return read_number(text.replace(",", ".")) if fraction is None else fraction
