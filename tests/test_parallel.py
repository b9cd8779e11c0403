"""Parallel judgments added up, against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qrja import Judgments
from qrja.data import distinct_pairs, merge_parallel
from reference.graphs import merged_by_dict
from strategies import judgments


@given(judgments())
def test_pairs_are_those_of_a_dictionary(problem: Judgments) -> None:
    merged, expected = merge_parallel(problem), merged_by_dict(problem)
    assert list(zip(merged.low.tolist(), merged.high.tolist(), strict=True)) == list(expected)
    scale = 1 + np.abs(problem.y).max(initial=0)
    for k, (weight, margin) in enumerate(expected.values()):
        assert merged.weight[k] == pytest.approx(weight)
        assert merged.margin[k] == pytest.approx(margin, rel=1e-9, abs=1e-12 * scale)
    turned = merged.sign < 0
    np.testing.assert_array_equal(merged.low[merged.of], np.where(turned, problem.b, problem.a))
    np.testing.assert_array_equal(merged.high[merged.of], np.where(turned, problem.a, problem.b))


@given(judgments())
def test_the_order_is_that_of_a_stable_sort(problem: Judgments) -> None:
    pairs = distinct_pairs(problem.n, problem.a, problem.b)
    assert pairs.order.tolist() == np.argsort(pairs.of, kind="stable").tolist()


def test_many_candidates_are_sorted_in_two_passes() -> None:
    # The square of their number, which could be the key of a pair, is more than an int32 holds.
    n, rng = 60_000, np.random.default_rng(0)
    a = rng.integers(0, n, 200_000).astype(np.int32)
    b = ((a + rng.integers(1, 4, len(a))) % n).astype(np.int32)
    pairs = distinct_pairs(n, a, b)
    key = np.minimum(a, b).astype(np.int64) * n + np.maximum(a, b)
    expected, of = np.unique(key, return_inverse=True)
    np.testing.assert_array_equal(pairs.low.astype(np.int64) * n + pairs.high, expected)
    np.testing.assert_array_equal(pairs.of, of)
    assert pairs.order.tolist() == np.argsort(key, kind="stable").tolist()


def test_margins_that_agree_are_kept_to_the_last_digit() -> None:
    problem = Judgments.from_arrays("aba", "bab", [0.1, -0.1, 0.1], [0.3, 0.3, 0.7])
    assert merge_parallel(problem).margin.tolist() == [0.1]


def test_no_judgments_make_no_pairs() -> None:
    merged = merge_parallel(Judgments.from_arrays([], [], []))
    assert not len(merged.low)
    assert not len(merged.of)
