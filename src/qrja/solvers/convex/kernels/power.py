"""Compiled passes over the arcs for the loss ``|t|^p``: one power per arc, no temporary arrays.

The same formulas as in :mod:`qrja.solvers.convex.smoothing` and
:mod:`qrja.solvers.convex.certificate`, which serve every other loss. The arcs of component c
are ``first[c]:first[c + 1]``; ``eps``, ``t`` and all results have one value per component.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Floats, Offsets, sum_by
from qrja.jit import in_arrays, numeric


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


def _powers(x: Floats, exponent: float) -> Floats:
    """Return ``x ** exponent`` of an array, in the same way."""
    quarters = round(4 * exponent)
    if quarters != 4 * exponent or abs(quarters) >= 32:
        return np.asarray(x**exponent)
    k, result = abs(quarters), np.ones_like(x)
    for bit, factor in ((1, lambda: np.sqrt(np.sqrt(x))), (2, lambda: np.sqrt(x)), (4, lambda: x)):
        if k & bit:
            result = result * factor()
    if k & 8:
        result = result * (x * x)
    if k & 16:
        result = result * ((x * x) * (x * x))
    return 1.0 / result if quarters < 0 else result


def _of(first: Offsets) -> Offsets:
    """Return the component of each arc."""
    return np.repeat(np.arange(len(first) - 1), np.diff(first))


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


@in_arrays(model)
def _model(
    first: Offsets,
    u: Floats,
    eps: Floats,
    w: Floats,
    flow: Floats,
    p: float,
    slope: Floats,
    curvature: Floats,
) -> Floats:
    of, arcs = _of(first), slice(first[0], first[-1])
    u, w = u[arcs], w[arcs]
    s2 = u * u + (eps * eps)[of]
    core = w * _powers(s2, 0.5 * p - 1.0)
    stiffness = p * core
    pull = slope[arcs] = stiffness * u
    if p < 2 and len(flow):
        limit = stiffness * np.sqrt(s2)
        pull = np.minimum(np.maximum(flow[arcs], -limit), limit)
    curvature[arcs] = stiffness + (p - 2.0) * pull * u / s2
    return sum_by(of, core * s2, len(eps))


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


@in_arrays(along)
def _along(
    first: Offsets, u: Floats, turn: Floats, t: Floats, eps: Floats, w: Floats, p: float
) -> tuple[Floats, Floats]:
    of, arcs = _of(first), slice(first[0], first[-1])
    moved = u[arcs] + t[of] * turn[arcs]
    s2 = moved * moved + (eps * eps)[of]
    core = w[arcs] * _powers(s2, 0.5 * p - 1.0)
    value, slope = sum_by(of, core * s2, len(eps)), sum_by(of, core * moved * turn[arcs], len(eps))
    return value, p * slope


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


@in_arrays(conjugate)
def _conjugate(
    first: Offsets, u: Floats, w: Floats, flow: Floats, p: float, terms: Floats
) -> tuple[Floats, Floats, Floats]:
    count, q = len(first) - 1, p / (p - 1.0)
    of, arcs = _of(first), slice(first[0], first[-1])
    peak, flow, w = np.full(count, 1e-300), flow[arcs], w[arcs]
    np.maximum.at(peak, of, np.abs(flow) / (p * w))
    terms[arcs] = w * _powers(np.abs(flow) / (p * w * peak[of]), q)
    return peak, sum_by(of, terms[arcs], count), sum_by(of, flow * u[arcs], count)


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


@in_arrays(excess)
def _excess(
    first: Offsets, u: Floats, w: Floats, flow: Floats, terms: Floats, p: float
) -> tuple[Floats, Floats]:
    of, arcs = _of(first), slice(first[0], first[-1])
    u, count = u[arcs], len(first) - 1
    value = w[arcs] * _powers(np.abs(u), p)
    over = np.maximum(value + terms[arcs] - flow[arcs] * u, 0.0)
    return sum_by(of, value, count), sum_by(of, over, count)
