"""Arrays that grow: room doubles, so that each row is copied a few times at most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qrja.data.arrays import S


def grown(table: NDArray[S], rows: int, fill: float = 0) -> NDArray[S]:
    """Return the table, or a longer copy of it if it has no room for so many rows.

    Parameters
    ----------
    table : array
        Its rows are kept; who uses it remembers how many of them are in use.
    rows : int
        How many there must be room for.
    fill : float
        What new rows hold.

    Examples
    --------
    >>> grown(np.array([5.0]), 3)
    array([5., 0., 0.])
    >>> grown(np.array([1, 2, 3]), 4, -1)
    array([ 1,  2,  3, -1, -1, -1])
    """
    if rows <= len(table):
        return table
    longer = np.zeros((max(rows, 2 * len(table)), *table.shape[1:]), dtype=table.dtype)
    longer[: len(table)] = table
    if fill:
        longer[len(table) :] = fill
    return longer
