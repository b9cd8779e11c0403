"""Sums with what they lose to rounding, which is a float itself (Knuth's two-sum)."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats


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
