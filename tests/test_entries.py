"""Columns of entries: the checks that are worth a twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qrja.data import best_rows, first_repeat


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_first_repeat_matches_a_set(rows):
    seen, expected = set(), None
    for i, row in enumerate(rows):
        if row in seen:
            expected = i
            break
        seen.add(row)
    group, who = (np.array([row[i] for row in rows], dtype=np.int32) for i in (0, 1))
    assert first_repeat(group, who) == expected


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-3, 3)), max_size=12))
def test_best_rows_are_those_of_a_search_row_by_row(rows):
    expected = []
    for i, (key, score) in enumerate(rows):
        better = any(
            k == key and (s > score or (s == score and j < i)) for j, (k, s) in enumerate(rows)
        )
        if not better:
            expected.append(i)
    key = np.array([key for key, _ in rows], dtype=np.int32)
    score = np.array([score for _, score in rows], dtype=np.float64)
    assert best_rows(key, score).tolist() == expected
