"""Shards in Parquet files: written once, read in every pass, one for each core in memory at a time.

Some stay there, up to a fixed size: what is small is read once.

A folder holds the shards, the names in the order of their numbers, and ``manifest.json``, which is
written last and at once: a folder without one is not finished.
"""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4
from zlib import crc32

import numpy as np

from qrja.errors import InputError
from qrja.interrupts import import_whole, raised_by_queries
from qrja.scale.passes import Passes, Question, dealt
from qrja.scale.shards import Shard
from qrja.tables.sources import literal

A = TypeVar("A")
MANIFEST = "manifest.json"
VERSION = 3
SUM = "qrja_sum"
"""Where a shard has the checksum of its columns."""
HELD = 2**28
"""Bytes of shards that a process keeps in memory from one pass to the next."""


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Give a path to write to, which takes the place of the other at once, if all went well."""
    # Two workers may write the same file, the second because the first was thought to be lost.
    part = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place, then take the place at once."""
    with beside(path) as part:
        part.write_text(text, encoding="utf-8")


def write_shard(path: Path, shard: Shard) -> None:
    """Write a shard, first beside its place."""
    sizes = np.diff(shard.start)
    of = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    columns = {"contest": of, "who": shard.who, "score": shard.score}
    if (shard.weight != 1).any():
        columns["weight"] = np.repeat(shard.weight, sizes)
    told = sum_of(columns)
    with beside(path) as part, open_cursor() as database:
        database.register("entries", columns)
        database.execute(
            f"COPY (SELECT * FROM entries) TO {literal(str(part))}"
            " (FORMAT parquet, USE_TMP_FILE false, COMPRESSION lz4_raw,"
            f" KV_METADATA {{{SUM}: {told}}})"
        )


def sum_of(columns: Mapping[str, Any]) -> int:
    """Return a checksum of columns.

    Examples
    --------
    >>> sum_of({"who": np.array([1, 2], np.int32)}) == sum_of({"who": np.array([1, 3], np.int32)})
    False
    """
    kinds = {"contest": np.int32, "who": np.int32, "score": np.float64, "weight": np.float64}
    total = 0
    for name, kind in kinds.items():
        if name in columns:
            total = crc32(_plain(columns[name], kind).view(np.uint8), crc32(name.encode(), total))
    return total


@contextmanager
def open_cursor() -> Iterator[Any]:
    """Open a cursor of the database of this process."""
    with raised_by_queries(), database_of(os.getpid()).cursor() as database:
        yield database


@cache
def database_of(process: int) -> Any:
    """Open a database once in a process: that takes longer than reading a shard."""
    import_whole("duckdb")
    import duckdb

    atexit.register(database_of.cache_clear)
    return duckdb.connect(config={"threads": 1})


def read_shard(path: str, known: bool = False) -> Shard:
    """Read a shard; a file that is damaged is named, unless it is known to be whole."""
    import_whole("duckdb")
    import duckdb

    try:
        with open_cursor() as database:
            found = database.execute(f"SELECT * FROM read_parquet({literal(path)})").fetchnumpy()
            told = [] if known else _told_sum(database, path)
        of, who, score = found["contest"], found["who"], found["score"]
        whole = known or told == [(str(sum_of(found)).encode(),)]
    except (duckdb.InterruptException, duckdb.OutOfMemoryException):
        raise
    except (duckdb.Error, KeyError, ValueError, TypeError):
        whole = False
    if not whole:
        raise InputError(
            f"{path}: is no readable shard; stage the data again, into an empty folder"
        )
    begins = np.flatnonzero(of[1:] != of[:-1]) + 1
    start = np.concatenate([[0], begins, [len(of)]]).astype(np.int64)
    weight = found["weight"][start[:-1]] if "weight" in found else np.ones(len(start) - 1)
    return Shard(
        start, _plain(who, np.int32), _plain(score, np.float64), _plain(weight, np.float64)
    )


