"""Units: what one unit of a rating is, and how to write a rating in it.

Inside, bigger is better and times are seconds, so that ``+8:00`` reads "eight minutes better".
Ratio judgments live as logarithms: a rating x stands for the ratio ``exp(x)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, floor, log10
from typing import Literal

from qrja._arrays import Floats

Kind = Literal["number", "time", "ratio"]


@dataclass(frozen=True)
class Units:
    """The units of a table's scores.

    Parameters
    ----------
    kind : {"number", "time", "ratio"}
        What the scores were written as.
    lower_is_better : bool
        Whether the scores were negated on the way in.
    decimals : int
        Digits after the point; :func:`units_of` takes as many as the scores need.

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
    """

    kind: Kind = "number"
    lower_is_better: bool = False
    decimals: int = 2

    def show(self, value: float) -> str:
        """Write a rating or a difference of two; more is better, whatever the kind."""
        if self.kind == "time":
            return show_time(value, self.decimals)
        if self.kind == "ratio":
            return _significant(exp(min(max(value, -700.0), 700.0)))
        return f"{round(value, self.decimals) + 0.0:.{self.decimals}f}"


def units_of(kind: Kind, lower_is_better: bool, values: Floats) -> Units:
    """Choose the decimals so that the range of the values is told to about four digits.

    Examples
    --------
    >>> import numpy as np
    >>> units_of("number", False, np.array([0.0, 9.0])).decimals
    3
    >>> units_of("number", False, np.array([500.0, 4860.0])).decimals
    0
    """
    spread = float(values.max() - values.min()) if len(values) else 0.0
    most = 3 if kind == "time" else 9
    decimals = 2 if spread == 0 else min(max(3 - floor(log10(spread)), 0), most)
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
