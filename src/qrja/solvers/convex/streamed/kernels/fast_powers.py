"""Powers ``x^q`` of positive numbers, eight or four at a time, by polynomials.

    x = 2^k m,    t = q (k + log2 m),    x^q = 2^round(t) 2^(t - round(t)),    m in [0.71, 1.42]

Of single precision, for the systems of Newton's method: relative errors of 1e-6. Of double
precision, for gradients and proofs: of ``2^-50 (2 + |t|)``, which ``tests`` hold against exact
powers. Exponents t beyond 1,000 (100) are held there, so that nothing overflows.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from qrja.data import Floats
from qrja.jit import Float, tiny_vector
from qrja.solvers.convex.streamed.kernels.float_bits import (
    exponent,
    mantissa,
    times_power_of_two,
)


def _fit(function: Callable[[Floats], Floats], low: float, high: float, degree: int) -> list[float]:
    """Return the coefficients of the polynomial through the Chebyshev points, lowest first."""
    fitted = np.polynomial.Chebyshev.interpolate(function, degree, domain=[low, high])
    return [float(c) for c in fitted.convert(kind=np.polynomial.Polynomial).coef]


def _log2_by_root(z2: Floats) -> Floats:
    """Return ``log2((1 + z) / (1 - z)) / z``, an even function, given z^2."""
    z = np.sqrt(np.maximum(z2, 1e-12))
    return np.asarray(2 * np.arctanh(z) / (z * math.log(2)))


def _log2_over(m: Floats) -> Floats:
    """Return ``log2(m) / (m - 1)``."""
    away = np.where(np.abs(m - 1) < 1e-7, 1e-7, m - 1)
    return np.asarray(np.log1p(away) / (away * math.log(2)))


def _rise_over(f: Floats) -> Floats:
    """Return ``(2^f - 1) / f``."""
    away = np.where(np.abs(f) < 1e-9, 1e-9, f)
    return np.asarray(np.expm1(away * math.log(2)) / away)


ROOT = math.sqrt(0.5)
MOST_Z2 = ((1 - ROOT) / (1 + ROOT)) ** 2
L0, L1, L2, L3, L4, L5, L6, L7 = map(np.float32, _fit(_log2_over, ROOT, 2 * ROOT, 7))
E0, E1, E2, E3, E4, E5 = map(np.float32, _fit(np.exp2, -0.5, 0.5, 5))
EXCESS, ROUND = np.float32(2.0**23 + 127), np.float32(1.5 * 2.0**23)
ONE, MOST = np.float32(1.0), np.float32(100.0)

A0, A1, A2, A3, A4, A5, A6 = _fit(_log2_by_root, 0.0, MOST_Z2, 6)
B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10 = _fit(np.exp2, -0.5, 0.5, 10)
LONG_EXCESS, LONG_ROUND, LONG_MOST = 2.0**52 + 1023, 1.5 * 2.0**52, 1000.0
C0, C1, C2, C3, C4, C5, C6, C7, C8, C9 = _fit(_rise_over, -0.5, 0.5, 9)


@tiny_vector
def short_power(x: Float, q: Float) -> Float:
    """Return ``x^q`` in single precision."""
    m = mantissa(x)
    slope = ((((((L7 * m + L6) * m + L5) * m + L4) * m + L3) * m + L2) * m + L1) * m + L0
    t = q * ((exponent(x) - EXCESS) + (m - ONE) * slope)
    t = min(max(t, -MOST), MOST)
    whole = t + ROUND
    f = t - (whole - ROUND)
    return times_power_of_two(((((E5 * f + E4) * f + E3) * f + E2) * f + E1) * f + E0, whole)


@tiny_vector
def log2(x: Float) -> Float:
    """Return the logarithm of a positive number, to 1e-15 of itself or of 1."""
    m = mantissa(x)
    z = (m - 1.0) / (m + 1.0)
    y = z * z
    s = (((((A6 * y + A5) * y + A4) * y + A3) * y + A2) * y + A1) * y + A0
    return (exponent(x) - LONG_EXCESS) + z * s


@tiny_vector
def power(x: Float, q: Float) -> Float:
    """Return ``x^q`` in double precision."""
    return power_of_two(q * log2(x))


@tiny_vector
def power_of_two(t: Float) -> Float:
    """Return ``2^t`` in double precision."""
    t = min(max(t, -LONG_MOST), LONG_MOST)
    whole = t + LONG_ROUND
    f = t - (whole - LONG_ROUND)
    low = ((((B5 * f + B4) * f + B3) * f + B2) * f + B1) * f + B0
    high = (((B10 * f + B9) * f + B8) * f + B7) * f + B6
    f2 = f * f
    return times_power_of_two(low + high * (f2 * f2 * f2), whole)


@tiny_vector
def rise_and_scale(t: Float) -> tuple[Float, Float]:
    """Return r and s of ``2^t = s (1 + r)``, s a whole power: r keeps its digits where it is small.

    So ``s (y + y r)`` is y to the last digit for small t, however often it is taken.
    """
    t = min(max(t, -LONG_MOST), LONG_MOST)
    whole = t + LONG_ROUND
    f = t - (whole - LONG_ROUND)
    low = (((C4 * f + C3) * f + C2) * f + C1) * f + C0
    high = (((C9 * f + C8) * f + C7) * f + C6) * f + C5
    f2 = f * f
    return f * (low + high * (f2 * f2 * f)), times_power_of_two(1.0, whole)
