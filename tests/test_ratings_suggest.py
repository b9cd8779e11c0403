"""Suggestions: gains agree with refitting, groups are joined first, estimates choose well."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import qrja
from qrja import Contests, Judgments, fit
from qrja.cli import run
from qrja.ratings.suggest import design as design_module
from qrja.ratings.suggest.design import Design
from reference.squares import total_variance, with_a_meeting
from strategies import contests, judgments


def pairs_of(problem: Contests | Judgments) -> Judgments:
    return problem.to_judgments() if isinstance(problem, Contests) else problem


@given(st.one_of(contests(), judgments()), st.data())
def test_a_gain_is_what_the_pseudo_inverse_loses(
    problem: Contests | Judgments, draw: st.DataObject
) -> None:
    label = problem.components
    group = [i for i in range(problem.n) if label[i] == 0]
    assume(len(group) > 1)
    who = draw.draw(st.lists(st.sampled_from(group), unique=True, min_size=2, max_size=4))
    design, pairs = Design(problem, 0), pairs_of(problem)
    more = with_a_meeting(pairs, who, design.weight)
    assert design.total() == pytest.approx(total_variance(pairs))
    expected = total_variance(pairs) - total_variance(more)
    assert design.gain(who) == pytest.approx(expected, abs=1e-9)
    other = draw.draw(st.lists(st.sampled_from(group), unique=True, min_size=2, max_size=3))
    design.add(who)
    again = with_a_meeting(more, other, design.weight)
    assert design.total() == pytest.approx(total_variance(more))
    expected = total_variance(more) - total_variance(again)
    assert design.gain(other) == pytest.approx(expected, abs=1e-9)


@given(judgments())
def test_the_best_pair_is_the_best_of_all(problem: Judgments) -> None:
    groups = int(problem.components.max()) + 1
    assume(groups == 1)
    suggested = fit(problem, p=2).suggest(1)
    weight = float(np.median(problem.w))
    before = total_variance(problem)
    gains = {
        pair: 1 - total_variance(with_a_meeting(problem, list(pair), weight)) / before
        for pair in combinations(range(problem.n), 2)
    }
    (item,) = suggested.items
    assert item.gain == pytest.approx(max(gains.values()), abs=1e-9)
    assert gains[tuple(sorted(item.contestants))] == pytest.approx(item.gain, abs=1e-9)
    assert (suggested.considered, suggested.pairs) == (len(gains), len(gains))
    assert suggested.exact


def test_estimates_choose_nearly_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    made = qrja.datasets.synthetic_races(races=60, entrants=50, field=6, seed=5).contests
    ratings = fit(made, p=2)
    exact = ratings.suggest(3)
    monkeypatch.setattr(design_module, "DENSE", 10)
    rough = ratings.suggest(3)
    assert exact.exact
    assert not rough.exact
    for one, other in zip(exact.items, rough.items, strict=True):
        assert other.gain > 0.8 * one.gain
    assert rough.to_dict() == ratings.suggest(3).to_dict()


def test_the_gain_of_a_rough_choice_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    made = qrja.datasets.synthetic_races(races=30, entrants=20, field=5, seed=6).contests
    monkeypatch.setattr(design_module, "DENSE", 10)
    design, pairs = Design(made, 0), made.to_judgments()
    design.add([0, 1, 2])
    more = with_a_meeting(pairs, [0, 1, 2], 1.0)
    expected = total_variance(more) - total_variance(with_a_meeting(more, [3, 4], 1.0))
    assert design.gain([3, 4]) == pytest.approx(expected)


def test_projections_estimate_variances(monkeypatch: pytest.MonkeyPatch) -> None:
    made = qrja.datasets.synthetic_races(races=60, entrants=50, field=6, seed=5).contests
    exact = Design(made, 0)
    monkeypatch.setattr(design_module, "DENSE", 10)
    monkeypatch.setattr(design_module, "SIGNS", 2000)
    rough = Design(made, 0)
    for design in (exact, rough):
        design.add([0, 1, 2])
    np.testing.assert_allclose(rough.variance(), exact.variance(), rtol=0.25)
    assert rough.total() == pytest.approx(exact.total(), rel=0.05)


def test_only_the_least_certain_are_looked_at_among_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = qrja.datasets.synthetic_races(races=40, entrants=30, field=5, seed=7).contests
    monkeypatch.setattr(design_module, "WIDE", 10)
    told = fit(made, p=2).suggest(1)
    assert told.considered == 45
    assert f"Considered 45 of {told.pairs:,} pairs, exactly." in str(told)


def test_groups_are_joined_first_the_largest_before() -> None:
    problem = Judgments.from_arrays("abcxyp", "bcdyzq", np.ones(6))
    told = fit(problem, p=2).suggest(4)
    assert [item.kind for item in told.items] == ["join", "join", "sharpen", "sharpen"]
    assert told.items[0].reason == (
        "joins a group of 3 to a group of 4, which nothing compares now;"
        " both have the most results of their group"
    )
    assert told.items[0].contestants[1] == "y"
    assert set(told.items[2].contestants) == {"d", "x"}


def test_those_who_met_nobody_are_joined_too() -> None:
    races = Contests.from_arrays("112", "abc", [1, 2, 3])
    (item,) = fit(races, p=2).suggest(1).items
    assert "c" in item.contestants
    assert item.reason.startswith("joins 1 contestant who met nobody to a group of 2")
    assert "no pair within a group was considered" in str(fit(races, p=2).suggest(1))


def test_start_lists_have_the_size_asked_for() -> None:
    problem = Judgments.from_arrays("abcxyp", "bcdyzq", np.ones(6))
    told = fit(problem, p=2).suggest(5, size=3)
    assert all(len(set(item.contestants)) == len(item.contestants) for item in told.items)
    assert [len(item.contestants) for item in told.items[:3]] == [3, 3, 3]
    joined = set(told.items[0].contestants)
    assert joined & set("abcd")
    assert joined & set("xyz")
    assert told.items[2].gain > 0


def test_a_start_list_gains_more_than_its_best_pair() -> None:
    made = qrja.datasets.synthetic_races(races=20, entrants=20, field=4, seed=8).contests
    ratings = fit(made, p=2)
    assert ratings.suggest(1, size=5).items[0].gain > ratings.suggest(1).items[0].gain


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k is 0; give a whole number of at least 1"),
        ({"k": 2.5}, "k is 2.5; give a whole number of at least 1"),
        ({"size": 1}, "size is 1; give a whole number of at least 2"),
        ({"size": 9}, "size is 9; there are 3 contestants"),
    ],
)
def test_mistakes(options: dict, message: str) -> None:
    with pytest.raises(qrja.InputError) as error:
        fit(qrja.datasets.marathons(), p=2).suggest(**options)
    assert str(error.value) == message


def test_nothing_to_suggest() -> None:
    told = fit(Contests.from_arrays([], [], []), p=2).suggest()
    assert str(told) == "Nothing to suggest: there are no two to compare."


@given(contests(), st.integers(1, 6))
def test_suggestions_are_json_and_name_known_contestants(problem: Contests, k: int) -> None:
    told = fit(problem, p=2).suggest(k)
    plain = json.loads(json.dumps(told.to_dict(), allow_nan=False))
    assert len(plain["suggestions"]) <= k
    for item in plain["suggestions"]:
        assert set(item["contestants"]) <= set(problem.names)
        assert 0 < item["gain"] <= 1


GROUPS = [
    Contests.from_arrays(
        ["X", "X", "Y", "Y", "Z"], ["Ann", "Bob", "Cid", "Dan", "Eve"], [3, 1, 2, 1, 5]
    ),
    Judgments.from_arrays("acc", "bdd", [1, 1, 1]),
]


@pytest.mark.parametrize("problem", GROUPS, ids=["contests", "judgments"])
def test_what_follows_counts_on_the_joins(problem: Contests | Judgments) -> None:
    told = fit(problem, p=2).suggest(4)
    joins = [item for item in told.items if item.kind == "join"]
    known, weight = pairs_of(problem), Design(problem, 0).weight
    for item in joins:
        who = [problem.names.index(name) for name in item.contestants]
        known = with_a_meeting(known, who, weight)
    before = total_variance(known)
    gains = [
        1 - total_variance(with_a_meeting(known, list(pair), weight)) / before
        for pair in combinations(range(problem.n), 2)
    ]
    assert told.items[len(joins)].gain == pytest.approx(max(gains))
    assert told.considered == len(gains)


def variance(judged: Judgments, a: int, b: int) -> float:
    """The variance of a difference, by the pseudo-inverse of the Laplacian written out."""
    laplacian = np.zeros((judged.n, judged.n))
    for i, j, w in zip(judged.a, judged.b, judged.w, strict=True):
        laplacian[[i, j, i, j], [i, j, j, i]] += [w, w, -w, -w]
    inverse = np.linalg.pinv(laplacian, hermitian=True)
    return float(inverse[a, a] + inverse[b, b] - 2 * inverse[a, b])


@given(judgments(max_candidates=6))
def test_what_settles_an_order_is_the_best_of_all_pairs(judged: Judgments) -> None:
    joined = [i for i in range(judged.n) if judged.components[i] == judged.components[0]]
    assume(len(joined) > 1)
    a, b = joined[0], joined[-1]
    weight = Design(judged, 0).weight
    told = fit(judged).suggest(1, settle=(judged.names[a], judged.names[b]))
    before = variance(judged, a, b)
    pairs = combinations(joined, 2)
    left = [variance(with_a_meeting(judged, list(pair), weight), a, b) for pair in pairs]
    assert told.items[0].gain == pytest.approx(1 - min(left) / before, abs=1e-6)


def test_the_order_of_two_is_settled_by_asking_them() -> None:
    chain = qrja.fit(qrja.Judgments.from_arrays("abc", "bcd", [1, 1, 1]))
    told = chain.suggest(2, settle=("a", "d"))
    assert told.items[0].contestants == ("a", "d")
    text = told.text()
    assert text.startswith(
        "a is rated 3.000 above d.\n1. a - d: would remove 75% of the variance of"
    )
    assert "To be asked one after the other: each counts on those before it." in text
    assert told.to_dict()["goal"] == "a is rated 3.000 above d."


def test_the_first_place_is_settled_among_those_who_may_have_it() -> None:
    rng = np.random.default_rng(4)
    made = [(a, b) for a in range(5) for b in range(a + 1, 5)] * 4
    level = np.array([3.0, 2.95, 0.0, -1.0, -2.0])
    y = [level[a] - level[b] + rng.normal(0, 0.3) for a, b in made]
    ratings = qrja.fit(qrja.Judgments.from_arrays(*zip(*made, strict=True), y))
    told = ratings.suggest(1, settle="first")
    assert set(told.items[0].contestants) == {0, 1}
    assert "leads, and 1 other may be first." in told.goal


def test_a_first_place_that_nobody_else_may_have_is_settled() -> None:
    made = [(a, b) for a in range(4) for b in range(a + 1, 4)] * 3
    y = [(b - a) * 10 + 0.01 * k for k, (a, b) in enumerate(made)]
    ratings = qrja.fit(qrja.Judgments.from_arrays(*zip(*made, strict=True), y))
    told = ratings.suggest(settle="first")
    assert str(told) == "The first place is settled: none but 0 may have it."


def test_groups_that_never_met_are_asked_directly() -> None:
    apart = qrja.fit(qrja.Judgments.from_arrays("ax", "by", [1, 1]))
    told = apart.suggest(settle=("a", "y"))
    assert [item.contestants for item in told.items] == [("a", "y")]
    assert told.goal == "Nothing compares a and y now."


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"settle": "second"}, "settle is 'second'; give 'first', or two items"),
        ({"settle": ("a", "a")}, "settle names 'a' twice; give two items"),
        ({"settle": ("a", "z")}, "no item 'z'"),
        ({"settle": "first", "size": 3}, "what settles a question are pairs: leave size out"),
    ],
)
def test_questions_that_cannot_be_settled(asked: dict[str, object], message: str) -> None:
    chain = qrja.fit(qrja.Judgments.from_arrays("abc", "bcd", [1, 1, 1]))
    with pytest.raises(qrja.InputError, match=message):
        chain.suggest(**asked)  # type: ignore[arg-type]


def test_the_empty_cell_of_a_wide_table_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "bench.csv"
    table.write_text("task,gpt,claude,llama\nmath,5,6,\ncode,7,8,9\nprose,4,,5\nlogic,3,1,2\n")
    assert run(["suggest", str(table), "-k", "3", "-q", "--json"]) == 0
    items = json.loads(capsys.readouterr().out)["suggestions"]
    assert items[0]["contestants"] == ["claude", "llama"]
    assert items[0]["cell"] == ["math", "llama"]
    assert items[0]["reason"].endswith("; fill the empty cell of llama in math")
    assert ["prose", "claude"] in [item["cell"] for item in items]
    cells = [tuple(item["cell"]) for item in items if item["cell"]]
    assert len(set(cells)) == len(cells)


def test_long_tables_and_judgments_have_no_cells_to_fill() -> None:
    judged = Judgments.from_arrays("abc", "bcd", [1, 1, 1])
    assert fit(judged).suggest(1, cells=True).items[0].cell is None
    contests = Contests.from_arrays([1, 1, 2, 2], list("abbc"), [1, 2, 3, 4])
    assert fit(contests).suggest(1).items[0].cell is None
    assert fit(contests).suggest(1, size=3, cells=True).items[0].cell is None


def test_a_wide_table_is_remembered_where_cells_are_named(tmp_path: Path) -> None:
    file = tmp_path / "tasks.csv"
    file.write_text("task,x,y,z\nt1,3,1,\nt2,2,,0\nt3,1,2,\n")
    ratings = fit(str(file), wide="contestants")
    ratings.save(tmp_path / "r.qrja")
    for each in (ratings, qrja.load(tmp_path / "r.qrja")):
        assert each.wide
        assert any(item.cell for item in each.suggest(2).items)
        assert not any(item.cell for item in each.suggest(2, cells=False).items)
    assert not fit(ratings.data).wide
