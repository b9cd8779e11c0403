"""Plackett-Luce against a likelihood written out entry by entry, and scipy's minimiser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import approx_fprime, minimize

from qrja import Contest, Contests, InputError
from qrja.rankers.plackett_luce import Choices, PlackettLuce, look_at
from reference.rankers import choice_likelihood
from strategies import contests


@given(contests())
def test_the_maximum_is_that_of_scipy(problem: Contests) -> None:
    ranker = PlackettLuce(ridge=0.3)
    for contest in problem:
        ranker.learn(contest)
    found = ranker.scores(np.arange(problem.n))
    expected = (
        minimize(lambda theta: -choice_likelihood(problem, 0.3, theta), np.zeros(problem.n)).x
        if problem.n
        else np.zeros(0)
    )
    np.testing.assert_allclose(found, expected, atol=1e-4)


@given(contests())
def test_slope_and_curvature_are_those_of_the_likelihood(problem: Contests) -> None:
    if not problem.n:
        return
    random = np.random.default_rng(problem.n)
    theta, d = random.normal(size=problem.n), random.normal(size=problem.n)
    choices = Choices.of(problem)
    value, slope, curvature, diagonal = look_at(choices, 0.3, theta)
    assert value == pytest.approx(choice_likelihood(problem, 0.3, theta), abs=1e-9)
    numeric = approx_fprime(theta, lambda at: choice_likelihood(problem, 0.3, at), 1e-7)
    np.testing.assert_allclose(slope, numeric, atol=1e-5)
    ahead = look_at(choices, 0.3, theta + 1e-6 * d)[1]
    np.testing.assert_allclose(curvature(d), (slope - ahead) / 1e-6, atol=1e-4)
    columns = [curvature(unit)[i] for i, unit in enumerate(np.eye(problem.n))]
    np.testing.assert_allclose(diagonal, columns, atol=1e-9)


def test_strengths_far_apart_neither_overflow_nor_stall() -> None:
    ranker = PlackettLuce(ridge=1e-6)
    order = Contest("the same every time", np.arange(20), -np.arange(20.0))
    for _ in range(30):
        ranker.learn(order)
    theta = ranker.scores(order.who)
    assert (np.diff(theta) < 0).all()
    slope = look_at(Choices.of(ranker._learned.contests()), 1e-6, theta)[1]
    assert np.abs(slope).max() <= 1e-8


@pytest.mark.parametrize("ridge", [0, -1, np.nan, np.inf])
def test_a_wrong_ridge_is_told(ridge: float) -> None:
    with pytest.raises(InputError, match=r"give a positive number, such as 0\.1"):
        PlackettLuce(ridge)
