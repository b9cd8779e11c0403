"""p = 1 on numbers of all kinds, and on odd and large problems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from l1_problems import (
    check,
    random_contests,
    random_judgments,
)
from qrja import Contests, Judgments, solve
from qrja.solvers.l1 import L1Stream
from qrja.solvers.l1 import records as _l1_records


@pytest.mark.parametrize(
    ("problem", "objective"),
    [
        (Judgments.from_arrays([], [], []), 0),
        (Judgments([], [], [], [], ("alone",)), 0),
        (Judgments([], [], [], [], tuple(range(5))), 0),
        (Contests.from_arrays([], [], []), 0),
        (Contests.from_arrays(["r"], ["a"], [1.0]), 0),
        (Contests.from_arrays([1, 2, 3], "aab", [1.0, 5.0, 2.0]), 0),
        (Judgments.from_arrays(["a"], ["b"], [3]), 0),
        (Judgments.from_arrays(["a"], ["b"], [0]), 0),
        (Judgments.from_arrays(["a", "b"], ["b", "a"], [1, 1]), 2),
        (Judgments.from_arrays(["a", "b"], ["b", "a"], [1, 1], [1, 3]), 2),
        (Judgments.from_arrays("aaaa", "bbbb", [1, 1, 1, 9]), 8),
        (Contests.from_arrays([1, 1, 2, 2], "abab", [1e12, -1e12, 1e12, 1e12]), 2e12),
        (Judgments.from_arrays("abc", "bca", [1e12, 1e12, 1]), 2e12 + 1),
        (Contests.from_arrays([1, 1, 1, 2, 2, 2], "abcabc", [0] * 6), 0),
    ],
)
def test_small_and_odd_problems(problem: Contests | Judgments, objective: float) -> None:
    solution = check(problem)
    assert (solution.objective, solution.gap) == (objective, 0)


def test_one_judgment_is_believed() -> None:
    assert solve(Judgments.from_arrays(["a"], ["b"], [3]), p=1).x.tolist() == [1.5, -1.5]


@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1.0, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("real", [False, True])
def test_the_scale_of_scores_does_not_matter(factor: float, real: bool) -> None:
    races = random_contests(30, 10, 6, seed=10, real=real)
    score = races.score * factor
    scaled = Contests(races.start, races.who, score, races.names, races.labels, races.weight)
    objective = solve(races, p=1).objective
    for problem in (scaled, scaled.to_judgments()):
        solution = check(problem)
        assert solution.gap <= 1e-9
        assert solution.objective == pytest.approx(objective * factor, rel=1e-9)


@pytest.mark.parametrize("spread", [3, 9, 15])
def test_weights_over_many_orders_of_magnitude(spread: int) -> None:
    rng = np.random.default_rng(spread)
    pairs = random_judgments(20, 120, seed=spread, real=True)
    w = 10.0 ** rng.uniform(-spread, 0, pairs.m)
    weighted = Judgments(pairs.a, pairs.b, pairs.y, w, pairs.names)
    solution = solve(weighted, p=1)
    # No bound is claimed that is not proved, whatever the rounding of the weights.
    assert solution.status == ("optimal" if solution.gap <= 1e-9 else "inexact")
    if spread <= 9:
        check(weighted, solution)


# Below 1e-280 a grid of 57 bits would pass the range of floats.
SCORES = st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-280)


@given(st.lists(SCORES, min_size=4, max_size=4), st.integers(0, 2**32))
def test_scores_that_agree_up_to_rounding_are_believed(truth: list, seed: int) -> None:
    x, rng = np.array(truth), np.random.default_rng(seed)
    a = rng.integers(0, 4, 9)
    b = (a + rng.integers(1, 4, 9)) % 4
    problem = Judgments(a, b, x[a] - x[b], rng.uniform(0.5, 2, 9), tuple(range(4)))
    solution = solve(problem, p=1)
    size = 1 + np.abs(x).max()
    np.testing.assert_allclose(solution.x[a] - solution.x[b], problem.y, atol=1e-12 * size)
    assert solution.gap <= 1e-9
    assert solution.objective <= 1e-13 * size * problem.w.sum()


@pytest.mark.parametrize("noise", [1e-13, 1e-11, 1e-9])
def test_integers_with_noise_are_proved_with_their_noise(noise: float) -> None:
    races = random_contests(20, 8, 6, seed=19)
    score = races.score + np.random.default_rng(20).normal(size=races.entries) * noise
    noisy = Contests(races.start, races.who, score, races.names, races.labels, races.weight)
    stream = L1Stream()
    for contest in noisy:
        stream.append(contest.who, contest.score)
        assert stream.solve().gap <= 1e-9
    for problem in (noisy, noisy.to_judgments()):
        assert check(problem).objective == pytest.approx(stream.solve().objective, rel=1e-9)
    agreeing = Contests.from_arrays([1, 1, 2, 2, 3, 3], "abbcca", [0, 3, 5 + noise, 9, 7, 0])
    assert check(agreeing).objective == pytest.approx(noise, rel=1e-2)


def test_a_hundred_thousand_components() -> None:
    count, rng = 100_000, np.random.default_rng(11)
    first = 3 * np.arange(count)
    a, b = np.repeat(first, 3), np.stack([first + 1, first + 2, first + 2], 1).ravel()
    a[2::3] += 1
    y = rng.integers(-9, 10, 3 * count).astype(float)
    solution = solve(Judgments(a, b, y, np.ones(3 * count), tuple(range(3 * count))), p=1)
    assert solution.objective == np.abs(y[0::3] + y[2::3] - y[1::3]).sum()
    assert solution.gap == 0
    races = Contests(
        np.arange(0, 2 * count + 1, 2),
        np.arange(2 * count, dtype=np.int32),
        rng.normal(size=2 * count),
        tuple(range(2 * count)),
        tuple(range(count)),
        np.ones(count),
    )
    assert solve(races, p=1).objective == pytest.approx(0, abs=1e-9)


def test_a_contest_of_fifty_thousand() -> None:
    rng, n = np.random.default_rng(12), 50_000
    field, score = np.arange(n, dtype=np.int32), rng.integers(0, 10**6, n).astype(float)
    names = tuple(range(n))
    once = Contests([0, n], field, score, names, ("big",), [1.0])
    np.testing.assert_allclose(solve(once, p=1).x, score - score.mean(), atol=1e-6)
    few_back = rng.permutation(n)[:20].astype(np.int32)
    who, again = np.append(field, few_back), np.append(score, rng.permutation(score)[:20])
    twice = Contests([0, n, n + 20], who, again, names, ("big", "small"), [1.0, 1.0])
    solution = solve(twice, p=1)
    assert (solution.gap, solution.status) == (0, "optimal")
    assert solution.objective > 0


def test_the_answer_does_not_depend_on_who_is_repaired_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = [random_contests(80, 25, 12, seed=21), random_judgments(40, 300, seed=22)]
    usual = [solve(problem, p=1) for problem in problems]
    monkeypatch.setattr(_l1_records, "PATIENCE", 0)
    for problem, before in zip(problems, usual, strict=True):
        now = check(problem)
        assert now.iterations != before.iterations
        assert now.objective == before.objective
        np.testing.assert_allclose(now.x, before.x, atol=1e-9)


def test_a_long_path_and_a_ring_need_no_recursion() -> None:
    n, rng = 4000, np.random.default_rng(13)
    y = rng.integers(-5, 6, n).astype(float)
    ring = Judgments(np.arange(n), (np.arange(n) + 1) % n, y, np.ones(n), tuple(range(n)))
    assert solve(ring, p=1).objective == abs(y.sum())
