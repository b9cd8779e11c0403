"""Transforms of scores within a contest, for contests that differ in scale.

    raw:     g = s - mean
    spread:  g = (s - mean) / spread
    root:    g = (s - mean) / sqrt(spread)
    log:     g = asinh((s - median) / G), less its mean
    rank:    g = normal quantile of (rank - 1/2) / k

with spread^2 = (k sd^2 + 2 G^2) / (k + 2) and G the median standard deviation of the contests so
far: a field of few says little about its spread. The inverse hyperbolic sine is straight near the
middle and a logarithm far from it, of gains and losses alike: large margins count less. Margins of
g times G (root: times sqrt(G), raw: times 1) are in the units of the scores again, those of a
typical contest.
"""

from __future__ import annotations

import math
from bisect import insort
from functools import lru_cache

import numpy as np

from qrja.data import Floats
from qrja.distributions import normal_quantile

TRANSFORMS = {
    "raw": "scores as they are",
    "spread": "scores in spreads of their contest",
    "root": "scores in roots of the spread of their contest",
    "log": "large margins count less",
    "rank": "places instead of scores",
}
"""The transforms, and what each makes of scores."""
REMEMBERED = 500
"""Sizes of contests up to which normal quantiles of their ranks are remembered: 4 MB of all."""


class Spreads:
    """The standard deviations of the contests so far.

    Examples
    --------
    >>> spreads = Spreads()
    >>> spreads.typical
    1.0
    >>> for score in [0.0, 2.0], [0.0, 4.0], [0.0, 40.0], [7.0], [3.0, 3.0]:
    ...     spreads.add(np.array(score))
    >>> round(spreads.typical / math.sqrt(2), 9)
    2.0
    """

    def __init__(self) -> None:
        self._sorted: list[float] = []

    def add(self, score: Floats) -> None:
        """Take in a contest; one in which nobody differs says nothing about scale."""
        if len(score) > 1 and (sd := float(np.std(score, ddof=1))) > 0:
            insort(self._sorted, sd)

    @property
    def typical(self) -> float:
        """The median of them; 1 before the first."""
        if not self._sorted:
            return 1.0
        return self._sorted[len(self._sorted) // 2]

    def unit(self, transform: str) -> float:
        """Return what a unit of transformed scores is worth in a typical contest."""
        return {"raw": 1.0, "root": math.sqrt(self.typical)}.get(transform, self.typical)


def transform_scores(score: Floats, typical: float) -> dict[str, Floats]:
    """Return the scores of a contest under every transform.

    Examples
    --------
    >>> found = transform_scores(np.array([9.0, 5.0, 1.0]), typical=4.0)
    >>> for name, g in found.items():
    ...     print(name, g.round(2))
    raw [ 4.  0. -4.]
    spread [ 1.  0. -1.]
    root [ 2.  0. -2.]
    log [ 0.88  0.   -0.88]
    rank [ 0.97  0.   -0.97]
    """
    k = len(score)
    centred = score - score.mean()
    square = float(np.var(score, ddof=1)) if k > 1 else 0.0
    spread = math.sqrt((k * square + 2 * typical**2) / (k + 2))
    far = np.arcsinh((score - np.median(score)) / typical)
    return {
        "raw": centred,
        "spread": centred / spread,
        "root": centred / math.sqrt(spread),
        "log": far - far.mean(),
        "rank": _normal_scores(_ranks(score), k),
    }


def _normal_scores(ranks: Floats, k: int) -> Floats:
    """Return the normal quantiles of ranks among k."""
    if k > REMEMBERED:
        return np.asarray(normal_quantile((ranks - 0.5) / k), dtype=np.float64)
    return np.asarray(_all_normal_scores(k)[(2 * ranks).astype(np.int64) - 2])


@lru_cache(maxsize=REMEMBERED)
def _all_normal_scores(k: int) -> Floats:
    """Return those of rank 1, 3/2, 2, ..., k: equal scores may share any of these."""
    return np.asarray(normal_quantile(np.arange(1, 2 * k) / (2 * k)), dtype=np.float64)


def _ranks(score: Floats) -> Floats:
    """Return the rank of each, the least being 1; equal scores share the mean of theirs.

    As ``scipy.stats.rankdata``, which takes half a second to import.
    """
    _, which, count = np.unique(score, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[which])
