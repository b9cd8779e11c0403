"""Large graphs: hard ones are known after a few steps, easy ones are left alone."""

from __future__ import annotations

import numpy as np
import pytest

from qrja import Judgments, solve
from qrja.laplacian import LaplacianSolver, solver


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
    assert rounds[0] == solver.PROBE
    assert found._strong
    assert rounds[1] < solver.EASY_STEPS
    assert solve(grid(60), p=2).gap < 1e-20


def test_well_joined_graph_passes_the_probe() -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(0, 2_000, 6_000)
    b = (a + rng.integers(1, 2_000, 6_000)) % 2_000
    problem = Judgments(a, b, rng.normal(size=6_000), np.ones(6_000), tuple(range(2_000)))
    rounds, found = steps_of(problem)
    assert rounds[0] == solver.PROBE
    assert not found._strong
    assert not found._hard
