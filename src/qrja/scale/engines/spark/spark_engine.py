"""The engine of a cluster: stage files or a data frame by Spark, and open passes over them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from qrja.errors import InputError
from qrja.scale.engines.buckets import number_bucket
from qrja.scale.engines.parquet_folders import describe_files, parquet_files
from qrja.scale.engines.spark.spark_dealing import (
    deal_and_read,
    keys_of,
    measure,
    read_files,
)
from qrja.scale.engines.spark.spark_jobs import Jobs, explained
from qrja.scale.engines.spark.spark_passes import SparkPasses, look_around
from qrja.scale.engines.spark.spark_session import find_session
from qrja.scale.engines.staged_shards import (
    Staged,
    conclude,
    fingerprint,
    fingerprint_of,
)
from qrja.scale.engines.staging_folder import clear
from qrja.scale.passes import Passes
from qrja.scale.shard_files import ShardFiles
from qrja.tables.sources import Dealt, is_spark_frame

FEW = "spark.qrja.driver.entries"
"""The setting of Spark that says up to how many entries the driver passes over alone."""
FEW_ENTRIES, FEW_PAIRS = 2**22, 16
"""Its default, and so many times as many pairs: what one machine passes over in about the time
that Spark takes to begin a pass, a tenth of a second, and a search may take a thousand of them. The
driver has the folder of the shards as well, and keeps no more of it in memory than the local
engine."""


class SparkEngine:
    """Stages rows, and opens passes over them, with the workers of Spark."""

    def __init__(self, data: Any) -> None:
        self.session = data.sparkSession if is_spark_frame(data) else find_session()
        self.jobs = Jobs(self.session)

    def stage(self, source: Any, folder: Path, reading: dict[str, Any]) -> Staged:
        """Write the shards of files or of a data frame into a folder, unless they are there."""
        self._meet(folder)
        if is_spark_frame(source):
            frame, dealt = source, Dealt((), "data frame")
            keys = keys_of(frame, reading, dealt.name)
            extent = measure(frame, keys, dealt.name)
            known_by = fingerprint(extent.checksum, reading)
            described = None
        else:
            files = parquet_files(source)
            name = str(source) if len(files) != 1 else str(files[0])
            known_by = fingerprint_of(files, reading)
            described = describe_files(files, name)
            dealt = Dealt((), name, described.files, described.before)
        if (known := Staged.open(folder, known_by)) is not None:
            return known
        if described is not None:
            frame = read_files(self.session, described)
            keys = keys_of(frame, reading, dealt.name)
            extent = measure(frame, keys, dealt.name, described.rows)
        clear(folder)
        told = deal_and_read(frame, folder, keys, extent, dealt, reading)
        return conclude(
            folder, told, known_by, self._gather, partial(self._number, folder), dealt.name
        )

    def passes(self, staged: Staged) -> Passes:
        """Return passes over what was staged: by the workers, or by the driver if it is small."""
        few = entries_alone(self.session.conf.get(FEW, str(FEW_ENTRIES)))
        if staged.entries <= few and staged.pairs <= FEW_PAIRS * few:
            passes = ShardFiles(len(staged.names), staged.shards)
            passes.place = "on the driver"
            return passes
        return SparkPasses(self.jobs, staged.folder, len(staged.names), staged.shards)

    def _meet(self, folder: Path) -> None:
        """See that workers have the package, and share the folder."""
        token = folder / f"seen-{uuid4().hex}"
        token.touch()
        try:
            self.jobs.each(partial(look_around, str(folder), token.name), self.jobs.cores)
        finally:
            token.unlink(missing_ok=True)

    def _gather(self, files: list[str]) -> Any:
        """Bring each name to the driver once, whatever the number of buckets that have it."""
        with explained():
            return self.session.read.parquet(*files).distinct().toArrow()

    def _number(self, folder: Path, numbers: list[int]) -> list[str | None]:
        return self.jobs.each(partial(_number_one, str(folder), numbers), len(numbers))


def entries_alone(setting: str) -> int:
    """Return up to how many entries the driver passes over alone.

    Examples
    --------
    >>> entries_alone("1000000")
    1000000
    >>> entries_alone("few")
    Traceback (most recent call last):
    qrja.errors.InputError: spark.qrja.driver.entries is 'few'; set a whole number of entries, ...
    """
    if not setting.strip().isdecimal():
        raise InputError(
            f"{FEW} is {setting!r}; set a whole number of entries, 0 to let the workers pass over"
            " all data"
        )
    return int(setting)


def _number_one(folder: str, numbers: list[int], at: int) -> str | None:
    """Run on a worker: number the names of one bucket."""
    return number_bucket(folder, numbers[at])
