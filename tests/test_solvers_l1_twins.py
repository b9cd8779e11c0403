"""Judgments: candidates who are one node, and nodes that need no look."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from l1_problems import few, random_contests, random_judgments
from qrja import Judgments, solve
from qrja.jit import which_way
from qrja.solvers.l1 import driver
from qrja.solvers.l1.face import NEVER, spread_along
from qrja.solvers.l1.pairwise import pair_simplex, pairs, twins


def shuffled(judgments: Judgments, seed: int) -> Judgments:
    """The same judgments in another order, half of them seen from the other side."""
    rng = np.random.default_rng(seed)
    order, turn = rng.permutation(judgments.m), rng.integers(0, 2, judgments.m).astype(bool)
    a, b = np.where(turn, [judgments.b, judgments.a], [judgments.a, judgments.b])[:, order]
    y = np.where(turn, -judgments.y, judgments.y)[order]
    return Judgments(a, b, y, judgments.w[order], judgments.names)


def compare(problem: Judgments, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Solve with twins and without, which must agree; return how many pivots each took."""
    found = solve(problem, p=1)
    with monkeypatch.context() as patch:
        patch.setattr(pairs, "find_twins", twins.no_twins)
        without = solve(problem, p=1)
    assert found.objective == without.objective
    np.testing.assert_array_equal(found.x, without.x)
    for solution in (found, without):
        assert solution.status == "optimal"
        assert solution.check(problem).gap <= 1e-9
        net = np.zeros(problem.n)
        np.add.at(net, problem.a, solution.flow())
        np.add.at(net, problem.b, -solution.flow())
        np.testing.assert_allclose(net, 0, atol=1e-9 * problem.w.sum())
    assert found.face().dimension == without.face().dimension
    return found.iterations, without.iterations


@few
@given(seed=st.integers(0, 2**20), size=st.integers(2, 7), real=st.booleans())
def test_solution_is_that_without_twins(seed: int, size: int, real: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "FEW", 0)
        problem = random_contests(20, 6, size, seed, real).to_judgments()
        compare(shuffled(problem, seed), patch)


def test_whoever_was_in_one_race_only_is_one_node_with_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contests = random_contests(60, 9, 12, 1)
    problem = shuffled(contests.to_judgments(), 2)
    often = np.bincount(contests.who, minlength=contests.n) > 1
    y = problem.y.astype(np.int64)
    found = twins.find_twins(problem.n, problem.a, problem.b, y, problem.w.astype(np.int64))
    assert found.count < often.sum() + len(contests) + 1
    assert sorted(np.bincount(found.node_of)[found.node_of[often]].tolist()) == [1] * often.sum()
    few_pivots, many_pivots = compare(problem, monkeypatch)
    assert few_pivots < many_pivots


def test_who_differs_in_one_judgment_is_no_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "FEW", 0)
    whole = random_contests(30, 3, 8, 3).to_judgments()
    rng = np.random.default_rng(3)
    for _ in range(8):
        y, w = whole.y.copy(), whole.w.copy()
        y[rng.integers(whole.m)] += 1
        w[rng.integers(whole.m)] += 1
        compare(Judgments(whole.a, whole.b, y, w, whole.names), monkeypatch)


def test_hashes_that_tell_nothing_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "FEW", 0)
    monkeypatch.setattr(twins, "mixed", lambda value: value & np.uint64(1))
    for seed in range(5):
        compare(random_contests(12, 4, 5, seed).to_judgments(), monkeypatch)
        compare(random_judgments(8, 30, seed), monkeypatch)


@pytest.mark.parametrize("real", [False, True])
def test_pivots_are_the_same_where_nodes_know_their_reach(
    real: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "BATCH", 50)
    problem = random_judgments(150, 1500, 4, real)
    known = solve(problem, p=1)
    monkeypatch.setattr(pair_simplex, "PIVOTS_BEFORE_REACH", 1e9)
    unknown = solve(problem, p=1)
    np.testing.assert_array_equal(known.x, unknown.x)
    assert known.iterations == unknown.iterations > 150


def test_whoever_can_meet_nobody_is_no_trouble_to_an_interpreter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Whole numbers of the interpreter do not wrap: a distance and the drift must fit together.
    monkeypatch.setattr(driver, "BATCH", 10)
    several, leaves = random_judgments(200, 1500, 0, True), np.arange(200, 350)
    problem = Judgments(
        np.concatenate([several.a, leaves]),
        np.concatenate([several.b, leaves - 200]),
        np.concatenate([several.y, np.ones(150)]),
        np.concatenate([several.w, np.ones(150)]),
        tuple(range(350)),
    )
    compiled = solve(problem, p=1)
    monkeypatch.setattr(which_way, "WISH", "never")
    interpreted = solve(problem, p=1)
    np.testing.assert_array_equal(interpreted.x, compiled.x)
    assert interpreted.iterations == compiled.iterations


@few
@given(st.integers(2, 12), st.integers(1, 40), st.integers(0, 10**6))
def test_nodes_rise_as_far_along_edges_as_by_listed_limits(n: int, m: int, seed: int) -> None:
    face = solve(random_judgments(n, m, seed), p=1).face().numbered
    rng = np.random.default_rng(seed)
    for _ in range(3):
        most = rng.integers(-5, 20, len(face.x)) * int(face.unit)
        most[rng.random(len(most)) < 0.3] = NEVER
        expected = spread_along(most, *face.limits, 1)
        assert face.rise is not None
        np.testing.assert_array_equal(face.rise(most), expected)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=6))
def test_rows_are_sorted_if_python_says_so(rows: list[tuple[int, int]]) -> None:
    one, other = np.array([*zip(*rows, strict=True)] or [[], []], dtype=np.int64)
    assert pair_simplex.are_sorted(one, other) == (rows == sorted(rows))
