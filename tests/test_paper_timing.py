"""The estimate of the time left."""

from __future__ import annotations

import numpy as np
import pytest

from qrja import Contest
from qrja.paper.experiments import MAIN, subsampled_rankers
from qrja.paper.timing import PER_MILLION_ENTRIES, PER_MILLION_PAIRS, Clock, predict_seconds


class FakeTime:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_rest_takes_as_long_per_work_as_what_is_done() -> None:
    time = FakeTime()
    clock = Clock({"a": 10.0, "b": 30.0}, time)
    assert clock.tell("a", 0, 4).seconds_left is None
    time.now += 8.0
    half = clock.tell("a", 2, 4)  # half the steps, a quarter of the work: 2.5 of 40
    assert half.share == pytest.approx(2.5 / 40)
    assert half.seconds_left == pytest.approx(37.5 * 8 / 2.5)
    time.now += 8.0
    assert clock.tell("a", 4, 4).seconds_left == pytest.approx(30 * 16 / 10)
    clock.tell("b", 0, 1)
    done = clock.tell("b", 1, 1)
    assert (done.share, done.seconds_left) == (1.0, 0.0)


def test_what_an_earlier_run_did_is_not_taken_for_speed() -> None:
    time = FakeTime()
    clock = Clock({"a": 10.0, "b": 10.0}, time)
    time.now += 1.0
    assert clock.tell("a", 4, 4).seconds_left is None  # read from a journal
    clock.tell("b", 0, 2)
    time.now += 4.0
    status = clock.tell("b", 1, 2)
    assert status.share == pytest.approx(12.5 / 20)
    assert status.seconds_left == pytest.approx(7.5 * 5 / 2.5)


def test_a_task_without_steps_is_done() -> None:
    assert Clock({"a": 1.0}).tell("a", 0, 0).share == 1.0


def test_every_task_has_a_prediction() -> None:
    who, score = np.arange(5, dtype=np.int32), np.zeros(5)
    contests = [Contest(str(i), who, score) for i in range(50)]
    assert set(MAIN) <= {*PER_MILLION_ENTRIES, *PER_MILLION_PAIRS}
    assert predict_seconds("mean", contests) < predict_seconds("mf-rank5/epochs", contests)
    drawn = list(subsampled_rankers(["qrja-l2"], "fair", 1))
    times = [predict_seconds(name, contests) for name in drawn]
    assert times == sorted(times)
    assert times[0] < times[-1]
    assert predict_seconds("qrja-l2/0.5/4 repeats", contests) > times[4]
    assert predict_seconds("elo", []) == 0.0
