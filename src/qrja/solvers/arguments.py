"""The numbers that solvers take, checked at the door: power, ridge, tolerance."""

from __future__ import annotations

import math

from qrja.data import as_float
from qrja.errors import InputError

LARGEST_POWER = 100_000
"""Beyond this the powers of residuals that differ in their last digits are of different orders."""


def check_power(p: float) -> float:
    """Return the power of a loss as a float, or say what it may be.

    Examples
    --------
    >>> check_power(2)
    2.0
    """
    number = as_float(p)
    if not number > 0:
        raise InputError(f"p is {p!r}; give a positive number such as 1, 1.5 or 2")
    if LARGEST_POWER < number < math.inf:
        raise InputError(f"p is {p!r}; give at most {LARGEST_POWER:,}, or infinity")
    return number


def check_ridge(ridge: float) -> float:
    """Return the strength of a ridge as a float, or say what it may be.

    Examples
    --------
    >>> check_ridge(0)
    0.0
    """
    number = as_float(ridge)
    if not 0 <= number < math.inf:
        raise InputError(f"ridge is {ridge!r}; give a finite number of at least 0")
    return number


def check_tolerance(tol: float) -> float:
    """Return a relative gap to reach as a float, or say what it may be.

    Examples
    --------
    >>> check_tolerance(1e-9)
    1e-09
    """
    number = as_float(tol)
    if not 0 < number < 1:
        raise InputError(f"tol is {tol!r}; give a number between 0 and 1, such as 1e-8")
    return number
