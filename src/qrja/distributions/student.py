"""Student's t: chances and quantiles.

With v degrees of freedom, the chance to be below -t is

    I_x(v/2, 1/2) / 2,    x = v / (v + t^2)

I being the regularised incomplete beta function, a continued fraction that is quick while
``x < (a + 1) / (a + b + 2)``, and ``I_x(a, b) = 1 - I_{1-x}(b, a)`` beyond.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from qrja.distributions.normal import Floats, normal_quantile

FEW = 6_000
"""Numbers up to which arithmetic here is done before SciPy is loaded."""
FEWEST, MOST = 0.5, 5_000.0
"""Degrees of freedom: below and above is SciPy's."""
NEAREST = 1e-9
"""Chances nearer to 0 or 1 than that are SciPy's."""
EXPANDED = 30.0
"""Halves of degrees of freedom from which an expansion has all digits."""
STEPS = 2_000
EPSILON = 4e-16
"""Relative change below which a product does not move any more."""
CLOSE = 1e-8
"""A step of Newton's method after which what is left is no more than rounding."""
TINY = 1e-300


def student_chance(df: Any, t: Any) -> Floats:
    """Return the chance to be at most t; arguments are broadcast.

    Examples
    --------
    >>> student_chance(1.0, np.array([0.0, -1.0, 1.0])).round(12)
    array([0.5 , 0.25, 0.75])
    """
    df, t = np.broadcast_arrays(np.asarray(df, np.float64), np.asarray(t, np.float64))
    if not (0 < t.size <= FEW and df.min() >= FEWEST and df.max() <= MOST):
        from scipy.special import stdtr

        return np.asarray(stdtr(df, t))
    below = _below(df.ravel(), np.abs(t).ravel()).reshape(t.shape)
    return np.where(t > 0, 1 - below, below)


def student_quantile(df: Any, chance: Any) -> Floats:
    """Return the number below which Student's t is with some chance; arguments are broadcast.

    Examples
    --------
    >>> student_quantile(np.array([1.0, 2.0, 10.0]), 0.975).round(6)
    array([12.706205,  4.302653,  2.228139])
    """
    df, chance = np.broadcast_arrays(np.asarray(df, np.float64), np.asarray(chance, np.float64))
    less = np.minimum(chance, 1 - chance)
    usual = 0 < chance.size <= FEW and df.min() >= FEWEST and df.max() <= MOST
    if not (usual and less.min() >= NEAREST):
        from scipy.special import stdtrit

        return np.asarray(stdtrit(df, chance))
    # Candidates often share their degrees of freedom.
    pairs, which = np.unique(np.stack([df.ravel(), less.ravel()]), axis=1, return_inverse=True)
    t = _inverse(*pairs)[which.ravel()].reshape(chance.shape)
    return np.where(chance < 0.5, -t, t)


def _inverse(df: Floats, chance: Floats) -> Floats:
    """Return t with so much beyond it: Newton's method on logarithms, kept between bounds."""
    low, high = np.zeros_like(df), np.full_like(df, np.inf)
    t = -np.asarray(normal_quantile(np.minimum(chance, 0.4999)))
    scale = np.exp(_log_beta(df)) * np.sqrt(df)
    for _ in range(200):
        beyond = _below(df, t)
        low, high = np.where(beyond > chance, t, low), np.where(beyond > chance, high, t)
        slope = (1 + t**2 / df) ** (-0.5 * (df + 1)) / scale * t / beyond
        step = np.clip(np.log(beyond / chance) / slope, -2, 2)
        moved = t * np.exp(step)
        inside = (moved >= low) & (moved <= high) | (np.abs(step) <= CLOSE)
        moved = np.where(inside, moved, np.where(np.isinf(high), 2 * t, 0.5 * (low + high)))
        t = moved
        if (np.abs(step) <= CLOSE).all():
            break
    return np.where(chance == 0.5, 0.0, t)


def _log_beta(df: Floats) -> Floats:
    """Return ``log B(df/2, 1/2)``: the expansion for large ones, where log gammas would cancel."""
    some, which = np.unique(df, return_inverse=True)
    found = np.empty_like(some)
    for k, a in enumerate((0.5 * some).tolist()):
        if a < EXPANDED:
            found[k] = math.lgamma(a) - math.lgamma(a + 0.5)
        else:
            tail = 1 / 8 - (1 / 192 - (1 / 640 - 17 / (14336 * a**2)) / a**2) / a**2
            found[k] = tail / a - 0.5 * math.log(a)
    return found[which] + 0.5 * math.log(math.pi)


def _below(df: Floats, t: Floats) -> Floats:
    """Return the chance to be below -t, for t that are not negative."""
    a = 0.5 * df
    x = df / (df + t**2)
    rest = t**2 / (df + t**2)
    log_front = a * -np.log1p(t**2 / df) + 0.5 * np.log(np.maximum(rest, TINY)) - _log_beta(df)
    front = np.exp(log_front)
    low = x < (a + 1) / (a + 2.5)
    found = np.empty_like(t)
    half = np.full_like(a, 0.5)
    found[low] = front[low] * _fraction(a[low], half[low], x[low]) / a[low]
    found[~low] = 1 - front[~low] * _fraction(half[~low], a[~low], rest[~low]) / 0.5
    return 0.5 * found


def _fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """Return the continued fraction of the incomplete beta function by Lentz's method."""
    c, d = np.ones_like(x), 1 / _apart(1 - (a + b) * x / (a + 1))
    total = d.copy()
    for m in range(1, STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for factor in (even, odd):
            d = 1 / _apart(1 + factor * d)
            c = _apart(1 + factor / c)
            total *= c * d
        if not (np.abs(c * d - 1) > EPSILON).any():
            break
    return total


def _apart(value: Floats) -> Floats:
    """Return numbers to divide by."""
    return np.where(np.abs(value) < TINY, TINY, value)
