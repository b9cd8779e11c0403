"""Passes: the one thing that algorithms ask of data, wherever the data are.

    passes.fold(begin, step, join, *vectors)   =   join of what all tasks end with, where a task
                                                   takes its shards one by one:
                                                   state = step(state, shard, *vectors)
    add_up(passes, add, size, *vectors)        =   the same for sums:  add(shard, out, *vectors)

The algorithm holds the vectors, one number a candidate, and never the data. Arrays in memory
(:class:`InMemory`), files larger than it (:mod:`~qrja.scale.shard_files`) and the workers of a
cluster answer in the same way. Functions can be sent to other processes, and states be joined in
any order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from qrja.data import Floats, Problem
from qrja.scale.shards import ENTRIES, Shard, cut
from qrja.solvers.convex.streamed import count_cores

A = TypeVar("A")
T = TypeVar("T")


class Question(NamedTuple, Generic[A]):
    """What is asked of all shards.

    A task ends with its last state, or with what ``finish`` makes of it, which is what is sent.
    """

    begin: Callable[[], Any]
    step: Callable[..., Any]
    join: Callable[[A, A], A]
    vectors: tuple[Any, ...]
    finish: Callable[[Any], A] | None = None

    def ask(self, shards: Iterable[Shard]) -> A:
        """Do the work of one task."""
        state = self.begin()
        for shard in shards:
            state = self.step(state, shard, *self.vectors)
        answer: A = state if self.finish is None else self.finish(state)
        return answer

    def ask_side_by_side(self, shares: Sequence[Iterable[Shard]]) -> A:
        """Do the work of several tasks, each in a thread, and join their states in their order."""
        if len(shares) < 2:
            return self.ask(shares[0] if shares else ())
        with ThreadPoolExecutor(len(shares)) as threads:
            return reduce(self.join, list(threads.map(self.ask, shares)))


class Passes(ABC):
    """Data of ``n`` candidates that are read again and again; ``made`` is how many passes were.

    ``place`` says where, if that needs to be said, and ``after`` is called after each.
    """

    place: str = ""
    after: Callable[[], None] | None = None

    def __init__(self, n: int) -> None:
        self.n, self.made = n, 0

    def fold(
        self,
        begin: Callable[[], Any],
        step: Callable[..., Any],
        join: Callable[[A, A], A],
        *vectors: Any,
        finish: Callable[[Any], A] | None = None,
    ) -> A:
        """Take all shards, one by one in each task, and join what the tasks end with."""
        self.made += 1
        answer = self.answer(Question(begin, step, join, vectors, finish))
        if self.after is not None:
            self.after()
        return answer

    @abstractmethod
    def answer(self, question: Question[A]) -> A:
        """Take all shards, wherever they are."""


def dealt(shards: Sequence[T]) -> list[Sequence[T]]:
    """Deal shards to the cores of this machine, the same to each in every pass.

    Examples
    --------
    >>> sorted(shard for share in dealt("abcde") for shard in share)
    ['a', 'b', 'c', 'd', 'e']
    """
    tasks = max(min(len(shards), count_cores()), 1)
    return [shards[task::tasks] for task in range(tasks)]


class InMemory(Passes):
    """The shards of a problem, all in memory.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> passes = InMemory.of(Contests.from_arrays("AABB", "xyyz", [3, 1, 2, 0]))
    >>> add_up(passes, lambda shard, out: out.__iadd__(shard.entries), 1)
    array([4.])
    """

    def __init__(self, n: int, shards: Iterable[Shard]) -> None:
        super().__init__(n)
        self.shards = tuple(shards)

    @classmethod
    def of(cls, problem: Problem, entries: int = ENTRIES) -> InMemory:
        """Cut a problem into shards."""
        return cls(problem.n, cut(problem, entries))

    def answer(self, question: Question[A]) -> A:
        """Take all shards, some on each core."""
        return question.ask_side_by_side(dealt(self.shards))


def add_up(
    passes: Passes,
    add: Callable[..., Any],
    size: int,
    *vectors: Any,
    finish: Callable[[Floats], Floats] | None = None,
) -> Floats:
    """Sum ``add(shard, out, *vectors)`` over all shards: it adds to ``out``, ``size`` numbers.

    Each task makes of them what ``finish`` says, and that is what is joined.
    """
    # Not lambdas: a cluster has to send them.
    begin, step = partial(np.zeros, size), partial(_add, add)
    return passes.fold(begin, step, _join, *vectors, finish=finish)


def _add(add: Callable[..., Any], out: Floats, shard: Shard, *vectors: Any) -> Floats:
    add(shard, out, *vectors)
    return out


def _join(one: Floats, other: Floats) -> Floats:
    return one + other
