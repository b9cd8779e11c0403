"""Where a row stands, in the words of whoever opens the table: ``races.csv:3`` or ``row 3``.

A record of a text file may span several lines (a quoted field with a newline), and blank lines
are no records; the line of record r is therefore looked up, and only when a message needs it.
Tables that are not text (data frames, Parquet, a JSON array) count rows from 0. A row that was made
from another, picked out of many or a cell of a wide row, is named by that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qrja.data import Offsets
from qrja.errors import InputError
from qrja.letters import cut


@dataclass(frozen=True)
class Place:
    """How to name the rows of one table.

    Parameters
    ----------
    name : str
        The file as the user wrote it; empty for a data frame.
    find_lines : callable or None
        Gives the first line of every record, counted from 1 as editors do; None if the table has
        no lines.

    Examples
    --------
    >>> Place("races.csv", lambda: np.array([2, 3, 7])).of(2)
    'races.csv:7'
    >>> Place("", None).of(2)
    'row 2'
    """

    name: str
    find_lines: Callable[[], Offsets | None] | None

    @cached_property
    def _lines(self) -> Offsets | None:
        return None if self.find_lines is None else self.find_lines()

    @property
    def word(self) -> str:
        """What is counted: ``"line"`` or ``"row"``."""
        return "row" if self._lines is None else "line"

    @property
    def counted(self) -> str:
        """What a row of the table is called."""
        return "row"

    def numbers(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Turn positions in the table into the numbers the user sees."""
        chosen = np.fromiter(rows, dtype=np.int64)
        return tuple((chosen if self._lines is None else self._lines[chosen]).tolist())

    def of(self, row: int) -> str:
        """Name one row."""
        (number,) = self.numbers([row])
        if self._lines is not None:
            return f"{self.name}:{number}"
        return f"{self.name}: row {number}" if self.name else f"row {number}"

    def error(self, row: int, message: str) -> InputError:
        """Build the error about one row."""
        return InputError(f"{self.of(row)}: {message}")

    def of_table(self, message: str) -> InputError:
        """Build the error about the table as a whole."""
        return InputError(f"{self.name or 'the data frame'}: {message}")


def shorten(value: object, most: int = 40) -> str:
    """Quote what the user wrote, the beginning of it if it is long.

    Examples
    --------
    >>> shorten("fast"), shorten("x" * 50, most=8), shorten(7)
    ("'fast'", "'xxxxx...'", '7')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= most else f"{value[: most - 3]}...")
    return cut(repr(value), most)


@dataclass(frozen=True)
class DerivedPlace(Place):
    """How to name rows by those they come from.

    Parameters
    ----------
    base : Place
        Names the rows of the table as it was.
    origin : array of int
        For each row, the one it comes from.
    columns : tuple of str
        Where a row is a cell of a wide table: the names of its columns, which take turns.

    Examples
    --------
    >>> base = Place("wide.csv", lambda: np.array([2, 3]))
    >>> DerivedPlace.of_cells(base, 2, ("Ann", "Bob")).of(3)
    "wide.csv:3, column 'Bob'"
    """

    base: Place
    origin: Offsets
    columns: tuple[str, ...] = ()

    @classmethod
    def of_rows(cls, base: Place, origin: Offsets) -> DerivedPlace:
        """Name some rows of a table."""
        return cls(base.name, None, base, origin)

    @classmethod
    def of_cells(cls, base: Place, rows: int, columns: tuple[str, ...]) -> DerivedPlace:
        """Name the cells of a table, row by row."""
        return cls(base.name, None, base, np.repeat(np.arange(rows), len(columns)), columns)

    @property
    def word(self) -> str:
        """What is counted: ``"line"`` or ``"row"``."""
        return self.base.word

    @property
    def counted(self) -> str:
        """What a row of the table is: a ``"cell"`` if it was wide."""
        return "cell" if self.columns else self.base.counted

    def numbers(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Turn positions in the table into the numbers the user sees."""
        chosen = np.fromiter(rows, dtype=np.int64)
        return self.base.numbers(self.origin[chosen].tolist())

    def of(self, row: int) -> str:
        """Name one row."""
        where = self.base.of(int(self.origin[row]))
        if not self.columns:
            return where
        return f"{where}, column {self.columns[row % len(self.columns)]!r}"

    def of_table(self, message: str) -> InputError:
        """Build the error about the table as a whole."""
        return self.base.of_table(message)
