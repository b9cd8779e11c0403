"""Large graphs: hard ones are known after a few steps, easy ones are left alone."""

from __future__ import annotations

import numpy as np
import pytest

from qrja import Judgments, solve
from qrja.laplacian import LaplacianSolver, laplacian_matrix, solver
from qrja.laplacian.preconditioners import SWEEPS, VCycle


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "FACTOR_NODES", 1_000)
    monkeypatch.setattr(solver, "MOST_NODES", 10)


def grid(side: int) -> Judgments:
    node = np.arange(side * side).reshape(side, side)
    a = np.concatenate([node[:, :-1].ravel(), node[:-1].ravel()])
    b = np.concatenate([node[:, 1:].ravel(), node[1:].ravel()])
    y = np.random.default_rng(0).normal(size=len(a))
    return Judgments(a, b, y, np.ones(len(a)), tuple(range(side * side)))


def steps_of(problem: Judgments) -> tuple[list[int], LaplacianSolver]:
    """Steps of each round."""
    found, rounds = LaplacianSolver(problem), []
    approach = found.approach

    def watched(*arguments: object) -> object:
        result = approach(*arguments)
        rounds.append(result[1])
        return result

    found.approach = watched  # type: ignore[method-assign]
    pull = problem.w * problem.y
    g = np.bincount(problem.a, pull, problem.n) - np.bincount(problem.b, pull, problem.n)
    v = found.solve(g)
    np.testing.assert_allclose(found.q.product(v), g, atol=1e-9)
    return rounds, found


def test_grid_goes_to_multigrid_after_a_probe() -> None:
    pytest.importorskip("pyamg")
    rounds, found = steps_of(grid(60))
    by_multigrid, together = rounds[:2]  # the probe goes on with it at once
    assert together == solver.PROBE + by_multigrid
    assert found._strong
    assert by_multigrid < 30
    assert solve(grid(60), p=2).gap < 1e-20


def cycle_on(problem: Judgments, coarsest: int) -> tuple[np.ndarray, np.ndarray]:
    """Write a grounded Laplacian and the V-cycle on it out."""
    pyamg = pytest.importorskip("pyamg")
    from scipy.sparse import csr_matrix

    grounded = laplacian_matrix(problem.n, problem.a, problem.b, problem.w).toarray()
    grounded[0, 0] += 1.0
    hierarchy = pyamg.ruge_stuben_solver(
        csr_matrix(grounded), interpolation="direct", max_coarse=coarsest, **SWEEPS
    )
    cycle = VCycle(hierarchy)
    return grounded, np.stack([cycle.run(column) for column in np.eye(problem.n)], axis=1)


def test_on_a_grid_every_second_node_is_eliminated_exactly() -> None:
    grounded, inverse = cycle_on(grid(16), coarsest=130)
    np.testing.assert_allclose(inverse @ grounded, np.eye(256), atol=1e-9)


def test_elsewhere_the_cycle_sweeps_and_is_symmetric() -> None:
    rng = np.random.default_rng(4)
    side = grid(16)
    extra = rng.integers(0, 256, (2, 300))
    extra = extra[:, extra[0] != extra[1]]
    a, b = np.concatenate([side.a, extra[0]]), np.concatenate([side.b, extra[1]])
    w = rng.uniform(0.1, 2.0, len(a))
    grounded, inverse = cycle_on(Judgments(a, b, np.zeros(len(a)), w, side.names), coarsest=40)
    np.testing.assert_allclose(inverse, inverse.T, atol=1e-9)
    values = np.sort(np.linalg.eigvals(inverse @ grounded).real)
    assert values[0] > 0  # of what all have in common, which one node holds
    assert values[1] > 0.5
    assert values[-1] < 1.0 + 1e-9


def test_well_joined_graph_passes_the_probe() -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(0, 2_000, 6_000)
    b = (a + rng.integers(1, 2_000, 6_000)) % 2_000
    problem = Judgments(a, b, rng.normal(size=6_000), np.ones(6_000), tuple(range(2_000)))
    rounds, found = steps_of(problem)
    assert rounds[0] == solver.PROBE
    assert not found._strong
    assert not found._hard
