"""Reliability: how much of the differences between ratings is more than the noise of the panel.

- By halves: r is the mean correlation of the ratings by one half of the judges with those by the
  other half, over random halves. The whole panel has twice as many judges, so that its reliability
  is ``2 r / (1 + r)``.
- By separation: with the standard errors of the ratings, ``real = variance of the ratings - mean
  se^2``; separation is ``sqrt(real / mean se^2)``, reliability ``real / variance``.

References
----------
W. Brown, Some experimental results in the correlation of mental abilities, 1910. B. D. Wright and
G. N. Masters, Rating Scale Analysis, 1982.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from qrja.data import Floats, centre
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import find_standard_errors
from qrja.ratings.judges.marks import ALONE, rate_some

SPLITS, FEWER = 20, 5
"""Random halves, by which the mean correlation is off by a few thousandths. Of more judges than are
left out alone fewer do: by 5 of 40 or 200 judges reliability is off by .002 to .015."""


@dataclass(frozen=True)
class Reliability:
    """How far a panel can be relied on; NaN where it cannot be told.

    Parameters
    ----------
    halves : float
        Correlation of the ratings by random halves of the judges.
    split_half : float
        The reliability of the whole panel that this implies.
    separation : float
        How many standard errors the ratings are apart.
    reliability : float
        The share of their variance that is real, by the standard errors.
    """

    halves: float
    split_half: float
    separation: float
    reliability: float

    def to_dict(self) -> dict[str, Any]:
        """Give the numbers for JSON, None for those that there are not."""
        return {name: None if math.isnan(value) else value for name, value in asdict(self).items()}


def measure_reliability(ratings: Fit, seed: int = 0) -> Reliability:
    """Measure a panel.

    Examples
    --------
    >>> import qrja
    >>> sheets = qrja.Contests.from_arrays(
    ...     "AAABBB", "xyzxyz", [3, 1, 2, 4, 2, 3], judge="pppqqq", pairs="additive"
    ... )
    >>> round(measure_reliability(qrja.fit(sheets)).split_half, 9)
    1.0
    """
    halves = _correlate_halves(ratings, np.random.default_rng(seed))
    split_half = 2.0 * halves / (1.0 + halves) if halves > -1.0 else math.nan
    return Reliability(halves, split_half, *measure_separation(ratings))


def _correlate_halves(ratings: Fit, rng: np.random.Generator) -> float:
    judge, count = ratings.problem.judge, len(ratings.problem.judges)
    if judge is None or count < 2:
        return math.nan
    # Few judges are often split alike.
    rated = cache(lambda some: rate_some(ratings, np.isin(judge, some)))
    found = []
    for _ in range(1 if count == 2 else SPLITS if count <= ALONE else FEWER):
        order, half = rng.permutation(count).tolist(), count // 2
        sides = sorted(order[:half]), sorted(order[half:])
        (x, group_x), (y, group_y) = (rated(tuple(side)) for side in sides)
        both = np.flatnonzero((group_x >= 0) & (group_y >= 0))
        pairs = group_x[both].astype(np.int64) * (int(group_y.max(initial=0)) + 1) + group_y[both]
        _, group = np.unique(pairs, return_inverse=True)
        found.append(_cosine(centre(x[both], group), centre(y[both], group)))
    known = [value for value in found if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan


def _cosine(x: Floats, y: Floats) -> float:
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 0 else math.nan


def measure_separation(ratings: Fit) -> tuple[float, float]:
    """Return separation and reliability of the largest group, by least squares; NaN if unknown.

    Examples
    --------
    >>> import qrja
    >>> measure_separation(qrja.fit(qrja.Judgments.from_arrays("ab", "bc", [1, 1])))
    (nan, nan)
    """
    inside = ratings.solution.components == 0
    model = replace(ratings.model, p=2, loss=None)
    squares = ratings
    if not ratings.model.is_square:
        squares = replace(ratings, model=model, solution=model.solve(ratings.problem))
    try:
        se = find_standard_errors(squares, "scaled").of_ratings()[inside]
    except InputError:  # nothing is left to see errors by
        return math.nan, math.nan
    noise, total = float(np.mean(se**2)), float(np.var(squares.solution.x[inside], ddof=1))
    real = max(total - noise, 0.0)
    if noise == 0 or total == 0:
        return math.nan, math.nan
    return math.sqrt(real / noise), real / total
