"""p = 1: exact proofs, HiGHS, spanning trees, and every optimum by linear programs."""

from __future__ import annotations

import signal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrja import Contests, InputError, Judgments, datasets, read_contests, solve
from qrja.solution import Solution
from qrja.solvers import _contest_simplex, _l1_records, _pair_simplex
from qrja.solvers.l1 import L1Stream, solve_l1
from reference import (
    best_tree_loss,
    central_optimum,
    greatest_optimum,
    largest_differences,
    largest_dual,
    least_absolute,
)
from strategies import contests, judgments

few = settings(max_examples=25)


def random_judgments(n: int, m: int, seed: int, real: bool = False) -> Judgments:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, n, m)
    b = (a + rng.integers(1, n, m)) % n
    y = rng.normal(size=m) * 10 if real else rng.integers(-9, 10, m)
    w = rng.uniform(0.1, 3, m) if real else rng.integers(1, 4, m)
    return Judgments(a, b, y.astype(float), w.astype(float), tuple(range(n)))


def random_contests(n: int, count: int, size: int, seed: int, real: bool = False) -> Contests:
    """Some contestants come often, some once."""
    rng = np.random.default_rng(seed)
    fame = 1 / np.arange(1, n + 1)
    who = [rng.choice(n, size, replace=False, p=fame / fame.sum()) for _ in range(count)]
    skill = rng.integers(0, 30, n)
    noise = rng.normal(size=count * size) * 5 if real else rng.integers(-5, 6, count * size)
    contest = np.repeat(np.arange(count), size)
    weight = rng.uniform(0.1, 2, count)[contest] if real else None
    return Contests.from_arrays(
        contest, np.concatenate(who), skill[np.concatenate(who)] + noise, weight=weight
    )


def pairs_of(problem: Contests | Judgments) -> Judgments:
    return problem.to_judgments() if isinstance(problem, Contests) else problem


def check(problem: Contests | Judgments, solution: Solution | None = None) -> Solution:
    """Prove a solution anew, from its scores and its written-out flow, in floats."""
    solution = solve_l1(problem) if solution is None else solution
    j, x, flow = pairs_of(problem), solution.x, solution.flow()
    assert solution.status == "optimal"
    assert np.isfinite(x).all()
    assert (np.abs(flow) <= j.w * (1 + 1e-12)).all()
    total = np.bincount(j.a, flow, j.n) - np.bincount(j.b, flow, j.n)
    assert np.abs(total).max(initial=0) <= 1e-12 * (1 + j.w.sum())
    loss = float(j.w @ np.abs(j.y - x[j.a] + x[j.b]))
    size = float(j.w @ np.abs(j.y))
    assert loss == pytest.approx(solution.objective, rel=1e-9, abs=1e-13 * size)
    assert loss - float(flow @ j.y) <= 1e-9 * loss + 1e-12 * size
    assert solution.lower_bound <= solution.objective
    return solution


def as_written(value: float) -> Fraction:
    """The decimal fraction that a double was read from."""
    return Fraction(repr(float(value)))


def prove_exactly(problem: Contests | Judgments) -> None:
    """Primal and dual in rational arithmetic, from the paper's optimum, which is on the grid."""
    solution = solve_l1(problem, optimum="greatest")
    x = [Fraction(value).limit_denominator(1000) for value in solution.x.tolist()]
    flow = [Fraction(value).limit_denominator(5000) for value in solution.flow().tolist()]
    j = pairs_of(problem)
    if isinstance(problem, Contests):
        first, second = problem.pair_entries()
        score = [as_written(value) for value in problem.score]
        y = [score[i] - score[k] for i, k in zip(first, second, strict=True)]
    else:
        y = [as_written(value) for value in problem.y]
    w = [Fraction(value) for value in j.w.tolist()]
    a, b = j.a.tolist(), j.b.tolist()
    net = dict.fromkeys(range(j.n), Fraction(0))
    for i, amount in enumerate(flow):
        assert abs(amount) <= w[i]
        net[a[i]] += amount
        net[b[i]] -= amount
    assert not any(net.values())
    primal = sum(w[i] * abs(y[i] - x[a[i]] + x[b[i]]) for i in range(j.m))
    dual = sum(amount * margin for amount, margin in zip(flow, y, strict=True))
    assert primal == dual
    assert solution.objective == pytest.approx(float(primal), rel=1e-14)
    assert solution.gap == 0


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


# ---------------------------------------------------------------------------- which optimum


