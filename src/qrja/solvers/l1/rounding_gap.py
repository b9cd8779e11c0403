"""The gap of an l1 solution that was found on rounded scores or weights.

The flow found is conserved, and within the true weights once it is divided by some ``factor`` close
to 1. With the true residuals r it proves ``f . r / factor`` (conservation lets r take the place of
y), so the excess is ``sum w |r| - f . r / factor``: nothing but the few pairs whose sign was
changed by rounding contributes. Residuals are integers on the grid plus the exact errors of
rounding to it, so no digits cancel.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Offsets, dot
from qrja.solvers.l1.grid import Integers


def contest_gap(
    start: Offsets, residual: Integers, error: Floats, weight: Floats, pull: Floats, factor: float
) -> tuple[float, float]:
    """Return the loss of contests, and how much of it could be saved at most, in grid units.

    Parameters
    ----------
    start : array
        The rows of contest c are ``start[c]:start[c + 1]``.
    residual, error : array
        ``x - score`` of each row is ``residual - error``.
    weight : array
        What a pair weighs, one per contest.
    pull : array
        What the flow pulls at each row, the sum over its pairs.
    factor : float
        By how much the flow is too large.
    """
    sizes = np.diff(start)
    contest = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((-error, residual, contest))
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order)) - start[:-1][contest]
    slope = weight[contest] * (2 * rank - sizes[contest] + 1)
    # Pulls add up to 0 in a contest: its middle residual may be taken for 0.
    middle = np.append(order, 0)[start[:-1] + sizes // 2][contest]
    centred = (residual - residual[middle]) - (error - error[middle])
    return dot(slope, centred), dot(slope - pull / factor, centred)


def pair_gap(
    residual: Integers, error: Floats, weight: Floats, flow: Floats
) -> tuple[float, float]:
    """Return the loss of judgments, and how much of it could be saved at most, in grid units.

    ``y - (x_a - x_b)`` is ``residual + error``; the flow is within the weights.
    """
    exact = residual + error
    loss = weight * np.abs(exact)
    return float(loss.sum()), float((loss - flow * exact).sum())
