"""Several files as one table: their rows one after the other, with a column that names the file.

They are given as a list, a folder, a pattern such as ``race*.csv``, or a ZIP archive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qrja.errors import InputError
from qrja.plurals import count
from qrja.speech import Sentence
from qrja.tables.sources.database import Database, literal
from qrja.tables.sources.loaded import Loaded, Source
from qrja.tables.sources.place import Place

FILE = "file"
"""The column that names the file of a row, unless the files have one of this name."""

Opener = Callable[[], Source]


@dataclass(frozen=True)
class ManyPlace(Place):
    """How to name rows of several files, which are counted through from 1."""

    places: tuple[Place, ...]
    rows: tuple[int, ...]

    def numbers(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Turn positions in the table into numbers of rows."""
        return tuple(row + 1 for row in rows)

    def of(self, row: int) -> str:
        """Name one row by its file and its line there."""
        ends = np.cumsum(self.rows)
        at = int(np.searchsorted(ends, row, side="right"))
        return self.places[at].of(row - int(ends[at]) + self.rows[at])


@dataclass(frozen=True)
class ManyFiles:
    """Several files, opened one after the other; see :class:`qrja.tables.sources.loaded.Source`."""

    place: Place
    columns: tuple[str, ...]
    database: Database
    files: tuple[tuple[str, Opener], ...]

    @classmethod
    def open(cls, name: str, files: Sequence[tuple[str, Opener]], database: Database) -> ManyFiles:
        """Read all headers: the columns are those that every file has."""
        headers = [opener().columns for _, opener in files]
        shared = [column for column in headers[0] if all(column in other for other in headers)]
        if len(shared) < 2 <= len(files):
            strange = next(at for at, it in enumerate(headers) if len(set(it) & set(shared)) < 2)
            raise InputError(
                f"{name}: the files have no two columns in common; {files[0][0]} has"
                f" {', '.join(map(repr, headers[0]))} and {files[max(strange, 1)][0]}"
                f" {', '.join(map(repr, headers[max(strange, 1)]))}"
            )
        named = (FILE,) if FILE not in shared else ()
        return cls(Place(name, None), (*shared, *named), database, tuple(files))

    def load(self, chosen: dict[str, str]) -> Loaded:
        """Read some columns of every file, and put their rows below each other."""
        named = {role for role, column in chosen.items() if column == FILE}
        wanted = {role: column for role, column in chosen.items() if role not in named}
        parts = []
        for at, (name, opener) in enumerate(self.files):
            part = opener().load(wanted)
            stem = literal(Path(name).name.split(".")[0])
            added = "".join(f", {stem} AS {role}" for role in named)
            part.database.execute(
                f"CREATE OR REPLACE TABLE part_{at} AS SELECT *{added} FROM loaded"
            )
            parts.append(part)
        return self._stack(parts)

    def _stack(self, parts: list[Loaded]) -> Loaded:
        union = " UNION ALL BY NAME ".join(f"SELECT * FROM part_{at}" for at in range(len(parts)))
        place = ManyPlace(
            self.place.name,
            None,
            tuple(part.place for part in parts),
            tuple(part.rows for part in parts),
        )
        shown = _listed([it for it, _ in self.files])
        files = count(len(parts), "file")
        notes: list[str] = [Sentence("read {files}: {shown}", files=files, shown=shown)]
        notes += [note for part in parts for note in part.notes]
        stacked = parts[0].recast(union, place)
        for at in range(len(parts)):
            self.database.execute(f"DROP TABLE part_{at}")
        return replace(stacked, notes=tuple(dict.fromkeys(notes)))


def _listed(names: list[str], most: int = 5) -> str:
    shown, more = ", ".join(names[:most]), len(names) - most
    return Sentence("{shown} and {more:,} more", shown=shown, more=more) if more > 0 else shown
