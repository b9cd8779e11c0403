"""Resistances, by elimination or by conjugate gradients, are those of dense algebra."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import Contests, Judgments
from qrja.laplacian import elimination, resistances, resistances_of
from qrja.ratings.precision import Covariance, covariance
from qrja.solvers import demands_on
from reference.graphs import incidence
from strategies import contests

EXACT, SINGLE = 1e-9, 1e-6


@pytest.fixture(params=["direct", "iterated"])
def accuracy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """Take either way with small graphs: everything is taken out, or nothing is small."""
    monkeypatch.setattr(elimination, "FEW", 2)
    if request.param == "direct":
        return EXACT
    monkeypatch.setattr(resistances, "DENSE", 0)
    return SINGLE


def random_graph(seed: int, n: int = 60, m: int = 150) -> Judgments:
    rng = np.random.default_rng(seed)
    a = rng.integers(n, size=m)
    b = (a + rng.integers(1, n, size=m)) % n
    return Judgments.from_arrays(a, b, rng.normal(size=m), 10.0 ** rng.uniform(-2, 2, m))


def dense_inverse(problem: Judgments | Contests, free: np.ndarray, ridge: float) -> np.ndarray:
    pairs = problem.to_judgments()
    A = incidence(pairs)
    L = A.T @ (pairs.w[:, None] * A) + ridge * np.eye(problem.n)
    inverse = np.zeros_like(L)
    inverse[np.ix_(free, free)] = np.linalg.pinv(L[np.ix_(free, free)])
    return inverse


def differences(inverse: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    return inverse[i, i] + inverse[j, j] - 2 * inverse[i, j]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_resistances_are_those_of_dense_algebra(seed: int, ridge: float, accuracy: float) -> None:
    problem, everybody = random_graph(seed), np.ones(60, dtype=bool)
    found = resistances_of(problem, everybody[: problem.n], ridge, everybody[: problem.n])
    i, j = np.triu_indices(problem.n, 1)
    same = problem.components[i] == problem.components[j]
    i, j = i[same], j[same]
    wanted = differences(dense_inverse(problem, everybody[: problem.n], ridge), i, j)
    assert found.is_direct == (accuracy == EXACT)
    assert found.between(i, j) == pytest.approx(wanted, rel=accuracy)


@given(contests(), st.integers(0, 99))
def test_contests_are_stars(problem: Contests, seed: int) -> None:
    free = np.random.default_rng(seed).random(problem.n) < 0.7
    floats = np.array([free[problem.components == c].all() for c in problem.components], bool)
    found = resistances_of(problem, free, 0.0, floats)
    inverse = dense_inverse(problem, free, 0.0)
    i, j = np.triu_indices(problem.n, 1)
    same = problem.components[i] == problem.components[j]
    wanted = differences(inverse, i[same], j[same])
    np.testing.assert_allclose(found.between(i[same], j[same]), wanted, rtol=1e-7, atol=1e-9)


def test_what_is_solved_is_solved(accuracy: float) -> None:
    problem, everybody = random_graph(7), np.ones(60, dtype=bool)
    found = resistances_of(problem, everybody, 0.0, everybody)
    right = np.random.default_rng(0).normal(size=(60, 3))
    v = found.solve(right)
    L = np.linalg.pinv(dense_inverse(problem, everybody, 0.0))
    ground = found.ground[0]
    assert not v[ground].any()
    left = np.delete(L @ v - right, ground, axis=0)
    assert np.abs(left).max() < 1e-6 * np.abs(right).max() + accuracy


@pytest.mark.parametrize("anchors", [{}, {3: 1.0}])
@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_the_covariance_is_that_written_out(
    anchors: dict[int, float], ridge: float, accuracy: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = random_graph(3)
    demands = demands_on(problem, ridge=ridge, anchors=anchors or None)
    whole = Covariance(problem, demands)
    wanted = whole.variances(), whole.of_differences(problem.a, problem.b)
    monkeypatch.setattr(covariance, "DENSE", 0)
    few = Covariance(problem, demands)
    np.testing.assert_allclose(few.variances(), wanted[0], rtol=accuracy, atol=1e-12)
    found = few.of_differences(problem.a, problem.b)
    np.testing.assert_allclose(found, wanted[1], rtol=accuracy, atol=1e-12)


@pytest.mark.parametrize("sizes", [(4, 4, 4, 4), (2, 3, 5, 4)])
def test_contests_of_any_sizes_have_the_covariance_written_out(
    sizes: tuple[int, ...], accuracy: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    who = np.concatenate([rng.choice(6, size, replace=False) for size in sizes * 3])
    contest = np.repeat(np.arange(3 * len(sizes)), sizes * 3)
    problem = Contests.from_arrays(contest, who, rng.normal(size=len(who)))
    whole = Covariance(problem, demands_on(problem)).variances()
    monkeypatch.setattr(covariance, "DENSE", 0)
    few = Covariance(problem, demands_on(problem))
    assert (few.multiple is None) == (len(set(sizes)) > 1)
    assert few.variances() == pytest.approx(whole, rel=accuracy)


def test_chains_and_trees_vanish_without_fill() -> None:
    n = 5000
    line = Judgments.from_arrays(np.arange(n - 1), np.arange(1, n), np.ones(n - 1))
    everybody = np.ones(n, dtype=bool)
    found = resistances_of(line, everybody, 0.0, everybody)
    assert found.is_direct
    ends = np.array([0, 10, 0]), np.array([n - 1, 30, 1])
    assert found.between(*ends) == pytest.approx([n - 1, 20, 1], rel=1e-8)


def test_codeforces_agrees_with_columns_solved_for_one_by_one(paper_data: Path) -> None:
    table = paper_data / "codeforces.csv"
    ratings = qrja.fit(qrja.read_contests(table, contestant="contestant", score="score"))
    order = np.argsort(-ratings.solution.x)
    variances = Covariance(ratings.problem, ratings.demands).variances()
    between = ratings.covariance.of_differences(order[:-1], order[1:])
    assert (variances > 0).all()
    assert len(between) == 5337
    some = order[[0, 1, 4000]]
    wanted = ratings.covariance._in_blocks(some, np.full(3, -1))
    assert variances[some] == pytest.approx(wanted, rel=1e-9)
