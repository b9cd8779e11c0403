from collections import Counter
from datetime import date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests, InputError
from reference.graphs import components_by_spreading, pairs_of_contests
from strategies import contests as some_contests

RACES = ["Boston", "Boston", "Chicago", "Chicago", "Chicago"]
RUNNERS = ["Alice", "Bob", "Bob", "Cid", "Alice"]
SCORES = [9, 7, 4, 5, 6]


def by_name(judgments):
    """The rows of judgments as the slow twin gives them."""
    return [
        (judgments.names[a], judgments.names[b], y, w)
        for a, b, y, w in zip(judgments.a, judgments.b, judgments.y, judgments.w, strict=True)
    ]


def rows_of(contests):
    """The rows of contests: label, name, score, weight, date."""
    return [
        (
            contests.labels[c],
            contests.names[contests.who[e]],
            float(contests.score[e]),
            float(contests.weight[c]),
            None if contests.date is None else contests.date[c],
        )
        for e, c in enumerate(contests.contest_of_entry)
    ]


@st.composite
def tables(draw):
    """Columns of contests with few dates and rows in any order, as from_arrays takes them."""
    contest = draw(st.lists(st.sampled_from("ABCDE"), max_size=16))
    rows = list(dict.fromkeys((c, draw(st.integers(0, 5))) for c in contest))
    day = {c: draw(st.integers(1, 3)) for c in "ABCDE"}
    weight = {c: draw(st.sampled_from([1.0, 2.0, 0.25])) for c in "ABCDE"}
    score = [draw(st.floats(-99, 99)) for _ in rows]
    return (
        [c for c, _ in rows],
        [who for _, who in rows],
        score,
        [date(2020, 1, day[c]) for c, _ in rows],
        [weight[c] for c, _ in rows],
    )


# --- from_arrays -----------------------------------------------------------------------------


@given(tables())
def test_from_arrays_keeps_every_row_and_orders_contests_by_date(columns):
    contests = Contests.from_arrays(*columns)
    rows = zip(*columns, strict=True)
    expected = [(c, who, s, w, np.datetime64(d, "s")) for c, who, s, d, w in rows]
    assert Counter(rows_of(contests)) == Counter(expected)
    first = {label: i for i, label in reversed(list(enumerate(columns[0])))}
    day = dict(zip(columns[0], columns[3], strict=True))
    assert list(contests.labels) == sorted(first, key=lambda label: (day[label], first[label]))


@given(tables())
def test_entries_of_a_contest_keep_their_order(columns):
    contests = Contests.from_arrays(*columns[:3])
    for c, label in enumerate(contests.labels):
        entries = slice(contests.start[c], contests.start[c + 1])
        expected = [who for contest, who in zip(*columns[:2], strict=True) if contest == label]
        assert [contests.names[i] for i in contests.who[entries]] == expected
    assert list(contests.labels) == list(dict.fromkeys(columns[0]))


@given(tables())
def test_contestants_are_numbered_by_first_appearance(columns):
    contests = Contests.from_arrays(*columns)
    in_order = [contests.names[i] for i in contests.who]
    assert list(contests.names) == list(dict.fromkeys(in_order))


@given(tables(), st.randoms(use_true_random=False))
def test_order_of_rows_does_not_change_the_judgments(columns, random):
    rows = list(zip(*columns, strict=True))
    random.shuffle(rows)
    shuffled = list(zip(*rows, strict=True)) or [[]] * 5
    one, two = (Contests.from_arrays(*table).to_judgments() for table in (columns, shuffled))

    def either_way(judgments):
        # The pair (a, b, y) is the pair (b, a, -y); 0.0 takes the sign off a zero.
        return Counter(min((a, b, y), (b, a, 0.0 - y)) for a, b, y, _ in by_name(judgments))

    assert either_way(one) == either_way(two)


@given(some_contests(), st.floats(-100, 100))
def test_shifting_a_contest_does_not_change_its_margins(contests, shift):
    shifted = Contests(
        contests.start,
        contests.who,
        contests.score + shift * (contests.contest_of_entry % 2),
        contests.names,
        contests.labels,
        contests.weight,
    )
    y = contests.to_judgments().y
    assert np.allclose(shifted.to_judgments().y, y, rtol=0, atol=1e-9)


@given(some_contests())
def test_relabelling_changes_names_only(contests):
    label = [contests.labels[c] for c in contests.contest_of_entry]
    who = [f"runner {contests.names[i]}" for i in contests.who]
    renamed = Contests.from_arrays(label, who, contests.score)
    assert renamed.who.tolist() == contests.who.tolist()
    assert renamed.names == tuple(f"runner {name}" for name in contests.names)


