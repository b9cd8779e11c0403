"""Scales: scores in units in which contests compare, one contest at a time.

    log     log(score): margins are ratios, a tenth faster is as much over 5 km as over 50
    sd      score / standard deviation of its contest      mad     ... / median absolute deviation
    range   score / (best - worst of its contest)          rank    the share of the field beaten

A contest in which all are level keeps its scores: they say that nobody is ahead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from qrja.data import Floats, Index
from qrja.errors import InputError
from qrja.speech import Sentence

Scale = Literal["log", "sd", "mad", "range", "rank"]

SAID: dict[Scale, str] = {
    "log": Sentence("the scale is logarithmic: ratings are in percent, and plus is better"),
    "sd": Sentence(
        "scores are divided by the standard deviation of their contest: ratings are in these"
    ),
    "mad": Sentence(
        "scores are divided by the median absolute deviation of their contest: ratings are in these"
    ),
    "range": Sentence("scores are divided by the range of their contest: ratings are shares of it"),
    "rank": Sentence("scores are the share of the field beaten: ratings are such shares"),
}


def check_scale(scale: object) -> Scale | None:
    """Check the name of a scale.

    Examples
    --------
    >>> check_scale("ln")
    Traceback (most recent call last):
    qrja.errors.InputError: scale is 'ln'; choose one of log, sd, mad, range, rank
    """
    if scale is None or scale in get_args(Scale):
        return scale  # type: ignore[return-value]
    raise InputError(f"scale is {scale!r}; choose one of {', '.join(get_args(Scale))}")


def rescale(scale: Scale, values: Floats, group: Index, lower: bool) -> Floats:
    """Put scores, of which more is better, on a scale; ``group`` is the contest of each.

    What has no logarithm becomes NaN.

    Examples
    --------
    >>> scores, contest = np.array([-100.0, -110.0, -10.0, -11.0]), np.array([0, 0, 1, 1])
    >>> rescale("log", scores, contest, lower=True).round(3)
    array([-4.605, -4.7  , -2.303, -2.398])
    >>> rescale("sd", np.array([1.0, 3.0, 10.0, 30.0]), contest, lower=False)
    array([1., 3., 1., 3.])
    """
    if scale == "log":
        plain = -values if lower else values
        logs: Floats = np.log(np.where(plain > 0, plain, np.nan))
        return -logs if lower else logs
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) > 0]) if len(group) else order
    scaled = values.copy()
    for rows in np.split(order, starts[1:]):
        scaled[rows] = _CONTESTS[scale](values[rows])
    return scaled


def _divided(by: Callable[[Floats], float]) -> Callable[[Floats], Floats]:
    def scaled(scores: Floats) -> Floats:
        unit = by(scores)
        # Half of a field may be level, and then its usual deviation is none.
        unit = unit if unit > 0 else float(scores.std())
        return scores / unit if unit > 0 else scores

    return scaled


def _median_deviation(scores: Floats) -> float:
    return float(np.median(np.abs(scores - np.median(scores))))


def _share_beaten(scores: Floats) -> Floats:
    ordered = np.sort(scores)
    below = np.searchsorted(ordered, scores, side="left")
    above = np.searchsorted(ordered, scores, side="right")
    return (below + (above - below - 1) / 2) / max(len(scores) - 1, 1)


_CONTESTS: dict[str, Callable[[Floats], Floats]] = {
    "sd": _divided(lambda scores: float(scores.std())),
    "mad": _divided(_median_deviation),
    "range": _divided(lambda scores: float(np.ptp(scores))),
    "rank": _share_beaten,
}
