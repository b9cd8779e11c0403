"""Passes on a cluster: the workers take the shards, the driver sends vectors and joins sums.

What is asked is written into the folder of the shards, once a pass, and read there by every worker;
only numbers are distributed. A task takes the same shards whenever and wherever it runs, so nothing
is lost with a worker.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from qrja.errors import InputError
from qrja.scale.engines.spark.spark_jobs import FEW, Jobs
from qrja.scale.passes import Passes, Question
from qrja.scale.shard_files import HeldShards, beside

A = TypeVar("A")
BROUGHT, EACH = 2**30, 24
"""Bytes of answers that the driver takes at once, and those of a contestant in the largest answer,
the forest."""
HELD = HeldShards(2**27)
"""What a worker keeps from one pass to the next: less than one machine, as it has a virtual machine
of Java beside it."""


class SparkPasses(Passes):
    """Passes over the files of a staged folder, on the workers of Spark."""

    place = "on the workers"

    def __init__(self, jobs: Jobs, folder: Path, n: int, paths: Sequence[str]) -> None:
        super().__init__(n)
        self.jobs, self.folder, self.paths = jobs, folder, tuple(paths)

    def answer(self, question: Question[A]) -> A:
        """Let every core take its shards, and join what they end with."""
        tasks = min(len(self.paths), self.jobs.cores)
        shares = [self.paths[task::tasks] for task in range(tasks)]
        asked = self.folder / f"asked-{uuid4().hex}.pickle"
        with beside(asked) as part, part.open("wb") as file:
            pickle.dump((question, shares), file, protocol=5)
        try:
            few = min(max(BROUGHT // (EACH * max(self.n, 1)), 2), FEW)
            found: A = self.jobs.fold(partial(_take, str(asked)), question.join, tasks, few)
            return found
        finally:
            asked.unlink(missing_ok=True)


def _take(asked: str, task: int) -> Any:
    """Run on a worker: take the shards of one task."""
    try:
        with Path(asked).open("rb") as file:  # not read first: vectors would be there twice
            question, shares = pickle.load(file)
    except FileNotFoundError:
        raise InputError(unseen(str(Path(asked).parent))) from None
    return question.ask(map(HELD.read, shares[task]))


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
