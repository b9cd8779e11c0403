"""From ``--errors`` to the method of intervals, and the line that says which was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qrja.cli.option_groups import Sampling
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.ratings import Ratings

KINDS: dict[str, dict[str, Any]] = {
    "known": {"method": "model", "errors": "known"},
    "scaled": {"method": "model", "errors": "scaled"},
    "resampled": {"method": "bootstrap", "errors": None},
    "sandwich": {"method": "sandwich", "errors": None},
}
"""What each word asks of :meth:`qrja.Ratings.intervals`."""


def interval_arguments(sampling: Sampling) -> dict[str, Any]:
    """Return the arguments of intervals that the options ask for.

    Examples
    --------
    >>> interval_arguments(Sampling(errors="known"))["method"]
    'model'
    """
    asked = {"level": sampling.level, "resamples": sampling.resamples, "seed": sampling.seed}
    if sampling.errors is None:
        return asked
    if sampling.errors not in KINDS:
        raise InputError(f"--errors is {sampling.errors!r}; choose one of {', '.join(KINDS)}")
    return asked | KINDS[sampling.errors]


def check_sampling(sampling: Sampling) -> None:
    """Check what is asked of intervals, before there is anything to find them of.

    Examples
    --------
    >>> check_sampling(Sampling(level=95))
    Traceback (most recent call last):
    qrja.errors.InputError: level is 95; give a number between 0 and 1, such as 0.95
    """
    from qrja.ratings.intervals import IntervalRequest

    IntervalRequest(**interval_arguments(sampling))


def tell_errors(ratings: Ratings, sampling: Sampling) -> str:
    """Say in a line where intervals come from; nothing if as usual, or as asked."""
    from qrja.ratings.intervals import IntervalRequest, choose_method

    if sampling.errors is not None:
        return ""
    return choose_method(ratings, IntervalRequest(**interval_arguments(sampling))).why
