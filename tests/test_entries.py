"""Columns of entries: the checks that are worth a twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qrja.data import first_repeat


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
