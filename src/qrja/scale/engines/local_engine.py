"""The engine of one machine: DuckDB deals the rows of Parquet files larger than its memory."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import Any

from qrja.errors import InputError
from qrja.scale.engines.buckets import (
    BUCKET,
    Bucket,
    Staged,
    conclude,
    fingerprint_of,
    key_columns,
    number_bucket,
    read_bucket,
    starts_of,
)
from qrja.scale.shard_files import ShardFiles
from qrja.tables.sources import ORIGIN, Dealt, files_of, literal

Tell = Callable[[str, int, int], None]


def parquet_files(source: Any) -> list[Path]:
    """List the Parquet files of a folder, a pattern, a path or a list of paths."""
    if isinstance(source, list | tuple):
        return [file for one in source for file in parquet_files(one)]
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            f"the data are a {type(source).__name__}; give a folder, a pattern or paths of Parquet"
        )
    path = Path(source)
    files = [path] if path.is_file() else files_of(str(path))
    for file in files:
        with file.open("rb") as opened:
            if opened.read(4) != b"PAR1":
                raise InputError(
                    f"{file}: is no Parquet file; write the tables as Parquet to read in passes"
                )
    return files


def stage_files(
    source: Any, folder: Path, reading: dict[str, Any], tell: Tell | None = None
) -> Staged:
    """Write the shards of Parquet files into a folder, unless they are there."""
    files = parquet_files(source)
    fingerprint = fingerprint_of(files, reading)
    folder.mkdir(parents=True, exist_ok=True)
    if (known := Staged.open(folder, fingerprint)) is not None:
        return known
    (folder / "manifest.json").unlink(missing_ok=True)
    name = str(source) if len(files) != 1 else str(files[0])
    dealt, scratch = deal(files, folder, reading, name)
    try:
        buckets: list[Bucket] = []
        for number, one in enumerate(dealt):
            if tell is not None:
                tell("reading", number, len(dealt))
            buckets.append(read_bucket(str(folder), number, one, reading))
        number_all = partial(_number_all, str(folder), buckets)
        return conclude(folder, buckets, fingerprint, number_all, name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _number_all(folder: str, buckets: list[Bucket], numbers: dict[Hashable, int]) -> list[bool]:
    return [number_bucket(folder, k, numbers, bucket.names) for k, bucket in enumerate(buckets)]


def deal(
    files: list[Path], folder: Path, reading: dict[str, Any], name: str
) -> tuple[list[Dealt], Path]:
    """Deal rows into buckets by a hash of the contest; return them and where they are."""
    import duckdb

    scratch = folder / "dealt"
    shutil.rmtree(scratch, ignore_errors=True)
    with duckdb.connect(config={"temp_directory": str(folder / "spill")}) as database:
        columns, counts = describe_files(database, files)
        try:
            keys = key_columns(columns, reading)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        before = starts_of(counts)
        total = int(before[-1])
        if not total:
            raise InputError(f"{name}: the table has no rows; write one for each result")
        many = -(-total // BUCKET)
        key = ", ".join(f"nfc_normalize(trim({_column(it)}::VARCHAR))" for it in keys)
        offsets = {str(file): int(at) for file, at in zip(files, before, strict=False)}
        cases = " ".join(f"WHEN {literal(it)} THEN {at}" for it, at in offsets.items())
        database.execute(
            f"""COPY (SELECT * EXCLUDE (filename, file_row_number),
                    file_row_number + CASE filename {cases} END AS {ORIGIN},
                    hash({key}) % {many} AS qrja_bucket
                FROM read_parquet({literal([str(it) for it in files])}, filename = true,
                    file_row_number = true, hive_partitioning = false))
            TO {literal(str(scratch))} (FORMAT parquet, PARTITION_BY (qrja_bucket),
                COMPRESSION lz4_raw)"""
        )
    shutil.rmtree(folder / "spill", ignore_errors=True)
    names, starts = tuple(map(str, files)), tuple(before[:-1].tolist())
    dealt = []
    for number in range(many):
        held = sorted((scratch / f"qrja_bucket={number}").glob("*.parquet"))
        if held:
            dealt.append(Dealt(tuple(map(str, held)), name, names, starts))
    return dealt, scratch


def describe_files(database: Any, files: list[Path]) -> tuple[tuple[str, ...], list[int]]:
    """Return the columns that all files have, and the rows of each; name a file that is bad."""
    import duckdb

    first: dict[str, str] = {}
    counts = []
    for file in files:
        relation = f"read_parquet({literal(str(file))}, hive_partitioning = false)"
        try:
            described = database.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
            ((rows,),) = database.execute(f"SELECT count(*) FROM {relation}").fetchall()
        except duckdb.Error:
            raise InputError(
                f"{file}: is no readable Parquet file; write, copy or download it again"
            ) from None
        found = {str(row[0]): str(row[1]) for row in described}
        first = first or found
        for column in first.keys() ^ found.keys():
            raise InputError(
                f"{file}: the column {column!r} is not in all files; the first is {files[0]}"
            )
        counts.append(int(rows))
    return tuple(first), counts


def _column(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def open_passes(staged: Staged) -> ShardFiles:
    """Return passes over what was staged."""
    return ShardFiles(len(staged.names), staged.shards)
