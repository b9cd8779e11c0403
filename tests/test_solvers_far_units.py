"""Margins of 1e-200: the same answer as of margins of 1, with the same proof."""

from __future__ import annotations

import numpy as np
import pytest

import qrja
from qrja.losses import Huber, LogCosh, Pinball

UNIT = 2.0**-664
LOSSES = [{"p": 1}, {"p": 2}, {"p": 1.1}, {"p": 3}, {"p": 20}, {"p": np.inf}, {"loss": Huber(2.0)}]


def judgments(unit: float) -> qrja.Judgments:
    rng = np.random.default_rng(5)
    a, step = rng.integers(0, 6, 15), rng.integers(1, 6, 15)
    return qrja.Judgments.from_arrays(a, (a + step) % 6, rng.integers(-40, 40, 15) * unit)


def contests(unit: float) -> qrja.Contests:
    rng = np.random.default_rng(6)
    score = rng.integers(-40, 40, 24) * unit
    return qrja.Contests.from_arrays(
        np.repeat(np.arange(6), 4), list("abcdbcdecdefdefaefabfabc"), score
    )


@pytest.mark.parametrize("made", [judgments, contests])
@pytest.mark.parametrize("asked", LOSSES, ids=str)
def test_unit_does_not_matter(made, asked) -> None:
    near, far = qrja.solve(made(1.0), **asked), made(UNIT)
    if "loss" in asked:
        asked = {"loss": Huber(2.0 * UNIT)}
    solution = qrja.solve(far, **asked)
    assert solution.status == near.status == "optimal"
    assert solution.x / UNIT == pytest.approx(near.x, abs=1e-6)
    assert solution.check(far).holds


@pytest.mark.parametrize(
    "asked", [{"p": 2}, {"p": 1.5}, {"loss": Huber(1.0)}, {"loss": LogCosh(1.0)}]
)
def test_a_wrong_x_does_not_hold(asked) -> None:
    from dataclasses import replace

    far = judgments(UNIT)
    solution = qrja.solve(far, **asked)
    wrong = replace(solution, x=solution.x * 1.01)
    assert solution.check(far).holds
    assert not wrong.check(far).holds


def test_local_optima_are_the_same() -> None:
    near, far = qrja.solve(judgments(1.0), p=0.5), qrja.solve(judgments(UNIT), p=0.5)
    assert far.x / UNIT == pytest.approx(near.x)
    assert far.status == "local"
    assert far.objective == pytest.approx(near.objective * UNIT**0.5)
    assert far.check(judgments(UNIT)).objective == pytest.approx(far.objective)


def test_a_loss_that_bends_far_off_is_a_square() -> None:
    far = judgments(UNIT)
    squares = qrja.solve(far, ridge=0.5).x / UNIT
    for loss in (Huber(1.0), LogCosh(1.0)):
        assert qrja.solve(far, loss=loss, ridge=0.25).x / UNIT == pytest.approx(squares, abs=1e-9)


def test_anchors_and_a_prior_are_in_the_unit_too() -> None:
    near = qrja.solve(judgments(1.0), anchors={0: 7.0}, ridge=0.5, prior={1: 3.0})
    far = qrja.solve(judgments(UNIT), anchors={0: 7 * UNIT}, ridge=0.5, prior={1: 3 * UNIT})
    assert far.x / UNIT == pytest.approx(near.x, abs=1e-9)
    usual = qrja.solve(judgments(UNIT), anchors={0: 7.0}).x
    assert usual == pytest.approx(np.full(6, 7.0))


def test_numbers_that_are_told() -> None:
    unit = 2.0**-300
    near, far = qrja.solve(judgments(1.0)), qrja.solve(judgments(unit))
    assert far.objective == pytest.approx(near.objective * unit**2)
    assert far.lower_bound == pytest.approx(near.lower_bound * unit**2)
    assert far.flow() == pytest.approx(near.flow() * unit, abs=1e-12 * unit)
    below = qrja.solve(judgments(UNIT))
    assert (below.objective, below.lower_bound) == (0.0, 0.0)


def test_levels_of_contests_may_be_large() -> None:
    names = list("abbcca")
    score = np.array([5.0, 5.0, 1e-200, 3e-200, 2e-200, 7e-200])
    races = qrja.Contests.from_arrays([1, 1, 2, 2, 3, 3], names, score)
    x = qrja.solve(races).x / 1e-200
    assert x == pytest.approx(qrja.solve(races.with_score(np.array([0, 0, 1, 3, 2, 7.0]))).x)


@pytest.mark.parametrize("unit", [1e-157, 1e70])
@pytest.mark.parametrize("asked", [{"p": 1}, {"p": 3}, {"loss": Pinball(0.3)}])
def test_a_ridge_of_another_degree_is_refused(unit, asked) -> None:
    with pytest.raises(qrja.InputError, match=r"the largest number is .* a ridge, .* another unit"):
        qrja.solve(judgments(unit), ridge=0.1, **asked)


def test_agreeing_numbers_beyond_the_powers_of_floats() -> None:
    score = [0.0, 1.2278920678538177e65, -8.185947119025451e64, 4.0929735595127254e64]
    solution = qrja.solve(qrja.Contests.from_arrays([0] * 4, "abcd", score), p=20)
    assert solution.status == "optimal"
    assert solution.x - solution.x[0] == pytest.approx(score, rel=1e-15)
    assert not np.isnan(solution.gap)


def test_ratings_refuse_what_would_vanish() -> None:
    with pytest.raises(qrja.InputError, match=r"the largest margin is .*give numbers in a smaller"):
        qrja.fit(contests(UNIT))
    assert qrja.fit(contests(1e-90)).table()


def test_anchors_are_as_large_as_scores_may_be() -> None:
    with pytest.raises(qrja.InputError, match=r"anchor 0 is 1e\+200; give a smaller number"):
        qrja.solve(judgments(1.0), anchors={0: 1e200})
    with pytest.raises(qrja.InputError, match="anchor 0 is inf; give a finite number"):
        qrja.solve(judgments(1.0), anchors={0: np.inf})
