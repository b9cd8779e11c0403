"""The engine of one machine: DuckDB deals the rows of Parquet files larger than its memory."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from qrja.errors import InputError
from qrja.scale.engines import buckets
from qrja.scale.engines.buckets import key_columns, number_bucket, read_bucket
from qrja.scale.engines.parquet_folders import Described, describe_files, parquet_files
from qrja.scale.engines.spilling import open_database
from qrja.scale.engines.staged_shards import Staged, conclude, fingerprint_of
from qrja.scale.engines.staging_folder import clear
from qrja.scale.shard_files import ShardFiles
from qrja.solvers.convex.streamed import count_cores
from qrja.tables.sources import ORIGIN, Dealt, literal, stripped


class LocalEngine:
    """Stages files, and opens passes over them, with the cores of this machine."""

    def stage(self, source: Any, folder: Path, reading: dict[str, Any]) -> Staged:
        """Write the shards of Parquet files into a folder, unless they are there."""
        files = parquet_files(source)
        fingerprint = fingerprint_of(files, reading)
        if (known := Staged.open(folder, fingerprint)) is not None:
            return known
        clear(folder)
        name = str(source) if len(files) != 1 else str(files[0])
        described = describe_files(files, name)
        scratch = folder / "dealt"
        try:
            dealt = deal(described, folder, scratch, reading, name)
            with ThreadPoolExecutor(count_cores()) as threads:
                tasks = [
                    threads.submit(read_bucket, str(folder), number, one, reading)
                    for number, one in enumerate(dealt)
                ]
                try:
                    read = [task.result() for task in tasks]
                finally:  # the first that is bad is told, the others need not be read
                    threads.shutdown(cancel_futures=True)

            def number_all(numbers: list[int]) -> list[str | None]:
                with ThreadPoolExecutor(count_cores()) as threads:
                    return list(threads.map(partial(number_bucket, str(folder)), numbers))

            return conclude(folder, read, fingerprint, lambda files: files, number_all, name)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def passes(self, staged: Staged) -> ShardFiles:
        """Return passes over what was staged."""
        return ShardFiles(len(staged.names), staged.shards)


def deal(
    described: Described, folder: Path, scratch: Path, reading: dict[str, Any], name: str
) -> list[Dealt]:
    """Deal rows into buckets by a hash of the contest; return them."""
    shutil.rmtree(scratch, ignore_errors=True)
    files, columns, before, rows = described
    try:
        keys = key_columns(tuple(columns), reading)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    many = -(-rows // buckets.BUCKET)
    key = ", ".join(f"nfc_normalize({stripped(f'{_column(it)}::VARCHAR')})" for it in keys)
    cases = " ".join(
        f"WHEN {literal(file)} THEN {at}" for file, at in zip(files, before, strict=True)
    )
    scratch.mkdir()
    with open_database(folder) as database:
        for some in _batches(described):
            database.execute(
                f"""COPY (SELECT * EXCLUDE (filename, file_row_number),
                        file_row_number + CASE filename {cases} END AS {ORIGIN},
                        hash({key}) % {many} AS qrja_bucket
                    FROM read_parquet({literal(some)}, filename = true,
                        file_row_number = true, hive_partitioning = false))
                TO {literal(str(scratch))} (FORMAT parquet, PARTITION_BY (qrja_bucket), APPEND,
                    FILENAME_PATTERN 'rows_{{uuid}}', COMPRESSION lz4_raw)"""
            )
    held = [sorted((scratch / f"qrja_bucket={number}").glob("*.parquet")) for number in range(many)]
    return [Dealt(tuple(map(str, it)), name, files, before) for it in held if it]


def _batches(described: Described) -> Iterator[list[str]]:
    """Take some files at a time: the database has all rows that it deals at once in memory."""
    most = max(8 * buckets.BUCKET, described.rows // 16)
    ends = [*described.before[1:], described.rows]
    some, first = [], 0
    for file, end in zip(described.files, ends, strict=True):
        some.append(file)
        if end - first >= most or end == described.rows:
            yield some
            some, first = [], end


def _column(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
