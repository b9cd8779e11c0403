"""Compiled: fields become numbers, rounded correctly or left to Python's own rounding."""

from __future__ import annotations

import numpy as np

from qrja.jit import Float, Int, Table, threaded, tiny

_ROOM = 10**17
"""An integer below this has room for one more digit."""
_POWERS = np.array([float(10**k) for k in range(23)])
"""The powers of ten that are floats, without rounding."""
_EXACT = 2**53
"""Up to here every integer is a float."""
_SPLIT = 2.0**27 + 1.0
"""A factor that splits a float into two halves of its digits (Veltkamp)."""
_DOUBT = 2.0**-98
"""More than the relative error of a quotient of twice the digits."""


@threaded
def parse_decimals(data: Table, spans: Table, values: Table) -> None:
    """Read the numbers between the ``spans`` of the bytes; see :func:`parse_decimal`."""
    for row in range(len(values)):
        values[row] = parse_decimal(data, spans[row, 0], spans[row, 1])


@tiny
def parse_decimal(data: Table, begin: Int, end: Int) -> Float:
    """Read a number like -12 or 3.25; NaN for all else, and where many digits leave doubt."""
    negative = data[begin] == 45
    first = begin + negative
    count: Int = 0
    point = first
    for at in range(first, end):
        digit = np.int64(data[at]) - 48
        if 0 <= digit <= 9 and count < _ROOM:
            count = 10 * count + digit
        elif digit == -2 and point == first and at > first:
            point = at
        else:
            return np.nan
    pointed = point > first
    decimals = end - 1 - point if pointed else 0
    if first == end or (pointed and decimals < 1) or decimals >= len(_POWERS):
        return np.nan
    value = divide(count, _POWERS[decimals])
    return -value if negative else value


@tiny
def divide(count: Int, power: Float) -> Float:
    """Divide an integer by a power of ten; NaN if the rounding is not sure to be correct.

    If both are exact as floats, so is the rounding of their quotient. Otherwise the quotient is
    worked out to twice the digits, as q + c, and rounded only if an error of c would not matter.
    """
    high = float(count)
    if count <= _EXACT:
        return high / power
    q = high / power
    # q * power = product + error without rounding (Dekker)
    product = q * power
    big = _SPLIT * q
    q_high = big - (big - q)
    q_low = q - q_high
    big = _SPLIT * power
    power_high = big - (big - power)
    power_low = power - power_high
    error = ((q_high * power_high - product) + q_high * power_low + q_low * power_high) + (
        q_low * power_low
    )
    c = (((high - product) - error) + float(count - np.int64(high))) / power
    doubt = q * _DOUBT
    rounded = q + c
    if q + (c - doubt) == rounded and q + (c + doubt) == rounded:
        return rounded
    return np.nan
