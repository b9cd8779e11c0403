"""How fast strengths move: by tau in a year, or from one contest to the next.

    standard deviation of x(t + dt) - x(t)  =  tau sqrt(dt)

so that in four years a strength moves twice as far as in one.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from qrja.data import LARGEST, Floats, Problem, as_float
from qrja.errors import InputError
from qrja.ties.periods import Periods, cut_periods

Unit = Literal["year", "contest"]
YEAR = np.timedelta64(31_557_600, "s")
"""365.25 days."""
_YEARS = {"day": 1 / 365.25, "week": 7 / 365.25, "month": 1 / 12, "year": 1.0}
_TEXT = re.compile(
    r"\s*(?P<length>[-+0-9.eE]+)\s*(?:per|a|an|/)\s*(?P<count>[0-9]+)?\s*"
    r"(?P<unit>day|week|month|year|contest)s?\s*"
)
AUTO = "auto"


@dataclass(frozen=True)
class Speed:
    """A checked drift.

    Parameters
    ----------
    tau : float or None
        How far a strength moves in one unit of time, a standard deviation; None: learned.
    unit : {"year", "contest"} or None
        The unit of time; None where the data decide: years if there are dates.

    Examples
    --------
    >>> print(Speed(0.3, "year"))
    0.3 per year
    """

    tau: float | None
    unit: Unit | None = None

    def __str__(self) -> str:
        if self.tau is None:
            return AUTO
        return f"{self.tau:g} per {self.unit}" if self.unit else f"{self.tau:g}"

    def unit_for(self, problem: Problem) -> Unit:
        """Return the unit of time of some contests."""
        if self.unit == "contest" or (self.unit is None and problem.date is None):
            if problem.directed:
                raise InputError(
                    f"drift is {self}, and judgments have no time but that of their dates; name"
                    " the date column and give it per year"
                )
            return "contest"
        if problem.date is None:
            raise InputError(
                f"drift is {self}, and the {problem.noun}s have no dates; name the date column, or"
                " give it per contest"
            )
        return "year"

    @property
    def is_of_time(self) -> bool:
        """Yes: periods follow each other."""
        return True

    def cut(self, problem: Problem, time: Floats, width: float) -> Periods:
        """Return the periods of a problem."""
        return cut_periods(problem, time, width)

    def times(self, problem: Problem) -> Floats:
        """Return when each contest took place, in units of time since the first.

        Examples
        --------
        >>> from qrja.data import Contests
        >>> races = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 2])
        >>> Speed(None).times(races)
        array([0., 1.])
        """
        if self.unit_for(problem) == "contest":
            return np.arange(len(problem), dtype=np.float64)
        assert problem.date is not None
        return np.asarray((problem.date - problem.date[:1]) / YEAR, dtype=np.float64)


def check_drift(given: Any) -> Speed | None:
    """Read a drift: a number, ``"auto"``, or a text such as ``"0.3 per year"``.

    Examples
    --------
    >>> check_drift("0.3 per year")
    Speed(tau=0.3, unit='year')
    >>> print(check_drift("0.1 per month"))
    0.34641 per year
    >>> check_drift("fast")
    Traceback (most recent call last):
    qrja.errors.InputError: drift is 'fast'; give 'auto', or a text such as '0.3 per year'
    """
    if given is None:
        return None
    unit: Unit | None = None
    if isinstance(given, str):
        if given.strip() == AUTO:
            return Speed(None)
        match = _TEXT.fullmatch(given)
        tau = _number(match["length"] if match else given)
        if match:
            count = int(match["count"] or 1)
            unit = "contest" if match["unit"] == "contest" else "year"
            tau /= math.sqrt(count * _YEARS.get(match["unit"], 1.0)) if count else math.nan
    else:
        tau = as_float(given)
    if not is_speed(tau):
        raise InputError(f"drift is {given!r}; give 'auto', or a text such as '0.3 per year'")
    return Speed(tau, unit)


def is_speed(tau: float) -> bool:
    """Tell whether strengths may move so far: its square must be a float.

    Examples
    --------
    >>> is_speed(0.3), is_speed(0.0), is_speed(1e-170)
    (True, False, False)
    """
    return 1 / LARGEST <= tau <= LARGEST


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
