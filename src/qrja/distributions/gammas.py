"""The gamma function's relatives: derivatives of its logarithm, and quantiles of chi-square.

    digamma(x) = log x - 1/(2x) - sum_k B_2k / (2k x^2k)                (x large)
    digamma(x) = digamma(x + 1) - 1/x

and likewise for the next two derivatives. The chance of a chi-square with v degrees of freedom to
be at most x is ``P(v/2, x/2)``, the regularised incomplete gamma function:

    P(a, x) = x^a e^-x / Gamma(a + 1)  (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...)

a series for x up to about a, and a continued fraction for what is left beyond that. A quantile is
found by Halley's method from Wilson and Hilferty's approximation; from ``MANY`` degrees of freedom
on by the expansion of Goldberg and Levine in powers of ``v^-1/2``, z being the normal quantile.

References
----------
H. Goldberg and H. Levine, Approximate formulas for the percentage points and normalization of t and
chi-square, 1946.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from qrja.distributions.normal import FEW, Floats, normal_quantile

UP = 12.0
"""Numbers from which the expansions of digamma and its derivatives have all digits."""
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
FEWEST, MANY, MOST = 0.5, 5_000.0, 1e8
"""Degrees of freedom: below and above is SciPy's; from MANY on the expansion is exact enough."""
NEAREST = 1e-9
"""Chances nearer to 0 or 1 than that are SciPy's."""
STEPS = 2_000
EPSILON = 4e-16
"""Relative change below which a sum or a product does not move any more."""


# ------------------------------------------------------------------------------- derivatives


def digamma(x: Floats) -> Floats:
    """Return the derivative of log gamma for positive numbers.

    Examples
    --------
    >>> digamma(np.array([1.0, 20.0])).round(8)
    array([-0.57721566,  2.97052399])
    """
    sums, x = _from_far(x, 1)
    tail = sum(b / ((2 * k) * x ** (2 * k)) for k, b in enumerate(BERNOULLI, 1))
    return np.asarray(np.log(x) - 0.5 / x - tail - sums)


def trigamma(x: Floats) -> Floats:
    """Return the second derivative of log gamma for positive numbers.

    Examples
    --------
    >>> trigamma(np.array([1.0])).round(8)  # pi^2 / 6
    array([1.64493407])
    """
    sums, x = _from_far(x, 2)
    tail = sum(b / x ** (2 * k + 1) for k, b in enumerate(BERNOULLI, 1))
    return np.asarray(1 / x + 0.5 / x**2 + tail + sums)


def tetragamma(x: Floats) -> Floats:
    """Return the third derivative of log gamma for positive numbers.

    Examples
    --------
    >>> tetragamma(np.array([1.0])).round(8)
    array([-2.40411381])
    """
    sums, x = _from_far(x, 3)
    tail = sum((2 * k + 1) * b / x ** (2 * k + 2) for k, b in enumerate(BERNOULLI, 1))
    return np.asarray(-1 / x**2 - 1 / x**3 - tail - 2 * sums)


def _from_far(x: Floats, power: int) -> tuple[Floats, Floats]:
    """Return ``sum 1/x^power`` over the steps by which numbers are moved up, and where they are."""
    x = np.array(x, dtype=np.float64)
    sums = np.zeros_like(x)
    while (low := x < UP).any():
        sums[low] += 1 / x[low] ** power
        x[low] += 1
    return sums, x


# -------------------------------------------------------------------------------- chi-square


def chi_square_quantile(df: Any, chance: Any) -> Floats:
    """Return the number that a chi-square exceeds with some chance; arguments are broadcast.

    Examples
    --------
    >>> chi_square_quantile(2.0, np.array([0.5, 0.05])).round(8)  # -2 log chance
    array([1.38629436, 5.99146455])
    """
    df, chance = np.asarray(df, np.float64), np.asarray(chance, np.float64)
    if not _is_usual(df, chance):
        from scipy.special import chdtri

        return np.asarray(chdtri(df, chance))
    df, chance, z = np.broadcast_arrays(df, chance, -normal_quantile(chance))
    x, some = np.asarray(_expanded(df, z)), df < MANY
    if some.any():
        x[some] = 2 * _inverse_gamma(0.5 * df[some], chance[some], z[some])
    return x


def _is_usual(df: Floats, chance: Floats) -> bool:
    return (
        0 < np.broadcast(df, chance).size <= FEW
        and df.min() >= FEWEST
        and df.max() <= MOST
        and chance.min() >= NEAREST
        and chance.max() <= 1 - NEAREST
    )


def _expanded(df: Floats, z: Floats) -> Floats:
    r, s = math.sqrt(2.0), np.sqrt(df)
    return (
        df
        + r * z * s
        + 2 / 3 * (z**2 - 1)
        + (z**3 - 7 * z) / (9 * r * s)
        - (6 * z**4 + 14 * z**2 - 32) / (405 * df)
        + (9 * z**5 + 256 * z**3 - 433 * z) / (4860 * r * s**3)
        + (12 * z**6 - 243 * z**4 - 923 * z**2 + 1472) / (25515 * df**2)
        - (3753 * z**7 + 4353 * z**5 - 289517 * z**3 - 289717 * z) / (9185400 * r * s**5)
    )


def _inverse_gamma(a: Floats, chance: Floats, z: Floats) -> Floats:
    """Return x with ``1 - P(a, x) = chance``."""
    near = a * (1 - 1 / (9 * a) + z / (3 * np.sqrt(a))) ** 3
    log_gamma = np.array([math.lgamma(value) for value in a.tolist()])
    # Where few are below, P(a, x) is about x^a / Gamma(a + 1).
    low = np.exp((np.log1p(-chance) + log_gamma + np.log(a)) / a)
    x = np.where((near > 0.3 * a) & (a > 0.6), near, np.minimum(low, np.maximum(near, low)))
    for _ in range(30):
        density = np.exp((a - 1) * np.log(x) - x - log_gamma)
        step = (_above(a, x, density * x) - chance) / density
        # Halley's; never further than to half of what there is.
        step /= np.maximum(1 - 0.5 * step * ((a - 1) / x - 1), 0.5)
        step = np.maximum(step, -0.5 * x)
        x = x + step
        if (np.abs(step) <= 1e-7 * x).all():  # what is left is the cube of that
            break
    return np.asarray(x)


def _above(a: Floats, x: Floats, front: Floats) -> Floats:
    """Return ``1 - P(a, x)``; ``front`` is ``x^a e^-x / Gamma(a)``."""
    above = np.empty_like(x)
    low = x < a + 1
    above[low] = 1 - front[low] * _series(a[low], x[low])
    above[~low] = front[~low] * _fraction(a[~low], x[~low])
    return above


def _series(a: Floats, x: Floats) -> Floats:
    term = 1 / a
    total, n = term.copy(), 0
    for n in range(1, STEPS):
        term *= x / (a + n)
        total += term
        if not (term > EPSILON * total).any():
            break
    return total


def _fraction(a: Floats, x: Floats) -> Floats:
    """Return ``1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...)))`` by Lentz's method."""
    b = x + 1 - a
    c, d = np.full_like(x, 1e300), 1 / b
    total = d.copy()
    for n in range(1, STEPS):
        factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        total *= c * d
        if not (np.abs(c * d - 1) > EPSILON).any():
            break
    return total
