"""Staging: rows become shards, by the rules by which any table is read.

1. **Deal.** The engine that has the rows deals them into buckets by a hash of the contest, so that
   a contest is in one bucket as a whole.
2. **Read.** Each bucket is read by :func:`qrja.tables.read_results`: every rule of the reader
   holds, and every row is used or left out for a reason.
3. **Number.** Names get the numbers that all use (:mod:`~qrja.scale.engines.numbering`).

Whoever repeats a task after a loss writes the same files again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from qrja.scale.engines.numbering import numbers_of, write_names
from qrja.scale.shard_files import read_shard, write_shard
from qrja.scale.shards import cut
from qrja.tables import read_results
from qrja.tables.shapes import choose_columns
from qrja.tables.sources import Dealt

BUCKET = 2**20
"""Rows of a bucket: read at once, in some 500 MB."""
FEW = 5
"""Rows named for each reason to leave some out."""


class Bucket(NamedTuple):
    """What became of the rows of one bucket."""

    number: int
    rows: int
    used: int
    left_out: dict[str, tuple[int, list[str]]]
    notes: list[str]
    warnings: list[str]
    names: int
    units: tuple[str, bool, int, str]
    contests: int
    entries: int
    pairs: int
    directed: bool
    nouns: tuple[str, str]


def key_columns(columns: tuple[str, ...], reading: Mapping[str, Any]) -> list[str]:
    """Return the columns by which rows are dealt, so that what belongs together stays together."""
    given = {role: name for role, name in reading.items() if isinstance(name, str)}
    chosen = choose_columns(columns, {k: v for k, v in given.items() if k in _COLUMNS})
    if chosen.shape == "entries":
        return [name for role, name in chosen.column.items() if role.split("_")[0] == "contest"]
    if "study" in chosen.column:
        return [chosen.column["study"]]
    return [name for role, name in chosen.column.items() if role in ("a", "b", "home", "away")]


_COLUMNS = frozenset(
    [
        "contest",
        "contestant",
        "score",
        "date",
        "weight",
        "a",
        "b",
        "y",
        "w",
        "ratio",
        "judge",
        "se",
        "study",
        "topic",
        "home",
        "away",
        "home_score",
        "away_score",
    ]
)


def read_bucket(folder: str, number: int, dealt: Dealt, reading: dict[str, Any]) -> Bucket:
    """Read one bucket and write it as a shard, its names numbered within it and written beside."""
    table = read_results(dealt, **_settled(reading))
    summary, problem = table.summary, table.problem
    shards = list(cut(problem, 2**62))
    if shards:
        write_shard(bucket_path(folder, number), shards[0])
    if problem.names:
        write_names(names_path(folder, number), problem.names)
    left = {
        str(group.reason): (group.count, [dealt.place_of(row) for row in group.where[:FEW]])
        for group in summary.left_out
    }
    units = table.units
    return Bucket(
        number,
        summary.rows,
        summary.used,
        left,
        [str(note) for note in summary.notes],
        [str(warning) for warning in summary.warnings],
        len(problem.names),
        (units.kind, units.lower_is_better, units.decimals, units.written),
        len(problem),
        problem.entries,
        problem.m,
        problem.directed,
        (problem.nouns.event, problem.nouns.candidate),
    )


def _settled(reading: dict[str, Any]) -> dict[str, Any]:
    """Decide what one bucket cannot: whether to take means is a habit of all rows."""
    return {"duplicates": "best", **{k: v for k, v in reading.items() if v is not None}}


def number_bucket(folder: str, number: int) -> str | None:
    """Give the names of a bucket the numbers that all use; None if it compares nobody."""
    old = bucket_path(folder, number)
    if not old.exists():
        return None
    shard = read_shard(str(old))
    anew = numbers_of(folder, names_path(folder, number))
    new = Path(folder) / f"shard-{number:05d}.parquet"
    write_shard(new, shard._replace(who=anew[shard.who]))
    return new.name


def bucket_path(folder: str, number: int) -> Path:
    """Return where a bucket is written whose names are numbered within it."""
    return Path(folder) / f"bucket-{number:05d}.parquet"


def names_path(folder: str, number: int) -> Path:
    """Return where the names of a bucket are written."""
    return Path(folder) / f"names-{number:05d}.parquet"
