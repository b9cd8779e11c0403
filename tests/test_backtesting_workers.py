"""Workers: results in order, progress told, failures and lost processes reported."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from qrja import InputError, QRJAError
from qrja.backtesting.workers import ONE_THREAD, run_tasks


@dataclass(frozen=True)
class Doubling:
    """Doubles a number."""

    number: int
    steps: int = 3

    @property
    def name(self) -> str:
        return f"double {self.number}"

    def run(self, tell: Callable[[int], None]) -> int:
        tell(1)
        return 2 * self.number


class Asking(Doubling):
    def run(self, tell: Callable[[int], None]) -> str:  # type: ignore[override]
        return f"{os.getpid()} {[os.environ.get(name) for name in ONE_THREAD]}"


class Failing(Doubling):
    def run(self, tell: Callable[[int], None]) -> int:
        raise InputError("row 3: too bad")


class Stumbling(Doubling):
    def run(self, tell: Callable[[int], None]) -> int:
        raise OSError(5, "stumbled")


class Dying(Doubling):
    def run(self, tell: Callable[[int], None]) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    told: dict[str, int] = {}
    tasks = [Doubling(number) for number in range(5)]
    given: dict[int, int] = {}
    results = run_tasks(
        tasks, jobs, lambda name, done, steps: told.update({name: done}), given.__setitem__
    )
    assert results == [0, 2, 4, 6, 8]
    assert given == dict(enumerate(results))
    assert told == {f"double {number}": 3 for number in range(5)}


def test_a_worker_is_another_process_with_one_thread() -> None:
    before = dict(os.environ)
    (first, second) = (answer.split(" ", 1) for answer in run_tasks([Asking(1), Asking(2)], 2))
    assert str(os.getpid()) not in (first[0], second[0])
    assert first[1] == str(["1"] * len(ONE_THREAD))
    assert dict(os.environ) == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_mistake_keeps_its_words(jobs: int) -> None:
    with pytest.raises(InputError, match="row 3: too bad"):
        run_tasks([Failing(1), Doubling(2)], jobs)


def test_a_surprise_in_a_worker_says_whose_it_was() -> None:
    with pytest.raises(RuntimeError, match=r"double 1: OSError: .*stumbled"):
        run_tasks([Stumbling(1), Doubling(2)], 2)


def test_a_lost_process_is_reported_and_none_is_left_behind() -> None:
    with pytest.raises(QRJAError, match="double 1: its process ended with code -9, for want of"):
        run_tasks([Dying(1), Doubling(2)], 2)
    assert multiprocessing.active_children() == []
