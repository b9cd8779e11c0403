"""Single numbers at the door: Python's own, NumPy's and fractions, but no truth values, no texts.

Whoever asks for a number says in the message what would do; here is only decided what is one.
"""

from __future__ import annotations

import math
from numbers import Integral, Real

from qrja.errors import InputError


def as_float(value: object) -> float:
    """Return a real number as a float, and NaN for anything else, which no range contains.

    Examples
    --------
    >>> from fractions import Fraction
    >>> as_float(Fraction(3, 2)), as_float("1.5"), as_float(True), as_float(10**400)
    (1.5, nan, nan, nan)
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def whole_number(value: object, what: str, low: int, high: int | None = None) -> int:
    """Return a whole number in a range, or say that it is none.

    Examples
    --------
    >>> whole_number(5, "k", 1)
    5
    >>> whole_number(2.5, "k", 1)
    Traceback (most recent call last):
    qrja.errors.InputError: k is 2.5; give a whole number of at least 1
    """
    number = low - 1 if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if number < low or (high is not None and number > high):
        span = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise InputError(f"{what} is {value!r}; give a whole number {span}")
    return number


def check_level(level: object) -> float:
    """Return the level of an interval, or say that it is none.

    Examples
    --------
    >>> check_level(0.95)
    0.95
    """
    number = as_float(level)
    if not 0 < number < 1:
        raise InputError(f"level is {level!r}; give a number between 0 and 1, such as 0.95")
    return number


def check_callable(function: object, what: str) -> None:
    """Check that something that will be called later can be; None is not called.

    Examples
    --------
    >>> check_callable(print, "progress")
    >>> check_callable(3, "progress")
    Traceback (most recent call last):
    qrja.errors.InputError: progress is 3; give a function, or leave it out
    """
    if function is not None and not callable(function):
        raise InputError(f"{what} is {function!r}; give a function, or leave it out")
