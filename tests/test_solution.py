"""A solution computes its own proof again, and a twin does so from the definition."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import qrja
from qrja import Contests, InputError, Judgments, Solution, losses, solve
from reference.graphs import power_loss
from reference.proofs import largest_and_bound, loss_and_bound
from strategies import contests, judgments

Function = Callable[[float], float]


def power(p: float) -> tuple[Function, Function]:
    if p == 1:
        return abs, lambda s: 0.0 if abs(s) <= 1 + 1e-12 else math.inf
    return lambda t: abs(t) ** p, lambda s: (p - 1) * (abs(s) / p) ** (p / (p - 1))


def entropy(s: float) -> float:
    return sum(0.5 * (1 + z) * math.log(1 + z) for z in (s, -s) if z > -1)


class Quartic:
    """A loss of the user's, without a conjugate."""

    def value(self, t: np.ndarray) -> np.ndarray:
        return t**4 + t**2

    def slope(self, t: np.ndarray) -> np.ndarray:
        return 4 * t**3 + 2 * t

    def curvature(self, t: np.ndarray) -> np.ndarray:
        return 12 * t**2 + 2


LOSSES: dict[str, tuple[dict[str, object], Function, Function]] = {
    **{f"p={p}": ({"p": p}, *power(p)) for p in (1, 1.5, 2, 3)},
    "huber": (
        {"loss": losses.Huber(0.7)},
        lambda t: t * t / 2 if abs(t) <= 0.7 else 0.7 * (abs(t) - 0.35),
        lambda s: s * s / 2,
    ),
    "logcosh": ({"loss": losses.LogCosh(1.0)}, lambda t: math.log(math.cosh(t)), entropy),
    "insensitive": (
        {"loss": losses.EpsilonInsensitive(0.4)},
        lambda t: max(abs(t) - 0.4, 0.0),
        lambda s: 0.4 * abs(s),
    ),
    "pinball": ({"loss": losses.Pinball(0.8)}, lambda t: max(0.8 * t, -0.2 * t), lambda s: 0.0),
}
DEMANDS: dict[str, dict[str, object]] = {
    "plain": {},
    "ridge": {"ridge": 0.3},
    "prior": {"ridge": 0.3, "prior": {1: 2.0, 3: -1.0}},
    "anchors": {"anchors": {0: 1.0, 4: -2.0}},
    "all": {"ridge": 0.1, "prior": {1: 2.0}, "anchors": {0: 1.0, 4: -2.0}},
}


def some_judgments(seed: int = 0) -> Judgments:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 8, 30)
    b = (a + rng.integers(1, 8, 30)) % 8
    return Judgments(a, b, 2 * rng.normal(size=30), rng.uniform(0.5, 2, 30), tuple(range(8)))


def some_contests(seed: int = 0) -> Contests:
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(8)[:4] for _ in range(8)])
    score = 2 * rng.normal(size=32)
    races = Contests.from_arrays(np.repeat(np.arange(8), 4), who.tolist(), score)
    return races.with_pairs("mean")


