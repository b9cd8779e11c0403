"""Small matrices are written out, large ones sparse; both give the same products."""

from __future__ import annotations

import numpy as np
import pytest

from qrja import row_matrices
from qrja.row_matrices import at_places, by_rows, rows_first, written_out


@pytest.mark.parametrize("limit", [0, 10**6])
def test_products_are_the_same_written_out_and_sparse(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_matrices, "WRITTEN_OUT", limit)
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 7, 40), rng.integers(0, 5, 40)
    values = rng.standard_normal(40)
    expected = np.zeros((7, 5))
    np.add.at(expected, (rows, columns), values)
    order = np.argsort(rows, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=7))])
    for matrix in (
        at_places(values, rows, columns, (7, 5)),
        by_rows(values[order], columns[order], start, 5),
    ):
        assert isinstance(matrix, np.ndarray) == (limit > 0)
        np.testing.assert_allclose(written_out(matrix), expected)
        np.testing.assert_allclose(matrix @ np.arange(5.0), expected @ np.arange(5.0))
        np.testing.assert_allclose(
            rows_first(matrix.T) @ np.ones((7, 2)), expected.T @ np.ones((7, 2))
        )
        np.testing.assert_allclose(written_out(matrix.T @ matrix), expected.T @ expected)


def test_nothing_is_a_matrix_too() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert at_places(np.zeros(0), none, none, (3, 2)).tolist() == [[0, 0]] * 3
    assert by_rows(np.zeros(0), none, np.zeros(1, np.int64), 4).shape == (0, 4)
