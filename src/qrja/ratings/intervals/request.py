"""What is asked of intervals, checked before anything is resampled."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from qrja.data import check_level, whole_number
from qrja.errors import InputError

Method = Literal["auto", "bootstrap", "sandwich", "model"]
"""Resample whole contests, or use a closed form of p = 2: robust, or as the weights say."""
Errors = Literal["known", "scaled"]
"""Of the model: errors are what the weights say, or in proportion to it."""

USUAL = 200
"""Draws where nobody said how many."""
FEWEST_RESAMPLES = 20
"""With fewer draws a tail of a 90 % interval would hold less than one of them."""


@dataclass(frozen=True)
class IntervalRequest:
    """How sure, from how many draws, by which method; see :meth:`qrja.Ratings.intervals`.

    A number of draws that somebody gave is kept to: ``exactly`` says so. Without one there are
    ``usual`` many, at most: losses whose draws take long are content with fewer.

    Examples
    --------
    >>> IntervalRequest(level=95)
    Traceback (most recent call last):
    qrja.errors.InputError: level is 95; give a number between 0 and 1, such as 0.95
    """

    level: float = 0.95
    resamples: int | None = None
    seed: int = 0
    method: Method = "auto"
    by: Iterable[Hashable] | None = None
    errors: Errors | None = None
    usual: int = USUAL

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.method not in get_args(Method):
            choices = ", ".join(get_args(Method))
            raise InputError(f"method is {self.method!r}; choose one of {choices}")
        if self.errors is not None and self.errors not in get_args(Errors):
            choices = ", ".join(get_args(Errors))
            raise InputError(f"errors is {self.errors!r}; choose one of {choices}")
        if self.errors is not None and self.method == "auto":
            object.__setattr__(self, "method", "model")
        if self.errors is not None and self.method != "model":
            raise InputError(
                f"errors is {self.errors!r} and method is {self.method!r}; errors are those of"
                " method='model'"
            )
        whole_number(self.seed, "seed", 0)
        if self.resamples is not None:
            resamples = whole_number(self.resamples, "resamples", FEWEST_RESAMPLES)
            object.__setattr__(self, "resamples", resamples)

    @property
    def draws(self) -> int:
        """How many draws there are, or at most are."""
        return self.usual if self.resamples is None else self.resamples

    @property
    def exactly(self) -> bool:
        """Whether somebody said how many."""
        return self.resamples is not None

    @property
    def tail(self) -> float:
        """The share of draws beyond either end of an interval."""
        return 0.5 * (1.0 - self.level)
