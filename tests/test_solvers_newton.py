"""Every convex loss: its own certificate, dense optimisation, and the invariances of the model."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from qrja import Contests, InputError, Judgments, solve
from qrja.losses import EpsilonInsensitive, Huber, LogCosh, Pinball
from reference.graphs import incidence
from reference.squares import dual_bound
from strategies import contests, judgments

POWERS = [1.01, 1.05, 1.5, 3, 8, 12, 20, 50]
powers = st.sampled_from(POWERS)


def prove(problem: Judgments, p: float) -> None:
    """Recompute the bound from the written-out flow; the scale keeps powers within range."""
    scale = np.abs(problem.y).max(initial=0) or 1.0
    unit = Judgments(problem.a, problem.b, problem.y / scale, problem.w, problem.names)
    solution = solve(unit, p, tol=1e-8)
    assert solution.status == "optimal", (p, solution)
    bound, unconserved = dual_bound(unit, solution.flow(), p)
    assert unconserved <= 1e-8 * (1 + p * unit.w.sum())
    residual = unit.y - unit_difference(unit, solution.x)
    objective = float(np.sum(unit.w * np.abs(residual) ** p))
    assert solution.objective == pytest.approx(objective, rel=1e-6, abs=1e-12)
    assert objective - bound <= 1e-7 * max(objective, 1e-7**p * unit.w.sum())


def unit_difference(problem: Judgments, x: np.ndarray) -> np.ndarray:
    return x[problem.a] - x[problem.b]


@given(judgments(), powers)
def test_the_flow_proves_the_optimum(problem: Judgments, p: float) -> None:
    prove(problem, p)


@given(contests(), powers)
def test_contests_and_their_pairs_have_one_answer(problem: Contests, p: float) -> None:
    scale = 1 + np.abs(problem.score).max(initial=0)
    direct, written = solve(problem, p, tol=1e-8), solve(problem.to_judgments(), p, tol=1e-8)
    assert direct.objective == pytest.approx(written.objective, rel=1e-6, abs=1e-12 * scale)
    if 1.5 <= p <= 3:
        np.testing.assert_allclose(direct.x, written.x, atol=1e-3 * scale)


@pytest.mark.parametrize("p", [1.5, 3])
def test_small_problems_agree_with_a_general_optimiser(p: float) -> None:
    rng = np.random.default_rng(int(10 * p))
    a = rng.integers(0, 8, 30)
    b = (a + rng.integers(1, 8, 30)) % 8
    problem = Judgments(a, b, rng.normal(size=30), rng.uniform(0.5, 2, 30), tuple(range(8)))
    A = incidence(problem)

    def loss(x: np.ndarray) -> float:
        return float(problem.w @ np.abs(problem.y - A @ x) ** p)

    best = minimize(loss, np.zeros(8), method="BFGS", options={"gtol": 1e-9}).fun
    assert solve(problem, p).objective == pytest.approx(best, rel=1e-6)


@given(judgments(), powers, st.sampled_from([1e-6, 1.0, 1e9]))
def test_the_scale_of_margins_does_not_matter(problem: Judgments, p: float, factor: float) -> None:
    scaled = Judgments(problem.a, problem.b, problem.y * factor, problem.w, problem.names)
    one, other = solve(problem, p, tol=1e-8), solve(scaled, p, tol=1e-8)
    assert other.status == "optimal"
    assert np.isfinite(other.x).all()
    assert other.norm == pytest.approx(one.norm * factor, rel=1e-6, abs=1e-7 * factor)


@given(judgments(), powers)
def test_reversing_splitting_and_relabelling(problem: Judgments, p: float) -> None:
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    value = solve(problem, p, tol=1e-8).norm
    others = [
        Judgments(b, a, -y, w, names),
        Judgments(a, b, -y, w, names),
        Judgments(np.tile(a, 2), np.tile(b, 2), np.tile(y, 2), np.tile(w / 2, 2), names),
        Judgments(problem.n - 1 - a, problem.n - 1 - b, y, w, names),
    ]
    for other in others:
        again = solve(other, p, tol=1e-8).norm
        assert again == pytest.approx(value, rel=1e-6, abs=1e-7 * (1 + np.abs(y).max(initial=0)))


@pytest.mark.parametrize(
    "loss",
    [Huber(0.5), LogCosh(1.0), EpsilonInsensitive(0.3), Pinball(0.3), Pinball(0.5)],
    ids=str,
)
def test_other_losses_prove_themselves(loss: object) -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 20, 80)
    b = (a + rng.integers(1, 20, 80)) % 20
    problem = Judgments(a, b, rng.normal(size=80), rng.uniform(0.5, 2, 80), tuple(range(20)))
    solution = solve(problem, loss=loss, tol=1e-8)
    flow, w = solution.flow(), problem.w
    assert np.abs(incidence(problem).T @ flow).max() <= 1e-8 * w.sum()
    value = float(w @ loss.value(problem.y - incidence(problem) @ solution.x))
    slopes = np.clip(flow / w, *loss.slopes)
    bound = float(flow @ problem.y - w @ loss.conjugate(slopes))
    assert solution.status == "optimal"
    assert solution.certificate == "flow"
    assert value - bound <= 1e-7 * value


def test_a_loss_without_conjugate_is_certified_by_its_gradient() -> None:
    class Softened:
        def value(self, t: np.ndarray) -> np.ndarray:
            return np.sqrt(1 + t**2) - 1

        def slope(self, t: np.ndarray) -> np.ndarray:
            return t / np.sqrt(1 + t**2)

        def curvature(self, t: np.ndarray) -> np.ndarray:
            return (1 + t**2) ** -1.5

    problem = Judgments.from_arrays([*"ABA"], [*"BCC"], [1, 1, 5])
    solution = solve(problem, loss=Softened())
    assert solution.certificate == "gradient"
    np.testing.assert_allclose(solution.x, [2, 0, -2], atol=1e-6)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
def test_a_ridge_makes_scores_absolute(p: float) -> None:
    problem = Judgments.from_arrays([*"ABAX"], [*"BCCY"], [1, 1, 5, 3])
    prior = np.array([1.0, 0.0, -1.0, 10.0, 10.0])
    solution = solve(problem, p, ridge=0.3, prior=prior, tol=1e-8)
    A = incidence(problem)

    def loss(x: np.ndarray) -> float:
        return float(np.sum(np.abs(problem.y - A @ x) ** p) + 0.3 * np.sum((x - prior) ** 2))

    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(loss(solution.x), rel=1e-7)
    rng = np.random.default_rng(0)
    for step in 10.0 ** rng.uniform(-4, 0, 200):
        assert loss(solution.x + step * rng.normal(size=5)) >= loss(solution.x) - 1e-7
    assert solution.components.tolist() == [0] * 5


@given(judgments(), st.sampled_from([1, 2, *POWERS]), st.sampled_from([1e-6, 1e-2, 1.0, 1e3]))
def test_a_ridge_of_any_weight_is_proved_for_every_power(
    problem: Judgments, p: float, ridge: float
) -> None:
    # The powers of large margins dwarf the ridge at first, and it decides in the end.
    solution = solve(problem, p, ridge=ridge, tol=1e-8)
    assert solution.status == "optimal"
    assert np.isfinite(solution.x).all()


@pytest.mark.parametrize("size", [1e-11, 1e-14, 1e-40])
def test_a_ridge_beside_which_a_power_is_nothing_holds_the_scores(size: float) -> None:
    """The loss of residuals of 1e-11 is 1e-220; a score of 1e-100 would cost more."""
    problem = Judgments.from_arrays("abc", "dda", np.array([-3.0, 2.0, 0.2]) * size)
    solution = solve(problem, 20, ridge=200)
    assert solution.status == "optimal"
    assert np.abs(solution.x).max() <= 1e-120 * size
    assert solution.norm == pytest.approx(3 * size, rel=1e-3)
    prior = np.full(4, 5.0)
    np.testing.assert_array_equal(solve(problem, 20, ridge=200, prior=prior).x, 5)


@pytest.mark.parametrize("p", [4, 12, 35, 50])
def test_one_judgment_against_a_ridge(p: float) -> None:
    solution = solve(Judgments.from_arrays("a", "b", [850.0]), p, ridge=2.0, tol=1e-12)
    difference = solution.x[0] - solution.x[1]
    # Where the derivative vanishes: p r^(p-1) = 2 * 2 * (difference / 2).
    assert p * (850 - difference) ** (p - 1) == pytest.approx(2 * difference, rel=1e-3)


def test_a_tube_cancels_without_losing_digits() -> None:
    # Inside the tube only the ridge pulls, a billion times weaker than the loss beyond.
    problem = Judgments.from_arrays("ac", "bd", [0.0, 1e-6])
    prior = np.array([9.30524807e-07, 1.42892057e-06, -5.78081362e-07, 1.00139636e-06])
    loss = EpsilonInsensitive(2.8715368993230118e-05)
    solution = solve(problem, loss=loss, ridge=0.00047618943412703095, prior=prior, tol=1e-8)
    assert solution.status == "optimal"
    np.testing.assert_allclose(solution.x, prior, atol=1e-9)


@pytest.mark.parametrize("loss", [Huber(1e-5), LogCosh(1e-5), EpsilonInsensitive(0.5)], ids=str)
def test_a_component_without_residuals_beside_one_with_large_ones(loss: object) -> None:
    problem = Judgments.from_arrays("xabcab", "ybcabc", [1, 1, 1, 1e4, -3, 1e-6])
    solution = solve(problem, loss=loss, tol=1e-8)
    assert solution.status == "optimal"
    assert np.isfinite([solution.objective, solution.lower_bound, *solution.x]).all()


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
def test_anchors_are_kept(p: float) -> None:
    races = Contests.from_arrays([1, 1, 2, 2, 3, 3], [*"abbcxy"], [5, 3, 4, 1, 7, 2])
    solution = solve(races, p, anchors={"a": 100.0, "y": 50.0}, tol=1e-8)
    x = dict(zip(races.names, solution.x.tolist(), strict=True))
    expected = {"a": 100, "b": 98, "c": 95, "x": 55, "y": 50}
    assert x == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"anchors": {"Z": 1.0}}, "Z"),
        ({"anchors": {"A": math.nan}}, "nan"),
        ({"ridge": -1.0}, "ridge"),
        ({"ridge": 1.0, "prior": [0.0, math.nan, 0.0]}, "nan"),
        (
            {"p": 0.5, "anchors": {"A": 1}},
            "p is 0.5; ridge, prior and anchors need a p of 1 or more",
        ),
    ],
)
def test_bad_demands_are_refused(options: dict[str, object], words: str) -> None:
    problem = Judgments.from_arrays([*"ABA"], [*"BCC"], [1, 1, 5])
    with pytest.raises(InputError) as caught:
        solve(problem, **({"p": 1.5} | options))
    assert words in str(caught.value)


@pytest.mark.parametrize("p", [1.05, 3, 50])
def test_odd_problems(p: float) -> None:
    assert solve(Judgments.from_arrays([], [], []), p).objective == 0
    assert solve(Contests.from_arrays(["r"], ["a"], [1.0]), p).x.tolist() == [0]
    assert solve(Judgments.from_arrays("aab", "bcc", [0, 0, 0]), p).objective == 0
    consistent = solve(Judgments.from_arrays("abc", "bcd", [1e9, -2e9, 5e8]), p)
    np.testing.assert_allclose(np.diff(consistent.x), [-1e9, 2e9, -5e8], rtol=1e-9)


def test_many_components_at_once() -> None:
    count, rng = 5000, np.random.default_rng(1)
    first = 3 * np.arange(count)
    a, b = np.repeat(first, 3), np.stack([first + 1, first + 2, first + 2], 1).ravel()
    a[2::3] += 1
    y = rng.normal(size=3 * count) * np.repeat(10.0 ** rng.uniform(-3, 6, count), 3)
    solution = solve(Judgments(a, b, y, np.ones(3 * count), tuple(range(3 * count))), 3)
    # In a triangle of equal weights every residual is a third of the cycle's sum, whatever p.
    cycle = y[0::3] + y[2::3] - y[1::3]
    residual = (y - solution.x[a] + solution.x[b])[0::3]
    np.testing.assert_allclose(residual, cycle / 3, rtol=1e-3)


@pytest.mark.parametrize("p", [1.5, 3])
def test_the_papers_sets(p: float, paper_data: object) -> None:
    from qrja import read_contests

    races = read_contests(paper_data / "chess.csv", contest="contest", score="score")
    assert solve(races, p).gap <= 1e-8