@few
@given(st.data())
def test_all_optima_agree_with_linear_programs(data: st.DataObject) -> None:
    problem = data.draw(st.one_of(judgments(5, 9), contests(5, 3)))
    j = pairs_of(problem)
    size = 1 + np.abs(j.y).max(initial=0)
    close = {"atol": 1e-6 * size}
    D = largest_differences(j)
    central, greatest = solve_l1(problem), solve_l1(problem, optimum="greatest")
    face, label = central.face(), j.components
    np.testing.assert_allclose(greatest.x, greatest_optimum(D), **close)
    if size <= 10:  # integers: classes do not depend on the rounding of the linear programs
        np.testing.assert_allclose(central.x, central_optimum(D, label), **close)
    for b in range(j.n):
        low, high = face.ranges(b)
        np.testing.assert_allclose(high, D[:, b], **close)
        np.testing.assert_allclose(low, -D[b], **close)
        assert face.difference((b + 1) % j.n, b) == (low[(b + 1) % j.n], high[(b + 1) % j.n])
    low, high = face.ranges()
    first = np.array([np.flatnonzero(label == c)[0] for c in label], dtype=int)
    np.testing.assert_allclose(high, D[np.arange(j.n), first], **close)
    width = D + D.T
    same = (width <= 1e-6 * size) & (label[:, None] == label[None, :])
    if size <= 10:
        assert ((face.rigid[:, None] == face.rigid[None, :]) == same).all()
        assert face.dimension == len(np.unique(face.rigid)) - len(np.unique(label))


def test_a_known_face() -> None:
    problem = Judgments.from_arrays("aab", "bbc", [0, 10, 1])
    solution = solve(problem)
    assert (solution.optimum, solution.objective, solution.gap) == ("central", 10, 0)
    np.testing.assert_allclose(solution.x, [11 / 3, -4 / 3, -7 / 3])
    face = solution.face()
    assert face.difference(0, 1) == (0, 10)
    assert face.difference(1, 2) == (1, 1)
    assert face.dimension == 1
    assert face.rigid[1] == face.rigid[2] != face.rigid[0]
    assert solve(problem, optimum="greatest").x.tolist() == [0, 0, -1]
    with pytest.raises(InputError, match="names is 3; give a whole number from 0 to 2"):
        face.difference(3, 0)


def test_candidates_of_different_components_differ_without_limit() -> None:
    face = solve(Judgments.from_arrays("ac", "bd", [1, 2])).face()
    assert face.difference(0, 2) == (-np.inf, np.inf)
    low, high = face.ranges(2)
    assert low.tolist() == [-np.inf, -np.inf, 0, -2]
    assert high.tolist() == [np.inf, np.inf, 0, -2]


def test_a_choice_of_optimum_must_be_known_and_meant() -> None:
    problem = Judgments.from_arrays("a", "b", [1])
    with pytest.raises(InputError, match="optimum is 'best'; choose one of central, greatest"):
        solve(problem, optimum="best")
    with pytest.raises(InputError, match="optimum is 'greatest'; choose one for p = 1 only"):
        solve(problem, p=2, optimum="greatest")
    with pytest.raises(InputError, match="without ridge, prior and anchors"):
        solve(problem, ridge=1.0, optimum="greatest")


def test_ridge_and_anchors_go_another_way() -> None:
    problem = Judgments.from_arrays("aab", "bbc", [0, 10, 1])
    held = solve(problem, anchors={"a": 100.0})
    assert held.status == "optimal"
    assert held.objective == pytest.approx(10)
    assert held.x[0] == 100
    drawn = solve(problem, ridge=0.1)
    # Of all optima the one nearest to 0 is chosen, for so small a ridge.
    np.testing.assert_allclose(drawn.x, [1 / 3, 1 / 3, -2 / 3], atol=1e-6)


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
    one, other = plain.face(), tilted.face()
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


# ---------------------------------------------------------------------------- growing problems


def test_a_stream_that_begins_with_contests_of_one() -> None:
    problem = datasets.classifiers()
    stream = L1Stream()
    for number, contest in enumerate(problem[:60], 1):
        stream.append(contest.who, contest.score)
        alone = solve(problem[:number], 1)
        assert stream.solve().objective == pytest.approx(alone.objective, abs=1e-9)


