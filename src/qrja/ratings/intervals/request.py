"""What is asked of intervals, checked before anything is resampled."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from qrja.data import check_level, whole_number
from qrja.errors import InputError

Method = Literal["bootstrap", "sandwich"]
"""Resample whole contests, or use the closed form of p = 2."""

FEWEST_RESAMPLES = 20
"""With fewer draws a tail of a 90 % interval would hold less than one of them."""


@dataclass(frozen=True)
class IntervalRequest:
    """How sure, from how many draws, by which method; see :meth:`qrja.Ratings.intervals`.

    Examples
    --------
    >>> IntervalRequest(level=95)
    Traceback (most recent call last):
    qrja.errors.InputError: level is 95; give a number between 0 and 1, such as 0.95
    """

    level: float = 0.95
    resamples: int = 200
    seed: int = 0
    method: Method = "bootstrap"
    by: Iterable[Hashable] | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.method not in get_args(Method):
            choices = ", ".join(get_args(Method))
            raise InputError(f"method is {self.method!r}; choose one of {choices}")
        whole_number(self.seed, "seed", 0)
        resamples = whole_number(self.resamples, "resamples", FEWEST_RESAMPLES)
        object.__setattr__(self, "resamples", resamples)

    @property
    def tail(self) -> float:
        """The share of draws beyond either end of an interval."""
        return 0.5 * (1.0 - self.level)