@pytest.mark.parametrize(
    "dates",
    [
        ["2021-05-01", "2020-05-01"],
        [date(2021, 5, 1), date(2020, 5, 1)],
        [datetime(2021, 5, 1, 10), datetime(2020, 5, 1, 9)],
        np.array(["2021-05-01", "2020-05-01"], dtype="datetime64[D]"),
        np.array(["2021-05-01", "2020-05-01"], dtype="datetime64[ns]"),
    ],
)
def test_dates_of_any_kind_order_the_contests(dates):
    contests = Contests.from_arrays(["late", "early"], ["Alice", "Bob"], [1, 2], date=dates)
    assert contests.labels == ("early", "late")
    assert contests.names == ("Bob", "Alice")
    assert contests.date.dtype == np.dtype("datetime64[s]")


@pytest.mark.parametrize("column", [list, tuple, np.array, iter])
def test_columns_may_be_of_any_kind(column):
    contests = Contests.from_arrays(column(RACES), column(RUNNERS), np.array(SCORES))
    assert contests.labels == ("Boston", "Chicago")
    assert contests.names == ("Alice", "Bob", "Cid")
    assert contests.who.tolist() == [0, 1, 1, 2, 0]
    assert contests.weight.tolist() == [1, 1]
    assert contests.date is None
    assert repr(contests) == "Contests(contests=2, n=3, entries=5, m=4)"


def test_no_contests_at_all():
    empty = Contests.from_arrays([], [], [])
    assert (len(empty), empty.n, empty.entries, empty.m) == (0, 0, 0, 0)
    assert empty.components.tolist() == []
    assert empty.to_judgments().m == 0
    assert len(empty[:0]) == len(empty[::-1]) == len(empty[[]]) == 0


def test_contests_of_one_are_kept_and_say_nothing():
    contests = Contests.from_arrays(["A", "B", "B"], ["x", "y", "z"], [1, 2, 3], pairs="mean")
    assert (len(contests), contests.n, contests.m) == (2, 3, 1)
    assert contests.components.tolist() == [1, 0, 0]
    assert contests.pair_weight.tolist() == [1, 1]


# --- from_numbers ----------------------------------------------------------------------------


@given(tables())
def test_from_numbers_agrees_with_from_arrays(columns):
    contest, contestant, score, day, weight = columns
    labels, names = list(dict.fromkeys(contest)), sorted(set(contestant), reverse=True)
    contests = Contests.from_numbers(
        np.array([labels.index(c) for c in contest], dtype=np.int32),
        np.array([names.index(who) for who in contestant], dtype=np.int32),
        np.array(score, dtype=float),
        names=tuple(names),
        labels=tuple(labels),
        weight=np.array([weight[contest.index(c)] for c in labels], dtype=float),
        date=np.array([day[contest.index(c)] for c in labels], dtype="datetime64[s]"),
    )
    expected = Contests.from_arrays(*columns)
    assert rows_of(contests) == rows_of(expected)
    assert contests.names == expected.names


def test_from_numbers_keeps_empty_contests_and_drops_names_without_entries():
    contests = Contests.from_numbers(
        np.array([1, 1], dtype=np.int32),
        np.array([2, 0], dtype=np.int32),
        np.array([5.0, 4.0]),
        names=("Alice", "Bob", "Cid"),
        labels=("cancelled", "held"),
        weight=np.ones(2),
    )
    assert contests.sizes.tolist() == [0, 2]
    assert contests.names == ("Cid", "Alice")
    assert by_name(contests.to_judgments()) == [("Cid", "Alice", 1.0, 1.0)]
    assert contests[:1].names == ()


# --- pairs -----------------------------------------------------------------------------------


@given(some_contests(), st.sampled_from(["unit", "mean"]))
def test_to_judgments_matches_the_slow_twin(contests, pairs):
    contests = contests.with_pairs(pairs)
    judgments = contests.to_judgments()
    assert by_name(judgments) == pairs_of_contests(contests)
    assert judgments.names == contests.names
    assert contests.m == judgments.m


@given(some_contests())
def test_mean_pairs_let_a_contest_count_by_its_size(contests):
    judgments = contests.with_pairs("mean").to_judgments()
    of_contest = contests.contest_of_entry[contests.pair_entries()[0]]
    total = np.bincount(of_contest, judgments.w, minlength=len(contests))
    expected = np.where(contests.sizes > 1, contests.weight * contests.sizes / 2, 0)
    assert np.allclose(total, expected)


@given(some_contests())
def test_components_are_those_of_the_judgments(contests):
    edges = [
        (contests.names.index(a), contests.names.index(b))
        for a, b, *_ in pairs_of_contests(contests)
    ]
    expected = components_by_spreading(contests.n, edges)
    label = contests.components
    found = [set(np.flatnonzero(label == k).tolist()) for k in set(label.tolist())]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    assert label.tolist() == contests.to_judgments().components.tolist()


def test_counting_pairs_does_not_write_them_out():
    k = 200_000
    contests = Contests.from_arrays(["big"] * k, range(k), np.zeros(k))
    assert contests.m == k * (k - 1) // 2


