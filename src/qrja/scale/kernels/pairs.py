"""Compiled: powers of the residuals of all pairs of contests, one pair at a time, none kept.

The flow is that of the smoothed loss ``(r^2 + eps^2)^(p/2)``, whose curvature is neither infinite
(p < 2) nor 0 (p > 2) at ``r = 0``; the loss is ``|r|^p`` itself, and what the flow proves too
little of it is added up beside it.
"""

from __future__ import annotations

from qrja.data import Floats, Index, Offsets
from qrja.jit import compiled


@compiled
def add_powers(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    x: Floats,
    unit: float,
    p: float,
    eps: float,
    out: Floats,
) -> None:
    """Add pulls, the diagonal of the curvature, the loss and its shortfall; residuals in units.

    The shortfall of a pair is ``|r|^p + f*(s) - s r`` for the smoothed slope s.
    """
    n = len(x)
    dual = p / (p - 1)
    for c in range(len(start) - 1):
        w = weight[c]
        for i in range(start[c], start[c + 1]):
            own = score[i] - x[who[i]]
            pull = bend = 0.0
            for j in range(start[c], i):
                r = (own - (score[j] - x[who[j]])) / unit
                base = r * r + eps * eps
                power = p * base ** (0.5 * p - 2)
                slope = power * base * r
                f = w * slope
                pull += f
                out[who[j]] -= f
                curve = w * power * ((p - 1) * r * r + eps * eps)
                bend += curve
                out[n + who[j]] += curve
                value = abs(r) ** p
                out[2 * n] += w * value
                short = value - slope * r + (p - 1) * (abs(slope) / p) ** dual
                out[2 * n + 1] += w * max(short, 0.0)
            out[who[i]] += pull
            out[n + who[i]] += bend


@compiled
def add_power_product(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    x: Floats,
    unit: float,
    p: float,
    eps: float,
    d: Floats,
    out: Floats,
) -> None:
    """Add ``H d``."""
    for c in range(len(start) - 1):
        w = weight[c] * p
        for i in range(start[c], start[c + 1]):
            own, step, total = score[i] - x[who[i]], d[who[i]], 0.0
            for j in range(start[c], i):
                r = (own - (score[j] - x[who[j]])) / unit
                base = r * r + eps * eps
                curve = w * base ** (0.5 * p - 2) * ((p - 1) * r * r + eps * eps)
                f = curve * (step - d[who[j]])
                total += f
                out[who[j]] -= f
            out[who[i]] += total
