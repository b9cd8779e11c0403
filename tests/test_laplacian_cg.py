"""The one loop of conjugate gradients against dense algebra, in all its groupings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Judgments
from qrja.data import Floats, centre
from qrja.laplacian import ByColumn, LaplacianSolver, conjugate_gradients, jacobi, laplacian_matrix
from qrja.laplacian import solver as laplacian_solver
from qrja.laplacian.cg import ByComponent, by_component
from reference.graphs import incidence
from strategies import judgments, side_by_side


def dense(problem: Judgments) -> np.ndarray:
    A = incidence(problem)
    return A.T @ (problem.w[:, None] * A)


def written_out(problem: Judgments) -> np.ndarray:
    return laplacian_matrix(problem.n, problem.a, problem.b, problem.w)


@given(judgments())
def test_the_matrix_is_that_of_the_incidence(problem: Judgments) -> None:
    np.testing.assert_allclose(written_out(problem).toarray(), dense(problem), rtol=1e-12)


@given(judgments(), st.integers(0, 99))
def test_components_are_solved_together(problem: Judgments, seed: int) -> None:
    L, label = dense(problem), problem.components
    g = L @ np.random.default_rng(seed).normal(size=problem.n)
    x, _, converged = conjugate_gradients(
        L.dot, g, jacobi(np.diag(L)), tol=1e-13, limit=1000, systems=by_component(label)
    )
    assert converged
    expected = np.linalg.pinv(L, hermitian=True, rcond=1e-13) @ g
    np.testing.assert_allclose(centre(x, label), expected, atol=1e-7 * (1 + np.abs(expected).max()))


@given(judgments(), judgments())
def test_a_component_does_not_see_the_scale_of_another(one: Judgments, other: Judgments) -> None:
    problem = side_by_side(one, other, 1.0)
    L, label = dense(problem), problem.components
    scale = np.where(np.arange(problem.n) < one.n, 1e-9, 1e9)
    g = scale * (L @ np.random.default_rng(0).normal(size=problem.n))
    x, _, _ = conjugate_gradients(
        L.dot, g, jacobi(np.diag(L)), tol=1e-13, limit=1000, systems=ByComponent(label)
    )
    expected = scale * (np.linalg.pinv(L, hermitian=True, rcond=1e-13) @ (g / scale))
    error = np.abs(centre(x, label) - expected) / scale
    assert error.max() <= 1e-7 * (1 + np.abs(expected / scale).max())


@given(judgments(), st.integers(0, 99))
def test_columns_are_solved_together(problem: Judgments, seed: int) -> None:
    L, rng = dense(problem), np.random.default_rng(seed)
    g = L @ (rng.normal(size=(problem.n, 3)) * [1.0, 1e-9, 0.0])
    x, _, converged = conjugate_gradients(
        L.dot, g, jacobi(np.diag(L)[:, None]), tol=1e-13, limit=1000, systems=ByColumn()
    )
    assert converged
    assert not x[:, 2].any()
    one = np.linalg.lstsq(L, g, rcond=1e-13)[0]
    for column, expected in zip(x.T, one.T, strict=True):
        np.testing.assert_allclose(
            centre(column, problem.components), expected, atol=1e-7 * np.abs(expected).max() + 1e-30
        )


def test_the_goal_is_a_part_of_the_first_residual_or_the_floor() -> None:
    rng = np.random.default_rng(1)
    L = written_out(ring(200))
    g, M = L @ rng.normal(size=200), jacobi(L.diagonal())
    for tol, floor in ((1e-4, 0.0), (0.0, 1e-6)):
        x, steps, converged = conjugate_gradients(
            lambda d: L @ d, g, M, tol=tol, floor=floor, limit=500
        )
        r = g - L @ x
        assert converged
        assert 0 < steps < 500
        assert r @ M(r) <= 1.001 * max(tol**2 * (g @ M(g)), floor)


def test_the_limit_is_kept_and_told() -> None:
    L = written_out(ring(200))
    g = L @ np.random.default_rng(2).normal(size=200)
    _, steps, converged = conjugate_gradients(
        lambda d: L @ d, g, jacobi(L.diagonal()), tol=1e-12, limit=5
    )
    assert (steps, converged) == (5, False)


def test_nothing_to_solve_takes_no_step() -> None:
    x, steps, converged = conjugate_gradients(
        lambda d: d, np.zeros(3), lambda r: r, tol=1e-9, limit=5
    )
    assert (x.tolist(), steps, converged) == ([0, 0, 0], 0, True)


@pytest.mark.parametrize("product", [np.zeros_like, lambda d: np.full_like(d, 1e308)])
def test_a_matrix_whose_curvature_vanishes_or_overflows_moves_nothing(product: object) -> None:
    x, _, converged = conjugate_gradients(product, np.ones(3), lambda r: r, tol=1e-9, limit=5)
    assert converged
    assert not x.any()


def ring(n: int) -> Judgments:
    y = np.random.default_rng(3).normal(size=n)
    return Judgments(np.arange(n), (np.arange(n) + 1) % n, y, np.ones(n), tuple(range(n)))


@pytest.mark.parametrize("n", [50, 3000])
def test_resistances_of_a_ring_are_known_however_long_it_is(n: int) -> None:
    solver = LaplacianSolver(ring(n))
    for far in (1, n // 3, n // 2):
        v = solver.between(0, far)
        assert v[0] - v[far] == pytest.approx(far * (n - far) / n, rel=1e-9)


def test_a_hard_graph_is_factorised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def factor(*given: object) -> object:
        made.append(given)
        return real(*given)

    real = laplacian_solver.factor
    monkeypatch.setattr(laplacian_solver, "factor", factor)
    solver = LaplacianSolver(ring(3000))
    solver.between(0, 5)
    solver.between(7, 900)
    assert len(made) == 1


@given(judgments(), st.integers(0, 99))
def test_the_solver_agrees_with_the_pseudo_inverse(problem: Judgments, seed: int) -> None:
    L = dense(problem)
    g = L @ np.random.default_rng(seed).normal(size=problem.n)
    expected = np.linalg.pinv(L, hermitian=True, rcond=1e-13) @ g
    found = LaplacianSolver(problem).solve(g)
    np.testing.assert_allclose(found, expected, atol=1e-7 * (1 + np.abs(expected).max()))


def test_a_system_that_overflows_leaves_the_others_alone() -> None:
    huge = np.array([1e300, 1e300, 2.0, 3.0])
    label = np.array([0, 0, 1, 1], dtype=np.int32)

    def product(d: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return huge * d * np.array([1e300, 1e300, 1.0, 1.0])

    x, _, _ = conjugate_gradients(
        product, np.ones(4), np.copy, tol=1e-12, limit=9, systems=by_component(label)
    )
    assert np.isfinite(x).all()
    assert x[2:] == pytest.approx([0.5, 1 / 3])
