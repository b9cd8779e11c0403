"""Units: what one unit of a rating is, and how to write a rating in it.

Inside, bigger is better and times are seconds, so that ``+8:00`` reads "eight minutes better".
Ratio judgments live as logarithms: a rating x stands for the ratio ``exp(x)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, expm1, floor, log10
from typing import Literal

import numpy as np

from qrja.data import Contests, Floats, Judgments, largest_margin

Kind = Literal["number", "time", "ratio", "percent"]


@dataclass(frozen=True)
class Units:
    """The units of a table's scores.

    Parameters
    ----------
    kind : {"number", "time", "ratio", "percent"}
        What ratings are in: as the scores were written, or percent on a logarithmic scale.
    lower_is_better : bool
        Whether the scores were negated on the way in.
    decimals : int
        Digits after the point; :func:`units_of` takes as many as the margins need.
    written : {"number", "time"}
        What the scores were written as, where ratings are in percent.
    word : str
        What scores count, such as goals, if that is known.

    Examples
    --------
    >>> Units("time", lower_is_better=True).show(480)
    '+8:00'
    >>> Units("time", lower_is_better=True).show(-3723.5)
    '-1:02:03.5'
    >>> Units("number").show(1234.5678)
    '1234.57'
    >>> Units("ratio").show(1.0986)
    '3'
    >>> Units("percent", decimals=1).show(0.0953)
    '+10.0%'
    """

    kind: Kind = "number"
    lower_is_better: bool = False
    decimals: int = 2
    written: Kind = "number"
    word: str = field(default="", compare=False, repr=False)

    def show(self, value: float) -> str:
        """Write a rating or a difference of two; more is better, whatever the kind."""
        if self.kind == "time":
            return show_time(value, self.decimals)
        if self.kind == "percent":
            return show_percent(value, self.decimals)
        if self.kind == "ratio":
            return _significant(exp(min(max(value, -700.0), 700.0)))
        return f"{round(value, self.decimals) + 0.0:.{self.decimals}f}"

    def as_written(self, values: Floats) -> Floats:
        """Turn scores as they are inside into scores as tables have them: seconds are not negated.

        Examples
        --------
        >>> Units("time", lower_is_better=True).as_written(np.array([-60.0]))
        array([60.])
        """
        plain = np.asarray(-values if self.lower_is_better else values)
        return np.exp(plain) if self.kind == "percent" else plain

    def show_written(self, value: float) -> str:
        """Write a score as tables have it: a time is a time of day's kind, without a sign.

        Examples
        --------
        >>> Units("time", lower_is_better=True).show_written(11730.0)
        '3:15:30'
        """
        if self.kind == "percent":
            return Units(self.written, self.lower_is_better).show_written(value)
        return self.show(value).removeprefix("+")


def show_percent(logarithm: float, decimals: int = 1) -> str:
    """Write a difference of logarithms as percent, with its sign.

    Examples
    --------
    >>> show_percent(0.0953), show_percent(-0.5), show_percent(0.0)
    ('+10.0%', '-39.3%', '0.0%')
    """
    percent = round(100 * expm1(min(logarithm, 30.0)), decimals) + 0.0
    return f"{percent:{'+' if percent else ''}.{decimals}f}%"


def units_of(kind: Kind, lower_is_better: bool, problem: Contests | Judgments) -> Units:
    """Choose the decimals so that the largest margin is told to about four digits.

    Examples
    --------
    >>> goals = Judgments.from_arrays("ab", "bc", [3, -1])
    >>> units_of("number", False, goals).decimals
    3
    >>> points = Contests.from_arrays([1, 1], ["Ada", "Bo"], [500, 4860])
    >>> units_of("number", False, points).decimals
    0
    """
    margin = largest_margin(problem)
    if kind == "percent":
        spread = 100 * margin
        return Units(kind, lower_is_better, min(max(2 - floor(log10(spread or 1)), 0), 6))
    most = 6 if kind == "time" else 15
    decimals = 2 if margin == 0 else min(max(3 - floor(log10(margin)), 0), most)
    return Units(kind, lower_is_better, decimals)


def show_time(seconds: float, decimals: int = 2) -> str:
    """Write a difference of times with its sign; zeros after the point are dropped.

    Examples
    --------
    >>> show_time(480), show_time(-3723.5), show_time(0.25), show_time(0)
    ('+8:00', '-1:02:03.5', '+0:00.25', '0:00')
    """
    scale = 10**decimals
    ticks = round(abs(seconds) * scale)
    sign = "" if ticks == 0 else "+" if seconds > 0 else "-"
    whole, fraction = divmod(ticks, scale)
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    clock = f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"
    tail = f".{fraction:0{decimals}d}".rstrip("0") if fraction else ""
    return f"{sign}{clock}{tail}"


def _significant(value: float, digits: int = 4) -> str:
    """Write a positive number to some significant digits, without an exponent if it can be."""
    if not 1e-4 <= value < 1e9:
        return f"{value:.{digits - 1}e}"
    text = f"{value:.{max(digits - 1 - floor(log10(value)), 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
