"""p = 1: exact proofs, HiGHS, spanning trees."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from l1_problems import (
    check,
    few,
    pairs_of,
    prove_exactly,
    random_contests,
    random_judgments,
)
from qrja import Contests, Judgments, read_contests, solve
from qrja.solvers.l1 import L1Stream, driver, solve_l1
from reference.absolute import (
    largest_dual,
    least_absolute,
)
from reference.trees import best_tree_loss
from strategies import contests, judgments


@given(judgments())
def test_primal_equals_dual_in_rationals_for_judgments(problem: Judgments) -> None:
    prove_exactly(problem)


@given(contests())
def test_primal_equals_dual_in_rationals_for_contests(problem: Contests) -> None:
    prove_exactly(problem)


@given(judgments())
def test_judgments_agree_with_a_linear_program(problem: Judgments) -> None:
    best = least_absolute(problem)
    assert check(problem).objective == pytest.approx(best, rel=1e-8, abs=1e-8)


@given(contests())
def test_contests_agree_with_a_linear_program(problem: Contests) -> None:
    best = least_absolute(problem.to_judgments())
    assert check(problem).objective == pytest.approx(best, rel=1e-8, abs=1e-8)


@few
@given(judgments(max_candidates=4, max_judgments=7))
def test_an_optimum_lies_at_a_spanning_tree(problem: Judgments) -> None:
    if problem.components.max(initial=0) == 0:
        best = pytest.approx(best_tree_loss(problem, 1), rel=1e-12, abs=1e-9)
        assert solve_l1(problem).objective == best


@pytest.mark.parametrize("seed", range(4))
def test_larger_problems_with_real_weights_agree_with_a_linear_program(seed: int) -> None:
    pairs = random_judgments(30, 200, seed, real=True)
    races = random_contests(40, 12, 8, seed, real=True)
    for problem in (pairs, races, races.with_pairs("mean")):
        best = least_absolute(pairs_of(problem))
        solution = check(problem)
        assert solution.objective == pytest.approx(best, rel=1e-9)
        assert solution.lower_bound <= best * (1 + 1e-12)
        assert solution.gap <= 1e-9


# ---------------------------------------------------------------------------- invariances


def differences(x: np.ndarray, label: np.ndarray) -> np.ndarray:
    return (x[:, None] - x[None, :])[label[:, None] == label[None, :]]


@given(judgments(), st.integers(-20, 30), st.randoms(use_true_random=False))
def test_invariances(problem: Judgments, power: int, random: object) -> None:
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    x, factor = solve_l1(problem).x, 2.0**power
    close = {"atol": 1e-8 * (1 + np.abs(y).max(initial=0))}
    np.testing.assert_allclose(solve_l1(Judgments(b, a, -y, w, names)).x, x, **close)
    np.testing.assert_allclose(solve_l1(Judgments(a, b, -y, w, names)).x, -x, **close)
    np.testing.assert_allclose(solve_l1(Judgments(a, b, y, 7 * w, names)).x, x, **close)
    scaled = solve_l1(Judgments(a, b, y * factor, w, names)).x / factor
    np.testing.assert_allclose(scaled, x, **close)
    split = Judgments(np.tile(a, 2), np.tile(b, 2), np.tile(y, 2), np.tile(w / 2, 2), names)
    np.testing.assert_allclose(solve_l1(split).x, x, **close)
    order = np.arange(problem.n)
    random.shuffle(order)
    np.testing.assert_allclose(solve_l1(Judgments(order[a], order[b], y, w, names)).x[order], x)


@given(judgments(), st.lists(st.integers(-9, 9), min_size=7, max_size=7))
def test_what_is_added_to_judgments_is_added_to_scores(problem: Judgments, tilt: list) -> None:
    a, b, h = problem.a, problem.b, np.array(tilt[: problem.n], dtype=float)
    whole_y = np.rint(problem.y)
    plain = solve_l1(Judgments(a, b, whole_y, problem.w, problem.names))
    tilted = solve_l1(Judgments(a, b, whole_y + h[a] - h[b], problem.w, problem.names))
    assert tilted.objective == pytest.approx(plain.objective, rel=1e-12)
    one, other = plain.face().numbered, tilted.face().numbered
    for i in range(problem.n):
        at = h - h[i]
        for before, after in zip(one.ranges(i), other.ranges(i), strict=True):
            np.testing.assert_allclose(after, before + at)


@given(contests(), st.integers(-(10**9), 10**9))
def test_a_contest_may_be_shifted(problem: Contests, shift: int) -> None:
    if not len(problem):
        return
    score = np.rint(problem.score)
    moved = score.copy()
    moved[: problem.start[1]] += shift
    x = [
        solve_l1(
            Contests(problem.start, problem.who, s, problem.names, problem.labels, problem.weight)
        ).x
        for s in (score, moved)
    ]
    np.testing.assert_allclose(*x, atol=1e-6)


@given(contests())
def test_contests_and_their_pairs_have_one_answer(problem: Contests) -> None:
    for optimum in ("central", "greatest"):
        direct = solve_l1(problem, optimum=optimum)
        written = solve_l1(problem.to_judgments(), optimum=optimum)
        size = 1 + np.abs(problem.score).max(initial=0)
        np.testing.assert_allclose(direct.x, written.x, atol=1e-8 * size)
        assert direct.objective == pytest.approx(written.objective, rel=1e-12, abs=1e-9)


@few
@given(judgments(), judgments())
def test_components_do_not_see_each_other(one: Judgments, other: Judgments) -> None:
    merged = Judgments(
        np.append(one.a, other.a + one.n),
        np.append(one.b, other.b + one.n),
        np.append(one.y, other.y),
        np.append(one.w, other.w),
        tuple(range(one.n + other.n)),
    )
    size = 1 + np.abs(merged.y).max(initial=0)
    apart = np.append(solve_l1(one).x, solve_l1(other).x)
    np.testing.assert_allclose(solve_l1(merged).x, apart, atol=1e-8 * size)


# ---------------------------------------------------------------------------- conduct


@pytest.mark.parametrize("seed", range(4))
def test_whoever_hangs_on_a_tree_takes_no_pivot(seed: int) -> None:
    """A random tree, judged up to three times along each edge; then the same on a circle."""
    rng = np.random.default_rng(seed)
    child = np.repeat(np.arange(1, 40), rng.integers(1, 4, 39))
    parent = (child * rng.random(40)[child]).astype(int)
    y, w = rng.integers(-9, 10, len(child)), rng.integers(1, 4, len(child))
    tree = Judgments.from_arrays(child, parent, y, w)
    assert check(tree).iterations == 0
    circle = np.arange(5)
    a, b = np.append(child, circle), np.append(parent, (circle + 1) % 5)
    both = Judgments.from_arrays(a, b, np.append(y, [1, 1, 1, 1, 7]), np.append(w, [2] * 5))
    solution = check(both)
    assert solution.iterations < 12
    assert solution.objective == pytest.approx(least_absolute(both))


def test_a_tree_of_margins_that_add_up_to_more_than_integers_hold() -> None:
    n = 3000
    y = np.random.default_rng(0).normal(size=n - 1) + 1
    path = Judgments(np.arange(n - 1), np.arange(1, n), y, np.ones(n - 1), tuple(range(n)))
    solution = solve_l1(path)
    assert (solution.status, solution.iterations) == ("optimal", 0)
    np.testing.assert_allclose(-np.diff(solution.x), y, atol=1e-10)


def test_the_same_problem_has_the_same_answer_to_the_last_bit() -> None:
    for problem in (random_contests(60, 20, 8, 14), random_judgments(40, 300, 15, real=True)):
        one, other = solve(problem, p=1), solve(problem, p=1)
        assert one.x.tobytes() == other.x.tobytes()
        assert one.flow().tobytes() == other.flow().tobytes()
        assert (one.objective, one.iterations) == (other.objective, other.iterations)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "BATCH", 3)


@pytest.mark.usefixtures("small_batches")
def test_progress_is_told_a_bound_on_the_gap() -> None:
    for problem in (random_contests(60, 20, 8, 16), random_judgments(40, 300, 17)):
        told: list[float] = []
        solution = solve(problem, p=1, progress=told.append)
        assert len(told) == solution.iterations // 3 + 1
        assert told[-1] == 0
        assert all(0 <= gap <= 1 for gap in told)


@pytest.mark.usefixtures("small_batches")
def test_an_interrupt_leaves_a_stream_sound() -> None:
    problem = random_contests(60, 20, 8, 18)
    stream, calls = L1Stream(), []

    def interrupt(gap: float) -> None:
        calls.append(gap)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)

    for end, contest in enumerate(problem, 1):
        stream.append(contest.who, contest.score)
        calls.clear()
        try:
            stream.solve(progress=interrupt)
        except KeyboardInterrupt:
            assert len(calls) == 2
        if end % 4 == 0:
            np.testing.assert_allclose(stream.solve().x, solve(problem[:end], p=1).x, atol=1e-9)


@pytest.mark.parametrize("name", ["chess", "codeforces-core"])
def test_sets_of_the_paper_agree_with_a_linear_program(paper_data: Path, name: str) -> None:
    columns = {"contest": "contest", "contestant": "contestant", "score": "score"}
    races = read_contests(paper_data / f"{name}.csv", **columns)
    solution = solve(races, p=1)
    assert solution.gap == 0
    assert solution.objective == pytest.approx(largest_dual(races.to_judgments()), rel=1e-9)