def _told_sum(database: Any, path: str) -> list[Any]:
    asked = f"SELECT value FROM parquet_kv_metadata({literal(path)}) WHERE key = {literal(SUM)}"
    return list(database.execute(asked).fetchall())


class HeldShards:
    """Reads shards, and keeps the first ones up to some bytes: passes come in the same order."""

    def __init__(self, most: int = HELD) -> None:
        self.bytes, self.most = 0, most
        self._known: dict[str, tuple[tuple[int, int], Shard]] = {}
        self._whole: dict[str, tuple[int, int]] = {}
        self._lock = Lock()

    def read(self, path: str) -> Shard:
        """Return a shard as it is on disk now."""
        try:
            stat = Path(path).stat()
            written = stat.st_mtime_ns, stat.st_size
        except OSError:
            return read_shard(path)
        known = self._known.get(path)
        if known is not None and known[0] == written:
            return known[1]
        shard = read_shard(path, known=self._whole.get(path) == written)
        self._whole[path] = written
        size = sum(array.nbytes for array in shard)
        with self._lock:
            self._forget(path)
            if self.bytes + size > self.most:
                # Make room for the folder that is read now.
                here = str(Path(path).parent)
                self._forget(*[it for it in self._known if str(Path(it).parent) != here])
            if self.bytes + size <= self.most:
                self.bytes += size
                self._known[path] = written, shard
        return shard

    def _forget(self, *paths: str) -> None:
        for path in paths:
            _, shard = self._known.pop(path, (None, ()))
            self.bytes -= sum(array.nbytes for array in shard)


def _plain(column: Any, kind: Any) -> Any:
    return np.ascontiguousarray(column, dtype=kind)


class ShardFiles(Passes):
    """Passes over the files of a staged folder, on this machine.

    Examples
    --------
    >>> import tempfile
    >>> from qrja.data import Contests
    >>> from qrja.scale.shards import cut
    >>> races = Contests.from_arrays("AABB", "xyyz", [3, 1, 2, 0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = ShardFiles.write(Path(folder), races.n, cut(races))
    ...     files.n, len(files.paths), read_shard(files.paths[0]).who.tolist()
    (3, 1, [0, 1, 1, 2])
    """

    def __init__(self, n: int, paths: Sequence[str]) -> None:
        super().__init__(n)
        self.paths = tuple(paths)
        self._held = HeldShards()

    @classmethod
    def write(cls, folder: Path, n: int, shards: Iterable[Shard]) -> ShardFiles:
        """Write shards into an empty folder."""
        paths = []
        for number, shard in enumerate(shards):
            paths.append(folder / f"shard-{number:05d}.parquet")
            write_shard(paths[-1], shard)
        finish(folder, n, [path.name for path in paths])
        return cls(n, [str(path) for path in paths])

    @classmethod
    def open(cls, folder: Path) -> ShardFiles:
        """Open a folder that was staged."""
        told = read_manifest(folder)
        return cls(int(told["n"]), [str(folder / name) for name in told["shards"]])

    def answer(self, question: Question[A]) -> A:
        """Take all shards, some on each core."""
        shares = [map(self._held.read, paths) for paths in dealt(self.paths)]
        return question.ask_side_by_side(shares)


def finish(folder: Path, n: int, shards: list[str], **told: Any) -> None:
    """Write the manifest, which says that a folder is complete."""
    manifest = {"version": VERSION, "n": n, "shards": shards, **told}
    manifest["sum"] = crc32(json.dumps(manifest).encode())
    write_whole(folder / MANIFEST, json.dumps(manifest))


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a folder."""
    path = folder / MANIFEST
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        written = told.pop("sum", None)
        if told["version"] == VERSION and written == crc32(json.dumps(told).encode()):
            return dict(told)
    except FileNotFoundError:
        raise InputError(f"{folder}: was not staged to the end; stage the data again") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InputError(f"{path}: is no manifest of this version; stage the data again")
