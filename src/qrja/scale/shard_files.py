"""Shards in Parquet files: written once, read in every pass, one of them in memory at a time.

A folder holds the shards, the names in the order of their numbers, and ``manifest.json``, which is
written last and at once: a folder without one is not finished. While one shard is worked on the
next is read.
"""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from qrja.errors import InputError
from qrja.scale.passes import fold_shards
from qrja.scale.shards import Shard
from qrja.tables.sources import literal

S = TypeVar("S")
MANIFEST = "manifest.json"
VERSION = 1


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place, then take the place at once."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def write_shard(path: Path, shard: Shard) -> None:
    """Write a shard, first beside its place."""
    sizes = np.diff(shard.start)
    of = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    columns = {"contest": of, "who": shard.who, "score": shard.score}
    if (shard.weight != 1).any():
        columns["weight"] = np.repeat(shard.weight, sizes)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    with database_of(os.getpid()).cursor() as database:
        database.register("entries", columns)
        database.execute(
            f"COPY (SELECT * FROM entries) TO {literal(str(beside))}"
            " (FORMAT parquet, COMPRESSION lz4_raw)"
        )
    beside.replace(path)


@cache
def database_of(process: int) -> Any:
    """Open a database once in a process: that takes longer than reading a shard."""
    import duckdb

    atexit.register(database_of.cache_clear)
    return duckdb.connect(config={"threads": 1})


def read_shard(path: str) -> Shard:
    """Read a shard; a file that is damaged is named."""
    import duckdb

    try:
        with database_of(os.getpid()).cursor() as database:
            found = database.execute(f"SELECT * FROM read_parquet({literal(path)})").fetchnumpy()
        of, who, score = found["contest"], found["who"], found["score"]
    except (duckdb.Error, KeyError):
        raise InputError(
            f"{path}: is no readable shard; stage the data again, into an empty folder"
        ) from None
    begins = np.flatnonzero(of[1:] != of[:-1]) + 1
    start = np.concatenate([[0], begins, [len(of)]]).astype(np.int64)
    weight = found["weight"][start[:-1]] if "weight" in found else np.ones(len(start) - 1)
    return Shard(
        start, _plain(who, np.int32), _plain(score, np.float64), _plain(weight, np.float64)
    )


def _plain(column: Any, kind: Any) -> Any:
    return np.ascontiguousarray(column, dtype=kind)


def read_ahead(paths: Sequence[str]) -> Iterator[Shard]:
    """Read shards one after the other, each while the one before is worked on."""
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(read_shard, paths[0]) if paths else None
        for after in [*paths[1:], None]:
            assert coming is not None
            shard = coming.result()
            coming = None if after is None else reader.submit(read_shard, after)
            yield shard


class ShardFiles:
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
        self.n, self.paths, self.made = n, tuple(paths), 0

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

    def fold(
        self,
        begin: Callable[[], S],
        step: Callable[..., S],
        join: Callable[[S, S], S],
        *vectors: Any,
    ) -> S:
        """Take all shards, one by one."""
        self.made += 1
        return fold_shards(read_ahead(self.paths), begin, step, vectors)


def finish(folder: Path, n: int, shards: list[str], **told: Any) -> None:
    """Write the manifest, which says that a folder is complete."""
    manifest = {"version": VERSION, "n": n, "shards": shards, **told}
    write_whole(folder / MANIFEST, json.dumps(manifest))


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a folder."""
    path = folder / MANIFEST
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["version"] == VERSION:
            return dict(told)
    except FileNotFoundError:
        raise InputError(f"{folder}: was not staged to the end; stage the data again") from None
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path}: is no manifest of this version; stage the data again")
