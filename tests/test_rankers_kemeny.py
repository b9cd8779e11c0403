"""Kemeny and Young's rule against trying all orders, and its answers under a time limit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from qrja import Contest, Contests, InputError
from qrja.paper.as_published import ListedKemeny
from qrja.rankers.kemeny.agreement import best_orders
from qrja.rankers.kemeny.field_order import order_field
from qrja.rankers.kemeny.kemeny_young import KemenyYoung
from qrja.rankers.kemeny.kernels import orders as kernels
from reference.rankers import best_orders_by_subsets, best_orders_by_trial, net_wins
from strategies import contests

FOREVER = float("inf")


@st.composite
def majorities(draw: st.DrawFn, most: int = 6) -> np.ndarray:
    n = draw(st.integers(0, most))
    D = np.zeros((n, n), dtype=np.int64)
    above = np.triu_indices(n, 1)
    size = len(above[0])
    D[above] = draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))
    return D - D.T


@settings(max_examples=60)
@given(majorities())
def test_fields_against_all_orders(D: np.ndarray) -> None:
    best = order_field(D, FOREVER)
    least, always = best_orders_by_trial(D)
    assert best.cost == best.bound == least == kernels.cost_of(D, best.order)
    np.testing.assert_array_equal(best.always, always)
    # What is called settled is proven; at this size everything is.
    np.testing.assert_array_equal(best.settled, always)


@given(contests(max_contestants=6))
def test_contests_against_all_orders(problem: Contests) -> None:
    for ranker in (KemenyYoung(), ListedKemeny()):
        for contest in problem:
            ranker.learn(contest)
        who = np.arange(problem.n, dtype=np.int32)
        consensus = ranker.consensus(who)
        D = net_wins(problem, problem.n, by_listing=isinstance(ranker, ListedKemeny))
        least, always = best_orders_by_trial(D)
        assert consensus.cost == least
        assert consensus.status == "optimal"
        assert consensus.gap == consensus.unproven == 0
        np.testing.assert_array_equal(consensus.ahead, always.astype(int) - always.T)
        np.testing.assert_array_equal(
            consensus.open_pairs, ~(always | always.T | np.eye(len(D), dtype=bool))
        )
        check_scores(ranker.scores(who), consensus.ahead)


def check_scores(scores: np.ndarray, ahead: np.ndarray) -> None:
    first, second = np.nonzero(ahead > 0)
    assert (scores[first] > scores[second]).all()


def by_mixed_integer_program(D: np.ndarray) -> int:
    """Return the least cost: x[a, b] = 1 where a is before b, no cycles of three."""
    n = len(D)
    number = np.arange(n * n).reshape(n, n)
    rows, low = [], []
    for a in range(n):
        for b in range(n):
            for c in range(n):
                if a < b and a < c and b != c:
                    rows.append([number[a, b], number[b, c], number[c, a]])
                    low.append(1)
    A = np.zeros((len(rows), n * n))
    for row, columns in enumerate(rows):
        A[row, columns] = 1
    upper, lower = np.triu_indices(n, 1), np.tril_indices(n, -1)
    pairs = np.zeros((len(upper[0]), n * n))
    pairs[np.arange(len(upper[0])), number[upper]] = 1
    pairs[np.arange(len(upper[0])), number[upper[1], upper[0]]] = 1
    found = milp(
        np.maximum(D.T, 0).ravel(),
        constraints=[LinearConstraint(A, 1, 2), LinearConstraint(pairs, 1, 1)],
        integrality=np.ones(n * n),
        bounds=Bounds(0, 1),
    )
    assert found.status == 0
    assert len(lower[0]) == len(upper[0])
    return round(found.fun)


@pytest.mark.parametrize("seed", range(4))
def test_larger_fields_against_a_mixed_integer_program(seed: int) -> None:
    random = np.random.default_rng(seed)
    upper = np.triu(random.integers(-4, 5, size=(13, 13)), 1)
    D = (upper - upper.T).astype(np.int64)
    best = order_field(D, FOREVER)
    assert best.cost == best.bound == by_mixed_integer_program(D)
    kept = kernels.implied_by(D, best.order)
    assert not (best.always & ~kept).any()


@pytest.mark.parametrize("seed", range(12))
def test_open_pairs_of_larger_fields_against_all_subsets(seed: int) -> None:
    """Where the relaxation leaves a gap, and many orders are best."""
    random = np.random.default_rng(seed)
    upper = np.triu(random.integers(-1 - seed % 3, 2 + seed % 3, size=(11, 11)), 1)
    D = (upper - upper.T).astype(np.int64)
    least, always = best_orders_by_subsets(D)
    best = order_field(D, FOREVER)
    assert best.cost == best.bound == least
    np.testing.assert_array_equal(best.always, always)
    np.testing.assert_array_equal(best.settled, always)


def test_both_twins_agree() -> None:
    for seed in range(5):
        upper = np.triu(np.random.default_rng(seed).integers(-2, 3, size=(6, 6)), 1)
        least, always = best_orders_by_trial(upper - upper.T)
        by_subsets = best_orders_by_subsets(upper - upper.T)
        assert least == by_subsets[0]
        np.testing.assert_array_equal(always, by_subsets[1])


def test_only_the_field_is_ordered_by_its_own_history() -> None:
    ranker = KemenyYoung()
    for who in ([0, 1], [1, 2], [2, 3]):
        ranker.learn(Contest("a match", np.array(who), np.array([1.0, 0.0])))
    assert ranker.scores(np.array([3, 0])).tolist() == [0, 0]  # never met
    assert ranker.consensus(np.array([3, 0])).open_pairs.tolist() == [[False, True], [True, False]]
    assert ranker.scores(np.array([3, 2, 1, 0])).tolist() == [-3, -1, 1, 3]


def test_a_field_that_lists_somebody_twice() -> None:
    ranker = ListedKemeny()
    ranker.learn(Contest("May", np.array([0, 1]), np.array([2.0, 1.0])))
    scores = ranker.scores(np.array([1, 0, 1, 8]))
    assert scores[0] == scores[2] < scores[1]
    assert np.isnan(scores[3])


def cyclic(n: int = 40) -> np.ndarray:
    upper = np.triu(np.random.default_rng(5).integers(-3, 4, size=(n, n)), 1)
    return (upper - upper.T).astype(np.int64)


def test_a_time_limit_is_told_with_its_gap() -> None:
    best = best_orders(cyclic(), deadline=0.0)
    assert 0 <= best.bound < best.cost == kernels.cost_of(cyclic(), best.order)
    ranker = KemenyYoung(time_limit=1e-9)
    random = np.random.default_rng(1)
    for _ in range(30):
        who = random.permutation(30)[:4].astype(np.int32)
        ranker.learn(Contest("a race", who, np.arange(4.0)))
    consensus = ranker.consensus(np.arange(30, dtype=np.int32))
    assert consensus.status == "time limit"
    assert 0 < consensus.gap <= 1
    assert np.isfinite(ranker.scores(np.arange(30, dtype=np.int32))).all()


@pytest.mark.parametrize("limit", [0, -1, np.nan])
def test_a_wrong_time_limit_is_told(limit: float) -> None:
    with pytest.raises(InputError, match="give a positive number"):
        KemenyYoung(time_limit=limit)
