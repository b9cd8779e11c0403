"""Many weightings at once: two implementations agree with each other and with dense algebra."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests
from qrja.laplacian import weightings as _weightings
from qrja.laplacian.kernels import weightings as _kernels_weights
from qrja.laplacian.weightings import COMPILED, weightings_of
from reference.graphs import components_by_spreading, incidence
from strategies import contests

both = pytest.mark.parametrize("module", [_weightings, _kernels_weights])


def weights_for(problem: Contests, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([0.001, 1.0, 2.0, 3.0], (len(problem), 4))


@both
@given(contests(), st.integers(0, 99), st.sampled_from([0.0, 0.5]))
def test_solutions_are_those_of_dense_algebra(
    module: ModuleType, problem: Contests, seed: int, ridge: float
) -> None:
    weight = weights_for(problem, seed)
    stars = module.Stars(problem.n, problem.start, problem.who)
    rng = np.random.default_rng(seed)
    free = rng.random(problem.n) < 0.7
    pairs = problem.with_weight(np.ones(len(problem))).to_judgments()
    A, contest = incidence(pairs), problem.contest_of_entry[problem.pair_entries()[0]]
    g = A.T @ rng.normal(size=(pairs.m, 4)) + ridge * rng.normal(size=(problem.n, 4))
    found, steps = module.descend(stars, weight, ridge, free, g, 1e-10, 1e-24, 1000)
    assert steps < 1000
    assert not found[~free].any()
    for b in range(4):
        L = A.T @ (weight[contest, b][:, None] * A) + ridge * np.eye(problem.n)
        left = (g[:, b] - L @ found[:, b])[free]
        # Where nobody is held, what is left is part of no product: g adds up to 0 up to rounding.
        assert np.abs(left).max(initial=0) <= 1e-6 * (1 + np.abs(g).max(initial=0))


@both
@given(contests(), st.integers(0, 99))
def test_pulls_add_up_over_contests(module: ModuleType, problem: Contests, seed: int) -> None:
    weight, residual = (
        weights_for(problem, seed),
        np.random.default_rng(seed).normal(size=problem.entries),
    )
    stars = module.Stars(problem.n, problem.start, problem.who)
    expected = np.zeros((problem.n, 4))
    for e, (c, i) in enumerate(zip(problem.contest_of_entry, problem.who, strict=True)):
        expected[i] += weight[c] * problem.sizes[c] * residual[e]
    np.testing.assert_allclose(module.pulls(stars, weight, residual), expected, atol=1e-9)


@both
@given(contests(), st.integers(0, 99))
def test_pieces_are_the_components_of_what_was_drawn(
    module: ModuleType, problem: Contests, seed: int
) -> None:
    drawn = np.random.default_rng(seed).random((len(problem), 4)) < 0.6
    pieces = np.empty(4, dtype=np.int32)
    stars = module.Stars(problem.n, problem.start, problem.who)
    module.count_pieces(stars, drawn, pieces)
    for b in range(4):
        edges = [
            (int(problem.who[problem.start[c]]), int(i))
            for c in np.flatnonzero(drawn[:, b])
            for i in problem.who[problem.start[c] : problem.start[c + 1]]
        ]
        assert pieces[b] == len(components_by_spreading(problem.n, edges))


def test_large_problems_are_compiled() -> None:
    assert weightings_of(COMPILED - 1) is _weightings
    assert weightings_of(COMPILED) is _kernels_weights
