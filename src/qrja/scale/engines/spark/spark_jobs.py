"""Jobs: do something on the workers for each of some numbers, and bring back what came of it.

Answers travel as pieces of bytes, since a cluster sends rows of a limited size. What is wrong with
the data comes back as a word instead of an exception, which Spark would try again and again.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial
from typing import Any

from qrja.errors import InputError
from qrja.scale.engines.spark.spark_session import hushed

PIECE = 2**24
"""Bytes of a row: Spark Connect takes messages of up to 128 MB."""
SCHEMA = "task long, piece int, bytes binary"
FEW = 16
"""Answers that the driver joins itself, unless they are large."""


class Jobs:
    """What a session does for us."""

    def __init__(self, session: Any) -> None:
        self.session = session

    @cached_property
    def cores(self) -> int:
        """How many tasks run at a time, as Spark sees it."""
        from pyspark.sql import functions as sf

        with explained():
            parts = self.session.range(2**16).select(sf.spark_partition_id().alias("part"))
            return int(parts.agg(sf.max("part")).collect()[0][0]) + 1

    def each(self, task: Callable[[int], Any], count: int) -> list[Any]:
        """Return ``[task(0), task(1), ...]``; a core does several, one after the other."""
        frame = self._ask(task, count, min(count, self.cores))
        return [answer for _, answer in collect(frame)]

    def fold(
        self,
        task: Callable[[int], Any],
        join: Callable[[Any, Any], Any],
        count: int,
        few: int = FEW,
    ) -> Any:
        """Return all answers joined, in their order; in a tree, until there are ``few``."""
        from pyspark.sql import functions as sf

        frame, left = self._ask(task, count, count), count
        while left > few:
            width = branches(left)
            branch = (sf.col("task") / sf.lit(width)).cast("long")
            frame = grouped(frame, branch.alias("branch"), partial(_join_branch, join))
            left = -(-left // width)
        with explained():
            table = frame.toArrow()
        joined = _joined(join, table)
        if isinstance(joined, InputError):
            raise joined
        return joined

    def _ask(self, task: Callable[[int], Any], count: int, parts: int) -> Any:
        with explained():
            return self.session.range(0, count, 1, parts).mapInArrow(partial(_do, task), SCHEMA)


def grouped(frame: Any, by: Any, task: Callable[[Any, Any], Any]) -> Any:
    """Give the rows of each group to a task on a worker, as a key and a table of Arrow."""
    # Spark reads the annotations of what it is given, so it is given something without.
    with explained():
        return frame.groupBy(by).applyInArrow(lambda key, table: task(key, table), SCHEMA)


def branches(count: int) -> int:
    """Return how many answers a branch of the tree joins.

    Examples
    --------
    >>> branches(17), branches(400)
    (5, 20)
    """
    return int(count**0.5 + 0.999999)


def _do(task: Callable[[int], Any], batches: Iterable[Any]) -> Iterator[Any]:
    """Run on a worker: do some tasks."""
    for batch in batches:
        for number in batch.column(0).to_pylist():
            yield from in_pieces(number, answer_of(partial(task, number)))
    _keep_modules(os.getpid())


@cache
def _keep_modules(process: int) -> None:
    """Keep the garbage collector from what is loaded, once in a process.

    Spark has it look at everything after each task, which takes longer than beginning one.
    """
    gc.collect()
    gc.freeze()


def answer_of(ask: Callable[[], Any]) -> Any:
    """Return an answer, or what is wrong with the data as an :class:`InputError`."""
    try:
        return ask()
    except InputError as error:
        return error


def _join_branch(join: Callable[[Any, Any], Any], key: Any, table: Any) -> Any:
    """Run on a worker: join the answers of some tasks."""
    import pyarrow as pa

    return pa.Table.from_batches(in_pieces(key[0].as_py(), _joined(join, table)))


def _joined(join: Callable[[Any, Any], Any], table: Any) -> Any:
    """Join answers as they are unpacked, never all of them; the first that is wrong is returned."""
    answers = (answer for _, answer in answers_of(table))
    joined = next(answers)
    for other in answers:
        if isinstance(joined, InputError):
            break
        joined = other if isinstance(other, InputError) else join(joined, other)
    return joined


def in_pieces(number: int, answer: Any) -> Iterator[Any]:
    """Cut an answer into rows."""
    import pyarrow as pa

    whole = pickle.dumps(answer, protocol=5)
    del answer
    for piece in range(0, max(len(whole), 1), PIECE):
        yield pa.RecordBatch.from_arrays(
            [
                pa.array([number], pa.int64()),
                pa.array([piece // PIECE], pa.int32()),
                pa.array([whole[piece : piece + PIECE]], pa.binary()),
            ],
            names=["task", "piece", "bytes"],
        )


def answers_of(table: Any) -> Iterator[tuple[int, Any]]:
    """Put rows together again, in the order of their numbers."""
    tasks, pieces = table.column("task").to_pylist(), table.column("piece").to_pylist()
    held = table.column("bytes")
    rows: dict[int, list[tuple[int, int]]] = {}
    for row, (task, piece) in enumerate(zip(tasks, pieces, strict=True)):
        rows.setdefault(task, []).append((piece, row))
    for task in sorted(rows):
        yield task, pickle.loads(b"".join(held[row].as_py() for _, row in sorted(rows[task])))


def collect(frame: Any) -> list[tuple[int, Any]]:
    """Bring answers to the driver; raise what is wrong with the data."""
    with explained():
        found = list(answers_of(frame.toArrow()))
    for _, answer in found:
        if isinstance(answer, InputError):
            raise answer
    return found


@contextmanager
def explained() -> Iterator[None]:
    """Say in a line why Spark could not do it."""
    try:
        with hushed():
            yield
    except _errors() as error:
        raise InputError(why(str(error))) from None


def _errors() -> tuple[type[Exception], ...]:
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JError
    except ImportError:  # Spark Connect needs no Java here
        return (PySparkException,)
    return PySparkException, Py4JError


def why(said: str) -> str:
    r"""Find the reason in what Spark says, which is long.

    Examples
    --------
    >>> why("An error occurred.\nCaused by: java.io.IOException: disk is full\n\tat Disk.java")
    'Spark could not finish: An error occurred. (java.io.IOException: disk is full)'
    """
    if "No module named 'qrja'" in said:
        return (
            "the workers of Spark have no qrja; install it for their Python, or send an"
            " environment with spark.archives"
        )
    first, *lines = [line.strip() for line in said.splitlines() if line.strip()] or ["no reason"]
    causes = [line for line in lines if re.match(r"Caused by: |[\w.]+(Error|Exception): ", line)]
    cause = f" ({causes[-1].removeprefix('Caused by: ')})" if causes else ""
    return f"Spark could not finish: {first}{cause}"
