"""Groups: the values of a column, and a table for each of them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from qrja.errors import InputError, nearest
from qrja.tables.read import Table, check_reading, read_table
from qrja.tables.sources import open_source
from qrja.tables.steps import quoted
from qrja.tables.values import number_names

NONE = "(empty)"
"""What a group without a name is called."""


def find_groups(source: Any, by: str, **reading: Any) -> dict[str, str]:
    r"""Return the groups of a table, in order of appearance, and the condition that picks each.

    Parameters
    ----------
    source : path, data frame, ...
        As in :func:`read_table`.
    by : str
        A column; or several, ``"category,sex"``, whose values name a group together.
    **reading
        Options of :func:`read_table`; a ``where`` holds beside.

    Examples
    --------
    >>> import io
    >>> find_groups(io.BytesIO(b"race,runner,time,sex\nA,Ann,9,F\nA,Bob,8,M\n"), "sex")
    {'F': "sex = 'F'", 'M': "sex = 'M'"}
    """
    check_reading(reading)
    marks = reading.get("delimiter"), reading.get("encoding"), reading.get("sheet")
    with open_source(_again(source), *marks, bool(reading.get("remote"))) as opened:
        columns = [by] if by in opened.columns else [name.strip() for name in by.split(",")]
        for name in columns:
            if name not in opened.columns:
                listed = ", ".join(map(repr, opened.columns))
                raise opened.place.of_table(
                    f"no column {name!r} to group by; the columns are {listed}"
                    f"{nearest(name, opened.columns)}"
                )
        loaded = opened.load({f"by_{at}": name for at, name in enumerate(columns)})
        read = [number_names(loaded, (role,)) for role in loaded.types]
    numbers = np.stack([number for (number,), _ in read])
    distinct, first = np.unique(numbers, axis=1, return_index=True)
    groups = {}
    for at in np.argsort(first).tolist():
        values = [
            str(labels[k]) if k >= 0 else None
            for k, (_, labels) in zip(distinct[:, at].tolist(), read, strict=True)
        ]
        label = ", ".join(value if value is not None else NONE for value in values)
        groups[label] = _condition(columns, values, reading.get("where"))
    return groups


def _condition(columns: list[str], values: list[str | None], where: str | None) -> str:
    parts = [f"({where})"] if where else []
    for column, value in zip(columns, values, strict=True):
        name = column if column.isidentifier() else f'"{column}"'
        parts.append(f"{name} is empty" if value is None else f"{name} = {quoted(value)}")
    return " and ".join(parts)


def read_groups(source: Any, by: str, **reading: Any) -> dict[str, Table]:
    r"""Read a table for each value of a column, as :func:`read_table` with a condition on it.

    Groups that cannot be read by themselves, as one whose contests are of one entrant, are left
    out; if none can, that is an error.

    Examples
    --------
    >>> import io
    >>> rows = b"race,runner,time,sex\nA,Ann,9,F\nA,Bob,8,M\nA,Eve,7,F\nA,Dan,9,M\n"
    >>> {name: table.problem.names for name, table in read_groups(io.BytesIO(rows), "sex").items()}
    {'F': ('Ann', 'Eve'), 'M': ('Bob', 'Dan')}
    """
    source = _again(source)
    tables, refused = {}, None
    for label, condition in find_groups(source, by, **reading).items():
        try:
            tables[label] = read_table(_again(source), **{**reading, "where": condition})
        except InputError as error:
            refused = error
    if not tables and refused is not None:
        raise refused
    return tables


def _again(source: Any) -> Any:
    """Make a stream one that can be read again."""
    if not callable(getattr(source, "read", None)):
        return source
    if isinstance(source, io.BytesIO):
        return io.BytesIO(source.getvalue())
    return io.BytesIO(source.read())