@few
@given(contests(max_contestants=9, max_contests=7))
def test_a_stream_is_solved_as_if_from_scratch_at_every_prefix(problem: Contests) -> None:
    streams = {"central": L1Stream(), "greatest": L1Stream()}
    for end, contest in enumerate(problem, 1):
        for optimum, stream in streams.items():
            stream.append(contest.who, contest.score, contest.weight)
            warm, cold = stream.solve(optimum), solve_l1(problem[:end], optimum=optimum)
            size = 1 + np.abs(problem.score).max(initial=0)
            np.testing.assert_allclose(warm.x, cold.x, atol=1e-8 * size)
            assert warm.objective == pytest.approx(cold.objective, rel=1e-12, abs=1e-9)
            assert warm.gap == 0
            assert (warm.components == cold.components).all()


@pytest.mark.parametrize("real", [False, True])
def test_start_changes_nothing_but_the_work(real: bool) -> None:
    problem = random_contests(120, 40, 9, seed=5, real=real)
    previous, warm_pivots, cold_pivots = None, 0, 0
    for end in range(1, len(problem) + 1):
        part = problem[:end]
        previous = check(part, solve(part, start=previous))
        cold = solve(part)
        np.testing.assert_allclose(previous.x, cold.x, atol=1e-6)
        assert previous.objective == pytest.approx(cold.objective, rel=1e-12)
        warm_pivots, cold_pivots = warm_pivots + previous.iterations, cold_pivots + cold.iterations
    assert warm_pivots < cold_pivots / 2
    assert solve(problem, start=previous).iterations == 0


def test_a_start_that_has_moved_on_keeps_its_own_proof_and_face() -> None:
    problem = random_contests(30, 10, 6, seed=6)
    early = solve(problem[:4])
    flow, ranges = early.flow(), early.face().ranges(0)
    solve(problem, start=early)
    again = check(problem[:4], early)
    assert again.flow() @ problem[:4].to_judgments().y == pytest.approx(
        flow @ problem[:4].to_judgments().y
    )
    np.testing.assert_allclose(early.face().ranges(0), ranges)
    # It is no longer where it was; a second continuation starts afresh.
    np.testing.assert_allclose(solve(problem, start=early).x, solve(problem).x, atol=1e-9)


def test_a_start_of_other_contests_does_no_harm() -> None:
    one, other = random_contests(30, 10, 6, seed=7), random_contests(30, 12, 6, seed=8)
    for start in (solve(one), solve(one.to_judgments()), solve(one, p=2), solve(one[:0])):
        np.testing.assert_allclose(solve(other, start=start).x, solve(other).x, atol=1e-9)


def test_judgments_begin_with_the_scores_of_a_start() -> None:
    problem = random_judgments(60, 400, seed=9)
    cold = solve(problem)
    changed = Judgments(problem.a, problem.b, problem.y + (problem.y > 8), problem.w, problem.names)
    warm = check(changed, solve(changed, start=cold))
    np.testing.assert_allclose(warm.x, solve(changed).x, atol=1e-9)
    assert warm.iterations < cold.iterations


def test_a_stream_takes_any_numbers_and_both_rules_for_pairs() -> None:
    stream = L1Stream(pairs="mean")
    assert stream.solve().x.tolist() == []
    stream.append([4, 1, 6], [3.0, 2.0, 0.0])
    stream.append([6, 4], [1.0, 5.0])
    solution = stream.solve()
    races = Contests.from_arrays([1, 1, 1, 2, 2], [4, 1, 6, 6, 4], [3, 2, 0, 1, 5], pairs="mean")
    np.testing.assert_allclose(solution.x[[4, 1, 6]], solve(races).x)
    assert solution.x[[0, 2, 3, 5]].tolist() == [0] * 4
    assert len(np.unique(solution.components)) == 5
    stream.append([0, 5], [1.0, 2.0])
    assert stream.solve().x[5] == 0.5


@pytest.mark.parametrize(
    ("who", "score", "weight", "message"),
    [
        ([0, 0], [1, 2], 1.0, "lists a contestant twice; keep one entry per contestant"),
        ([0, 1], [1], 1.0, "who has 2 rows and score has 1"),
        ([0, -1], [1, 2], 1.0, "row 1: contestant number -1 is outside"),
        ([0, 1], [1, float("nan")], 1.0, "row 1: the score is nan; give a finite number"),
        ([0, 1], [1, 2], 0.0, "the weight is 0; give a positive number"),
    ],
)
def test_a_stream_checks_what_it_is_given(
    who: list, score: list, weight: float, message: str
) -> None:
    stream = L1Stream()
    with pytest.raises(InputError, match=message):
        stream.append(who, score, weight)
    assert stream.solve().x.tolist() == []


