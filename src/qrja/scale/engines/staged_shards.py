"""Staged: shards in a folder, whose they are, and what became of the rows they were made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from qrja.data import CONTESTED, Nouns
from qrja.errors import InputError
from qrja.scale.engines.buckets import Bucket, bucket_path, names_path
from qrja.scale.engines.numbering import CODES, settle_names
from qrja.scale.engines.rows_read import RowsRead
from qrja.scale.shard_files import finish, read_manifest, write_whole
from qrja.tables import Units
from qrja.tables.values import tell_lookalikes

NAMES = "names.json"


@dataclass(frozen=True)
class Staged:
    """Shards in a folder, whose they are, and what became of the rows."""

    folder: Path
    names: tuple[Hashable, ...]
    units: Units
    reading: RowsRead
    contests: int
    entries: int
    pairs: int
    directed: bool
    nouns: Nouns = CONTESTED

    @property
    def shards(self) -> list[str]:
        """The paths of the shards."""
        return [str(self.folder / name) for name in read_manifest(self.folder)["shards"]]

    @classmethod
    def open(cls, folder: Path, fingerprint: str) -> Staged | None:
        """Open what was staged before from the same rows in the same way; None if nothing was."""
        try:
            told = read_manifest(folder)
        except InputError:
            return None
        if told.get("fingerprint") != fingerprint:
            return None
        try:
            names = (folder / NAMES).read_bytes()
        except OSError:
            return None
        if crc32(names) != told["names"]:  # damaged
            return None
        return cls(
            folder,
            tuple(json.loads(names)),
            Units(*told["units"]),
            RowsRead.from_dict(told["reading"]),
            told["contests"],
            told["entries"],
            told["pairs"],
            told["directed"],
            Nouns(*told["nouns"]),
        )


def conclude(
    folder: Path,
    buckets: list[Bucket],
    fingerprint: str,
    gather: Callable[[list[str]], Any],
    number_all: Callable[[list[int]], list[str | None]],
    name: str,
) -> Staged:
    """Give all names their numbers, and write the manifest.

    Parameters
    ----------
    folder, buckets, fingerprint, name
        Where the buckets are, what became of their rows, what tells them from others, and what
        the data are called in messages.
    gather : callable
        From the files of names to what :func:`~qrja.scale.engines.numbering.settle_names` takes.
    number_all : callable
        Writes the shards of some buckets; see :func:`~qrja.scale.engines.buckets.number_bucket`.
    """
    used = [bucket for bucket in buckets if bucket.names]
    if not used:
        raise InputError(f"{name}: no row has a contest, a contestant and a score")
    units: tuple[Any, ...] = _one_kind(used, name)
    numbers = [bucket.number for bucket in used]
    spelled = [str(names_path(str(folder), number)) for number in numbers]
    names = settle_names(folder, gather(spelled))
    shards = [shard for shard in number_all(numbers) if shard is not None]
    if not shards:
        raise InputError(
            f"{name}: no contest has two contestants with a score; check which columns are the"
            " contest and the contestant"
        )
    alike = tell_lookalikes(names)
    reading = RowsRead.of(buckets).with_note(str(alike) if alike else None)
    staged = Staged(
        folder,
        names,
        Units(*units),
        reading,
        sum(bucket.contests for bucket in used),
        sum(bucket.entries for bucket in used),
        sum(bucket.pairs for bucket in used),
        used[0].directed,
        Nouns(*used[0].nouns),
    )
    spelled_out = json.dumps(names)
    write_whole(folder / NAMES, spelled_out)
    finish(
        folder,
        len(names),
        shards,
        fingerprint=fingerprint,
        names=crc32(spelled_out.encode()),
        units=units,
        reading=asdict(reading),
        contests=staged.contests,
        entries=staged.entries,
        pairs=staged.pairs,
        directed=staged.directed,
        nouns=used[0].nouns,
    )
    for number in numbers:
        bucket_path(str(folder), number).unlink(missing_ok=True)
        names_path(str(folder), number).unlink(missing_ok=True)
    (folder / CODES).unlink()
    return staged


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
    return fingerprint(told, reading)


def fingerprint(told: Any, reading: Mapping[str, Any]) -> str:
    """Return what tells the same rows, read in the same way, from others."""
    said = json.dumps([told, sorted(reading.items(), key=str)], default=str)
    return hashlib.sha256(said.encode()).hexdigest()
