"""Standard errors by resampling contests, with replacement.

A metric is a ratio of sums over contests, ``sum_c n_c / sum_c d_c``. Drawing as many contests as
there are, with replacement, and taking the ratio anew, a thousand times, shows how much it owes to
which contests happened to be held. Two rankers are compared on the same draws, contest by contest:
their difference varies far less than either of them.

Reference: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats

RESAMPLES = 1000
BLOCK = 1 << 22
"""Numbers held at a time: a draw of many contests is made in several blocks."""


@dataclass(frozen=True)
class Difference:
    """By how much the metric of ``a`` exceeds that of ``b``, and how sure that is.

    Parameters
    ----------
    a, b : str
        Rankers.
    metric : str
        One of :data:`qrja.metrics.METRICS`.
    difference : float
        The metric of ``a`` minus that of ``b``.
    standard_error : float
        Of the difference, contests resampled.
    low, high : float
        Where the middle 95 % of the resampled differences lie.
    """

    a: str
    b: str
    metric: str
    difference: float
    standard_error: float
    low: float
    high: float


def resample_ratios(
    above: Floats, below: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> Floats:
    """Return ratios of column sums over resampled rows: one row per draw, one column each.

    Parameters
    ----------
    above, below : array of float, (contests, columns)
        Numerators and denominators.
    resamples : int
        Number of draws.
    seed : int
        The same seed draws the same contests.

    Examples
    --------
    >>> right, pairs = np.array([[3.0], [1.0]]), np.array([[3.0], [2.0]])
    >>> np.unique(resample_ratios(right, pairs, resamples=100))  # first twice, mixed, second twice
    array([0.5, 0.8, 1. ])
    """
    contests, columns = above.shape
    random = np.random.default_rng(seed)
    ratios = np.empty((resamples, columns))
    step = max(1, BLOCK // max(contests, 1))
    for begin in range(0, resamples, step):
        size = min(step, resamples - begin)
        drawn = random.integers(contests, size=(size, contests))
        times = _count(drawn, contests)
        # einsum adds in one fixed order, whatever the number of threads.
        numerator = np.einsum("rc,cm->rm", times, above)
        denominator = np.einsum("rc,cm->rm", times, below)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios[begin : begin + size] = numerator / denominator
    return ratios


def _count(drawn: np.ndarray[tuple[int, int], np.dtype[np.int64]], contests: int) -> Floats:
    """Count how often each draw took each contest."""
    rows = np.arange(len(drawn))[:, None] * contests
    counts = np.bincount((drawn + rows).ravel(), minlength=len(drawn) * contests)
    return counts.reshape(len(drawn), contests).astype(np.float64)


def spread(values: Floats) -> float | None:
    """Return the standard deviation of resampled values; a draw without pairs has none.

    Examples
    --------
    >>> spread(np.array([1.0, 3.0, np.nan]))
    1.4142135623730951
    >>> print(spread(np.array([1.0, np.nan])))
    None
    """
    finite = values[np.isfinite(values)]
    return float(np.std(finite, ddof=1)) if len(finite) > 1 else None


def compare(
    names: Sequence[str], metric: str, values: Sequence[float | None], ratios: Floats
) -> list[Difference]:
    """Compare every two rankers that have the metric, on the same draws."""
    found = []
    for i, a in enumerate(values):
        for j in range(i + 1, len(values)):
            b = values[j]
            change = ratios[:, i] - ratios[:, j]
            error = spread(change)
            if a is None or b is None or error is None:
                continue
            low, high = np.quantile(change[np.isfinite(change)], [0.025, 0.975]).tolist()
            found.append(Difference(names[i], names[j], metric, a - b, error, low, high))
    return found