def test_a_stream_gives_up_its_grid_when_finer_or_larger_scores_arrive() -> None:
    rows = [([0, 1, 2], [1, 5, 9]), ([1, 2, 3], [0.25, 0.125, 7]), ([0, 3], [1e12, -1e12])]
    rows += [([0, 1, 3], [1 / 3, np.pi, 1e-6]), ([2, 3, 4], [0.1, 0.2, 0.3])]
    stream, contest, who, score = L1Stream(), [], [], []
    for number, (members, scores) in enumerate(rows):
        weight = [1.0, 0.1, 1 / 3, 1e-9, 1e6][number]
        stream.append(members, scores, weight)
        contest += [(number, weight)] * len(members)
        who, score = who + members, score + scores
        races = Contests.from_arrays(contest, who, score, weight=[row[1] for row in contest])
        cold, warm = check(races), stream.solve()
        assert warm.gap <= 1e-9
        assert warm.objective == pytest.approx(cold.objective, rel=1e-9)


# ---------------------------------------------------------------------------- numbers of all kinds


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
    assert solve(Judgments.from_arrays(["a"], ["b"], [3])).x.tolist() == [1.5, -1.5]


@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1.0, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("real", [False, True])
def test_the_scale_of_scores_does_not_matter(factor: float, real: bool) -> None:
    races = random_contests(30, 10, 6, seed=10, real=real)
    score = races.score * factor
    scaled = Contests(races.start, races.who, score, races.names, races.labels, races.weight)
    objective = solve(races).objective
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
    solution = solve(weighted)
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
    solution = solve(problem)
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
    solution = solve(Judgments(a, b, y, np.ones(3 * count), tuple(range(3 * count))))
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
    assert solve(races).objective == pytest.approx(0, abs=1e-9)


def test_a_contest_of_fifty_thousand() -> None:
    rng, n = np.random.default_rng(12), 50_000
    field, score = np.arange(n, dtype=np.int32), rng.integers(0, 10**6, n).astype(float)
    names = tuple(range(n))
    once = Contests([0, n], field, score, names, ("big",), [1.0])
    np.testing.assert_allclose(solve(once).x, score - score.mean(), atol=1e-6)
    few_back = rng.permutation(n)[:20].astype(np.int32)
    who, again = np.append(field, few_back), np.append(score, rng.permutation(score)[:20])
    twice = Contests([0, n, n + 20], who, again, names, ("big", "small"), [1.0, 1.0])
    solution = solve(twice)
    assert (solution.gap, solution.status) == (0, "optimal")
    assert solution.objective > 0


def test_the_answer_does_not_depend_on_who_is_repaired_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = [random_contests(80, 25, 12, seed=21), random_judgments(40, 300, seed=22)]
    usual = [solve(problem) for problem in problems]
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
    assert solve(ring).objective == abs(y.sum())


# ---------------------------------------------------------------------------- conduct


def test_the_same_problem_has_the_same_answer_to_the_last_bit() -> None:
    for problem in (random_contests(60, 20, 8, 14), random_judgments(40, 300, 15, real=True)):
        one, other = solve(problem), solve(problem)
        assert one.x.tobytes() == other.x.tobytes()
        assert one.flow().tobytes() == other.flow().tobytes()
        assert (one.objective, one.iterations) == (other.objective, other.iterations)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_contest_simplex, "BATCH", 3)
    monkeypatch.setattr(_pair_simplex, "BATCH", 3)


@pytest.mark.usefixtures("small_batches")
def test_progress_is_told_a_bound_on_the_gap() -> None:
    for problem in (random_contests(60, 20, 8, 16), random_judgments(40, 300, 17)):
        told: list[float] = []
        solution = solve(problem, progress=told.append)
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
            np.testing.assert_allclose(stream.solve().x, solve(problem[:end]).x, atol=1e-9)


@pytest.mark.parametrize("name", ["chess", "codeforces-core"])
def test_sets_of_the_paper_agree_with_a_linear_program(paper_data: Path, name: str) -> None:
    columns = {"contest": "contest", "contestant": "contestant", "score": "score"}
    races = read_contests(paper_data / f"{name}.csv", **columns)
    solution = solve(races)
    assert solution.gap == 0
    assert solution.objective == pytest.approx(largest_dual(races.to_judgments()), rel=1e-9)