@pytest.mark.parametrize("demands", DEMANDS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("make", [some_judgments, some_contests])
def test_check_and_twin_agree(
    make: Callable[[], Contests | Judgments], loss: str, demands: str
) -> None:
    problem, (options, h, conjugate) = make(), LOSSES[loss]
    if loss == "pinball":
        problem = problem.to_judgments()
    solution = solve(problem, **options, **DEMANDS[demands])
    check = solution.check(problem)
    assert check.holds
    number = {name: i for i, name in enumerate(problem.names)}
    anchors = {number[v]: c for v, c in DEMANDS[demands].get("anchors", {}).items()}
    goal = {number[v]: c for v, c in DEMANDS[demands].get("prior", {}).items()} | anchors
    ridge, pairs = DEMANDS[demands].get("ridge", 0.0), problem.to_judgments()
    objective, bound, left = loss_and_bound(
        pairs, solution.x, solution.flow(), h, conjugate, ridge, goal, frozenset(anchors)
    )
    assert check.objective == pytest.approx(objective, rel=1e-12)
    assert check.objective == pytest.approx(solution.objective, rel=1e-8)
    assert check.lower_bound == pytest.approx(bound, rel=1e-9)
    assert check.lower_bound == pytest.approx(solution.lower_bound, rel=1e-7)
    assert left <= 1e-9 * pairs.w.sum() * 100
    assert check.imbalance <= 1e-9


@pytest.mark.parametrize("anchors", [{}, {0: 1.0, 4: -2.0}])
@pytest.mark.parametrize("make", [some_judgments, some_contests])
def test_the_largest_error(
    make: Callable[[], Contests | Judgments], anchors: dict[int, float]
) -> None:
    problem = make()
    solution = solve(problem, math.inf, anchors=anchors)
    check = solution.check(problem)
    goal = {problem.names.index(v): c for v, c in anchors.items()}
    pairs = problem.to_judgments()
    objective, bound = largest_and_bound(pairs, solution.x, solution.flow(), goal)
    assert check.holds
    assert check.objective == pytest.approx(objective, rel=1e-12)
    assert check.lower_bound == pytest.approx(bound, rel=1e-12)


@pytest.mark.parametrize("demands", DEMANDS)
@pytest.mark.parametrize("make", [some_judgments, some_contests])
def test_a_loss_without_conjugate_has_its_gradient_checked(
    make: Callable[[], Contests | Judgments], demands: str
) -> None:
    problem = make()
    solution = solve(problem, loss=Quartic(), **DEMANDS[demands])
    check = solution.check(problem)
    assert check.holds
    assert check.lower_bound == -math.inf
    assert check.objective == pytest.approx(solution.objective, rel=1e-12)
    off = replace(solution, x=np.where(solution.x == solution.x.max(), 99.0, solution.x))
    assert not off.check(problem).holds


def test_residuals_are_rounded_once() -> None:
    """Beside a score of 1e14 a long double keeps five digits of 4/3, and a double two."""
    far = Judgments.from_arrays("aa", "bb", [1e14, 1e14 - 2], [1, 2])
    solution = solve(far, 2, anchors={"a": 1e14})
    x = [Fraction(v) for v in solution.x.tolist()]
    exact = sum(
        Fraction(w) * (Fraction(y) - x[0] + x[1]) ** 2
        for y, w in zip(far.y.tolist(), far.w.tolist(), strict=True)
    )
    assert solution.check(far).objective == pytest.approx(float(exact), rel=1e-14)


def test_below_one_nothing_is_proved() -> None:
    problem = some_judgments()
    solution = solve(problem, 0.5)
    check = solution.check(problem)
    assert check.objective == pytest.approx(power_loss(problem, solution.x, 0.5), rel=1e-9)
    assert (check.lower_bound, check.gap) == (0, math.inf)
    assert not check.holds


@given(judgments())
def test_any_judgments_check(problem: Judgments) -> None:
    for options in ({"p": 1}, {"p": 2}, {"p": math.inf}, {"p": 1.5}):
        solution = solve(problem, **options)
        check = solution.check(problem)
        assert check.holds, (options, check, solution)


@given(contests())
def test_any_contests_check(problem: Contests) -> None:
    for options in ({"p": 1}, {"p": 2}, {"p": math.inf}, {"loss": losses.Huber(1.0)}):
        solution = solve(problem, **options)
        check = solution.check(problem)
        assert check.holds, (options, check, solution)


@pytest.mark.parametrize("p", [1, 1.5, 2, math.inf])
def test_a_wrong_solution_is_found_out(p: float) -> None:
    problem = some_judgments()
    solution = solve(problem, p)
    moved = replace(solution, x=3 * solution.x)
    assert moved.check(problem).gap > 1e-3
    leaking = solution.flow() + np.eye(30)[5] * solution.flow()[np.abs(solution.flow()).argmax()]
    assert replace(solution, _flow=lambda: leaking).check(problem).imbalance > 1e-2
    too_much = replace(solution, _flow=lambda: 3 * solution.flow()).check(problem)
    assert too_much.lower_bound <= solution.lower_bound * (1 + 1e-9)


def test_saved_ratings_can_be_checked(tmp_path: Path) -> None:
    for options in ({"p": 1.5, "ridge": 0.1}, {"loss": losses.Huber(1.0), "anchors": {0: 5.0}}):
        qrja.fit(some_contests(), **options).save(tmp_path / "ratings.qrja")
        again = qrja.load(tmp_path / "ratings.qrja")
        assert again.solution.power == options.get("p")
        assert again.solution.check(again.problem).holds


def test_what_cannot_be_checked_says_why() -> None:
    problem = some_judgments()
    with pytest.raises(InputError, match="has 2 candidates and the solution 8, or other ones"):
        solve(problem).check(Judgments.from_arrays("a", "b", [1]))
    bare = Solution(
        np.zeros(8), problem.names, 0, 0, 0, problem.components, "local", "none", "", "", 0, 0
    )
    assert bare.power is None
    with pytest.raises(InputError, match="does not say what it minimised; solve again"):
        bare.check(problem)


def test_a_flow_that_leaves_something_behind_is_mended_and_holds() -> None:
    """Weights 1e18 times apart: what heavy pairs round may be more than light ones carry."""
    contest = [0] * 6 + [1] * 3 + [2] * 6
    who = [1, 3, 2, 6, 4, 0, 3, 6, 2, 0, 5, 4, 2, 6, 3]
    far = [-6661103868042.977, -365066016830.36975, 26626631273281.64, 5197934563959.945]
    score = [*far, 2905152403696.632, -2204243046735.1206, 2 / 3, 0.2, 1 / 3]
    score += [9006931043791285.0] * 3 + [9006931043791278.0, 9006931043791281.0, 9006931043791278.0]
    weight = [1.0] * 9 + [1e18] * 6
    problem = Contests.from_arrays(contest, who, score, weight=weight, pairs="unit")
    solution = solve(problem, 2)
    assert solution.check(problem).holds
    flow = solution.flow()
    flow[:5] += 1e-6 * np.abs(flow).max()
    check = replace(solution, _flow=lambda: flow).check(problem)
    assert check.imbalance > 1e-7
    assert check.mended < 1e-9
    assert check.holds


def test_losses_beyond_the_floats_are_checked_in_another_unit() -> None:
    far = [-4503599627370492.0, -4503599627370497.0, -4503599627370497.0, -4503599627370500.0]
    problem = Judgments.from_arrays([3, 3, 4, 2], [1, 4, 3, 4], far, [1e-9, 1e3, 1e3, 1e9])
    solution = solve(problem, 20)
    assert math.isinf(solution.objective)
    check = solution.check(problem)
    assert check.holds
    assert math.isinf(check.objective)


def test_a_ridge_beside_a_loss_that_drowns_it_is_checked_exactly() -> None:
    """The pulls sum to less than the last digit of the flow."""
    rows = [(1, 3, -0.99, 1.9e12), (0, 3, 19.0, 4e-07), (0, 2, 2.8e-12, 0.95)]
    rows += [(3, 2, -0.6, 0.0014), (0, 1, -3848064.5, 4.2e14), (3, 1, 0.8, 1e-06)]
    a, b, y, w = zip(*rows, strict=True)
    problem = Judgments.from_arrays(a, b, y, w)
    solution = solve(problem, 20, ridge=0.026)
    assert solution.objective > 1e60
    check = solution.check(problem)
    assert check.holds
    assert check.lower_bound == pytest.approx(solution.lower_bound)


@pytest.mark.parametrize("p", [1, 1.5, 2, np.inf])
def test_scores_away_from_their_anchors_are_no_solution(p: float) -> None:
    problem = Judgments.from_arrays("abc", "bca", [1, 1, 4])
    solution = solve(problem, p, anchors={"a": 5.0})
    assert solution.check(problem).holds
    moved = replace(solution, x=solution.x + 0.5)
    assert moved.check(problem).objective == math.inf
    assert not moved.check(problem).holds
