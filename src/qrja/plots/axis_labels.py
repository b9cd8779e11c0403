"""What stands beside axes: ratings in their units, dates that do not pile up, names that fit.

Times tick at 1, 2, 5, 10, 15 or 30 seconds or minutes, at 1, 2, 3, 6 or 12 hours, or at days.
Percent are drawn as logarithms, and tick where they are round as percent.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any
from unicodedata import bidirectional

from qrja.plots.canvas import plain_text
from qrja.tables import Units

LONGEST = 30
"""Characters of a name beside an axis."""
ROUND = (1, 2, 5, 10, 15, 30)
STEPS = [
    *ROUND,
    *(60 * step for step in ROUND),
    *(3600 * step for step in (1, 2, 3, 6, 12)),
    *(86400 * step for step in (1, 2, 5, 10, 20, 50, 100)),
]
"""Seconds from one tick to the next."""
TICKS = 7
"""Ticks of an axis of times, at the most."""


def cut_name(name: Hashable, longest: int = LONGEST) -> str:
    """Cut a long name in the middle: both ends tell people apart.

    Examples
    --------
    >>> cut_name("Turn- und Sportverein Oberunterbach 1898", 20)
    'Turn- und …bach 1898'
    """
    text = " ".join(str(name).split())
    if len(text) > longest:
        head = (longest - 1 + 1) // 2
        text = f"{text[:head]}…{text[len(text) - (longest - 1 - head) :]}"
    return plain_text(text)


def name_and_rank(name: Hashable, rank: int) -> str:
    """Write a name with its rank to the right of it, whichever way the name is read."""
    text = cut_name(name)
    turned = any(bidirectional(letter) in ("R", "AL") for letter in text)
    mark = "\u200e" if turned else ""
    return f"{mark}{text}{mark}  {rank}"


def time_step(span: float) -> float:
    """Return the seconds between ticks of an axis that spans so many.

    Examples
    --------
    >>> time_step(3 * 3600), time_step(5400), time_step(40), time_step(0.3)
    (1800.0, 900.0, 10.0, 0.05)
    """
    if span <= TICKS / 2:
        digit = 10.0 ** -next(k for k in range(1, 12) if span * 10**k > TICKS / 2 or k == 11)
        return float(next(digit * step for step in (1, 2, 5, 10) if span / (digit * step) <= TICKS))
    return float(next((step for step in STEPS if span / step <= TICKS), STEPS[-1]))


def percent_ticks(low: float, high: float) -> list[float]:
    """Return the logarithms of round percent between two logarithms.

    Examples
    --------
    >>> [round(100 * math.expm1(tick)) for tick in percent_ticks(-0.17, 0.07)]
    [-15, -10, -5, 0, 5]
    """
    from matplotlib.ticker import MaxNLocator

    ends = [100 * math.expm1(min(end, 30.0)) for end in sorted((low, high))]
    ticks = MaxNLocator(TICKS, steps=[1, 2, 5, 10]).tick_values(*ends)
    return [math.log1p(tick / 100) for tick in ticks if ends[0] <= tick <= ends[1]]


def label_values(axis: Any, set_label: Any, units: Units, *, logarithms: bool = True) -> None:
    """Write ratings in their units; ratios may be drawn as such, or as logarithms."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MultipleLocator

    words = {
        "time": "rating (time ahead)",
        "ratio": "rating (ratio)",
        "percent": "rating (percent)",
    }
    set_label(words.get(units.kind, "rating"))
    if units.kind == "time":
        low, high = axis.get_view_interval()
        axis.set_major_locator(MultipleLocator(time_step(abs(high - low))))
    if units.kind == "percent":
        axis.set_major_locator(FixedLocator(percent_ticks(*axis.get_view_interval())))
    if units.kind in ("time", "percent") or (units.kind == "ratio" and logarithms):
        axis.set_major_formatter(FuncFormatter(lambda value, _: units.show(value)))


def label_times(axes: Any, *, dated: bool, counted: str) -> None:
    """Write dates as briefly as they can be told apart; what is counted comes in whole numbers."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
    from matplotlib.ticker import MaxNLocator

    if dated:
        locator = AutoDateLocator(minticks=3, maxticks=8)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        formatter = ConciseDateFormatter(locator)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_formatter(formatter)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(counted)
