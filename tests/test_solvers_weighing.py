"""What a solution tells is what its x and its flow prove, whatever the solver believed."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from qrja import Contests, InputError, Judgments, Solution, solve
from qrja.laplacian import sum_exactly
from qrja.losses import EpsilonInsensitive, Huber, Pinball, Power
from qrja.solution import prove
from qrja.solvers.convex.newton import check_patience, check_room
from qrja.solvers.weighing import weigh_again

CIRCLE = Judgments.from_arrays("abc", "bca", [1, 1, 4])


def boast(solution: Solution) -> Solution:
    """Return the solution with a proof that it does not have."""
    return replace(
        solution, x=solution.x + np.array([10.0, 0, -10]), objective=0.0, lower_bound=0.0, gap=0.0
    )


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
def test_a_solver_that_boasts_is_not_believed(p: float) -> None:
    honest = solve(CIRCLE, p)
    told = weigh_again(CIRCLE, boast(honest), 1e-9)
    assert told.status == "inexact"
    assert told.objective > honest.objective
    assert told.lower_bound == pytest.approx(honest.objective)
    assert told.gap == pytest.approx(1 - honest.objective / told.objective)


def test_a_flow_that_leaks_is_mended_before_it_proves() -> None:
    honest = solve(CIRCLE, 2)
    leaky = honest.flow() + np.array([1.0, 0.0, 0.0])
    told = weigh_again(CIRCLE, replace(honest, _flow=lambda: leaky), 1e-9)
    # As it stands it would prove f . y - sum f^2 / 4 = 12.75 - 1: the leak of 1 is sent back.
    assert told.lower_bound == pytest.approx(12.0)


def test_a_gap_of_0_means_that_the_bound_is_the_objective() -> None:
    for excess in (0.0, 1e-300, 1e-20, 1e-12, 1e-3, 1.0, 5.0, math.nan, math.inf):
        for rounding in (0.0, 1e-300, 1e-14, 10.0):
            told = prove(1.0, excess, rounding, 1e-9)
            assert (told.gap == 0) == (told.lower_bound == told.objective)
            assert 0 <= told.lower_bound <= told.objective
            close = told.gap <= 1e-9 or told.objective - told.lower_bound <= told.rounding
            assert (told.status == "optimal") == close


def test_no_number_is_no_proof() -> None:
    assert prove(math.nan, 0.0, 0.0, 1e-9) == (math.inf, 0.0, 1.0, 0.0, "inexact")
    assert prove(2.0, math.nan, 0.0, 1e-9) == (2.0, 0.0, 1.0, 0.0, "inexact")


def test_what_rounding_costs_is_told() -> None:
    agreeing = Judgments.from_arrays("abc", "bcd", [0.1, 0.2, 0.3], [1, 1e18, 1])
    solution = solve(agreeing, math.inf)
    assert solution.status == "optimal"
    assert solution.objective <= solution.rounding or solution.objective == 0
    assert solution.gap <= 1e-9


def test_sums_of_numbers_far_apart_are_exact() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=200) * 10.0 ** rng.integers(-20, 21, 200)
    group = rng.integers(0, 3, 200)
    for g, total in enumerate(sum_exactly(group, values, 3)):
        exact = sum(map(Fraction, values[group == g].tolist()), Fraction(0))
        assert total == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("weight", [1e-9, 1e18])
@pytest.mark.parametrize("p", [1, 1.5, 2, math.inf])
def test_a_contest_of_one_does_not_matter(p: float, weight: float) -> None:
    who, score = [*"xyzxyx"], [1, 2, 4.5, 7, 3, 1e15]
    plain = Contests.from_arrays([*"AAABB"], who[:5], score[:5])
    more = Contests.from_arrays([*"AAABBC"], who, score, weight=[1.0] * 5 + [weight])
    one, other = solve(plain, p), solve(more, p)
    assert other.status == "optimal"
    assert other.objective == one.objective
    np.testing.assert_array_equal(one.x, other.x)


FAR = Judgments.from_arrays("aacb", "bbdc", [1.0, 70, 0.7 / 3, 1e9], [1e18, 1, 1e12, 1e-9])


@pytest.mark.parametrize("loss", [Power(1), Pinball(0.3), EpsilonInsensitive(0.1)])
@pytest.mark.parametrize("ridge", [0.0, 1e-6])
def test_kinks_are_solved_whatever_the_weights(loss: Power, ridge: float) -> None:
    solution = solve(FAR, loss=loss, ridge=ridge)
    assert solution.status == "optimal"
    check = solution.check(FAR)
    assert check.holds
    assert check.objective == pytest.approx(solution.objective, rel=1e-12)


def test_least_squares_are_solved_whatever_the_weights() -> None:
    far = Judgments.from_arrays(
        [3, 1, 3, 1], [0, 3, 0, 2], [-0.6, 1, 0.3, -1.1], [1, 1, 1e12, 1e18]
    )
    solution = solve(far, 2)
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(0.81)


def test_a_prior_far_away_is_reached() -> None:
    pair = Judgments.from_arrays("a", "b", [0.0], [1e12])
    solution = solve(pair, loss=Huber(0.1), ridge=1e-4, prior={"b": 9e15})
    assert solution.status == "optimal"
    assert solution.check(pair).holds


def test_a_tiny_ridge_is_no_number_that_is_none() -> None:
    solution = solve(Contests.from_arrays([0, 0], [0, 1], [23.22, 36.87]), 3, ridge=1e-16)
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(1e-16 * 2 * (13.65 / 2) ** 2, rel=1e-6)


def test_powers_that_overflow_on_the_way_are_told() -> None:
    far = Judgments.from_arrays([3, 0, 3], [1, 1, 0], [-4e15, -5e15, -5e15], [1, 9e-6, 1])
    solution = solve(far, 20)
    assert solution.objective == pytest.approx(2.8439076e304, rel=1e-6)
    assert solution.status == "optimal"


def test_powers_that_underflow_on_the_way_are_told() -> None:
    """Residuals of 2e-17 have a loss of 1e-336: it is told as 0, and weighed as it is."""
    circle = Judgments.from_arrays("abc", "bca", np.array([1, 1, 4]) * 1e-17)
    usual, tiny = solve(CIRCLE, 20), solve(circle, 20)
    assert tiny.objective == tiny.lower_bound == 0
    assert tiny.gap == pytest.approx(usual.gap, rel=1e-3)
    np.testing.assert_allclose(tiny.x * 1e17, usual.x)
    assert tiny.norm is not None
    assert tiny.norm * 1e17 == pytest.approx(usual.norm)
    nearly = solve(Judgments.from_arrays("abc", "bca", np.array([1, 1, 4]) * 3.6e-17), 20)
    assert nearly.objective == pytest.approx(3 * 7.2e-17**20, rel=0.5)  # of the last few bits


def test_p_below_1_ends() -> None:
    rows = [2, 0, 3, 2, 3, 3, 1], [3, 2, 2, 1, 2, 1, 0]
    far = Judgments.from_arrays(*rows, [1e14, -9, -0.1, 5, -700, -0.002, -1e-10])
    solution = solve(far, 0.5)
    assert solution.objective == pytest.approx(solution.check(far).objective)


def test_a_long_path_is_a_tree() -> None:
    n = 20_000
    y = np.random.default_rng(1).normal(size=n - 1)
    path = Judgments(np.arange(n - 1), np.arange(1, n), y, np.ones(n - 1), tuple(range(n)))
    solution = solve(path, 2)
    assert solution.status == "optimal"
    assert solution.iterations <= 2
    np.testing.assert_allclose(-np.diff(solution.x), y, atol=1e-11)


def test_more_pairs_than_memory_holds_are_refused_before_the_attempt() -> None:
    who = np.tile(np.arange(60_000), 2)
    two = Contests.from_arrays(np.repeat([0, 1], 60_000), who, np.zeros(len(who)))
    with pytest.raises(
        InputError, match=r"3,599,940,000 pairs, which EpsilonInsensitive\(1\) needs written out"
    ):
        solve(two, loss=EpsilonInsensitive(1))
    with pytest.raises(InputError, match=r"some 150 GB, and this machine has 16; draw fewer with"):
        check_room(10**9, Power(1.5), memory=16e9)
    with pytest.raises(InputError, match=r"looks at one by one: some 29 days on the cores of this"):
        check_patience(10**13, Power(1.5), cores=2)


@pytest.mark.parametrize("p", [1, 1.5, 2, math.inf])
def test_nothing_is_solved_by_nothing(p: float) -> None:
    solution = solve(Judgments.from_arrays([], [], []), p)
    assert (solution.objective, solution.gap, solution.status) == (0, 0, "optimal")


def test_where_rounding_leaks_more_than_the_loss_no_flow_proves_that_it_is_at_least_0() -> None:
    rows = [
        ("A", 5, -1.0, 1e-9), ("A", 2, -2.0, 1e-9), ("A", 6, -2.0, 1e-9), ("B", 2, -2.0, 1e9),
        ("B", 1, -3.0, 1e9), ("C", 5, -1.0, 1e-9), ("C", 1, -3.0, 1e-9), ("D", 0, -1.0, 1e-6),
        ("D", 4, 0.0, 1e-6), ("D", 2, -2.0, 1e-6), ("D", 5, -1.0, 1e-6), ("D", 3, -3.0, 1e-6),
    ]  # fmt: skip
    contest, who, score, weight = zip(*rows, strict=True)
    races = Contests.from_arrays(contest, who, score, weight=weight, pairs="mean")
    solution = solve(races, p=2)
    assert (solution.status, solution.lower_bound) == ("optimal", 0.0)
    assert not solution.flow().any()
