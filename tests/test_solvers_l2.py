"""p = 2 against dense least squares, its own certificate, and the invariances of the model."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests, InputError, Judgments, QRJAWarning, solve
from qrja.laplacian import solver
from reference.squares import dual_bound, least_squares
from strategies import contests, judgments, shift_first, side_by_side


def check(problem: Contests | Judgments) -> np.ndarray:
    """Solve, and verify everything the solution claims from the written-out judgments."""
    solution = solve(problem, p=2)
    pairs = problem.to_judgments() if isinstance(problem, Contests) else problem
    x, objective = least_squares(pairs)
    scale = 1 + np.abs(pairs.y).max(initial=0)
    np.testing.assert_allclose(solution.x, x, atol=1e-8 * scale)
    assert solution.objective == pytest.approx(objective, rel=1e-9, abs=1e-12 * scale**2)
    assert solution.status == "optimal"
    assert 0 <= solution.gap <= 1e-9
    assert solution.lower_bound <= solution.objective
    bound, unconserved = dual_bound(pairs, solution.flow(), p=2)
    assert unconserved <= 1e-9 * scale * (1 + pairs.w.sum())
    assert bound == pytest.approx(solution.lower_bound, rel=1e-9, abs=1e-9 * scale**2)
    return solution.x


@given(judgments())
def test_judgments_agree_with_dense_least_squares(problem: Judgments) -> None:
    check(problem)


@given(contests())
def test_contests_agree_with_dense_least_squares(problem: Contests) -> None:
    check(problem)
    check(problem.with_pairs("mean"))


@given(contests())
def test_contests_and_their_pairs_have_one_answer(problem: Contests) -> None:
    direct, written = solve(problem, p=2), solve(problem.to_judgments(), p=2)
    scale = 1 + np.abs(problem.score).max(initial=0)
    np.testing.assert_allclose(direct.x, written.x, atol=1e-9 * scale)


@given(judgments(), st.floats(1e-6, 1e9), st.randoms(use_true_random=False))
def test_invariances(problem: Judgments, factor: float, random: object) -> None:
    x = solve(problem, p=2).x
    scale = 1 + np.abs(problem.y).max(initial=0)
    close = {"atol": 1e-9 * scale}
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    scaled = solve(Judgments(a, b, y * factor, w, names), p=2).x
    np.testing.assert_allclose(scaled / factor, x, **close)
    np.testing.assert_allclose(solve(Judgments(b, a, -y, w, names), p=2).x, x, **close)
    np.testing.assert_allclose(solve(Judgments(a, b, -y, w, names), p=2).x, -x, **close)
    np.testing.assert_allclose(solve(Judgments(a, b, y, 7 * w, names), p=2).x, x, **close)
    halves = Judgments(np.tile(a, 2), np.tile(b, 2), np.tile(y, 2), np.tile(w / 2, 2), names)
    np.testing.assert_allclose(solve(halves, p=2).x, x, **close)
    order = np.arange(len(names))
    random.shuffle(order)
    relabelled = Judgments(order[a], order[b], y, w, names)
    np.testing.assert_allclose(solve(relabelled, p=2).x[order], x, **close)


@given(contests(), st.integers(-(10**9), 10**9))
def test_a_contest_may_be_shifted(problem: Contests, shift: int) -> None:
    moved = shift_first(problem, shift)
    scale = 1 + np.abs(moved.score).max(initial=0)
    np.testing.assert_allclose(solve(moved, p=2).x, solve(problem, p=2).x, atol=1e-9 * scale)


@given(judgments(), judgments())
def test_components_do_not_see_each_other(one: Judgments, other: Judgments) -> None:
    x = solve(side_by_side(one, other, 1e9), p=2).x
    scale = 1 + np.abs(one.y).max(initial=0)
    np.testing.assert_allclose(x[: one.n], solve(one, p=2).x, atol=1e-8 * scale)


def test_each_component_has_mean_zero_and_isolated_candidates_score_zero() -> None:
    problem = Judgments([0, 3], [1, 4], [2.0, 5.0], [1.0, 1.0], tuple("abcde"))
    solution = solve(problem, p=2)
    np.testing.assert_allclose(solution.x, [1, -1, 0, 2.5, -2.5])
    assert solution.components.tolist() == [0, 0, 2, 1, 1]


@pytest.mark.parametrize(
    "problem",
    [
        Judgments.from_arrays([], [], []),
        Contests.from_arrays([], [], []),
        Contests.from_arrays(["r"], ["a"], [1.0]),
        Judgments.from_arrays(["a"], ["b"], [0]),
        Judgments.from_arrays(["a", "b"], ["b", "a"], [1, 1]),
        Contests.from_arrays([1, 1, 2, 2], "abab", [1e12, -1e12, 1e12, 1e12]),
    ],
)
def test_small_and_odd_problems(problem: Contests | Judgments) -> None:
    check(problem)


def test_weights_over_twelve_orders_of_magnitude() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 300, 1500)
    b = (a + rng.integers(1, 300, 1500)) % 300
    w = 10.0 ** rng.uniform(-6, 6, 1500)
    solution = solve(Judgments(a, b, rng.normal(size=1500), w, tuple(range(300))), p=2)
    assert solution.status == "optimal"


def test_many_components_of_very_different_scale() -> None:
    count, rng = 20_000, np.random.default_rng(1)
    first = 3 * np.arange(count)
    a, b = np.repeat(first, 3), np.stack([first + 1, first + 2, first + 2], 1).ravel()
    a[2::3] += 1
    y = rng.normal(size=3 * count) * np.repeat(10.0 ** rng.uniform(-6, 9, count), 3)
    solution = solve(Judgments(a, b, y, np.ones(3 * count), tuple(range(3 * count))), p=2)
    # A triangle's residual is a third of its cycle sum, on each of its sides.
    cycle = y[0::3] + y[2::3] - y[1::3]
    residual = (y - solution.x[a] + solution.x[b])[0::3]
    np.testing.assert_allclose(residual, cycle / 3, rtol=1e-6, atol=0)


def test_a_contest_of_fifty_thousand() -> None:
    rng = np.random.default_rng(2)
    score = rng.normal(size=50_000)
    field = np.arange(50_000, dtype=np.int32)
    contests = Contests([0, 50_000], field, score, tuple(range(50_000)), ("big",), [1.0])
    solution = solve(contests, p=2)
    np.testing.assert_allclose(solution.x, score - score.mean(), atol=1e-12)


def ring(n: int) -> Judgments:
    y = np.random.default_rng(3).normal(size=n)
    return Judgments(np.arange(n), (np.arange(n) + 1) % n, y, np.ones(n), tuple(range(n)))


def test_hard_graphs_are_factorised() -> None:
    solution = solve(ring(5000), p=2)
    assert solution.status == "optimal"
    assert solution.iterations < solver.EASY_STEPS + 50
    assert solution.objective == pytest.approx(ring(5000).y.sum() ** 2 / 5000, rel=1e-6)


def test_hard_contest_graphs_are_factorised_without_pairs() -> None:
    n = 4000
    who = np.stack([np.arange(n), (np.arange(n) + 1) % n], 1).ravel()
    score = np.random.default_rng(4).normal(size=2 * n)
    contests = Contests.from_arrays(np.repeat(np.arange(n), 2), who, score)
    assert solve(contests, p=2).status == "optimal"


def test_neighbours_who_meet_often_are_factorised_without_their_contests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twelve contests for each of 1,500 on a ring: too many nodes as stars, few as pairs."""
    monkeypatch.setattr(solver, "FACTOR_NODES", 2000)
    monkeypatch.setattr(solver, "HARD_STEPS", 10)  # degrees would not do
    rng = np.random.default_rng(5)
    first = np.repeat(rng.integers(0, 1500, 18_000), 4)
    who = (first + np.tile(np.arange(4), 18_000)) % 1500
    contests = Contests.from_arrays(np.arange(72_000) // 4, who, rng.normal(size=72_000))
    solution = solve(contests, p=2)
    assert solution.status == "optimal"
    assert solution.check(contests).gap <= 1e-9


def test_larger_hard_graphs_use_multigrid(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyamg", reason="the extra amg is not installed")
    monkeypatch.setattr(solver, "FACTOR_NODES", 100)
    solution = solve(ring(3000), p=2)
    assert solution.status == "optimal"
    assert solution.iterations < solver.EASY_STEPS + 200


def test_without_multigrid_the_user_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver, "FACTOR_NODES", 100)
    monkeypatch.setattr(solver, "HARD_STEPS", 300)
    monkeypatch.setitem(sys.modules, "pyamg", None)
    with pytest.warns(QRJAWarning, match=r"need the package pyamg: pip install 'qrja\[amg\]'"):
        solution = solve(ring(3000), p=2)
    assert solution.status == "inexact"
    assert solution.gap > 1e-9


def test_a_start_from_afar_leaves_no_digits_where_all_is_level() -> None:
    first = Contests.from_arrays("A" * 7, "abcdefg", [-0.5, 0.7, 2.2, -0.9, 1.6, -1.7, 0.6])
    level = Contests.from_arrays("B" * 7, "abcdefg", [1684771603.2598236] * 7)
    solution = solve(level, p=2, start=solve(first, p=2))
    assert (solution.objective, solution.gap, solution.status) == (0.0, 0.0, "optimal")
    assert not solution.x.any()


def test_what_a_heavy_contest_rounds_does_not_move_a_light_one() -> None:
    weight = [1e9, 1e9, 1e9, 1e-6, 1e-6]
    races = Contests.from_arrays("AAABB", "xyzyu", [1.0, 1.0, 1e-9, 0.0, 1.0], weight=weight)
    solution = solve(races, p=2)
    assert solution.status == "optimal"
    assert solution.x[3] - solution.x[1] == pytest.approx(1.0, abs=1e-9)


def test_a_start_saves_steps() -> None:
    rng = np.random.default_rng(5)
    contest, who = np.repeat(np.arange(300), 8), rng.integers(0, 400, 2400)
    keep = np.unique(contest * 400 + who, return_index=True)[1]
    races = Contests.from_arrays(contest[keep], who[keep], rng.normal(size=len(keep)))
    whole = solve(races, p=2)
    again = solve(races, p=2, start=whole)
    assert again.iterations < whole.iterations
    warm = solve(races, p=2, start=solve(races[:299], p=2))
    np.testing.assert_allclose(warm.x, whole.x, atol=1e-9)


@pytest.mark.parametrize("score", [71666.0, 71671.0])
def test_results_that_cancel_leave_no_trace(score: float) -> None:
    # What is left of sums that cancel is rounding, which has no least squares of its own.
    contest, who = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3], [0, 1, 2, 0, 1, 2, 0, 1, 0, 1]
    scores = 1.7 * np.array([score, 0, 0, -score, 0, 0, 0, 1, 0, -1])
    races = Contests.from_arrays(contest, who, scores)
    start = None
    for i in range(1, 5):
        start = solve(races[:i], p=2, start=start)
    assert start is not None
    assert np.abs(start.x).max() <= 1e-14 * score


def test_progress_is_told_the_gap() -> None:
    seen: list[float] = []
    solution = solve(ring(50), p=2, progress=seen.append)
    assert seen[-1] == solution.gap


@pytest.mark.parametrize("p", [0, -1, float("nan"), "two", True])
def test_a_bad_power_is_refused(p: object) -> None:
    with pytest.raises(InputError, match=r"give a positive number such as 1, 1\.5 or 2"):
        solve(ring(5), p=p)


def test_a_bad_problem_is_refused() -> None:
    with pytest.raises(InputError, match="problem is a list; give Contests or Judgments"):
        solve([1, 2], p=2)
