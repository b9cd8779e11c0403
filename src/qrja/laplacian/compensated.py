"""Sums with what they lose to rounding, which is a float itself (Knuth's two-sum)."""

from __future__ import annotations

import math

import numpy as np

from qrja.data import Floats, Index, Offsets, sum_by


def two_sum(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the rounded sum and what it lost.

    Examples
    --------
    >>> two_sum(np.array([1.0]), np.array([1e-20]))
    (array([1.]), array([1.e-20]))
    """
    total = x + y
    shadow = total - x
    return total, (x - (total - shadow)) + (y - shadow)


def exact_residuals(y: Floats, left: Floats, right: Floats) -> Floats:
    """Return ``y - (left - right)``, rounded once.

    Margins that agree up to a billionth leave residuals that plain subtraction would fill with
    rounding.

    Examples
    --------
    >>> exact_residuals(np.array([1.0]), np.array([1.0]), np.array([1e-20]))
    array([1.e-20])
    """
    fitted, lost = two_sum(left, -right)
    rest, lost_again = two_sum(y, -fitted)
    return np.asarray(rest + (lost_again - lost))


def sum_exactly(group: Offsets | Index, values: Floats, count: int) -> Floats:
    """Sum values over groups, as good as exactly, however far apart they are.

    The leading bits of all values, on a grid so coarse that their sums are exact, are summed first,
    then the next ones (Rump, Ogita and Oishi, Accurate floating-point summation, 2008).

    Examples
    --------
    >>> sum_exactly(np.array([0, 0, 0]), np.array([1e20, 1.0, -1e20]), 1)
    array([1.])
    """
    total = np.zeros(count)
    room = 2.0 ** math.ceil(math.log2(len(values) + 2))
    for _ in range(4):
        largest = float(np.max(np.abs(values), initial=0.0))
        if largest == 0 or not largest < 1e290:
            break
        grid = 1.5 * 2.0 ** math.ceil(math.log2(largest)) * room
        leading = (values + grid) - grid
        total = total + sum_by(group, leading, count)
        values = values - leading
    return total + sum_by(group, values, count)
