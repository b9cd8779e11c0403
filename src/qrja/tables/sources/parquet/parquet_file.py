"""Parquet files: typed columns, rows counted from 0."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qrja.errors import InputError
from qrja.tables.sources.database import Database, identifier, literal, one_file
from qrja.tables.sources.loaded import Loaded, load_columns
from qrja.tables.sources.parquet.parquet_pages import pages_are_sound
from qrja.tables.sources.place import Place


@dataclass(frozen=True)
class ParquetFile:
    """An open Parquet file; see :class:`qrja.tables.sources.loaded.Source`."""

    place: Place
    columns: tuple[str, ...]
    database: Database
    relation: str
    path: Path | None = None
    """Where the file is whose checksums are yet to be checked."""

    @classmethod
    def open(cls, path: Path, name: str, database: Database) -> ParquetFile:
        """Read the names of the columns."""
        import duckdb

        relation = f"read_parquet({literal(one_file(str(path)))}, hive_partitioning = false)"
        try:
            described = database.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        except duckdb.Error:
            raise _damaged(name) from None
        columns = tuple(str(row[0]) for row in described)
        return cls(Place(name, None), columns, database, relation, path)

    def load(self, chosen: dict[str, str]) -> Loaded:
        """Read some columns."""
        import duckdb

        expressions = {role: identifier(column) for role, column in chosen.items()}
        try:
            columns = set(chosen.values())
            if self.path and not pages_are_sound(self.database, self.path, columns):
                raise _damaged(self.place.name)
            return load_columns(self.database, self.place, expressions, self.relation)
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            raise _damaged(self.place.name) from None


def _damaged(name: str) -> InputError:
    return InputError(f"{name}: is no readable Parquet file; write, copy or download it again")
