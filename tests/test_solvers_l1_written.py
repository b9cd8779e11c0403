"""p = 1 of few contests, solved after each in arrays: the same scores as by the compiled loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from l1_problems import few, random_contests
from qrja import Contests, Judgments
from qrja.jit import which_way
from qrja.rankers import make_ranker
from qrja.solvers.l1 import L1Stream, solve_l1
from qrja.solvers.l1 import stream as l1_stream
from qrja.solvers.l1.contest_simplex import ContestSimplex
from qrja.solvers.l1.pairwise import pairs as l1_pairs
from qrja.solvers.l1.written import WrittenPairs, WrittenSimplex, written_simplex
from strategies import contests, judgments


@pytest.fixture(autouse=True)
def nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(which_way, "WISH", "never")


@few
@given(contests(max_contestants=9, max_contests=7))
def test_every_prefix_has_the_scores_of_the_loops(problem: Contests) -> None:
    streams = {"central": L1Stream(often=True), "greatest": L1Stream(often=True)}
    for end, contest in enumerate(problem, 1):
        for optimum, stream in streams.items():
            stream.append(contest.who, contest.score, contest.weight)
            found, cold = stream.solve(optimum), solve_l1(problem[:end], optimum=optimum)
            size = 1 + np.abs(problem.score).max(initial=0)
            np.testing.assert_allclose(found.x, cold.x, atol=1e-8 * size)
            assert found.objective == pytest.approx(cold.objective, rel=1e-12, abs=1e-9)
            assert found.gap == 0


@pytest.mark.parametrize("real", [False, True])
def test_the_scores_are_the_same_to_the_last_digit(real: bool) -> None:
    problem = random_contests(25, 20, 9, seed=3, real=real)
    streams = L1Stream(often=True), L1Stream()
    for contest in problem:
        for stream in streams:
            stream.append(contest.who, contest.score, contest.weight)
        found, expected = (stream.solve() for stream in streams)
        if real:
            np.testing.assert_allclose(found.x, expected.x, rtol=1e-12, atol=1e-12)
        else:
            assert np.array_equal(found.x, expected.x)
    written, loops = (stream._simplex for stream in streams)
    assert isinstance(written, WrittenSimplex)
    assert isinstance(loops, ContestSimplex)


@pytest.mark.parametrize("wish", ["never", "always"])
@pytest.mark.parametrize("real", [False, True])
def test_other_contests_are_begun_at_known_scores(
    wish: str, real: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = random_contests(25, 20, 9, seed=3, real=real)
    full = solve_l1(problem)
    monkeypatch.setattr(which_way, "WISH", wish)
    monkeypatch.setattr(l1_stream, "is_ready", lambda _: wish == "always")
    kinds = {"never": WrittenSimplex, "always": ContestSimplex}
    for left_out in range(len(problem)):
        some = problem[np.arange(len(problem)) != left_out]
        place = [problem.number[name] for name in some.names]
        begin = replace(full, x=full.x[place], names=some.names, components=some.components)
        found, cold = solve_l1(some, start=begin), solve_l1(some)
        np.testing.assert_allclose(found.x, cold.x, rtol=1e-12, atol=1e-12)
        assert max(found.gap, cold.gap) <= (1e-11 if real else 0)
        assert found.objective == pytest.approx(cold.objective, rel=1e-12)
        assert isinstance(found._state.stream._simplex, kinds[wish])


def test_what_it_says_is_proved() -> None:
    problem = random_contests(12, 9, 5, seed=8)
    stream = L1Stream(often=True)
    stream.extend(problem)
    solution = stream.solve_as(problem.names, problem.components, "central", 1e-9, None)
    assert isinstance(stream._simplex, WrittenSimplex)
    assert solution.check(problem).holds
    found, expected = solution.face().numbered, solve_l1(problem).face().numbered
    for number in range(problem.n):
        assert found.difference(number, 0) == expected.difference(number, 0)


def test_a_proof_that_fails_is_refused() -> None:
    stream = L1Stream(often=True)
    stream.extend(random_contests(12, 9, 5, seed=8))
    stream.solve()
    simplex = stream._simplex
    assert isinstance(simplex, WrittenSimplex)
    simplex.hi[0] += 1
    with pytest.raises(RuntimeError, match="not optimal"):
        simplex.prove()


def test_many_contests_go_on_in_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written_simplex, "MOST_PAIRS", 40)
    problem = random_contests(12, 9, 5, seed=8)
    stream = L1Stream(often=True)
    for end, contest in enumerate(problem, 1):
        stream.append(contest.who, contest.score, contest.weight)
        assert np.array_equal(stream.solve().x, solve_l1(problem[:end]).x)
        assert isinstance(stream._simplex, WrittenSimplex) == (end <= 4)


def test_the_ranker_takes_it_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for wish in ("never", "always"):
        monkeypatch.setattr(which_way, "WISH", wish)
        ranker = make_ranker("qrja-l1")
        for contest in random_contests(12, 30, 3, seed=1):
            ranker.learn(contest)
        told.append(ranker.scores(np.arange(12)))
    assert np.array_equal(*told)


@few
@given(judgments())
def test_judgments_solved_again_have_the_scores_of_the_loops(problem: Judgments) -> None:
    first = solve_l1(problem)
    again = problem.with_weight(1.0 + np.arange(problem.m) % 3)
    for optimum in ("central", "greatest"):
        found = solve_l1(again, start=first, optimum=optimum)
        cold = solve_l1(again, optimum=optimum)
        size = 1 + np.abs(problem.y).max(initial=0)
        np.testing.assert_allclose(found.x, cold.x, atol=1e-8 * size)
        assert found.objective == pytest.approx(cold.objective, rel=1e-12, abs=1e-9)
        assert found.gap == 0
        assert found.check(again).holds


def test_judgments_solved_again_are_solved_in_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(l1_pairs, "WrittenPairs", lambda *of: made.append(of) or WrittenPairs(*of))
    problem = random_contests(15, 20, 4, seed=3).to_judgments()
    first = solve_l1(problem)
    assert not made
    again = problem.with_weight(np.arange(1.0, problem.m + 1))
    assert np.array_equal(solve_l1(again, start=first).x, solve_l1(again).x)
    assert len(made) == 1
