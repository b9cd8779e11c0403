"""p = infinity against a linear program, all cycles, its own certificate and the invariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests, Judgments
from qrja.solution import Solution
from qrja.solvers import linf
from qrja.solvers.l2 import solve_l2
from qrja.solvers.linf import largest_error, solve_linf
from reference import half_way_optimum, incidence, largest_cycle_ratio, smallest_largest_error
from strategies import contests, judgments


def scale_of(problem: Judgments) -> float:
    return 1 + float(np.max(problem.w * np.abs(problem.y), initial=0))


def check(problem: Contests | Judgments) -> Solution:
    """Solve, and verify everything the solution claims from the written-out judgments."""
    solution = solve_linf(problem)
    pairs = problem.to_judgments() if isinstance(problem, Contests) else problem
    A, close = incidence(pairs), 1e-9 * scale_of(pairs)
    errors = pairs.w * np.abs(A @ solution.x - pairs.y)
    assert solution.objective == pytest.approx(errors.max(initial=0), abs=close)
    assert solution.status == "optimal"
    assert 0 <= solution.gap <= 1e-9
    assert solution.objective - close <= solution.lower_bound <= solution.objective
    flow = solution.flow()
    np.testing.assert_allclose(A.T @ flow, 0, atol=1e-12)
    assert np.sum(np.abs(flow) / pairs.w) <= 1 + 1e-12
    assert flow @ pairs.y == pytest.approx(solution.lower_bound, abs=close)
    return solution


@given(judgments())
def test_judgments_agree_with_the_linear_program(problem: Judgments) -> None:
    solution = check(problem)
    best = smallest_largest_error(problem)
    assert solution.objective == pytest.approx(best, abs=1e-6 * scale_of(problem))


@given(contests())
def test_contests_agree_with_the_linear_program(problem: Contests) -> None:
    for rule in ("unit", "mean"):
        solution = check(problem.with_pairs(rule))
        pairs = problem.with_pairs(rule).to_judgments()
        best = smallest_largest_error(pairs)
        assert solution.objective == pytest.approx(best, abs=1e-6 * scale_of(pairs))


@given(judgments(max_candidates=5, max_judgments=7))
def test_the_optimum_is_the_largest_ratio_of_a_cycle(problem: Judgments) -> None:
    ratio = largest_cycle_ratio(problem)
    assert solve_linf(problem).objective == pytest.approx(ratio, abs=1e-9 * scale_of(problem))


@given(judgments())
def test_every_component_is_solved_and_half_way_from_least_squares(problem: Judgments) -> None:
    x, near = solve_linf(problem).x, solve_l2(problem).x
    for c in range(problem.components.max() + 1):
        inside = np.flatnonzero(problem.components == c)
        rows = problem.components[problem.a] == c
        number = np.zeros(problem.n, dtype=int)
        number[inside] = np.arange(len(inside))
        a, b = number[problem.a[rows]], number[problem.b[rows]]
        part = Judgments(a, b, problem.y[rows], problem.w[rows], tuple(range(len(inside))))
        t = largest_error(part, x[inside])
        close = 1e-9 * scale_of(problem)
        assert t == pytest.approx(solve_linf(part).objective, abs=close)
        twin = half_way_optimum(part, t, near[inside])
        # A t that is larger by rounding lets the two extremes part by as much per step.
        np.testing.assert_allclose(x[inside], twin - twin.mean(), atol=100 * close)


@given(contests())
def test_contests_and_their_pairs_have_one_answer(problem: Contests) -> None:
    direct, written = solve_linf(problem), solve_linf(problem.to_judgments())
    scale = 1 + np.abs(problem.score).max(initial=0)
    np.testing.assert_allclose(direct.x, written.x, atol=1e-7 * scale)
    assert direct.objective == pytest.approx(written.objective, abs=1e-9 * scale)


@given(judgments(), st.floats(1e-6, 1e9), st.randoms(use_true_random=False))
def test_invariances(problem: Judgments, factor: float, random: object) -> None:
    x = solve_linf(problem).x
    close = {"atol": 1e-8 * (1 + np.abs(problem.y).max(initial=0))}
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    scaled = solve_linf(Judgments(a, b, y * factor, w, names)).x
    np.testing.assert_allclose(scaled / factor, x, **close)
    np.testing.assert_allclose(solve_linf(Judgments(b, a, -y, w, names)).x, x, **close)
    np.testing.assert_allclose(solve_linf(Judgments(a, b, -y, w, names)).x, -x, **close)
    np.testing.assert_allclose(solve_linf(Judgments(a, b, y, 7 * w, names)).x, x, **close)
    twice = Judgments(np.tile(a, 2), np.tile(b, 2), np.tile(y, 2), np.tile(w, 2), names)
    np.testing.assert_allclose(solve_linf(twice).x, x, **close)
    tilt = np.arange(len(names)) * 3.0
    tilted = solve_linf(Judgments(a, b, y + tilt[a] - tilt[b], w, names)).x - tilt
    same = problem.components[:, None] == problem.components[None, :]
    np.testing.assert_allclose((tilted[:, None] - tilted - x[:, None] + x)[same], 0, **close)
    order = np.arange(len(names))
    random.shuffle(order)
    relabelled = Judgments(order[a], order[b], y, w, names)
    np.testing.assert_allclose(solve_linf(relabelled).x[order], x, **close)


@given(contests(), st.integers(-(10**9), 10**9))
def test_a_contest_may_be_shifted(problem: Contests, shift: int) -> None:
    if not len(problem):
        return
    score = problem.score.copy()
    score[: problem.start[1]] += shift
    moved = Contests(
        problem.start, problem.who, score, problem.names, problem.labels, problem.weight
    )
    scale = 1 + np.abs(score).max(initial=0)
    np.testing.assert_allclose(solve_linf(moved).x, solve_linf(problem).x, atol=1e-8 * scale)


@given(judgments(), judgments())
def test_components_do_not_see_each_other(one: Judgments, other: Judgments) -> None:
    merged = Judgments(
        np.concatenate([one.a, other.a + one.n]),
        np.concatenate([one.b, other.b + one.n]),
        np.concatenate([one.y, other.y * 1e6]),
        np.concatenate([one.w, other.w]),
        tuple(range(one.n + other.n)),
    )
    scale = 1 + np.abs(one.y).max(initial=0)
    np.testing.assert_allclose(solve_linf(merged).x[: one.n], solve_linf(one).x, atol=1e-8 * scale)


@pytest.mark.parametrize(
    ("problem", "objective"),
    [
        (Judgments.from_arrays([], [], []), 0),
        (Judgments([], [], [], [], ("alone",)), 0),
        (Contests.from_arrays([], [], []), 0),
        (Contests.from_arrays(["r"], ["a"], [1.0]), 0),
        (Judgments.from_arrays(["a"], ["b"], [0]), 0),
        (Judgments.from_arrays(["a", "b"], ["b", "a"], [1, 1]), 1),
        (Judgments.from_arrays(["a", "b"], ["b", "a"], [1, 1], [1, 3]), 1.5),
        (Contests.from_arrays([1, 1, 2, 2], "abab", [1e12, -1e12, 1e12, 1e12]), 1e12),
        (Judgments.from_arrays("abc", "bca", [1e12, 1e12, 1]), (2e12 + 1) / 3),
    ],
)
def test_small_and_odd_problems(problem: Contests | Judgments, objective: float) -> None:
    assert check(problem).objective == pytest.approx(objective, rel=1e-15)


def test_a_known_answer_with_freedom() -> None:
    # The triangle a > b > c > a disagrees by 3, a third each; d hangs on c and may not move.
    problem = Judgments.from_arrays("abcc", "bcad", [1, 1, 1, 5])
    solution = check(problem)
    np.testing.assert_allclose(solution.x, [1.25, 1.25, 1.25, -3.75])
    assert solution.objective == 1
    assert solution.optimum == "nearest least squares"
    np.testing.assert_allclose(np.abs(solution.flow()), [1 / 3, 1 / 3, 1 / 3, 0])


def test_weights_over_twelve_orders_of_magnitude() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 300, 1500)
    b = (a + rng.integers(1, 300, 1500)) % 300
    w = 10.0 ** rng.uniform(-6, 6, 1500)
    solution = solve_linf(Judgments(a, b, rng.normal(size=1500), w, tuple(range(300))))
    assert solution.status == "optimal"


def test_a_hundred_thousand_components_of_very_different_scale() -> None:
    count, rng = 100_000, np.random.default_rng(1)
    first = 3 * np.arange(count)
    a, b = np.repeat(first, 3), np.stack([first + 1, first + 2, first + 2], 1).ravel()
    a[2::3] += 1
    y = rng.normal(size=3 * count) * np.repeat(10.0 ** rng.uniform(-6, 9, count), 3)
    solution = solve_linf(Judgments(a, b, y, np.ones(3 * count), tuple(range(3 * count))))
    residual = np.abs(y - solution.x[a] + solution.x[b]).reshape(-1, 3).max(axis=1)
    cycle = np.abs(y[0::3] + y[2::3] - y[1::3])
    np.testing.assert_allclose(residual, cycle / 3, rtol=1e-6, atol=0)


def test_a_contest_of_fifty_thousand() -> None:
    rng = np.random.default_rng(2)
    score = rng.normal(size=50_000)
    field = np.arange(50_000, dtype=np.int32)
    contests = Contests([0, 50_000], field, score, tuple(range(50_000)), ("big",), [1.0])
    solution = solve_linf(contests)
    np.testing.assert_allclose(solution.x, score - score.mean(), atol=1e-12)
    again = rng.permutation(score)
    twice = Contests(
        [0, 50_000, 100_000],
        np.tile(field, 2),
        np.append(score, again),
        contests.names,
        ("big", "bigger"),
        [1.0, 1.0],
    )
    # Two contests of the same field: the differences of scores range over twice the optimum.
    best = np.ptp(score - again) / 2
    assert solve_linf(twice).objective == pytest.approx(best, rel=1e-12)


def test_long_cycles_and_grids() -> None:
    n, rng = 20_000, np.random.default_rng(3)
    y = rng.normal(size=n)
    ring = Judgments(np.arange(n), (np.arange(n) + 1) % n, y, np.ones(n), tuple(range(n)))
    assert solve_linf(ring).objective == pytest.approx(abs(y.sum()) / n, rel=1e-9)
    node = np.arange(1600).reshape(40, 40)
    a = np.append(node[:, 1:].ravel(), node[1:].ravel())
    b = np.append(node[:, :-1].ravel(), node[:-1].ravel())
    check(Judgments(a, b, rng.normal(size=len(a)), np.ones(len(a)), tuple(range(1600))))


def test_progress_is_told_the_gap() -> None:
    rng = np.random.default_rng(4)
    a = rng.integers(0, 200, 1000)
    b = (a + rng.integers(1, 200, 1000)) % 200
    problem = Judgments(a, b, rng.normal(size=1000), np.ones(1000), tuple(range(200)))
    told: list[float] = []
    solution = solve_linf(problem, progress=told.append)
    assert len(told) == solution.iterations > 1
    assert told[-1] == pytest.approx(0, abs=1e-9)
    assert all(0 <= gap <= 1 for gap in told)


def test_a_solution_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linf, "ROUNDS", 0)
    solution = solve_linf(Judgments.from_arrays("aab", "bbc", [1, 2, 1]))
    assert (solution.status, solution.lower_bound) == ("inexact", 0)
    assert solution.gap == pytest.approx(1)
