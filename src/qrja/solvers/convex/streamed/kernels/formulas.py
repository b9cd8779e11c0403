"""Losses as formulas for compiled loops: what one pair adds to gradients, systems and proofs.

``kind`` says which loss; it is the same throughout a loop, so the compiler takes the question out
of it. ``p`` is the power, or of no meaning; ``shape`` where the loss bends, in units of residuals.
As in :mod:`qrja.solvers.convex.smoothing`, a loss f is seen as ``f(s)``, ``s^2 = u^2 + eps^2``:

    stiffness = f'(s) / s,    curvature = stiffness (1 + bend u^2 / s^2),
    bend = s f''(s) / f'(s) - 1

==========  ============================  =======================  ========================
kind        f(t)                          stiffness                bend
==========  ============================  =======================  ========================
POWER       ``t^p``                       ``p s^(p - 2)``          p - 2
HUBER       ``t^2 / 2``, straight beyond  ``min(1, shape / s)``    0, or -1 beyond
LOG_COSH    ``shape^2 log cosh z``        ``tanh(z) / z``          ``2 z / sinh(2 z) - 1``
==========  ============================  =======================  ========================

with ``z = t / shape``, or ``s / shape``.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.jit import Float, Int, tiny_vector
from qrja.solvers.convex.streamed.kernels.fast_powers import (
    log2,
    power,
    power_of_two,
    short_power,
)

POWER, HUBER, LOG_COSH = range(3)
LOG_TWO = math.log(2)
PER_BIT = 2 / LOG_TWO
SHORT_ONE, SHORT_TWO = np.float32(1.0), np.float32(2.0)
SHORT_E = np.float32(math.e)
NEAR, SHORT_NEAR, SAME = 1e-4, np.float32(1e-3), 1e-8
"""Shapes below which a series has more digits than the hyperbolic tangent, in either precision, and
below which the loss is the square in every digit."""
STEEP = np.float32(20.0)
"""Beyond this many shapes the hyperbolic tangent is 1 in every digit."""


@tiny_vector
def stiffness_and_bend(kind: Int, p: Float, shape: Float, square: Float) -> tuple[Float, Float]:
    """Return f'(s) / s and the bend, given s^2."""
    if kind == POWER:
        return p * power(square, 0.5 * p - 1.0), p - 2.0
    s = np.sqrt(square)
    if kind == HUBER:
        return min(1.0, shape / s), 0.0 if s <= shape else -1.0
    z = s / shape
    fade = power_of_two(-PER_BIT * z)
    if z < NEAR:
        return 1.0 - z * z / 3.0, -2.0 / 3.0 * z * z
    tanh = (1.0 - fade) / (1.0 + fade)
    return tanh / z, z * (4.0 * fade / ((1.0 + fade) * (1.0 + fade))) / tanh - 1.0


@tiny_vector
def smoothed_value(kind: Int, p: Float, shape: Float, square: Float, stiffness: Float) -> Float:
    """Return f(s), given s^2 and the stiffness there, up to a few digits less than a proof has."""
    if kind == POWER:
        return stiffness * square / p
    s = np.sqrt(square)
    if kind == HUBER:
        within = min(s, shape)
        return within * (s - 0.5 * within)
    z = s / shape
    if z < NEAR:
        return square * (0.5 - z * z / 12.0)
    return shape * shape * (z + LOG_TWO * (log2(1.0 + power_of_two(-PER_BIT * z)) - 1.0))


@tiny_vector
def short_curvature(kind: Int, p: Float, shape: Float, eps2: Float, d: Float) -> Float:
    """Return the curvature of the smoothed loss at a residual d, all in single precision."""
    u2 = d * d
    square = u2 + eps2
    if kind == POWER:
        half = p / SHORT_TWO - SHORT_ONE
        return p * short_power(square, half) * (SHORT_ONE + (p - SHORT_TWO) * u2 / square)
    s = np.sqrt(square)
    if kind == HUBER:
        return SHORT_ONE if s <= shape else shape / s * (eps2 / square)
    z = min(s / shape, STEEP)
    if z < SHORT_NEAR:
        return SHORT_ONE
    fade = short_power(SHORT_E, -SHORT_TWO * z)
    tanh = (SHORT_ONE - fade) / (SHORT_ONE + fade)
    bend = z * (SHORT_TWO * SHORT_TWO * fade / ((SHORT_ONE + fade) * (SHORT_ONE + fade))) / tanh
    return tanh / z * (SHORT_ONE + (bend - SHORT_ONE) * u2 / square)


@tiny_vector
def value_of(kind: Int, p: Float, shape: Float, residual: Float) -> Float:
    """Return f(residual) of a power or of Huber's loss."""
    if kind == POWER:
        return power(residual * residual, 0.5 * p)
    t = abs(residual)
    within = min(t, shape)
    return within * (t - 0.5 * within)


@tiny_vector
def conjugate_of(kind: Int, p: Float, slope: Float) -> Float:
    """Return f*(slope) of a power or of Huber's loss, for a slope that the loss has."""
    if kind == POWER:
        return (p - 1.0) * power(abs(slope) / p, p / (p - 1.0))
    return 0.5 * slope * slope


@tiny_vector
def log_cosh(shape: Float, residual: Float, slope: Float) -> tuple[Float, Float]:
    """Return f(residual) and f*(slope) of the logarithm, in two forms each.

    One keeps its digits near 0, the other does not overflow, or exists at the steepest slope.
    """
    z, y = abs(residual) / shape, min(abs(slope) / shape, 1.0)
    if z < SAME and y < SAME:
        return 0.5 * residual * residual, 0.5 * slope * slope
    if z <= 1.0:
        half = math.sinh(0.5 * z)
        value = math.log1p(2.0 * half * half)
    else:
        value = z + math.log1p(math.exp(-2.0 * z)) - LOG_TWO
    if y <= 0.5:
        star = y * math.atanh(y) + 0.5 * math.log1p(-y * y)
    elif y < 1.0:
        star = 0.5 * ((1.0 + y) * math.log1p(y) + (1.0 - y) * math.log1p(-y))
    else:
        star = LOG_TWO
    return shape * shape * value, shape * shape * star
