"""Small tidy tables, read without the database, which takes longer to load than they take to read.

Tidy is what no two readers could take for different things: letters of ASCII, a record a line with
as many fields as the header has, no quotes, no blanks around a name, nothing missing, and scores of
digits. Of anything else, and for every other question, the database reads the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Index
from qrja.tables.sources.database import Database
from qrja.tables.sources.text_file import TextFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

LARGEST = 200_000
"""Bytes of a file that is read this way, in some hundredths of a second."""
_LETTERS = bytes(set(range(0x20, 0x7F)) - set(b'"')) + b"\n"
_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")

Cells = dict[str, list[str]]
"""The fields of each column."""


def read_plain_cells(
    text: TextFile, delimiter: str, width: int, places: dict[str, int], numbers: Collection[str]
) -> Cells | None:
    """Return the fields of some columns if a file is small and tidy, else None.

    Parameters
    ----------
    text : TextFile
        Whose first line names the columns.
    delimiter : str
        Between fields.
    width : int
        Number of columns.
    places : dict
        Where the wanted columns are.
    numbers : names
        Those that hold numbers.
    """
    if text.path.stat().st_size > LARGEST or not delimiter.isascii():
        return None
    raw = text.path.read_bytes()
    if raw.translate(None, _LETTERS + delimiter.encode()):
        return None
    lines = raw.decode("ascii").removesuffix("\n").split("\n")[1:]
    records = [line.split(delimiter) for line in lines]
    if not records or any(len(record) != width for record in records):
        return None
    cells = {name: [record[place] for record in records] for name, place in places.items()}
    for name, column in cells.items():
        is_tidy = _NUMBER.fullmatch if name in numbers else _is_name
        if not all(map(is_tidy, column)):
            return None
    return cells


def _is_name(cell: str) -> bool:
    return bool(cell) and cell == cell.strip()


def number_plain_names(columns: list[list[str]]) -> tuple[list[Index], tuple[Hashable, ...]]:
    """Give names numbers by first mention: row by row, and left to right within a row.

    Examples
    --------
    >>> number_plain_names([["b", "a"], ["a", "c"]])
    ([array([0, 1], dtype=int32), array([1, 2], dtype=int32)], ('b', 'a', 'c'))
    """
    known: dict[Hashable, int] = {}
    rows = [
        [known.setdefault(name, len(known)) for name in row] for row in zip(*columns, strict=True)
    ]
    return list(np.array(rows, dtype=np.int32).T.copy()), tuple(known)


class DeferredDatabase(Database):
    """A database into which a table is loaded when something is asked of it."""

    def __init__(self, database: Database, load: Callable[[], object]) -> None:
        self._database, self._load = database, load

    @cached_property
    def _connection(self) -> DuckDBPyConnection:
        self._load()
        return self._database._connection
