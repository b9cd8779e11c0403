"""Where the l1 simplex on contests begins: near the optimum, and it does not matter where."""

from __future__ import annotations

import numpy as np
import pytest

from l1_problems import random_contests
from qrja import Contests, solve
from qrja.solvers.l1 import contest_simplex
from qrja.solvers.l1.kernels.near_l1 import slopes_near
from qrja.solvers.l1.near_l1 import near_l1


def columns(contests: Contests) -> tuple[np.ndarray, ...]:
    contest = np.repeat(np.arange(len(contests)), contests.sizes)
    count = np.random.default_rng(0).integers(1, 4, len(contest))
    return contests.who, contest, contests.score, count, contests.weight


def loss_and_slope(x: np.ndarray, table: tuple[np.ndarray, ...]) -> tuple[float, np.ndarray]:
    """The definition, pair by pair."""
    node, contest, score, count, weight = table
    loss, slope = 0.0, np.zeros(len(x))
    for i in range(len(node)):
        for j in range(i):
            if contest[i] == contest[j]:
                above = (x[node[i]] - score[i]) - (x[node[j]] - score[j])
                pull = weight[contest[i]] * count[i] * count[j] * np.sign(above)
                loss += pull * above
                slope[node[i]] += pull
                slope[node[j]] -= pull
    return loss, slope


@pytest.mark.parametrize("seed", range(4))
def test_slope_and_loss_are_those_of_all_pairs(seed: int) -> None:
    table = columns(random_contests(15, 6, 9, seed, real=True))
    node, contest, score, count, weight = table
    x = np.random.default_rng(seed).normal(size=15) * 20
    start = np.searchsorted(contest, np.arange(7))
    order, slope = np.random.default_rng(seed).permutation(54), np.zeros(15)
    order = order[np.argsort(contest[order], kind="stable")]
    room = np.empty((3, 54))
    floats = (np.asarray(it, dtype=float) for it in (score, count, weight))
    loss = slopes_near(x, start, node, *floats, order, room[0], slope, room[1], room[2])
    expected, gradient = loss_and_slope(x, table)
    assert loss == pytest.approx(expected)
    np.testing.assert_allclose(slope, gradient, atol=1e-9)
    residual = (x[node] - score)[order]
    assert all((np.diff(residual[contest[order] == c]) >= 0).all() for c in range(6))


@pytest.mark.parametrize("seed", range(4))
def test_ends_nearer_to_the_optimum_than_it_began(seed: int) -> None:
    contests = random_contests(40, 30, 12, seed, real=True)
    node, contest, score, count, weight = columns(contests)
    count = np.ones_like(count)
    begin, scores = np.zeros(40, dtype=np.int64), np.rint(score * 1e6).astype(np.int64)
    end = near_l1(begin, node, contest, scores, count, weight)
    table = (node, contest, scores.astype(float), count, weight)
    least = solve(contests, p=1).objective * 1e6
    before, after = (loss_and_slope(x.astype(float), table)[0] for x in (begin, end))
    assert after - least < 0.01 * (before - least)


def test_contest_of_equals_and_of_one_does_no_harm() -> None:
    node, contest = np.array([0, 1, 2, 0, 1]), np.array([0, 0, 0, 2, 3])
    whole = np.zeros(5, dtype=np.int64)
    x = near_l1(np.zeros(4, np.int64), node, contest, whole, np.ones(5), np.ones(4))
    assert (x == 0).all()


@pytest.mark.parametrize("real", [False, True])
def test_solution_does_not_depend_on_where_it_begins(
    real: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    contests = random_contests(60, 40, 12, 5, real)
    far = solve(contests[: len(contests)], p=1)
    monkeypatch.setattr(contest_simplex, "FROM", 1)
    near = solve(contests[: len(contests)], p=1)
    assert near.objective == far.objective
    np.testing.assert_array_equal(near.x, far.x)
    assert near.check(contests).gap <= 1e-9
    assert near.iterations < far.iterations
