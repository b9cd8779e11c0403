"""Rows that were dealt from many files into one, each with its number among all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Offsets
from qrja.errors import InputError
from qrja.tables.sources.database import Database, literal
from qrja.tables.sources.parquet import ParquetFile
from qrja.tables.sources.place import DerivedPlace, Place

ORIGIN = "qrja_origin"
"""The column that holds the number of a row among those of all files."""


@dataclass(frozen=True)
class Dealt:
    """Parquet files of dealt rows, and the files they come from: names, and rows before each."""

    paths: tuple[str, ...]
    name: str
    files: tuple[str, ...] = ()
    before: tuple[int, ...] = ()

    def place_of(self, row: int) -> str:
        """Name one row by its number among all.

        Examples
        --------
        >>> Dealt((), "races", ("a.parquet", "b.parquet"), (0, 10)).place_of(12)
        'b.parquet: row 2'
        """
        if not self.files:
            return f"{self.name}: row {row}"
        file = int(np.searchsorted(self.before, row, side="right")) - 1
        return f"{self.files[file]}: row {row - self.before[file]}"


@dataclass(frozen=True)
class DealtPlace(DerivedPlace):
    """Names dealt rows by the files they come from."""

    dealt: Dealt = Dealt((), "")

    def of(self, row: int) -> str:
        """Name one row."""
        return self.dealt.place_of(int(self.origin[row]))

    def of_table(self, message: str) -> InputError:
        """Build the error about the table as a whole."""
        return InputError(f"{self.dealt.name}: {message}")


@dataclass(frozen=True)
class DealtFile(ParquetFile):
    """Open files of dealt rows; see :class:`qrja.tables.sources.loaded.Source`."""

    dealt: Dealt = Dealt((), "")

    @classmethod
    def open_dealt(cls, dealt: Dealt, database: Database) -> DealtFile:
        """Read the names of the columns, and where each row comes from."""
        relation = f"read_parquet({literal(list(dealt.paths))}, hive_partitioning = false)"
        described = database.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        columns = tuple(str(row[0]) for row in described)
        place = Place(dealt.name, None)
        if ORIGIN in columns:
            found = database.execute(f"SELECT {ORIGIN} FROM {relation}").fetchnumpy()[ORIGIN]
            # Threads dealt them in any order; all that follows is to be the same every time.
            origin: Offsets = np.sort(np.asarray(found, dtype=np.int64))
            relation = f"(SELECT * FROM {relation} ORDER BY {ORIGIN})"
            place = DealtPlace(dealt.name, None, place, origin, (), dealt)
        shown = tuple(name for name in columns if name != ORIGIN)
        return cls(place, shown, database, relation, None, dealt)