def test_with_pairs_shares_the_entries():
    contests = Contests.from_arrays(RACES, RUNNERS, SCORES)
    mean = contests.with_pairs("mean")
    assert np.shares_memory(mean.score, contests.score)
    assert np.shares_memory(mean.who, contests.who)
    assert mean.pair_weight.tolist() == [1, 0.5]
    assert contests.pair_weight.tolist() == [1, 1]


# --- slices ----------------------------------------------------------------------------------


def rebuilt(contests, chosen):
    """What a selection should give: the rows of the chosen contests, one after another."""
    rows = rows_of(contests)
    return [row for c in chosen for row in rows if row[0] == contests.labels[c]]


@given(some_contests(), st.integers(-7, 7))
def test_a_prefix_shares_memory_and_holds_its_rows(contests, stop):
    prefix = contests[:stop]
    chosen = range(len(contests))[:stop]
    assert rows_of(prefix) == rebuilt(contests, chosen)
    assert prefix.names == tuple(dict.fromkeys(row[1] for row in rows_of(prefix)))
    assert prefix.labels == contests.labels[:stop]
    for column in ("start", "who", "score", "weight"):
        part = getattr(prefix, column)
        assert np.shares_memory(part, getattr(contests, column)) or not part.size
        assert not part.flags.writeable


def test_a_prefix_of_a_prefix_and_its_dates_share_memory():
    contests = Contests.from_arrays(["A", "B", "C"], [1, 2, 3], [1, 2, 3], date=["2020-01-01"] * 3)
    assert np.shares_memory(contests[:2][:1].date, contests.date)
    assert np.shares_memory(contests[:2][:1].score, contests.score)


@given(some_contests(), st.slices(6))
def test_any_slice_selects_its_contests(contests, which):
    selected = contests[which]
    chosen = range(len(contests))[which]
    assert rows_of(selected) == rebuilt(contests, chosen)
    assert selected.pairs == contests.pairs


@given(some_contests(), st.data())
def test_masks_and_lists_select_contests(contests, data):
    flags = data.draw(st.lists(st.booleans(), min_size=len(contests), max_size=len(contests)))
    chosen = np.flatnonzero(flags)
    assert rows_of(contests[np.array(flags, dtype=bool)]) == rebuilt(contests, chosen)
    assert rows_of(contests[chosen.tolist()]) == rebuilt(contests, chosen)


def test_dated_contests_stay_in_time_order_however_they_are_selected():
    dates = ["2020-01-01", "2021-01-01"]
    contests = Contests.from_arrays(["A", "B"], ["x", "y"], [1, 2], date=dates)
    assert contests[::-1].labels == ("A", "B")
    assert contests[[1, 0]].labels == ("A", "B")


def test_a_contest_may_be_selected_twice():
    contests = Contests.from_arrays(RACES, RUNNERS, SCORES)
    assert contests[[0, 0]].labels == ("Boston", "Boston")
    assert contests[[0, 0]].m == 2


@pytest.mark.parametrize(
    ("which", "message"),
    [
        (0, "select contests with a slice, a mask or a list of numbers"),
        ([[0]], "select contests with a slice, a mask or a list of numbers"),
        (
            [2],
            "cannot select contests: index 2 is out of bounds for axis 0 with size 2;"
            " use a slice, a mask or a list of numbers",
        ),
    ],
)
def test_bad_selection(which, message):
    with pytest.raises(InputError) as caught:
        Contests.from_arrays(RACES, RUNNERS, SCORES)[which]
    assert str(caught.value) == message


@pytest.mark.parametrize("which", ["Boston", [0.5], [True], [None]])
def test_selection_by_something_else_is_an_input_error(which):
    with pytest.raises(InputError, match=r"^cannot select contests: .*; use a slice, a mask or"):
        Contests.from_arrays(RACES, RUNNERS, SCORES)[which]


# --- read-only -------------------------------------------------------------------------------


@given(tables())
def test_columns_are_read_only_copies(columns):
    contests = Contests.from_arrays(*columns)
    for name in ("start", "who", "score", "weight", "date", "sizes", "pair_weight", "components"):
        assert not getattr(contests, name).flags.writeable


def test_later_changes_to_the_callers_arrays_do_not_reach_in():
    score = np.array(SCORES, dtype=float)
    contests = Contests.from_arrays(RACES, RUNNERS, score)
    score[:] = 0
    assert contests.score.tolist() == SCORES


def test_fields_cannot_be_replaced():
    with pytest.raises(AttributeError, match="cannot assign"):
        Contests.from_arrays(RACES, RUNNERS, SCORES).score = np.zeros(5)


def test_iterating_gives_the_contests_one_by_one():
    contests = Contests.from_arrays(RACES, RUNNERS, SCORES)
    boston, chicago = contests
    assert (boston.label, boston.who.tolist(), boston.score.tolist()) == ("Boston", [0, 1], [9, 7])
    assert (len(chicago), chicago.weight, chicago.date) == (3, 1.0, None)
    assert np.shares_memory(chicago.score, contests.score)
