"""Powers as sums of exponentials, with an error that is proved.

    t^p  =  t^n t^-b,      t^-b  =  1 / Gamma(b)  integral of  exp(b s - t e^s) ds

with n the whole number above p and ``b = n - p``. The trapezoidal rule of step h turns the integral
into a sum over ``s = h k`` of exponentials of t, all of them positive. Three things are missing in
what is summed, each a share of ``t^-b``:

aliasing
    Poisson's formula gives the error of the endless sum exactly: at most
    ``2 sum_m |Gamma(b + 2 pi i m / h)| / Gamma(b)``, for every t.
slow terms
    Those whose rates ``e^s`` are below ``e^low`` become one, at the mean of their rates: by
    convexity, at most ``t^2 / 2`` times the sum of their squares is lost.
quick terms
    Those with ``t e^s > DEAD`` have died away.

Sums of exponentials need no pairs: moving all of them on by a distance d multiplies each term by
``exp(-rate d)``. For whole p there is one term, of rate 0, and no error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from qrja.data import Floats

DEAD = 45.0
"""Distances, in terms of 1 / rate, beyond which an exponential is 3e-20 and counts as 0."""
ALIASES = 4
"""Terms of Poisson's sum that are added up; the following are smaller by e^-25 and more."""


@dataclass(frozen=True, eq=False)
class Exponentials:
    """``t^p = t^degree sum share exp(-rate t)``, up to ``error`` of it, for t in a range.

    Parameters
    ----------
    degree : int
        Of the power that is left to itself.
    rate, share : array
        Of each term, the slowest first.
    error : float
        By what share of a power the sum may be off.
    """

    degree: int
    rate: Floats
    share: Floats
    error: float


@lru_cache(maxsize=64)
def write_power(p: float, accuracy: float, shortest: float, longest: float) -> Exponentials:
    """Write ``t^p`` as exponentials, for t from the shortest to the longest; ``p > 1``.

    Examples
    --------
    >>> found = write_power(1.5, 1e-12, 1e-6, 1.0)
    >>> t = np.array([1e-6, 0.3, 1.0])
    >>> sums = t**found.degree * (found.share * np.exp(-np.outer(t, found.rate))).sum(1)
    >>> bool((abs(sums / t**1.5 - 1) <= found.error).all()), found.error < 1e-12
    (True, True)
    >>> write_power(3.0, 1e-12, 1e-6, 1.0)
    Exponentials(degree=3, rate=array([0.]), share=array([1.]), error=0.0)
    """
    degree = math.ceil(p)
    b = degree - p
    if b == 0:
        return Exponentials(degree, np.zeros(1), np.ones(1), 0.0)
    part = accuracy / 4
    h = 1.5
    while _aliasing(b, h) > part:
        h *= 0.97
    low = math.log(part * math.gamma(b)) / (b + 2) - math.log(longest)
    first = math.floor(low / h)
    while _slow(b, h, first, longest)[2] > part:
        first -= 1
    last = math.ceil(math.log(DEAD / shortest) / h)
    s = h * np.arange(first, max(last, first) + 1)
    share, rate, lost = _slow(b, h, first, longest)
    dead = (h * DEAD**b + DEAD ** (b - 1)) * math.exp(-DEAD) / math.gamma(b)
    return Exponentials(
        degree,
        np.append(rate, np.exp(s)),
        np.append(share, h * np.exp(b * s) / math.gamma(b)),
        _aliasing(b, h) + lost + dead,
    )


def _aliasing(b: float, h: float) -> float:
    from scipy.special import loggamma

    y = 2j * math.pi / h * np.arange(1, ALIASES + 1)
    return 2.01 * float(np.exp(loggamma(b + y).real - math.lgamma(b)).sum())


def _slow(b: float, h: float, first: int, longest: float) -> tuple[float, float, float]:
    """Return share and rate of one term for all before the first, and what that costs at most."""

    def moment(q: float) -> float:
        """Sum the shares of these terms, times rates to the power ``q - b``."""
        return h * math.exp(q * h * (first - 1)) / (-math.expm1(-q * h) * math.gamma(b))

    share = moment(b)
    return share, moment(b + 1) / share, 0.5 * longest ** (b + 2) * moment(b + 2)
