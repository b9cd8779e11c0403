"""Passes on a cluster: the workers take the shards, the driver sends vectors and joins sums.

What is asked is written into the folder of the shards, once a pass, and read there by every worker;
only numbers are distributed. A task takes the same shards whenever and wherever it runs, so nothing
is lost with a worker.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from qrja.errors import InputError
from qrja.scale.engines.spark.spark_jobs import Jobs
from qrja.scale.passes import fold_shards
from qrja.scale.shard_files import HeldShards, beside

S = TypeVar("S")
HELD = HeldShards()
"""What a worker keeps from one pass to the next."""


class SparkPasses:
    """Passes over the files of a staged folder, on the workers of Spark."""

    def __init__(self, jobs: Jobs, folder: Path, n: int, paths: Sequence[str]) -> None:
        self.jobs, self.folder, self.n, self.paths, self.made = jobs, folder, n, tuple(paths), 0

    def fold(
        self,
        begin: Callable[[], S],
        step: Callable[..., S],
        join: Callable[[S, S], S],
        *vectors: Any,
    ) -> S:
        """Let every core take its shards, and join what they end with."""
        self.made += 1
        tasks = min(len(self.paths), self.jobs.cores)
        shares = [self.paths[task::tasks] for task in range(tasks)]
        asked = self.folder / f"asked-{uuid4().hex}.pickle"
        with beside(asked) as part:
            part.write_bytes(pickle.dumps((begin, step, vectors, shares), protocol=5))
        try:
            found: S = self.jobs.fold(partial(_take, str(asked)), join, tasks)
            return found
        finally:
            asked.unlink(missing_ok=True)


def _take(asked: str, task: int) -> Any:
    """Run on a worker: take the shards of one task."""
    try:
        begin, step, vectors, shares = pickle.loads(Path(asked).read_bytes())
    except FileNotFoundError:
        raise InputError(unseen(str(Path(asked).parent))) from None
    return fold_shards(map(HELD.read, shares[task]), begin, step, vectors)


def look_around(folder: str, token: str, task: int) -> None:
    """Run on a worker: see whether it shares the folder of the shards."""
    if not (Path(folder) / token).exists():
        raise InputError(unseen(folder))


def unseen(folder: str) -> str:
    """Say that a worker does not see the folder."""
    return (
        f"the worker on {_host()} does not see {folder}; name as staging a folder that the driver"
        " and all workers share"
    )


@cache
def _host() -> str:
    import socket

    return socket.gethostname()
