"""Small problems in fractions, against the solvers that use floats."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from qrja import Contests, Judgments, solve
from qrja.losses import EpsilonInsensitive, Huber, KnownLoss, LogCosh, Pinball, Power
from qrja.solution import Demands
from qrja.solvers.convex import ActiveSet, solve_newton
from qrja.solvers.linf import largest_error, solve_exactly
from qrja.solvers.second_try import try_again
from qrja.solvers.weighing import weigh_again


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


@pytest.mark.parametrize("loss", [Huber(1e-2), LogCosh(1e-2)])
@pytest.mark.parametrize("seed", range(3))
def test_from_afar_a_smooth_loss_is_two_lines(loss: KnownLoss, seed: int) -> None:
    problem, demands = random_case(seed)
    far = replace(problem, y=1e12 * problem.y)
    expected = solve(far, 1, ridge=demands.ridge / 1e-2)
    free = Demands(demands.ridge, np.zeros(far.n), np.ones(far.n, dtype=bool))
    found = ActiveSet(far, loss, free, np.zeros(far.n)).solve()
    assert found is not None
    x, flow = found
    r = far.y - (x[far.a] - x[far.b])
    total = (far.w * loss.value(r)).sum() + free.ridge * (x**2).sum()
    assert total == pytest.approx(1e-2 * expected.objective, rel=1e-9)
    assert (np.abs(flow) <= 1e-2 * far.w * (1 + 1e-12)).all()


def test_what_floats_left_of_a_smooth_loss_is_tried_again() -> None:
    """Weights of 1e18 beside 1, margins of 1e12, and a loss that is bent at 0.01."""
    told = Path(__file__).parent / "fuzz" / "corpus" / "solvers-0ab5d9cf.json"
    case = json.loads(told.read_text(encoding="utf-8"))["case"]
    contest, who, score, weight = zip(*case["contests"], strict=True)
    problem = Contests.from_arrays(contest, who, score, weight=weight, pairs="mean")
    first = weigh_again(problem, solve_newton(problem, LogCosh(0.01)), 1e-9)
    again = try_again(problem, first, 1e-9)
    assert (first.status, again.status) == ("inexact", "optimal")
    assert again.objective < first.objective


@pytest.mark.parametrize("seed", range(6))
def test_fractions_find_the_smallest_largest_error(seed: int) -> None:
    problem, demands = random_case(seed)
    anchors = {problem.names[v]: demands.goal[v] for v in np.flatnonzero(~demands.free)}
    expected = solve(problem, math.inf, anchors=anchors)
    x, flow = solve_exactly(problem, demands, np.zeros(problem.n))
    assert largest_error(problem, x) == pytest.approx(expected.objective)
    np.testing.assert_array_equal(x[~demands.free], demands.goal[~demands.free])
    assert (np.abs(flow) / problem.w).sum() <= 1 + 1e-12


def test_scores_that_only_lacked_a_proof_are_kept() -> None:
    """Lines are as good anywhere between 0 and 40,000; Huber's loss is not so at the ends."""
    far = Judgments.from_arrays(
        ["a", "a", "a", "c"], ["b", "b", "c", "b"], [0, 4e4, 9e7, 2e8], [1e9, 1e9, 1e-9, 1e-9]
    )
    loss = Huber(1.0)
    first = weigh_again(far, solve_newton(far, loss), 1e-9)
    unproved = replace(first, status="inexact", gap=0.5, _flow=lambda: np.zeros(4))
    again = try_again(far, unproved, 1e-9)
    assert again.status == "optimal"
    assert again.objective == pytest.approx(1e9 * (4e4 - 1), rel=1e-12)
