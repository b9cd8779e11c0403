"""Staging: rows become shards, by the rules by which any table is read.

1. **Deal.** The engine that has the rows deals them into buckets by a hash of the contest, so that
   a contest is in one bucket as a whole.
2. **Read.** Each bucket is read by :func:`qrja.tables.read_results`: every rule of the reader
   holds, and every row is used or left out for a reason.
3. **Number.** Names are numbered by their order in the alphabet, so whoever repeats a task after a
   loss finds the same numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from qrja.data import CONTESTED, Nouns, Offsets
from qrja.errors import InputError
from qrja.scale.shard_files import finish, read_manifest, read_shard, write_shard, write_whole
from qrja.scale.shards import cut
from qrja.tables import Units, read_results
from qrja.tables.shapes import choose_columns
from qrja.tables.sources import Dealt

BUCKET = 2**20
"""Rows of a bucket: read at once, in some 200 MB."""
FEW = 5
"""Rows named for each reason to leave some out."""


class Bucket(NamedTuple):
    """What became of the rows of one bucket."""

    rows: int
    used: int
    left_out: dict[str, tuple[int, list[str]]]
    notes: list[str]
    warnings: list[str]
    names: list[Hashable]
    units: tuple[str, bool, int, str]
    contests: int
    entries: int
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
    """Read one bucket and write it as a shard, its names numbered within it."""
    table = read_results(dealt, **_settled(reading))
    summary, problem = table.summary, table.problem
    place = Path(folder)
    shards = list(cut(problem, 2**62))
    if shards:
        write_shard(place / f"bucket-{number:05d}.parquet", shards[0])
    left = {
        str(group.reason): (group.count, [dealt.place_of(row) for row in group.where[:FEW]])
        for group in summary.left_out
    }
    units = table.units
    return Bucket(
        summary.rows,
        summary.used,
        left,
        [str(note) for note in summary.notes],
        [str(warning) for warning in summary.warnings],
        list(problem.names),
        (units.kind, units.lower_is_better, units.decimals, units.written),
        len(problem),
        problem.entries,
        problem.directed,
        (problem.nouns.event, problem.nouns.candidate),
    )


def _settled(reading: dict[str, Any]) -> dict[str, Any]:
    """Decide what one bucket cannot: whether to take means is a habit of all rows."""
    return {"duplicates": "best", **{k: v for k, v in reading.items() if v is not None}}


def number_bucket(folder: str, number: int, numbers: Mapping[Hashable, int], names: Any) -> bool:
    """Give the names of a bucket the numbers that all use; tell whether it compares anybody."""
    place = Path(folder)
    old = place / f"bucket-{number:05d}.parquet"
    if not old.exists():
        return False
    shard = read_shard(str(old))
    anew = np.array([numbers[name] for name in names], dtype=np.int32)
    write_shard(place / f"shard-{number:05d}.parquet", shard._replace(who=anew[shard.who]))
    return True


@dataclass(frozen=True)
class RowsRead:
    """What became of all rows: ``rows == used + sum of those left out``, to the row.

    ``left_out`` has for each reason how many rows, and the places of a few.
    """

    rows: int
    used: int
    left_out: dict[str, tuple[int, list[str]]]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, buckets: Iterable[Bucket]) -> RowsRead:
        """Add buckets up."""
        buckets = list(buckets)
        left: dict[str, tuple[int, list[str]]] = {}
        for bucket in buckets:
            for reason, (count, places) in bucket.left_out.items():
                before, known = left.get(reason, (0, []))
                left[reason] = before + count, (known + places)[:FEW]
        said = [set(bucket.notes) for bucket in buckets]
        shared = [note for note in buckets[0].notes if all(note in it for it in said)]
        warned = [warning for bucket in buckets for warning in bucket.warnings]
        more = (
            [f"and {len(warned) - FEW:,} more warnings of this kind"] if len(warned) > FEW else []
        )
        return cls(
            sum(bucket.rows for bucket in buckets),
            sum(bucket.used for bucket in buckets),
            left,
            tuple(shared),
            tuple(warned[:FEW] + more),
        )

    def lines(self) -> list[str]:
        """Say it in sentences, warnings last."""
        told = [f"read {self.rows:,} rows, used {self.used:,}"]
        for reason, (count, places) in self.left_out.items():
            more = ", ..." if count > len(places) else ""
            told.append(f"left out {count:,} rows: {reason} ({', '.join(places)}{more})")
        return [*told, *self.notes, *(f"warning: {it}" for it in self.warnings)]

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain lists and dictionaries, for JSON."""
        return {
            "rows": self.rows,
            "used": self.used,
            "left_out": [
                {"reason": reason, "count": count, "places": places}
                for reason, (count, places) in self.left_out.items()
            ],
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True)
class Staged:
    """Shards in a folder, whose they are, and what became of the rows."""

    folder: Path
    names: tuple[Hashable, ...]
    units: Units
    reading: RowsRead
    contests: int
    entries: int
    directed: bool
    nouns: Nouns = CONTESTED

    @property
    def shards(self) -> list[str]:
        """The paths of the shards."""
        return [str(self.folder / name) for name in read_manifest(self.folder)["shards"]]

    @classmethod
    def open(cls, folder: Path, fingerprint: str) -> Staged | None:
        """Open what was staged before from the same files in the same way; None if nothing was."""
        try:
            told = read_manifest(folder)
        except InputError:
            return None
        if told.get("fingerprint") != fingerprint:
            return None
        names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
        reading = RowsRead(
            told["rows"],
            told["used"],
            {reason: (count, places) for reason, (count, places) in told["left_out"].items()},
            tuple(told["notes"]),
            tuple(told["warnings"]),
        )
        return cls(
            folder,
            tuple(names),
            Units(*told["units"]),
            reading,
            told["contests"],
            told["entries"],
            told["directed"],
            Nouns(*told["nouns"]),
        )


