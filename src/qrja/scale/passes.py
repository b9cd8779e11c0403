"""Passes: the one thing that algorithms ask of data, wherever the data are.

    passes.fold(begin, step, join, *vectors)   =   join of the states of all tasks, where a task
                                                   takes its shards one by one:
                                                   state = step(state, shard, *vectors)
    passes.sum(add, size, *vectors)            =   the same for sums:  add(shard, out, *vectors)

The algorithm holds the vectors, one number a candidate, and never the data. Arrays in memory
(:class:`InMemory`) and files larger than it (:mod:`~qrja.scale.shard_files`) are two kinds of
passes; an algorithm is the same for both. Functions can be sent to other processes, and states be
joined in any order: a cluster would be a third.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from typing import Any, Protocol, TypeVar

import numpy as np

from qrja.data import Floats, Problem
from qrja.scale.shards import ENTRIES, Shard, cut
from qrja.solvers.convex.streamed import count_cores

S = TypeVar("S")
T = TypeVar("T")


class Passes(Protocol):
    """Data that are read again and again."""

    @property
    def n(self) -> int:
        """Number of candidates."""

    @property
    def made(self) -> int:
        """How many passes were made."""

    def fold(
        self,
        begin: Callable[[], S],
        step: Callable[..., S],
        join: Callable[[S, S], S],
        *vectors: Any,
    ) -> S:
        """Take all shards, one by one in each task, and join what the tasks end with."""


def fold_side_by_side(
    shares: Sequence[Iterable[Shard]],
    begin: Callable[[], S],
    step: Callable[..., S],
    join: Callable[[S, S], S],
    vectors: Iterable[Any],
) -> S:
    """Do the work of several tasks, each in a thread, and join their states in their order."""
    if len(shares) < 2:
        return fold_shards(shares[0] if shares else (), begin, step, vectors)
    with ThreadPoolExecutor(len(shares)) as threads:
        states = list(threads.map(lambda share: fold_shards(share, begin, step, vectors), shares))
    return reduce(join, states)


def dealt(shards: Sequence[T]) -> list[Sequence[T]]:
    """Deal shards to the cores of this machine, the same to each in every pass.

    Examples
    --------
    >>> sorted(shard for share in dealt("abcde") for shard in share)
    ['a', 'b', 'c', 'd', 'e']
    """
    tasks = max(min(len(shards), count_cores()), 1)
    return [shards[task::tasks] for task in range(tasks)]


def fold_shards(
    shards: Iterable[Shard], begin: Callable[[], S], step: Callable[..., S], vectors: Iterable[Any]
) -> S:
    """Do the work of one task."""
    state = begin()
    for shard in shards:
        state = step(state, shard, *vectors)
    return state


class InMemory:
    """The shards of a problem, all in memory.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> passes = InMemory.of(Contests.from_arrays("AABB", "xyyz", [3, 1, 2, 0]))
    >>> add_up(passes, lambda shard, out: out.__iadd__(shard.entries), 1)
    array([4.])
    """

    def __init__(self, n: int, shards: Iterable[Shard]) -> None:
        self.n, self.shards, self.made = n, tuple(shards), 0

    @classmethod
    def of(cls, problem: Problem, entries: int = ENTRIES) -> InMemory:
        """Cut a problem into shards."""
        return cls(problem.n, cut(problem, entries))

    def fold(
        self,
        begin: Callable[[], S],
        step: Callable[..., S],
        join: Callable[[S, S], S],
        *vectors: Any,
    ) -> S:
        """Take all shards, some on each core."""
        self.made += 1
        return fold_side_by_side(dealt(self.shards), begin, step, join, vectors)


def add_up(passes: Passes, add: Callable[..., Any], size: int, *vectors: Any) -> Floats:
    """Sum ``add(shard, out, *vectors)`` over all shards: it adds to ``out``, ``size`` numbers."""
    # Not lambdas: a cluster has to send them.
    return passes.fold(partial(np.zeros, size), partial(_add, add), _join, *vectors)


def _add(add: Callable[..., Any], out: Floats, shard: Shard, *vectors: Any) -> Floats:
    add(shard, out, *vectors)
    return out


def _join(one: Floats, other: Floats) -> Floats:
    return one + other
