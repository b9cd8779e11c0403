"""Compiled passes over the arcs for the loss ``|t|^p``: one power per arc, no temporary arrays.

The same formulas as in :mod:`qrja.solvers.convex.smoothing` and
:mod:`qrja.solvers.convex.certificate`, which serve every other loss. The arcs of component c
are ``first[c]:first[c + 1]``; ``eps``, ``t`` and all results have one value per component.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Floats, Offsets
from qrja.jit import numeric


@numeric
def _quarters(exponent: float) -> int:
    """Return four times the exponent if that is a small whole number, 99 if not."""
    whole = round(4 * exponent)
    return whole if whole == 4 * exponent and abs(whole) < 32 else 99


@numeric
def _power(x: float, exponent: float, quarters: int) -> Any:
    """Return ``x ** exponent``; roots and products are three times as fast as a power."""
    if quarters == 99:
        return x**exponent
    k, result = abs(quarters), 1.0
    if k & 1:
        result = np.sqrt(np.sqrt(x))
    if k & 2:
        result *= np.sqrt(x)
    if k & 4:
        result *= x
    if k & 8:
        result *= x * x
    if k & 16:
        result *= (x * x) * (x * x)
    return 1.0 / result if quarters < 0 else result


@numeric
def model(
    first: Offsets,
    u: Floats,
    eps: Floats,
    w: Floats,
    flow: Floats,
    p: float,
    slope: Floats,
    curvature: Floats,
) -> Any:
    """Fill slope and curvature of the smoothed power; return its value per component."""
    bend, follow = p - 2.0, p < 2 and len(flow) > 0
    exponent = 0.5 * p - 1.0
    quarters = _quarters(exponent)
    value = np.zeros(len(eps))
    for c in range(len(eps)):
        total, square = 0.0, eps[c] * eps[c]
        for i in range(first[c], first[c + 1]):
            s2 = u[i] * u[i] + square
            core = w[i] * _power(s2, exponent, quarters)
            total += core * s2
            stiffness = p * core
            own = stiffness * u[i]
            pull = own
            if follow:
                limit = stiffness * np.sqrt(s2)
                pull = min(max(flow[i], -limit), limit)
            slope[i] = own
            curvature[i] = stiffness + bend * pull * u[i] / s2
        value[c] = total
    return value


@numeric
def along(
    first: Offsets, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats, p: float
) -> Any:
    """Return value and derivative at ``u + t turn``, per component."""
    value, derivative = np.zeros(len(eps)), np.zeros(len(eps))
    exponent = 0.5 * p - 1.0
    quarters = _quarters(exponent)
    for c in range(len(eps)):
        total, slope, square, step = 0.0, 0.0, eps[c] * eps[c], t[c]
        for i in range(first[c], first[c + 1]):
            moved = u[i] + step * turn[i]
            s2 = moved * moved + square
            core = w[i] * _power(s2, exponent, quarters)
            total += core * s2
            slope += core * moved * turn[i]
        value[c], derivative[c] = total, p * slope
    return value, derivative


@numeric
def conjugate(first: Offsets, u: Floats, w: Floats, flow: Floats, p: float, terms: Floats) -> Any:
    """Fill ``w (|f| / (p w) / peak)^q``; return peak, their sum and ``f . u`` per component."""
    count, q = len(first) - 1, p / (p - 1.0)
    quarters = _quarters(q)
    peak, power, gain = np.zeros(count), np.zeros(count), np.zeros(count)
    for c in range(count):
        top = 1e-300
        for i in range(first[c], first[c + 1]):
            top = max(top, abs(flow[i]) / (p * w[i]))
        total, work = 0.0, 0.0
        for i in range(first[c], first[c + 1]):
            terms[i] = w[i] * _power(abs(flow[i]) / (p * w[i] * top), q, quarters)
            total += terms[i]
            work += flow[i] * u[i]
        peak[c], power[c], gain[c] = top, total, work
    return peak, power, gain


@numeric
def excess(
    first: Offsets,
    u: Floats,
    w: Floats,
    flow: Floats,
    terms: Floats,
    p: float,
) -> Any:
    """Return the loss and its excess over the bound, per component."""
    count, quarters = len(first) - 1, _quarters(p)
    cost, over = np.zeros(count), np.zeros(count)
    for c in range(count):
        total, rest = 0.0, 0.0
        for i in range(first[c], first[c + 1]):
            value = w[i] * _power(abs(u[i]), p, quarters)
            total += value
            rest += max(value + terms[i] - flow[i] * u[i], 0.0)
        cost[c], over[c] = total, rest
    return cost, over
