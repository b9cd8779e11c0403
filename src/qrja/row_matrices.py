"""Matrices by rows, mostly of zeros: written out while they are small, SciPy's sparse ones beyond.

SciPy takes as long to load as a small file takes to rank, and a product with a small table is as
quick as one with its entries.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = Any
"""An array or a sparse one, which is asked for products, slices, ``.T``, and what is below."""
WRITTEN_OUT = 20_000
"""Rows times columns of a table that is written out: 160 kB, read in microseconds."""


def by_rows(values: Any, columns: Any, start: Any, width: int) -> Matrix:
    """Return the matrix whose row r has ``values[start[r]:start[r + 1]]`` in some columns.

    Examples
    --------
    >>> by_rows(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 2]), np.array([0, 2, 3]), 3)
    array([[1., 0., 2.],
           [0., 0., 3.]])
    """
    shape = len(start) - 1, width
    if is_small(shape):
        rows = np.repeat(np.arange(shape[0]), np.diff(start))
        return _write_out(values, rows, columns, shape)
    from scipy.sparse import csr_array

    return csr_array((values, columns, start), shape=shape)


def at_places(values: Any, rows: Any, columns: Any, shape: tuple[int, int]) -> Matrix:
    """Return the matrix with some values at some places; those of one place are added up.

    Examples
    --------
    >>> at_places(np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 0]), (2, 2))
    array([[0., 0.],
           [3., 0.]])
    """
    if is_small(shape):
        return _write_out(values, rows, columns, shape)
    from scipy.sparse import coo_array

    return coo_array((values, (rows, columns)), shape=shape).tocsr()


def is_small(shape: tuple[int, int]) -> bool:
    """Tell whether a matrix is written out."""
    return shape[0] * shape[1] <= WRITTEN_OUT


def _write_out(values: Any, rows: Any, columns: Any, shape: tuple[int, int]) -> Floats:
    place = np.asarray(rows, dtype=np.int64) * shape[1] + columns
    table = np.bincount(place, values, minlength=shape[0] * shape[1])
    return table.astype(np.float64, copy=False).reshape(shape)


def rows_first(matrix: Matrix) -> Matrix:
    """Return a matrix laid out in memory by its rows, which a transposed one is not."""
    return np.ascontiguousarray(matrix) if isinstance(matrix, np.ndarray) else matrix.tocsr()


def written_out(matrix: Matrix) -> Floats:
    """Return a matrix as an array."""
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.toarray())
