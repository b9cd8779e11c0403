"""Folders of Parquet files: which files there are, what they hold, and which of them is bad."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from qrja.errors import InputError
from qrja.interrupts import import_whole, raised_by_queries
from qrja.tables.out import as_path
from qrja.tables.sources import files_of, literal, pages_are_sound


class Described(NamedTuple):
    """Files, the columns of all of them with their types, and how many rows stand before each."""

    files: tuple[str, ...]
    columns: dict[str, str]
    before: tuple[int, ...]
    rows: int


def parquet_files(source: Any) -> list[Path]:
    """List the Parquet files of a folder, a pattern, a path or a list of paths."""
    if isinstance(source, list | tuple):
        return [file for one in source for file in parquet_files(one)]
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            f"the data are a {type(source).__name__}; give a folder, a pattern or paths of Parquet"
        )
    path = as_path(source, "data")
    try:
        files = [path] if path.is_file() else files_of(str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    for file in files:
        if _first_bytes(file) != b"PAR1":
            raise InputError(
                f"{file}: is no Parquet file; write the tables as Parquet to read in passes"
            )
    return files


def _first_bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(4)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None


def describe_files(files: Iterable[Path], name: str) -> Described:
    """Look at all files; name one that cannot be read, or that is not like the first."""
    import_whole("duckdb")
    import duckdb

    first: dict[str, str] = {}
    counts: list[int] = []
    used: list[Path] = []
    with raised_by_queries(), duckdb.connect() as database:
        for file in files:
            found, rows = _describe(database, file)
            if not rows:  # written with columns of no type, as may be
                continue
            first = first or found
            for column in first.keys() ^ found.keys():
                raise InputError(
                    f"{file}: the column {column!r} is not in all files; the first is {used[0]}"
                )
            for column, kind in found.items():
                if kind != first[column]:
                    raise InputError(
                        f"{file}: the column {column!r} is {kind}, and {first[column]} in"
                        f" {used[0]}; write both alike"
                    )
            counts.append(rows)
            used.append(file)
    if not used:
        raise InputError(f"{name}: the table has no rows; write one for each result")
    before = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64).tolist()
    return Described(tuple(map(str, used)), first, tuple(before[:-1]), before[-1])


def _describe(database: Any, file: Path) -> tuple[dict[str, str], int]:
    import duckdb

    relation = f"read_parquet({literal(str(file))}, hive_partitioning = false)"
    try:
        described = database.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        ((rows,),) = database.execute(f"SELECT count(*) FROM {relation}").fetchall()
        sound = pages_are_sound(database, file)
    except duckdb.Error:
        sound = False
    if not sound:
        raise InputError(f"{file}: is no readable Parquet file; write, copy or download it again")
    return {str(row[0]): str(row[1]) for row in described}, int(rows)
