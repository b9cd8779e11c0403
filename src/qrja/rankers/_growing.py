"""A table with one row per contestant that grows as new contestants appear."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index


def grown(table: Floats, who: Index) -> Floats:
    """Return the table with at least one row for each of ``who``; new rows are 0.

    The room doubles, so that a run over many contests copies each row a few times at most.

    Examples
    --------
    >>> grown(np.array([5.0]), np.array([2]))
    array([5., 0., 0.])
    """
    need = int(who.max(initial=-1)) + 1
    if need <= len(table):
        return table
    larger = np.zeros((max(need, 2 * len(table)), *table.shape[1:]))
    larger[: len(table)] = table
    return larger


def looked_up(table: Floats, who: Index) -> Floats:
    """Return the rows of ``who``; NaN for those beyond the table.

    Examples
    --------
    >>> looked_up(np.array([5.0]), np.array([0, 2]))
    array([ 5., nan])
    """
    found = np.full(len(who), np.nan)
    inside = np.asarray(who) < len(table)
    found[inside] = table[who[inside]]
    return found
