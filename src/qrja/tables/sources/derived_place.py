"""Where a row stands that was made from another: picked out of many, or a cell of a wide row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from qrja.data import Offsets
from qrja.errors import InputError
from qrja.tables.sources.place import Place


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
