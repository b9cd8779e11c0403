"""Tables of texts: rows of cells by what columns are called, for lists that are no results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from qrja.tables.sources import Place, open_source, stripped


class TextTable(NamedTuple):
    """Rows as mappings from roles to texts; an empty cell is None."""

    rows: list[dict[str, str | None]]
    place: Place


def read_texts(source: Any, called: Mapping[str, Sequence[str]], needed: str) -> TextTable:
    r"""Read columns of texts by their headers.

    Parameters
    ----------
    source : path or binary file
        A table of any kind that :func:`qrja.read_table` reads.
    called : mapping
        From roles to what their columns may be called, the first that is there.
    needed : str
        The role that there must be.

    Examples
    --------
    >>> import io
    >>> table = io.BytesIO(b"Project,Notes\nZoom,fast\n")
    >>> read_texts(table, {"item": ["project"], "text": ["notes"]}, "item").rows
    [{'item': 'Zoom', 'text': 'fast'}]
    """
    with open_source(source, None, None) as opened:
        plain = {re.sub(r"[\W_]+", "", name).casefold(): name for name in reversed(opened.columns)}
        chosen = {
            role: next((plain[it] for it in names if it in plain), None)
            for role, names in called.items()
        }
        if chosen[needed] is None:
            raise opened.place.of_table(
                f"no column of {needed}s; the columns are"
                f" {', '.join(map(repr, opened.columns))}: call one {needed!r}"
            )
        found = {role: name for role, name in chosen.items() if name is not None}
        loaded = opened.load(found)
        columns = ", ".join(stripped(f"{role}::VARCHAR") for role in found)
        cells = loaded.database.execute(f"SELECT {columns} FROM loaded ORDER BY rowid").fetchall()
        _ = loaded.place.word  # its lines are looked up while the file is open
        return TextTable([dict(zip(found, row, strict=True)) for row in cells], loaded.place)