def conclude(
    folder: Path,
    buckets: list[Bucket],
    fingerprint: str,
    number_all: Callable[[dict[Hashable, int]], list[bool]],
    name: str,
) -> Staged:
    """Give all names their numbers, and write the manifest."""
    used = [bucket for bucket in buckets if bucket.names]
    if not used:
        raise InputError(f"{name}: no row has a contest, a contestant and a score")
    units: tuple[Any, ...] = _one_kind(used, name)
    names = sorted({it for bucket in used for it in bucket.names}, key=_alphabetic)
    told = number_all({it: number for number, it in enumerate(names)})
    shards = [f"shard-{number:05d}.parquet" for number, wrote in enumerate(told) if wrote]
    if not shards:
        raise InputError(
            f"{name}: no contest has two contestants with a score; check which columns are the"
            " contest and the contestant"
        )
    reading = RowsRead.of(buckets)
    staged = Staged(
        folder,
        tuple(names),
        Units(*units),
        reading,
        sum(bucket.contests for bucket in used),
        sum(bucket.entries for bucket in used),
        used[0].directed,
        Nouns(*used[0].nouns),
    )
    write_whole(folder / "names.json", json.dumps(names))
    finish(
        folder,
        len(names),
        shards,
        fingerprint=fingerprint,
        units=units,
        rows=reading.rows,
        used=reading.used,
        left_out=reading.left_out,
        notes=reading.notes,
        warnings=reading.warnings,
        contests=staged.contests,
        entries=staged.entries,
        directed=staged.directed,
        nouns=used[0].nouns,
    )
    for old in folder.glob("bucket-*.parquet"):
        old.unlink()
    return staged


def _alphabetic(name: Hashable) -> tuple[bool, Any]:
    return isinstance(name, str), name


def _one_kind(buckets: list[Bucket], name: str) -> tuple[str, bool, int, str]:
    """Check that scores are of one kind in all buckets."""
    kinds = {(bucket.units[0], bucket.units[1]) for bucket in buckets}
    if len(kinds) > 1:
        said = " and ".join(sorted({kind for kind, _ in kinds}))
        raise InputError(
            f"{name}: the scores are {said}s in different contests; write all of them alike"
        )
    kind, lower, _, written = buckets[0].units
    return kind, lower, min(bucket.units[2] for bucket in buckets), written


def fingerprint_of(files: Iterable[Path], reading: Mapping[str, Any]) -> str:
    """Return what tells the same files, read in the same way, from others."""
    told = [(str(it.absolute()), it.stat().st_size, it.stat().st_mtime_ns) for it in files]
    said = json.dumps([told, sorted(reading.items(), key=str)], default=str)
    return hashlib.sha256(said.encode()).hexdigest()


def starts_of(counts: Iterable[int]) -> Offsets:
    """Return how many rows stand before each file."""
    return np.concatenate([[0], np.cumsum(list(counts))]).astype(np.int64)
