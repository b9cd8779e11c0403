import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import InputError, Judgments
from reference.graphs import components_by_spreading
from strategies import judgments

LABELS = st.one_of(st.integers(0, 4), st.sampled_from(["gas", "noise"]), st.tuples(st.booleans()))


@given(st.lists(st.tuples(LABELS, LABELS, st.floats(-9, 9), st.floats(0.1, 9)), max_size=12))
def test_from_arrays_gives_every_row_back_by_name(rows):
    rows = [row for row in rows if row[0] != row[1]]
    a, b, y, w = ([row[i] for row in rows] for i in range(4))
    j = Judgments.from_arrays(a, b, y, w)
    assert [j.names[i] for i in j.a] == a
    assert [j.names[i] for i in j.b] == b
    assert j.y.tolist() == y
    assert j.w.tolist() == w
    mentioned = dict.fromkeys(label for row in rows for label in row[:2])
    assert list(j.names) == list(mentioned)
    assert (j.n, j.m, len(j)) == (len(mentioned), len(rows), len(rows))


@pytest.mark.parametrize("column", [list, tuple, np.array, iter])
def test_columns_may_be_of_any_kind(column):
    j = Judgments.from_arrays(column(["gas", "oil"]), column(["oil", "coal"]), np.array([3, 1]))
    assert j.names == ("gas", "oil", "coal")
    assert j.a.tolist() == [0, 1]
    assert j.b.tolist() == [1, 2]
    assert j.w.tolist() == [1, 1]


def test_numpy_labels_become_plain_ones():
    j = Judgments.from_arrays([np.int64(3)], [np.int64(5)], [1])
    assert [type(name) for name in j.names] == [int, int]
    j = Judgments.from_arrays(np.array([3]), np.array([5]), [1])
    assert [type(name) for name in j.names] == [int, int]


def test_constructor_takes_numbers_and_may_name_candidates_never_judged():
    j = Judgments([0], [2], [1.5], [2], ("gas", "oil", "coal"))
    assert (j.n, j.m) == (3, 1)
    assert j.components.tolist() == [0, 1, 0]
    assert repr(j) == "Judgments(n=3, m=1)"


def test_no_judgments_at_all():
    j = Judgments.from_arrays([], [], [])
    assert (j.n, j.m, len(j), j.components.tolist()) == (0, 0, 0, [])


def test_a_pair_may_be_judged_often_and_both_ways():
    j = Judgments.from_arrays(["a", "b", "a"], ["b", "a", "b"], [1, 2, 1])
    assert j.m == 3


@given(judgments())
def test_components_match_the_slow_twin(j):
    edges = list(zip(j.a.tolist(), j.b.tolist(), strict=True))
    expected = components_by_spreading(j.n, edges)
    found = [set(np.flatnonzero(j.components == k).tolist()) for k in set(j.components.tolist())]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@given(judgments())
def test_columns_are_read_only_copies(j):
    for column in (j.a, j.b, j.y, j.w, j.components):
        assert not column.flags.writeable
    again = Judgments(j.a, j.b, j.y, j.w, j.names)
    if j.m:
        assert not np.shares_memory(again.y, j.y)


def test_later_changes_to_the_callers_arrays_do_not_reach_in():
    y, w = np.array([1.0]), np.array([2.0])
    j = Judgments.from_arrays(["a"], ["b"], y, w)
    y[0], w[0] = 7, 8
    assert (j.y[0], j.w[0]) == (1, 2)


def test_fields_cannot_be_replaced():
    j = Judgments.from_arrays(["a"], ["b"], [1])
    with pytest.raises(AttributeError, match="cannot assign"):
        j.y = np.zeros(1)


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            (["a", "b"], ["b", "b"], [1, 2]),
            "row 1: 'b' is judged against itself; name two different candidates",
        ),
        ((["a"], ["b", "c"], [1]), "a has 1 rows and b has 2"),
        ((["a"], ["b"], [1, 2]), "a has 1 rows and y has 2"),
        ((["a"], ["b"], [1], [1, 1]), "a has 1 rows and w has 2"),
        (
            (["a", "c"], ["b", "d"], [1, NAN]),
            "row 1: the margin is nan; give a finite number or leave the row out",
        ),
        (
            (["a"], ["b"], [-INF]),
            "row 0: the margin is -inf; give a finite number or leave the row out",
        ),
        (
            (["a"], ["b"], [None]),
            "row 0: the margin is nan; give a finite number or leave the row out",
        ),
        (
            (["a"], ["b"], [1], [0]),
            "row 0: the weight is 0; give a positive number or leave the row out",
        ),
        (
            (["a"], ["b"], [1], [-2]),
            "row 0: the weight is -2; give a positive number or leave the row out",
        ),
        (
            (["a"], ["b"], [1], [NAN]),
            "row 0: the weight is nan; give a positive number or leave the row out",
        ),
        (
            (["a"], ["b"], ["much"]),
            "row 0: the margin is 'much'; give a number",
        ),
        ((["a"], ["b"], [[1]]), "the margins have 2 dimensions; give one number per row"),
        ((["a"], ["b"], [1], 1), "the weights have 0 dimensions; give one number per row"),
        (
            (["a", "b"], ["b", None], [1, 2]),
            "row 1: the candidate is None; give it a name or leave the row out",
        ),
        (
            (["a", NAN], ["b", "c"], [1, 2]),
            "row 1: the candidate is nan; give it a name or leave the row out",
        ),
    ],
)
def test_bad_columns(columns, message):
    with pytest.raises(InputError) as caught:
        Judgments.from_arrays(*columns)
    assert str(caught.value) == message


LABELS_GIVEN = "the candidates are not numbers 0, 1, ...; use from_arrays for labels"


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (["x"], ["y"], LABELS_GIVEN),
        ([0.0], [1.0], LABELS_GIVEN),
        ([[0]], [[1]], LABELS_GIVEN),
        ([True], [False], LABELS_GIVEN),
        ([0], [2], "row 0: candidate number 2 is outside 0..1, the range of the names"),
        ([-1], [0], "row 0: candidate number -1 is outside 0..1, the range of the names"),
        (
            [0],
            [2**32 + 1],
            "row 0: candidate number 4294967297 is outside 0..1, the range of the names",
        ),
    ],
)
def test_bad_numbers(a, b, message):
    with pytest.raises(InputError) as caught:
        Judgments(a, b, [1], [1], ("x", "y"))
    assert str(caught.value) == message


def test_judges_are_numbered() -> None:
    judged = Judgments.from_arrays("ab", "bc", [1, 2], judge=["Ann", "Ann"])
    assert judged.judge is not None
    assert (judged.judge.tolist(), judged.judges) == ([0, 0], ("Ann",))
    with pytest.raises(InputError, match="a has 2 rows and judge has 1"):
        Judgments.from_arrays("ab", "bc", [1, 2], judge=["Ann"])


@given(judgments())
def test_a_judgment_is_a_contest_of_two(problem: Judgments) -> None:
    first, second = problem.who[::2], problem.who[1::2]
    assert np.array_equal(first, problem.a)
    assert np.array_equal(second, problem.b)
    assert np.array_equal(problem.score[::2] - problem.score[1::2], problem.y)
    assert np.array_equal(np.diff(problem.start), problem.sizes)
    assert np.array_equal(problem.who[problem.start[:-1]], problem.a)
    assert np.array_equal(problem.contest_of_entry[::2], np.arange(len(problem)))
    assert problem.entries == len(problem.who) == len(problem.score) == 2 * problem.m
    assert problem.to_judgments() is problem
