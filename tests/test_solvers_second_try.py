"""Small problems in fractions, against the solvers that use floats."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrja import Judgments, solve
from qrja.losses import EpsilonInsensitive, KnownLoss, Pinball, Power
from qrja.solution import Demands
from qrja.solvers.convex import ActiveSet
from qrja.solvers.linf import largest_error, solve_exactly


def random_case(seed: int) -> tuple[Judgments, Demands]:
    rng = np.random.default_rng(seed)
    n, m = 6, 14
    a = rng.integers(0, n, m)
    b = (a + rng.integers(1, n, m)) % n
    problem = Judgments.from_arrays(a, b, rng.integers(-5, 6, m), rng.integers(1, 4, m))
    free = rng.random(problem.n) > 0.25 * (seed % 2)
    free[0] = True
    goal = np.where(free, 0.0, rng.integers(-3, 4, problem.n))
    return problem, Demands((seed % 3) * 0.1, goal, free)


@pytest.mark.parametrize("loss", [Power(1), Pinball(0.3), EpsilonInsensitive(1.0)])
@pytest.mark.parametrize("seed", range(6))
def test_fractions_find_the_optimum_of_losses_with_kinks(loss: KnownLoss, seed: int) -> None:
    problem, demands = random_case(seed)
    anchors = {problem.names[v]: demands.goal[v] for v in np.flatnonzero(~demands.free)}
    expected = solve(problem, loss=loss, ridge=demands.ridge, anchors=anchors)
    found = ActiveSet(problem, loss, demands, np.zeros(problem.n)).solve()
    assert found is not None
    x, flow = found
    r = problem.y - (x[problem.a] - x[problem.b])
    ridge = demands.ridge * (x[demands.free] ** 2).sum()
    total = (problem.w * loss.value(r)).sum() + ridge
    assert total == pytest.approx(expected.objective, rel=1e-8, abs=1e-8)
    assert (flow <= problem.w * loss.slopes[1] + 1e-12).all()
    assert (flow >= problem.w * loss.slopes[0] - 1e-12).all()


@pytest.mark.parametrize("seed", range(6))
def test_fractions_find_the_smallest_largest_error(seed: int) -> None:
    problem, demands = random_case(seed)
    anchors = {problem.names[v]: demands.goal[v] for v in np.flatnonzero(~demands.free)}
    expected = solve(problem, math.inf, anchors=anchors)
    x, flow = solve_exactly(problem, demands, np.zeros(problem.n))
    assert largest_error(problem, x) == pytest.approx(expected.objective)
    np.testing.assert_array_equal(x[~demands.free], demands.goal[~demands.free])
    assert (np.abs(flow) / problem.w).sum() <= 1 + 1e-12
