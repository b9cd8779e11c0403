"""Explanations: contributions add up, chains take the current apart, words are right."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import qrja
from qrja import Contests, Judgments, fit
from qrja.data import JUDGED
from qrja.ratings.explain.chains import strongest_paths
from qrja.ratings.explain.currents import current_between
from qrja.ratings.explain.least_squares import as_least_squares
from qrja.ratings.explain.tightness import turning_weight
from qrja.ratings.words import Wording
from qrja.tables import Units
from reference.squares import (
    contributions_by_pseudo_inverse,
    least_squares,
    resistance_by_pseudo_inverse,
)
from strategies import contests, judgments

CLOCK = Units("time", lower_is_better=True, decimals=0)


def two_that_compare(problem: Contests | Judgments, draw: st.DataObject) -> tuple[int, int]:
    label = problem.components
    pairs = [(i, j) for i in range(problem.n) for j in range(problem.n) if i != j]
    pairs = [(i, j) for i, j in pairs if label[i] == label[j]]
    assume(pairs)
    return draw.draw(st.sampled_from(pairs))


def scale_of(problem: Contests | Judgments) -> float:
    values = problem.score if isinstance(problem, Contests) else problem.y
    return 1 + float(np.abs(values).max(initial=0))


@given(judgments(), st.data())
def test_every_judgment_contributes_what_the_pseudo_inverse_says(
    problem: Judgments, draw: st.DataObject
) -> None:
    a, b = two_that_compare(problem, draw)
    current = current_between(problem, a, b)
    expected = contributions_by_pseudo_inverse(problem, a, b)
    np.testing.assert_allclose(current.amounts(), expected, atol=1e-9 * scale_of(problem))
    assert current.resistance == pytest.approx(resistance_by_pseudo_inverse(problem, a, b))


@given(contests(), st.sampled_from(["unit", "mean"]), st.data())
def test_every_contest_contributes_the_sum_over_its_pairs(
    problem: Contests, rule: str, draw: st.DataObject
) -> None:
    problem = problem.with_pairs(rule)
    a, b = two_that_compare(problem, draw)
    pairs = problem.to_judgments()
    each = contributions_by_pseudo_inverse(pairs, a, b)
    of_pair = problem.contest_of_entry[problem.pair_entries()[0]]
    expected = np.bincount(of_pair, each, minlength=len(problem))
    amounts = current_between(problem, a, b).amounts()
    np.testing.assert_allclose(amounts, expected, atol=1e-9 * scale_of(problem))


@given(contests(), st.data())
def test_contributions_add_up_to_the_difference(problem: Contests, draw: st.DataObject) -> None:
    a, b = two_that_compare(problem, draw)
    told = fit(problem, p=2).explain(a_name := problem.names[a], problem.names[b])
    total = sum(one.amount for one in told.contributions)
    x = least_squares(problem.to_judgments())[0]
    assert told.a == a_name
    assert told.rest == 0
    assert told.difference == pytest.approx(x[a] - x[b], abs=1e-8 * scale_of(problem))
    assert total == pytest.approx(told.difference, abs=1e-8 * scale_of(problem))
    assert all(0 < one.share <= 1 + 1e-9 for one in told.contributions)


@given(contests(), st.data())
def test_all_chains_together_are_the_whole_current(problem: Contests, draw: st.DataObject) -> None:
    a, b = two_that_compare(problem, draw)
    current = current_between(problem, a, b)
    paths = list(strongest_paths(current, problem.n, a, b, most=200, least=1e-12))
    assert sum(path.share for path in paths) == pytest.approx(1)
    amount = sum(path.share * path.total for path in paths)
    assert amount == pytest.approx(current.amounts().sum(), abs=1e-9 * scale_of(problem))
    for path in paths:
        nodes = [step.a for step in path.steps] + [path.steps[-1].b]
        assert (nodes[0], nodes[-1]) == (a, b)
        assert len(set(nodes)) == len(nodes)


def test_a_chain_through_many_is_found_where_nobody_met_both() -> None:
    problem = Judgments.from_arrays("abcd", "bcde", [1, 2, 3, 4])
    (chain,) = fit(problem, p=2).explain("a", "e").chains
    assert [(link.a, link.b) for link in chain.links] == [*zip("abcd", "bcde", strict=True)]
    assert chain.total == pytest.approx(10)
    assert chain.share == pytest.approx(1)


@given(judgments(), st.data())
def test_explaining_the_other_way_round_turns_every_sign(
    problem: Judgments, draw: st.DataObject
) -> None:
    a, b = two_that_compare(problem, draw)
    one = current_between(problem, a, b).amounts()
    other = current_between(problem, b, a).amounts()
    np.testing.assert_allclose(one, -other, atol=1e-9 * scale_of(problem))


@given(contests(), st.data())
def test_shifting_and_stretching_contests(problem: Contests, draw: st.DataObject) -> None:
    a, b = two_that_compare(problem, draw)
    shift = np.linspace(-50, 50, max(len(problem), 1))[problem.contest_of_entry]
    columns = (problem.names, problem.labels, problem.weight)
    moved = Contests(problem.start, problem.who, 3 * problem.score + shift, *columns)
    one, other = current_between(problem, a, b), current_between(moved, a, b)
    np.testing.assert_allclose(
        3 * one.amounts(), other.amounts(), atol=1e-8 * scale_of(problem) * 100
    )
    np.testing.assert_allclose(one.shares(), other.shares(), atol=1e-9)


@given(judgments(), st.data())
def test_splitting_a_judgment_splits_its_contribution(
    problem: Judgments, draw: st.DataObject
) -> None:
    a, b = two_that_compare(problem, draw)
    k = draw.draw(st.integers(0, problem.m - 1))
    weight = np.append(problem.w, problem.w[k] / 4)
    weight[k] *= 0.75
    split = Judgments(
        np.append(problem.a, problem.b[k]),
        np.append(problem.b, problem.a[k]),
        np.append(problem.y, -problem.y[k]),
        weight,
        problem.names,
    )
    whole = current_between(problem, a, b).amounts()
    parts = current_between(split, a, b).amounts()
    near = 1e-9 * scale_of(problem)
    assert parts[k] == pytest.approx(0.75 * whole[k], abs=near)
    assert parts[-1] == pytest.approx(0.25 * whole[k], abs=near)


def test_the_turning_margin_makes_the_two_level() -> None:
    problem = Judgments.from_arrays("aabc", "bccd", [3, 4, 2, 1], [1, 2, 1, 1])
    turn = fit(problem, p=2).explain("a", "d").turn
    assert turn is not None
    more = Judgments.from_arrays("aabcd", "bccda", [3, 4, 2, 1, turn.margin], [1, 2, 1, 1, 1])
    x = fit(more, p=2).solution.x
    assert x[0] - x[3] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_one_more_judgment_weighs_what_is_usual(scale: float) -> None:
    weights = np.array([1.0, 2.0, 3.0, 2.0])
    problem = Judgments.from_arrays("aabc", "bccd", [3, 4, 2, 1], scale * weights)
    told = fit(problem).explain("a", "d")
    turn, expected = told.turn, fit(problem.with_weight(weights)).explain("a", "d").turn
    assert turn is not None
    assert expected is not None
    assert turn.weight == 2 * scale
    assert turn.margin == pytest.approx(expected.margin, rel=1e-9)
    assert str(told).endswith(
        f"one more judgment of weight {2 * scale:.4g} for the two alone with d better by"
        f" {turn.margin:.3f}."
    )
    more = Judgments.from_arrays(
        "aabcd", "bccda", [3, 4, 2, 1, turn.margin], np.append(scale * weights, turn.weight)
    )
    x = fit(more).solution.x
    assert x[0] - x[3] == pytest.approx(0, abs=1e-9)


def test_a_contest_to_come_has_not_aged() -> None:
    races = Contests.from_arrays([1, 1, 2, 2, 3, 3], "ababab", [3, 0, 1, 0, 2, 1])
    assert fit(races, half_life="1 contests").explain("a", "b").turn.weight == 1.0


def test_an_average_is_what_people_mean_by_it() -> None:
    meetings = Judgments.from_arrays("aab", "bbc", [600, 636, 60], [1, 3, 1])
    told = Wording(CLOCK, JUDGED)
    explanation = fit(meetings).explain("a", "c")
    [chain] = explanation.chains
    assert (chain.links[0].mean, chain.links[0].margin) == (618, pytest.approx(627))
    assert told.signed(chain.total) == "+11:27"
    assert (
        "a was judged 618.0 better than b on average in 2 judgments"
        " (+627.0 by the evidence of each); b was judged 60.0 better than c, together +687.0"
    ) in str(explanation)
    links = explanation.to_dict()["chains"][0]["links"]
    assert [(link["margin"], link["mean"]) for link in links] == [
        (pytest.approx(627), 618),
        (60, 60),
    ]


@pytest.mark.parametrize("p", [1.2, 1.5, 3])
def test_another_power_is_least_squares_with_other_weights(p: float) -> None:
    rng = np.random.default_rng(3)
    a, step = rng.integers(0, 8, 60), rng.integers(1, 8, 60)
    problem = Judgments.from_arrays(a, (a + step) % 8, rng.normal(size=60))
    ratings = fit(problem, p=p)
    x, _ = least_squares(as_least_squares(problem, ratings.solution))
    np.testing.assert_allclose(x, ratings.solution.x, atol=1e-4)
    told = ratings.explain(*problem.names[:2])
    assert told.method == "linearised"
    assert sum(one.amount for one in told.contributions) + told.rest == pytest.approx(
        told.difference, abs=1e-4
    )
    assert f"loss |t|^{p:g}" in str(told)


def test_contests_are_explained_by_contest_for_another_power_too() -> None:
    told = fit(qrja.datasets.marathons(), p=1.5).explain("Alice", "Charlie")
    assert {one.label for one in told.contributions} == {"Boston", "New York", "Chicago"}
    assert sum(one.amount for one in told.contributions) == pytest.approx(told.difference, rel=1e-4)


@pytest.mark.parametrize("loss", [qrja.losses.Huber(1.0), qrja.losses.LogCosh(1.0)])
def test_judgments_that_agree_are_explained_for_smooth_losses(loss: qrja.losses.Loss) -> None:
    agreed = Judgments.from_arrays("abac", "bccb", [1, 1, 2, -1])
    explained = fit(agreed, loss=loss).explain("a", "b")
    assert explained.difference == pytest.approx(1.0)


def test_which_power_a_loss_is() -> None:
    problem = Judgments.from_arrays("ab", "bc", [1, 2])
    assert fit(problem, p=2).solution.power == 2
    assert fit(problem, p=np.inf).solution.power == np.inf
    assert qrja.solve(problem, loss=qrja.losses.Huber(1)).power is None


def test_the_words_of_the_paper() -> None:
    ratings = fit(qrja.datasets.marathons(example=2), p=2)
    told = replace(ratings, units=CLOCK).explain("Alice", "Charlie")
    assert str(told) == (
        "Alice is rated 16:00 above Charlie (the parts below add up to it exactly).\n"
        "  +8:00  New York (100% of the evidence passes through it)\n"
        "  +8:00  Chicago (100% of the evidence passes through it)\n"
        "\n"
        "The strongest chains:\n"
        "  100%: Alice beat Bob by 8:00 in New York; Bob beat Charlie by 8:00 in Chicago,"
        " together +16:00\n"
        "\n"
        "They would be level after one more contest between the two alone that Charlie won by"
        " 8:00."
    )
    assert told.drawing() == (
        "100%  Alice ──8:00 (New York)── Bob ──8:00 (Chicago)── Charlie  = +16:00"
    )


@pytest.mark.parametrize(
    ("wording", "margin", "labels", "words"),
    [
        (Wording(CLOCK), -480, ["Boston"], "A lost to B by 8:00 in Boston"),
        (Wording(CLOCK), 0.2, ["Boston"], "A was level with B in Boston"),
        (Wording(CLOCK), 60, ["X", "Y"], "A beat B by 1:00 on average in X and Y"),
        (Wording(CLOCK), 60, "WXYZ", "A beat B by 1:00 on average in 4 contests"),
        (Wording(CLOCK), 60, [7], "A beat B by 1:00 in contest 7"),
        (Wording(Units(), JUDGED), -2, [0], "A was judged 2.00 worse than B"),
        (Wording(Units(), JUDGED), 0, [0], "A was judged equal to B"),
        (
            Wording(Units(), JUDGED),
            2,
            [0, 1],
            "A was judged 2.00 better than B on average in 2 judgments",
        ),
        (Wording(Units("ratio"), JUDGED), np.log(3), [0], "one A was judged worth 3 B"),
    ],
)
def test_meetings_in_words(wording: Wording, margin: float, labels: list, words: str) -> None:
    assert wording.meeting("A", "B", margin, labels) == words


def test_two_components_get_a_reason_and_no_number() -> None:
    told = fit(Judgments.from_arrays("abx", "bcy", [1, 1, 1]), p=2).explain("a", "x")
    assert told.difference is None
    assert told.method == "none"
    assert str(told) == (
        "a and x cannot be compared: no chain of judgments joins them. a is joined to 2 other"
        " items, x to 1 other item. One judgment between the two groups would make"
        " all of them comparable."
    )
    assert told.drawing() == told.reason
    assert told.reason in told.svg()
    assert told.to_dict()["network"] == {"nodes": [], "edges": []}


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("Alise", "Bob", "no contestant 'Alise'; did you mean 'Alice'?"),
        ("Alice", "bob", "no contestant 'bob'; did you mean 'Bob'?"),
        ("Xerxes", "Bob", "no contestant 'Xerxes'; there are 3, such as Alice, Bob, Charlie"),
        ("Bob", "Bob", "both are 'Bob'; name two different contestants"),
    ],
)
def test_names_that_do_not_work(a: str, b: str, message: str) -> None:
    with pytest.raises(qrja.InputError) as error:
        fit(qrja.datasets.marathons(), p=2).explain(a, b)
    assert str(error.value) == message


def test_other_mistakes() -> None:
    ratings = fit(qrja.datasets.marathons(), p=np.inf)
    with pytest.raises(qrja.InputError, match="p = inf is decided by the worst judgments alone"):
        ratings.explain("Alice", "Bob")
    with pytest.raises(qrja.InputError, match="chains is -1; give a whole number of at least 0"):
        ratings.explain("Alice", "Bob", chains=-1)


def test_a_number_may_be_asked_for_as_text() -> None:
    told = fit(Judgments.from_arrays([1, 2], [2, 3], [1, 1]), p=2).explain("1", "3")
    assert (told.a, told.b) == (1, 3)


def test_a_dictionary_is_json_and_holds_every_contribution() -> None:
    told = fit(qrja.datasets.football(), p=2).explain("Barcelona", "R. Madrid", chains=2)
    plain = json.loads(json.dumps(told.to_dict(), allow_nan=False))
    total = sum(one["amount"] for one in plain["contributions"])
    assert total == pytest.approx(plain["difference"], abs=1e-9)
    assert len(plain["chains"]) == 2
    assert plain["chains"][0]["links"][0]["contests"]
    assert plain["network"]["nodes"][0] == {"name": "Barcelona", "depth": 0, "role": "a"}


def test_the_picture_is_well_formed_whatever_the_names() -> None:
    problem = Judgments.from_arrays(["<A&B>", "a long name that is cut"], ["M", "M"], [1, -2])
    told = fit(problem, p=2).explain("<A&B>", "a long name that is cut")
    root = ET.fromstring(told.svg())
    texts = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert "<A&B>" in texts
    assert "a long name that …" in texts
    assert len([node for node in root.iter() if node.tag.endswith("line")]) == 2


def test_anchors_leave_a_rest() -> None:
    problem = Judgments.from_arrays("abx", "bcy", [1, 1, 1])
    solution = qrja.solve(problem, p=2, anchors={"a": 10, "x": 0})
    told = replace(fit(problem, p=2), solution=solution).explain("a", "x")
    assert told.contributions == ()
    assert told.rest == pytest.approx(10)
    assert "the pull of a prior or anchors" in str(told)


def with_level(problem: Judgments, i: int, j: int, weight: float) -> Judgments:
    return Judgments(
        np.append(problem.a, np.int32(i)),
        np.append(problem.b, np.int32(j)),
        np.append(problem.y, 0.0),
        np.append(problem.w, weight),
        problem.names,
    )


@given(st.one_of(contests(5, 4), judgments(5, 8)), st.data())
def test_least_absolute_deviations_are_held_by_chains_of_judgments(
    problem: Contests | Judgments, draw: st.DataObject
) -> None:
    i, j = two_that_compare(problem, draw)
    told = fit(problem, p=1).explain(problem.names[i], problem.names[j])
    near = 1e-6 * scale_of(problem)
    assert told.method == "tight"
    assert told.low - near <= told.difference <= told.high + near
    at_least, at_most = told.chains
    assert at_least.total == pytest.approx(told.low, abs=near)
    assert at_most.total == pytest.approx(told.high, abs=near)
    pairs = problem.to_judgments() if isinstance(problem, Contests) else problem
    number = {name: k for k, name in enumerate(problem.names)}
    for chain in told.chains:
        assert (chain.links[0].a, chain.links[-1].b) == (told.a, told.b)
        for link in chain.links:
            a, b = number[link.a], number[link.b]
            forward = pairs.y[(pairs.a == a) & (pairs.b == b)]
            backward = -pairs.y[(pairs.a == b) & (pairs.b == a)]
            missed = np.abs(np.append(forward, backward) - link.margin)
            assert missed.min() <= near, "a link that nobody judged"
            assert link.labels


@given(judgments(5, 8), st.data())
def test_the_turning_weight_turns_the_order(problem: Judgments, draw: st.DataObject) -> None:
    i, j = two_that_compare(problem, draw)
    low, high = fit(problem, p=1).solution.face().numbered.difference(i, j)
    assume(min(abs(low), abs(high)) > 1e-2)
    assume(not low <= 0 <= high)
    weight = turning_weight(problem, (low, high), i, j)
    assert weight > 0
    more = (
        fit(with_level(problem, i, j, weight * 1.001), p=1)
        .solution.face()
        .numbered.difference(i, j)
    )
    assert more == pytest.approx((0, 0), abs=1e-2)
    less = (
        fit(with_level(problem, i, j, weight * 0.999), p=1)
        .solution.face()
        .numbered.difference(i, j)
    )
    assert less[0] * less[1] > 0


def test_the_turning_weight_of_contests_is_that_of_their_pairs() -> None:
    races = qrja.datasets.synthetic_races(races=12, entrants=8, field=4, seed=3).contests
    rounded = Contests(
        races.start, races.who, races.score.round(2), races.names, races.labels, races.weight
    )
    bounds = fit(rounded, p=1).solution.face().numbered.difference(0, 3)
    by_contests = turning_weight(rounded, bounds, 0, 3)
    assert by_contests == pytest.approx(turning_weight(rounded.to_judgments(), bounds, 0, 3))
    assert by_contests > 0


def test_least_absolute_deviations_in_words() -> None:
    told = replace(fit(qrja.datasets.marathons(), p=1), units=CLOCK).explain("Alice", "Charlie")
    assert str(told) == (
        "Alice is rated 19:00 above Charlie (by least absolute deviations).\n"
        "\n"
        "Why:\n"
        "  not less, because Alice beat Bob by 11:00 in Boston and Chicago; Bob beat Charlie by"
        " 8:00 in Chicago, together +19:00\n"
        "  not more, because Alice beat Charlie by 19:00 in Chicago\n"
        "\n"
        "To turn the order, new judgments that Charlie is at least level with Alice would have"
        " to weigh more than 2 together."
    )


def test_an_order_that_is_not_settled_is_called_so() -> None:
    told = fit(Judgments.from_arrays("aa", "bb", [0, 10]), p=1).explain("a", "b")
    assert (told.low, told.difference, told.high) == (0, 5, 10)
    assert "any difference from 0.00 to 10.00 is as good" in str(told)
    assert "The order is not settled" in str(told)


def test_long_chains_are_cut_in_words_and_whole_in_data() -> None:
    problem = Judgments.from_arrays(range(11), range(1, 12), np.ones(11))
    for p in (1, 2):
        told = fit(problem, p=p).explain(0, 11)
        assert "... 6 more ..." in str(told)
        assert "── 9" in told.drawing()
        assert "(6 more)" in told.drawing()
        assert "6 more" in told.svg()
        assert len(told.to_dict()["chains"][0]["links"]) == 11


@pytest.mark.parametrize("loss", [qrja.losses.Huber(1.0), qrja.losses.LogCosh(0.5)])
def test_other_losses_are_explained_by_their_flow(loss: qrja.losses.Loss) -> None:
    rng = np.random.default_rng(5)
    a, step = rng.integers(0, 8, 60), rng.integers(1, 8, 60)
    problem = Judgments.from_arrays(a, (a + step) % 8, rng.normal(size=60))
    solution = qrja.solve(problem, loss=loss)
    told = replace(fit(problem, p=2), solution=solution).explain(*problem.names[:2])
    assert told.method == "linearised"
    assert told.rest == pytest.approx(0, abs=1e-3)
    assert str(loss) in str(told)


def test_a_loss_without_a_flow_says_so() -> None:
    class Quartic:
        def value(self, t: np.ndarray) -> np.ndarray:
            return t**4

        def slope(self, t: np.ndarray) -> np.ndarray:
            return 4 * t**3

        def curvature(self, t: np.ndarray) -> np.ndarray:
            return 12 * t**2

    problem = Judgments.from_arrays("aab", "bcc", [1, 4, 2])
    solution = qrja.solve(problem, loss=Quartic())
    assert solution.status == "optimal"
    with pytest.raises(qrja.InputError, match="has no flow to explain; fit with p = 2"):
        replace(fit(problem, p=2), solution=solution).explain("a", "b")


def test_ratios_in_words() -> None:
    problem = Judgments.from_arrays(["gas", "trash"], ["trash", "noise"], np.log([3, 2]))
    ratios = replace(fit(problem, p=1), units=Units("ratio"))
    assert str(ratios.explain("gas", "noise")) == (
        "One gas is rated worth 6 noise (by least absolute deviations).\n"
        "\n"
        "Why:\n"
        "  neither less nor more, because one gas was judged worth 3 trash;"
        " one trash was judged worth 2 noise, together x 6\n"
        "\n"
        "To turn the order, new judgments that noise is at least level with gas would have to"
        " weigh more than 1 together."
    )
    told = str(replace(fit(problem, p=2), units=Units("ratio")).explain("gas", "noise"))
    assert "\n  x 3  judgment 0" in told
    assert told.endswith("after one more judgment that one noise is worth 2.449 gas.")


def test_a_loss_that_forgives_everything_explains_nothing() -> None:
    ratings = fit(qrja.datasets.marathons(), loss=qrja.losses.EpsilonInsensitive(1e6))
    with pytest.raises(qrja.InputError, match="forgives every error here, so nothing fixes the"):
        ratings.explain("Alice", "Bob")


def test_where_grades_end_it_says_how_many_judgments_it_takes() -> None:
    judged = Judgments.from_arrays("aaaab", "bbbbc", [2, 2, 2, 1, 1])
    ratings = fit(judged)
    told = ratings.explain("a", "b")
    assert told.turn.margin == pytest.approx(7)
    assert told.turn.times == 4
    assert (
        "It would take 4 judgments for the two alone, each with b better by 2.000, to make them"
        " level: a single one would need a larger margin than any so far."
    ) in str(told)
    assert told.to_dict()["turn"]["times"] == 4
    for more, ahead in ((3, "a"), (4, "b")):  # three are too few, four are enough
        x = ratings.update(Judgments.from_arrays("b" * more, "a" * more, [2] * more)).solution
        gap = x.x[0] - x.x[1]
        assert (gap > 0) == (ahead == "a")
    ratios = fit(Judgments.from_arrays("aab", "bbc", np.log([4, 4, 2])))
    assert ratios.explain("a", "b").turn.times == 2
