"""Arrays that grow keep what they held, and are copied seldom."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qrja.data import grown


@given(st.lists(st.integers(-9, 9)), st.integers(0, 40), st.sampled_from([0, -1, 7]))
def test_rows_are_kept_and_new_ones_filled(held: list[int], rows: int, fill: int) -> None:
    table = np.array(held, dtype=np.int32)
    longer = grown(table, rows, fill)
    assert longer.dtype == table.dtype
    assert len(longer) >= rows
    assert longer[: len(held)].tolist() == held
    assert (longer[len(held) :] == fill).all()
    assert (longer is table) == (rows <= len(held))


def test_a_table_of_many_columns_grows_by_rows() -> None:
    assert grown(np.ones((2, 3)), 3).tolist() == [[1] * 3, [1] * 3, [0] * 3, [0] * 3]


def test_room_doubles_so_that_rows_are_copied_a_few_times() -> None:
    table, copies = np.zeros(1), 0
    for rows in range(1, 10_000):
        longer = grown(table, rows)
        copies += len(table) if longer is not table else 0
        table = longer
    assert copies < 2 * 10_000
