"""Many weightings at once agree with dense algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests
from qrja.laplacian import Weightings
from reference.graphs import components_by_spreading, incidence
from strategies import contests


def weights_for(problem: Contests, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([0.001, 1.0, 2.0, 3.0], (len(problem), 4))


@given(contests(), st.integers(0, 99), st.sampled_from([0.0, 0.5]))
def test_solutions_are_those_of_dense_algebra(problem: Contests, seed: int, ridge: float) -> None:
    weight = weights_for(problem, seed)
    weightings = Weightings(problem.n, problem.start, problem.who)
    rng = np.random.default_rng(seed)
    free = rng.random(problem.n) < 0.7
    pairs = problem.with_weight(np.ones(len(problem))).to_judgments()
    A, contest = incidence(pairs), problem.contest_of_entry[problem.pair_entries()[0]]
    g = A.T @ rng.normal(size=(pairs.m, 4)) + ridge * rng.normal(size=(problem.n, 4))
    found, steps = weightings.solve(
        weight, g, ridge=ridge, free=free, tol=1e-10, rounding=1e-24, limit=1000
    )
    assert steps < 1000
    assert not found[~free].any()
    for b in range(4):
        L = A.T @ (weight[contest, b][:, None] * A) + ridge * np.eye(problem.n)
        left = (g[:, b] - L @ found[:, b])[free]
        # Where nobody is held, what is left is part of no product: g adds up to 0 up to rounding.
        assert np.abs(left).max(initial=0) <= 1e-6 * (1 + np.abs(g).max(initial=0))


@given(contests(), st.integers(0, 99))
def test_pulls_add_up_over_contests(problem: Contests, seed: int) -> None:
    weight, residual = (
        weights_for(problem, seed),
        np.random.default_rng(seed).normal(size=problem.entries),
    )
    weightings = Weightings(problem.n, problem.start, problem.who)
    expected = np.zeros((problem.n, 4))
    for e, (c, i) in enumerate(zip(problem.contest_of_entry, problem.who, strict=True)):
        expected[i] += weight[c] * problem.sizes[c] * residual[e]
    np.testing.assert_allclose(weightings.pulls(weight, residual), expected, atol=1e-9)


@given(contests(), st.integers(0, 99))
def test_pieces_are_the_components_of_what_was_drawn(problem: Contests, seed: int) -> None:
    drawn = np.random.default_rng(seed).random((len(problem), 4)) < 0.6
    weightings = Weightings(problem.n, problem.start, problem.who)
    pieces = weightings.count_pieces(drawn)
    for b in range(4):
        edges = [
            (int(problem.who[problem.start[c]]), int(i))
            for c in np.flatnonzero(drawn[:, b])
            for i in problem.who[problem.start[c] : problem.start[c + 1]]
        ]
        assert pieces[b] == len(components_by_spreading(problem.n, edges))


@given(contests(), st.integers(0, 99), st.sampled_from([0, 60]))
def test_what_is_drawn_falls_apart_if_there_are_more_pieces(
    problem: Contests, seed: int, rounds: int
) -> None:
    drawn = np.random.default_rng(seed).random((len(problem), 70)) < 0.8
    weightings = Weightings(problem.n, problem.start, problem.who)
    whole = weightings.count_pieces(np.ones((len(problem), 1), dtype=bool))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qrja.laplacian.weightings.ROUNDS", rounds)
        apart = weightings.fall_apart(drawn)
    np.testing.assert_array_equal(apart, weightings.count_pieces(drawn) > whole)


@given(contests(), st.integers(0, 99))
def test_one_weighting_serves_many_columns(problem: Contests, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = weights_for(problem, seed)[:, :1]
    weightings = Weightings(problem.n, problem.start, problem.who)
    g = rng.normal(size=(problem.n, 4))
    asked = {"ridge": 0.5, "free": np.ones(problem.n, dtype=bool), "tol": 1e-10}
    asked |= {"rounding": 0.0, "limit": 1000}
    np.testing.assert_allclose(
        weightings.solve(one, g, **asked)[0],
        weightings.solve(np.tile(one, 4), g, **asked)[0],
        atol=1e-8,
    )
