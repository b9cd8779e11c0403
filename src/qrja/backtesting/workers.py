"""Processes that work through tasks, tell how far they are, and end with their parent.

A worker owns one end of a pipe: it receives a task, sends back numbers while it works and the
result at the end. When the parent is gone, whatever ended it, the pipe breaks and the worker ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from qrja.errors import QRJAError
from qrja.interrupts import deaf_children

T = TypeVar("T", covariant=True)
R = TypeVar("R")

Progress = Callable[[str, int, int], None]
"""Told the name of a task, how many of its steps are done, and how many there are."""

TELL_EVERY = 0.1
"""Seconds between two messages of a worker."""

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""A worker is one thread: workers are as many as there are cores."""


class Task(Protocol[T]):
    """Work that can be sent to another process."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def steps(self) -> int:
        """How many steps it has."""

    def run(self, tell: Callable[[int], None]) -> T:
        """Do the work, telling at first and then now and then how many steps are done."""


def run_tasks(
    tasks: Sequence[Task[R]],
    jobs: int = 1,
    progress: Progress | None = None,
    finished: Callable[[int, R], None] | None = None,
) -> list[R]:
    """Run tasks in ``jobs`` processes, or in this one if that is 1; return their results in order.

    Parameters
    ----------
    tasks : sequence of Task
        The longest first is a good order.
    jobs : int
        Number of processes.
    progress : callable, optional
        See :data:`Progress`.
    finished : callable, optional
        Given the number of a task and its result as soon as there is one, in this process.
    """
    told: Progress = progress or (lambda name, done, steps: None)
    given = finished or (lambda number, result: None)
    if jobs > 1 and len(tasks) > 1:
        return _Crew(tasks, min(jobs, len(tasks)), told, given).run()
    results = []
    for number, task in enumerate(tasks):
        results.append(task.run(partial(_tell, told, task)))
        told(task.name, task.steps, task.steps)
        given(number, results[-1])
    return results


def _tell(progress: Progress, task: Task[object], done: int) -> None:
    progress(task.name, done, task.steps)


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    task: int


class _Crew(Generic[R]):
    """The workers of one call, each busy with one task."""

    def __init__(
        self,
        tasks: Sequence[Task[R]],
        jobs: int,
        progress: Progress,
        finished: Callable[[int, R], None],
    ) -> None:
        self.tasks, self.jobs, self.progress, self.finished = tasks, jobs, progress, finished
        self.results: dict[int, R] = {}
        self.waiting = iter(range(len(tasks)))
        self.workers: dict[Connection, _Worker] = {}

    def run(self) -> list[R]:
        try:
            for number in (next(self.waiting) for _ in range(self.jobs)):
                self._hire(number)
            while self.workers:
                for pipe in wait(list(self.workers)):
                    self._hear(self.workers[pipe])  # type: ignore[index]
        finally:
            for worker in self.workers.values():
                worker.process.terminate()
                worker.process.join()
        return [self.results[number] for number in range(len(self.tasks))]

    def _hire(self, number: int) -> None:
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs,), daemon=True)
        with _environment(dict.fromkeys(ONE_THREAD, "1")), deaf_children():
            process.start()
        theirs.close()
        self.workers[mine] = _Worker(process, mine, number)
        self._send(mine, number)

    def _send(self, pipe: Connection, number: int) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # its end is heard of in _hear
            pipe.send(self.tasks[number])

    def _hear(self, worker: _Worker) -> None:
        task = self.tasks[worker.task]
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            worker.process.join()
            raise QRJAError(
                f"{task.name}: its process ended with code {worker.process.exitcode}, for want of"
                " memory perhaps; start again with fewer jobs to continue"
            ) from None
        if kind == "failed":
            raise value
        if kind == "steps":
            self.progress(task.name, value, task.steps)
            return
        self.results[worker.task] = value
        self.progress(task.name, task.steps, task.steps)
        number = worker.task
        self._give_next(worker)
        self.finished(number, value)

    def _give_next(self, worker: _Worker) -> None:
        number = next(self.waiting, None)
        if number is not None:
            worker.task = number
            self._send(worker.pipe, number)
            return
        del self.workers[worker.pipe]
        worker.pipe.close()
        worker.process.join()


def _work(pipe: Any) -> None:
    """Work through tasks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    try:
        while True:
            _work_on(pipe.recv(), pipe)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _work_on(task: Task[Any], pipe: Any) -> None:
    last = -TELL_EVERY

    def tell(done: int) -> None:
        nonlocal last
        if monotonic() - last >= TELL_EVERY:
            last = monotonic()
            pipe.send(("steps", done))

    try:
        answer = ("result", task.run(tell))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:
        answer = ("failed", _sendable(error, task.name))
    pipe.send(answer)


def _sendable(error: Exception, name: str) -> Exception:
    """Keep an error of ours; of another, keep the words, for it may not fit through a pipe."""
    if isinstance(error, QRJAError) and len(error.args) == 1:
        return error
    return RuntimeError(f"{name}: {type(error).__name__}: {error}")


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
