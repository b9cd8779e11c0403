"""l1 rankers: an exact optimum after every contest, and the published choice among them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from qrja import Contest, Contests, InputError, Judgments, read_contests
from qrja.paper.as_published import RoundedLeastAbsolute, RoundedPairs
from qrja.rankers.least_absolute import LeastAbsolute
from qrja.solvers.l1 import solve_l1
from reference.graphs import incidence, pair_loss
from strategies import contests


def least_loss(problem: Judgments) -> float:
    """The optimal l1 loss, by scipy's linear programming."""
    if not problem.m:
        return 0.0
    A, m = incidence(problem), problem.m
    rows = np.vstack([np.hstack([A, -np.eye(m)]), np.hstack([-A, -np.eye(m)])])
    cost, right = np.append(np.zeros(problem.n), problem.w), np.append(problem.y, -problem.y)
    free, positive = [(None, None)] * problem.n, [(0, None)] * m
    return float(linprog(cost, rows, right, bounds=free + positive).fun)


@given(contests())
def test_the_loss_is_least_after_every_contest(problem: Contests) -> None:
    ranker = LeastAbsolute()
    for i, contest in enumerate(problem, start=1):
        ranker.learn(contest)
        found = pair_loss(problem[:i], ranker.scores(np.arange(problem[:i].n)), abs)
        assert found == pytest.approx(least_loss(problem[:i].to_judgments()), rel=1e-7, abs=1e-6)


@given(contests())
def test_as_published_the_greatest_optimum_of_rounded_margins(problem: Contests) -> None:
    ranker, pairs = RoundedLeastAbsolute(), RoundedPairs()
    for contest in problem:
        ranker.learn(contest)
        pairs.add(contest.who, contest.score)
    if not problem.n:
        return
    x = ranker.scores(np.arange(problem.n))
    rounded = pairs.judgments()
    loss = float(np.abs(incidence(rounded) @ x * 1e6 - rounded.y).sum())
    least = least_loss(rounded)
    assert loss == pytest.approx(least, rel=1e-9, abs=1e-3)
    for label in np.unique(problem.components):
        assert x[problem.components == label].max() == 0
    # Nobody can rise alone, for the greatest optimum is above all others.
    for who in np.flatnonzero(x < 0):
        raised = x + 1e-6 * (np.arange(problem.n) == who)
        assert np.abs(incidence(rounded) @ raised * 1e6 - rounded.y).sum() > loss + 0.5


@given(contests(), st.integers(0, 30))
def test_pairs_that_are_relaxed_do_not_change_the_optimum(problem: Contests, count: int) -> None:
    pairs = RoundedPairs()
    for contest in problem:
        if len(contest):
            pairs.add(contest.who, contest.score)
    if not problem.n:
        return
    whole = solve_l1(pairs.judgments(), optimum="greatest").x
    near = solve_l1(problem, optimum="greatest")
    np.testing.assert_allclose(pairs.solve(near, count) * 1e6, whole, atol=1e-3)
    # Scores that are far off cost more rounds and nothing else.
    away = replace(near, x=near.x + np.arange(problem.n))
    np.testing.assert_allclose(pairs.solve(away, count) * 1e6, whole, atol=1e-3)


def test_central_and_greatest() -> None:
    fair, paper = LeastAbsolute(), RoundedLeastAbsolute()
    for score in (0.0, 10.0):
        for ranker in (fair, paper):
            ranker.learn(Contest("a match", np.array([0, 1]), np.array([score, 0.0])))
    np.testing.assert_allclose(fair.scores(np.arange(2)), [2.5, -2.5])
    np.testing.assert_allclose(paper.scores(np.arange(2)), [0, 0], atol=1e-12)


def test_a_millionth_is_lost_on_negative_margins_only() -> None:
    pairs = RoundedPairs()
    pairs.add(np.array([0, 1, 2, 0]), np.array([5.0, 3.5, 3.5, 4.0]))
    # (1, 0), (2, 0), (2, 1), (0, 1), (0, 2); a contestant does not meet himself.
    expected = [-1.499999, -1.499999, 0.0, 0.5, 0.5]
    np.testing.assert_array_equal(pairs.judgments().y, np.round(np.array(expected) * 1e6))


def test_somebody_listed_twice() -> None:
    shared = Contest("a shared car", np.array([0, 1, 0]), np.array([4.0, 3.0, 2.0]))
    paper = RoundedLeastAbsolute()
    paper.learn(shared)
    assert np.isfinite(paper.scores(np.arange(2))).all()
    with pytest.raises(InputError, match="lists a contestant twice"):
        LeastAbsolute().learn(shared)


def test_a_tree_that_pulls_as_a_whole_does_not_drift_for_ever(paper_data: Path) -> None:
    """Rounded margins tie in their thousands; here pivots once went round in a circle."""
    games = read_contests(paper_data / "cross-tables.csv", contest="contest", score="score")[:123]
    pairs = RoundedPairs()
    for game in games:
        pairs.add(game.who, game.score)
    assert solve_l1(pairs.judgments(), optimum="greatest").gap == 0
