"""Half-lives: a contest of age t weighs ``2^(-t / half_life)`` of what the newest one does.

The age counts days where there are dates, and contests otherwise. No weight falls below
``OLDEST`` of its own: who stopped long ago stays comparable, and keeps the last rating.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from qrja.data import Contests, Floats, Judgments, as_float
from qrja.errors import InputError
from qrja.tables.values import read_half_life

OLDEST = 2.0**-20
"""The share of its weight that a contest keeps however old it is."""


@dataclass(frozen=True)
class HalfLife:
    """A checked half-life; ``unit`` is None where the data decides: days if there are dates."""

    length: float
    unit: Literal["day", "contest"] | None = None

    def __str__(self) -> str:
        return f"{self.length:g} {self.unit}s" if self.unit else f"{self.length:g}"


def check_half_life(given: float | str | None) -> HalfLife | None:
    """Read a half-life: a number, or a text such as ``"180 days"`` or ``"20 contests"``.

    Examples
    --------
    >>> check_half_life("20 contests")
    HalfLife(length=20.0, unit='contest')
    >>> check_half_life(0)
    Traceback (most recent call last):
    qrja.errors.InputError: half_life is 0; give a positive number, such as 365, or leave it out
    """
    if given is None:
        return None
    if isinstance(given, str):
        number, unit = read_half_life(given)
    else:
        number, unit = as_float(given), None
    if not 0 < number < math.inf:
        raise InputError(
            f"half_life is {given!r}; give a positive number, such as 365, or leave it out"
        )
    return HalfLife(number, unit)


def decay(problem: Contests | Judgments, half_life: HalfLife | None) -> Contests | Judgments:
    """Weigh contests by their age, counted back from the newest.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 2])
    >>> decay(races, HalfLife(1)).weight
    array([0.5, 1. ])
    """
    if half_life is None:
        return problem
    if problem.directed and (problem.date is None or half_life.unit == "contest"):
        raise InputError(
            f"half_life is {half_life}, and judgments have no time but that of their dates; name"
            " the date column and give it in days, or weigh judgments by w"
        )
    halvings = ages(problem, half_life.unit) / half_life.length
    return problem.with_weight(problem.weight * np.maximum(np.exp2(-halvings), OLDEST))


def ages(contests: Contests | Judgments, unit: Literal["day", "contest"] | None) -> Floats:
    """Return how old each contest is, in days or in contests since."""
    if unit == "contest" or (unit is None and contests.date is None):
        return np.arange(len(contests) - 1, -1, -1, dtype=np.float64)
    if contests.date is None:
        raise InputError(
            "half_life is in days, and the contests have no dates; name the date column, or give"
            " it in contests"
        )
    since = contests.date[-1:] - contests.date
    return np.asarray(since / np.timedelta64(1, "D"), dtype=np.float64)
