"""One value by itself, as a person types it: a number, a score, a day, a half-life."""

from __future__ import annotations

import math
import re
from typing import Any, Literal, cast
from warnings import catch_warnings, simplefilter

import numpy as np

from qrja.data import as_float
from qrja.errors import InputError
from qrja.tables.values.times import clock_time
from qrja.tables.values.units import Units

_HALF_LIFE = re.compile(r"\s*(?P<length>\d+\.?\d*|\.\d+)\s*(?P<unit>day|contest)s?\s*")


def read_number(text: str) -> float | None:
    """Read a number, or a clock time as seconds; None if it is neither.

    Examples
    --------
    >>> read_number("1500"), read_number("-0:30"), read_number("fast"), read_number("1_000")
    (1500.0, -30.0, None, None)
    """
    if "_" in text:  # Python would read it
        return None
    seconds = clock_time(text)
    try:
        return float(text) if seconds is None else seconds
    except ValueError:
        return None


def read_score(score: Any, units: Units, what: str = "the score") -> float:
    """Read a score as a table in these units has it: what is lower may be better.

    ``what`` says in a message whose score it is.

    Examples
    --------
    >>> read_score("4:10:00", Units("time", lower_is_better=True))
    -15000.0
    """
    value = read_number(score) if isinstance(score, str) else as_float(score)
    if value is None or not math.isfinite(value):
        raise InputError(f"{what} is {score!r}; give a number or a time like 4:10:00")
    return -value if units.lower_is_better else value


def read_date(date: Any) -> np.datetime64:
    """Read a day or a moment.

    Examples
    --------
    >>> read_date("tomorrow")
    Traceback (most recent call last):
    qrja.errors.InputError: the date is 'tomorrow'; write it as 2026-11-15
    """
    try:
        with catch_warnings():
            simplefilter("error")  # NumPy warns where it would drop a time zone
            day = np.datetime64(date)
        if not np.isnat(day):
            return day
    except (TypeError, ValueError, UserWarning):
        pass
    raise InputError(f"the date is {date!r}; write it as 2026-11-15")


def show_date(date: object) -> str:
    """Write a date as people do: a day without its midnight.

    Examples
    --------
    >>> show_date(np.datetime64("2026-11-15T00:00:00")), show_date("2026-11-15T18:30:00")
    ('2026-11-15', '2026-11-15T18:30:00')
    """
    return str(date).removesuffix("T00:00:00")


def read_half_life(text: str) -> tuple[float, Literal["day", "contest"]]:
    """Read a half-life with its unit.

    Examples
    --------
    >>> read_half_life("20 contests")
    (20.0, 'contest')
    """
    match = _HALF_LIFE.fullmatch(text)
    if match is None:
        raise InputError(
            f"half_life is {text!r}; give a number, or a text such as '180 days' or '20 contests'"
        )
    return float(match["length"]), cast(Literal["day", "contest"], match["unit"])
