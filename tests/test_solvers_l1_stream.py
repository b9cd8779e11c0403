"""p = 1 on growing problems: streams and starts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from l1_problems import (
    check,
    few,
    random_contests,
    random_judgments,
)
from qrja import Contests, InputError, Judgments, datasets, solve
from qrja.solvers.l1 import L1Stream, solve_l1
from strategies import contests


def test_a_stream_that_begins_with_contests_of_one() -> None:
    problem = datasets.classifiers()
    stream = L1Stream()
    for number, contest in enumerate(problem[:60], 1):
        stream.append(contest.who, contest.score)
        alone = solve(problem[:number], 1)
        assert stream.solve().objective == pytest.approx(alone.objective, abs=1e-9)


def test_a_contest_of_one_may_weigh_whatever_it_likes() -> None:
    small, large = [1e-6 / 3] * 2 + [2e-6 / 7] * 2, [1e6]
    races = Contests.from_arrays(
        [0, 0, 1, 1, 2], list("ababc"), [1, 0, 3, 0, 5], weight=small + large
    )
    assert solve(races, 1).objective == pytest.approx(2 * 2e-6 / 7)


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
        previous = check(part, solve(part, p=1, start=previous))
        cold = solve(part, p=1)
        np.testing.assert_allclose(previous.x, cold.x, atol=1e-6)
        assert previous.objective == pytest.approx(cold.objective, rel=1e-12)
        warm_pivots, cold_pivots = warm_pivots + previous.iterations, cold_pivots + cold.iterations
    assert warm_pivots < cold_pivots / 2
    assert solve(problem, p=1, start=previous).iterations == 0


def test_a_start_that_has_moved_on_keeps_its_own_proof_and_face() -> None:
    problem = random_contests(30, 10, 6, seed=6)
    early = solve(problem[:4], p=1)
    flow, ranges = early.flow(), early.face().ranges(0)
    solve(problem, p=1, start=early)
    again = check(problem[:4], early)
    assert again.flow() @ problem[:4].to_judgments().y == pytest.approx(
        flow @ problem[:4].to_judgments().y
    )
    assert early.face().ranges(0) == ranges
    # It is no longer where it was; a second continuation starts afresh.
    np.testing.assert_allclose(solve(problem, p=1, start=early).x, solve(problem, p=1).x, atol=1e-9)


def test_a_start_of_other_contests_does_no_harm() -> None:
    one, other = random_contests(30, 10, 6, seed=7), random_contests(30, 12, 6, seed=8)
    for start in (
        solve(one, p=1),
        solve(one.to_judgments(), p=1),
        solve(one, p=2),
        solve(one[:0], p=1),
    ):
        np.testing.assert_allclose(solve(other, p=1, start=start).x, solve(other, p=1).x, atol=1e-9)


def test_judgments_begin_with_the_scores_of_a_start() -> None:
    problem = random_judgments(60, 400, seed=9)
    cold = solve(problem, p=1)
    changed = Judgments(problem.a, problem.b, problem.y + (problem.y > 8), problem.w, problem.names)
    warm = check(changed, solve(changed, p=1, start=cold))
    np.testing.assert_allclose(warm.x, solve(changed, p=1).x, atol=1e-9)
    assert warm.iterations < cold.iterations


def test_a_stream_takes_any_numbers_and_both_rules_for_pairs() -> None:
    stream = L1Stream(pairs="mean")
    assert stream.solve().x.tolist() == []
    stream.append([4, 1, 6], [3.0, 2.0, 0.0])
    stream.append([6, 4], [1.0, 5.0])
    solution = stream.solve()
    races = Contests.from_arrays([1, 1, 1, 2, 2], [4, 1, 6, 6, 4], [3, 2, 0, 1, 5], pairs="mean")
    np.testing.assert_allclose(solution.x[[4, 1, 6]], solve(races, p=1).x)
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
