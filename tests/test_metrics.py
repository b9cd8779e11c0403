"""Metrics against pair-by-pair counts, and the invariances of what they measure."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import metrics
from qrja.metrics import METRICS, Sums, count_rises, score_contest, total
from qrja.paper.as_published import listed_order, score_as_listed
from qrja.rules import RULES, Rules, check_rules, find_rules
from reference.rankers import count_order_pair_by_pair, sum_margin_errors

VALUES = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6).map(lambda v: round(v, 2)))
BOTH = pytest.mark.parametrize("rules", list(RULES))


def score(
    truth: np.ndarray,
    prediction: np.ndarray,
    rules: str,
    who: np.ndarray | None = None,
    **how: object,
) -> Sums:
    if rules == "fair":
        return score_contest(truth, prediction, **how)
    return score_as_listed(truth, prediction, who=who, **how)


@st.composite
def predicted_contests(draw: st.DrawFn, repeats: bool = False) -> tuple[np.ndarray, ...]:
    k = draw(st.integers(0, 12))
    numbers = st.lists(VALUES, min_size=k, max_size=k)
    truth, prediction = np.array(draw(numbers), float), np.array(draw(numbers), float)
    who = np.arange(k, dtype=np.int32)
    if repeats and k:
        who = np.array(draw(st.lists(st.integers(0, k - 1), min_size=k, max_size=k)), np.int32)
        prediction = prediction[who]  # a ranker predicts one score per contestant
    return truth, prediction, who


@given(predicted_contests())
def test_order_is_counted_as_pair_by_pair(case: tuple[np.ndarray, ...]) -> None:
    truth, prediction, who = case
    for rules in RULES:
        got = score(truth, prediction, rules)
        expected = count_order_pair_by_pair(*map(list, case[:2]), rules, list(who))
        assert (got.ordered, got.right, got.tied) == expected


@given(predicted_contests(repeats=True))
def test_a_contestant_listed_twice_stands_where_the_later_row_does(
    case: tuple[np.ndarray, ...],
) -> None:
    truth, prediction, who = case
    got = score(truth, prediction, "paper", who=who)
    expected = count_order_pair_by_pair(*map(list, case[:2]), "paper", list(who))
    assert (got.ordered, got.right, got.tied) == expected


def test_a_pair_of_one_contestant_with_himself_is_never_right_under_paper_rules() -> None:
    truth, prediction = np.array([5.0, 3.0]), np.array([1.0, 1.0])
    assert score(truth, prediction, "paper", who=np.array([0, 0], np.int32)).right == 0
    assert score(truth, prediction, "paper").right == 1


@given(predicted_contests(repeats=True))
def test_counting_by_merging_finds_the_same(case: tuple[np.ndarray, ...]) -> None:
    truth, prediction, who = case
    for rules, twice in [("fair", None), ("paper", None), ("paper", who)]:
        small = score(truth, prediction, rules, who=twice)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(metrics, "FEW", -1)
            patch.setattr(listed_order, "FEW", -1)
            assert score(truth, prediction, rules, who=twice) == small


@given(predicted_contests())
def test_losses_are_summed_as_pair_by_pair(case: tuple[np.ndarray, ...]) -> None:
    truth, prediction, _ = case
    got = score_contest(truth, prediction)
    pairs, l1, l2 = sum_margin_errors(list(truth), list(prediction))
    assert got.margins == pairs
    assert got.margin_l1 == pytest.approx(l1, rel=1e-12, abs=1e-6)
    assert got.margin_l2 == pytest.approx(l2, rel=1e-12, abs=1e-6)
    assert got.levels == len(truth)
    assert got.level_l1 == pytest.approx(sum(abs(truth - prediction)), rel=1e-12)
    assert got.level_l2 == pytest.approx(sum((truth - prediction) ** 2), rel=1e-12)


@given(predicted_contests())
def test_shifting_and_scaling_a_prediction(case: tuple[np.ndarray, ...]) -> None:
    truth, prediction, _ = case
    for rules in RULES:
        at = score(truth, prediction, rules)
        shifted = score(truth, prediction + 2.0**20, rules)
        assert (shifted.right, shifted.tied) == (at.right, at.tied)
        assert shifted.margin_l1 == pytest.approx(at.margin_l1, rel=1e-9, abs=1e-3)
        doubled = score(2 * truth, 2 * prediction, rules)
        assert (doubled.right, doubled.tied) == (at.right, at.tied)
        assert doubled.margin_l2 == pytest.approx(4 * at.margin_l2, rel=1e-12, abs=1e-9)


@given(predicted_contests(), st.randoms(use_true_random=False))
def test_the_order_of_listing_is_nothing_to_fair_rules(
    case: tuple[np.ndarray, ...], random: object
) -> None:
    truth, prediction, who = case
    order = list(range(len(who)))
    random.shuffle(order)  # type: ignore[attr-defined]
    at, moved = score_contest(truth, prediction), score_contest(truth[order], prediction[order])
    assert (at.ordered, at.right, at.tied) == (moved.ordered, moved.right, moved.tied)
    assert at.margin_l1 == pytest.approx(moved.margin_l1, rel=1e-12, abs=1e-9)


@given(predicted_contests())
def test_turning_a_fair_prediction_round_turns_right_into_wrong(
    case: tuple[np.ndarray, ...],
) -> None:
    truth, prediction, _ = case
    at, turned = score_contest(truth, prediction), score_contest(truth, -prediction)
    assert at.right + turned.right == at.ordered


def test_a_constant_prediction_is_worth_half_under_fair_rules_and_all_under_paper_rules() -> None:
    truth, nothing = np.array([9.0, 7.0, 7.0, 4.0]), np.zeros(4)
    fair, paper = (score(truth, nothing, rules) for rules in RULES)
    assert (fair.value("ordinal_accuracy"), fair.value("ties")) == (0.5, 1.0)
    assert (paper.value("ordinal_accuracy"), paper.value("ties")) == (1.0, 1.0)


def test_the_true_order_is_by_score_or_by_listing() -> None:
    truth, prediction = np.array([1.0, 2.0]), np.array([0.0, 1.0])  # not listed in score order
    assert score(truth, prediction, "fair").right == 1
    assert score(truth, prediction, "paper").right == 0


@given(predicted_contests())
def test_pairs_left_open_are_worth_half_and_span_the_range(case: tuple[np.ndarray, ...]) -> None:
    truth, prediction, _ = case
    k = len(truth)
    none, every = np.zeros((k, k), bool), np.ones((k, k), bool)
    for rules in RULES:
        closed = score(truth, prediction, rules, open_pairs=none)
        assert closed == score(truth, prediction, rules)
        opened = score(truth, prediction, rules, open_pairs=every)
        assert opened.right == opened.ordered / 2
        assert opened.tied == opened.open == opened.ordered
        if opened.ordered:
            assert opened.accuracy_range() == (0.0, 1.0)


@BOTH
def test_open_pairs_count_one_by_one(rules: Rules) -> None:
    truth, prediction = np.array([3.0, 2.0, 1.0]), np.array([9.0, 8.0, 8.5])
    marks = np.zeros((3, 3), bool)
    marks[0, 1] = marks[1, 0] = True
    got = score(truth, prediction, rules, open_pairs=marks)
    assert (got.ordered, got.right, got.open) == (3, 1.5, 1)
    assert got.accuracy_range() == pytest.approx((1 / 3, 2 / 3))


def test_what_a_ranker_does_not_predict_is_not_scored() -> None:
    truth, prediction = np.array([3.0, 2.0]), np.array([1.0, 0.0])
    order = score_contest(truth, prediction, margins=False, levels=False)
    assert order.value("ordinal_accuracy") == 1.0
    assert order.value("quantitative_l1") is order.value("entrywise_l2") is None
    assert score_contest(truth, prediction, levels=False).value("quantitative_l2") == 0.0


def test_nobody_seen_before_is_nothing_to_score() -> None:
    empty = np.zeros(0)
    for rules in RULES:
        assert score(empty, empty, rules, who=np.zeros(0, np.int32)) == Sums()
    assert all(Sums().value(metric) is None for metric in METRICS)
    assert Sums().accuracy_range() is None


def test_huge_scores_that_are_alike_keep_their_differences() -> None:
    truth, prediction = 1e12 + np.array([0.0, 1.0, 3.0]), np.zeros(3)
    got = score_contest(truth, prediction)
    assert (got.margin_l1, got.margin_l2) == (6.0, 14.0)


@given(st.lists(st.builds(Sums, *(st.integers(0, 99) for _ in fields(Sums)))))
def test_sums_add_up(parts: list[Sums]) -> None:
    joined = total(parts)
    for field in (field.name for field in fields(Sums)):
        assert getattr(joined, field) == sum(getattr(part, field) for part in parts)


@given(st.lists(st.integers(-5, 5)))
def test_rises_are_counted_as_pair_by_pair(values: list[int]) -> None:
    expected = sum(a < b for i, a in enumerate(values) for b in values[i + 1 :])
    assert count_rises(np.array(values, dtype=float)) == expected


def test_rises_of_a_long_sequence() -> None:
    assert count_rises(np.arange(100_000)) == 100_000 * 99_999 // 2
    assert count_rises(np.arange(100_000)[::-1]) == 0


def test_every_rule_set_says_what_it_does() -> None:
    assert "half a point" in find_rules("fair").says
    assert "counts as predicted correctly" in find_rules("paper").says
    with pytest.raises(Exception, match="the rules are 'papr'; choose fair or paper; did you mean"):
        check_rules("papr")


@given(st.integers(2, 8), st.integers(0, 10**6))
def test_probabilities_are_scored_pair_by_pair(k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    truth, x = random.integers(0, 4, k).astype(float), random.normal(size=k)
    chances = 1 / (1 + np.exp(-(x[:, None] - x)))
    sums = score_contest(truth, x, chances=chances)
    pairs = [(i, j) for i in range(k) for j in range(i) if truth[i] != truth[j]]
    assert sums.chances == len(pairs)
    brier = sum((chances[i, j] - (truth[i] > truth[j])) ** 2 for i, j in pairs)
    assert sums.brier == pytest.approx(brier)
    gaps = [0.0] * 5
    for i, j in pairs:
        a, b = (i, j) if chances[i, j] >= 0.5 else (j, i)
        tenth = min(int(10 * chances[a, b]) - 5, 4)
        gaps[tenth] += chances[a, b] - (truth[a] > truth[b])
    if pairs:
        expected = sum(map(abs, gaps)) / len(pairs)
        assert sums.calibration_error() == pytest.approx(expected, abs=1e-9)
    else:
        assert sums.calibration_error() is None
    assert score_contest(truth, x).calibration_error() is None
