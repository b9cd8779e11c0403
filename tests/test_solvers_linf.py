"""p = infinity against a linear program, all cycles, its own certificate and the invariances."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests, InputError, Judgments, read_contests, solve
from qrja.jit import interpreter, which_way
from qrja.solution import Solution
from qrja.solvers.l2 import solve_l2
from qrja.solvers.linf import largest_error, solve_linf
from qrja.solvers.linf import minimax as linf
from reference.graphs import incidence
from reference.largest import (
    half_way_optimum,
    largest_cycle_ratio,
    smallest_largest_error,
)
from strategies import contests, judgments, shift_first, side_by_side


def scale_of(problem: Judgments) -> float:
    return 1 + float(np.max(problem.w * np.abs(problem.y), initial=0))


def some_anchors(data: st.DataObject, n: int) -> dict[int, float]:
    values = st.integers(-5, 5).map(float) | st.floats(-1e3, 1e3).map(lambda v: round(v, 2))
    return data.draw(st.dictionaries(st.integers(0, max(n - 1, 0)), values, max_size=n))


def prove(problem: Contests | Judgments, *, anchors: dict[int, float] | None = None) -> Solution:
    """Solve with anchors; recompute objective and bound from the judgments."""
    anchors = {problem.names[v]: c for v, c in (anchors or {}).items()}
    solution = solve(problem, np.inf, anchors=anchors)
    pairs = problem.to_judgments() if isinstance(problem, Contests) else problem
    A, goal = incidence(pairs), np.zeros(problem.n)
    free = np.array([name not in anchors for name in problem.names], dtype=bool)
    goal[~free] = [anchors[name] for name, one in zip(problem.names, free, strict=True) if not one]
    np.testing.assert_array_equal(solution.x[~free], goal[~free])
    objective = np.max(pairs.w * np.abs(A @ solution.x - pairs.y), initial=0)
    size = 1 + np.max(pairs.w * np.abs(pairs.y), initial=0) + np.abs(goal).max(initial=0)
    assert solution.objective == pytest.approx(objective, rel=1e-9, abs=1e-9 * size)
    assert (solution.status, solution.certificate) == ("optimal", "flow")
    flow = solution.flow()
    spent, leaving = np.sum(np.abs(flow) / pairs.w), (A.T @ flow)[free]
    assert spent <= 1 + 1e-9
    bound = flow @ (pairs.y - A @ goal)
    np.testing.assert_allclose(leaving, 0, atol=1e-12 * pairs.w.max(initial=1))
    assert bound == pytest.approx(solution.lower_bound, rel=1e-8, abs=1e-9 * size)
    assert objective - bound <= 1e-8 * (objective + size * 1e-2)
    return solution


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
    moved = shift_first(problem, shift)
    scale = 1 + np.abs(moved.score).max(initial=0)
    np.testing.assert_allclose(solve_linf(moved).x, solve_linf(problem).x, atol=1e-8 * scale)


def test_the_levels_of_contests_cost_no_digits() -> None:
    random = np.random.default_rng(0)
    who = np.concatenate([random.permutation(6)[:4] for _ in range(12)])
    margins, level = random.normal(size=48), 1e9 * np.repeat(np.arange(12), 4)
    races = Contests.from_arrays(np.repeat(np.arange(12), 4), who, margins + level)
    solution = solve(races, np.inf)
    assert solution.status == "optimal"
    pairs = races.to_judgments()
    error = np.abs(solution.x[pairs.a] - solution.x[pairs.b] - pairs.y).max()
    assert solution.objective == pytest.approx(error, rel=1e-12)


@given(judgments(), judgments())
def test_components_do_not_see_each_other(one: Judgments, other: Judgments) -> None:
    merged = side_by_side(one, other, 1e6)
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
    n, rng = 3_000, np.random.default_rng(3)
    y = rng.normal(size=n)
    ring = Judgments(np.arange(n), (np.arange(n) + 1) % n, y, np.ones(n), tuple(range(n)))
    assert solve_linf(ring).objective == pytest.approx(abs(y.sum()) / n, rel=1e-9)
    node = np.arange(1600).reshape(40, 40)
    a = np.append(node[:, 1:].ravel(), node[1:].ravel())
    b = np.append(node[:, :-1].ravel(), node[:-1].ravel())
    check(Judgments(a, b, rng.normal(size=len(a)), np.ones(len(a)), tuple(range(1600))))


def test_rounding_does_not_go_round_in_circles(paper_data: Path) -> None:
    races = read_contests(paper_data / "codeforces.csv", contest="contest", score="score")
    solution = solve_linf(races)
    assert solution.status == "optimal"
    assert solution.iterations < 100


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


@given(judgments(), st.data())
def test_anchors_agree_with_the_linear_program(problem: Judgments, data: st.DataObject) -> None:
    anchors = some_anchors(data, problem.n)
    solution = prove(problem, anchors=anchors)
    best = smallest_largest_error(problem, anchors)
    assert solution.objective == pytest.approx(best, rel=1e-6, abs=1e-6 * scale_of(problem))


@given(contests(), st.data())
def test_anchored_contests_and_their_pairs_have_one_answer(
    problem: Contests, data: st.DataObject
) -> None:
    anchors = some_anchors(data, problem.n) if problem.n else {}
    direct, written = (
        prove(problem, anchors=anchors),
        prove(problem.to_judgments(), anchors=anchors),
    )
    scale = 1 + np.abs(problem.score).max(initial=0)
    np.testing.assert_allclose(direct.x, written.x, atol=1e-7 * scale)
    assert direct.objective == pytest.approx(written.objective, abs=1e-9 * scale)
    np.testing.assert_array_equal(direct.components, written.components)


@given(judgments(), st.data(), st.sampled_from([1e-6, 1.0, 1e9]))
def test_anchors_scale_shift_and_turn_around(
    problem: Judgments, data: st.DataObject, factor: float
) -> None:
    anchors = some_anchors(data, problem.n)
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    x = solve_linf(problem, anchors=anchors).x
    close = {"atol": 1e-8 * (1 + np.abs(y).max(initial=0) + np.abs(x).max())}
    larger = {v: factor * c for v, c in anchors.items()}
    scaled = solve_linf(Judgments(a, b, factor * y, w, names), anchors=larger).x
    np.testing.assert_allclose(scaled / factor, x, **close)
    opposite = {v: -c for v, c in anchors.items()}
    turned = solve_linf(Judgments(a, b, -y, w, names), anchors=opposite).x
    np.testing.assert_allclose(turned, -x, **close)
    higher = {v: c + 7 for v, c in anchors.items()}
    shifted = solve_linf(problem, anchors=higher).x
    absolute = np.isin(problem.components, problem.components[list(anchors)])
    np.testing.assert_allclose(shifted, x + 7 * absolute, **close)


def test_anchors_cut_components_and_join_what_compares() -> None:
    # B is between two anchors that disagree with it; X and Y are far off; P and Q stay apart.
    problem = Judgments.from_arrays("ABAXP", "BCCYQ", [1, 1, 5, 3, 8])
    solution = prove(problem, anchors={0: 10.0, 2: 4.0, 4: 1.0})
    np.testing.assert_allclose(solution.x, [10, 7, 4, 4, 1, 4, -4])
    assert solution.objective == 2
    components = solution.components.tolist()
    assert components[:5] == [components[0]] * 5
    assert components[5] == components[6] != components[0]


def test_anchors_that_disagree_among_themselves_do_not_spoil_the_rest() -> None:
    races = Contests.from_arrays([1] * 4 + [2] * 3, [*"abcdabe"], [9, 5, 4, 1, 3, 2, 0])
    solution = prove(races, anchors={0: 100.0, 1: 0.0})
    assert solution.objective == 99
    # a and b ask for 95 and -1 of c; half-way both err by 48, and d follows c.
    x = dict(zip(races.names, solution.x.tolist(), strict=True))
    assert x == pytest.approx({"a": 100, "b": 0, "c": 47, "d": 44, "e": 47.5})
    assert np.flatnonzero(solution.flow()).tolist() == [6]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"anchors": {"Z": 1.0}}, "anchor 'Z' is not a candidate"),
        ({"anchors": {"A": np.nan}}, "anchor 'A' is nan; give a finite number"),
        ({"ridge": -1.0}, "ridge is -1.0; give a finite number of at least 0"),
        ({"ridge": 0.5}, "ridge is 0.5; p = inf takes none: give a large p such as 50, or anchors"),
        ({"prior": [0.0, 0.0, 0.0]}, "a prior is given; p = inf takes none: give a large p"),
        ({"tol": 0.0}, "tol is 0.0; give a number between 0 and 1"),
    ],
)
def test_bad_demands_are_refused(options: dict[str, object], words: str) -> None:
    problem = Judgments.from_arrays([*"ABA"], [*"BCC"], [1, 1, 5])
    with pytest.raises(InputError) as caught:
        solve(problem, np.inf, **options)
    assert words in str(caught.value)


def test_rounding_does_not_go_round_a_long_ring() -> None:
    n = 3000
    margins = np.random.default_rng(0).normal(size=n).round(2)
    ring = Judgments.from_arrays(np.arange(n), (np.arange(n) + 1) % n, margins)
    solution = solve(ring, p=np.inf)
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(abs(margins.sum()) / n)
    assert solution.iterations < 1000


@given(contests(), st.booleans())
def test_passes_over_arrays_find_the_same_optimum(races: Contests, explicit: bool) -> None:
    problem = races.to_judgments() if explicit else races
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(which_way, "WISH", "never")
        expected = solve_linf(problem)
        patch.setattr(interpreter, "count_elements", lambda arguments: 1_000_000)
        found = solve_linf(problem)
    scale = 1 + np.abs(problem.score).max(initial=0)
    np.testing.assert_allclose(found.x, expected.x, atol=1e-9 * scale)
    assert found.objective == pytest.approx(expected.objective, rel=1e-12, abs=1e-12 * scale)
    assert found.gap <= 1e-9 or found.objective <= 1e-12 * scale
    assert found.status == expected.status
