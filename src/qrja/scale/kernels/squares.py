"""Compiled: the sums of least squares over the contests of a shard, each in two passes over it."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import threaded
from qrja.scale.kernels.residuals import add_exactly, mean_residual

ROUGHLY = 2.0**-51
"""The share of a number that rounding is."""


@threaded
def add_degrees(start: Offsets, who: Index, weight: Floats, out: Floats) -> None:
    """Add ``w (k - 1)``, what each candidate's pairs weigh."""
    for c in range(len(start) - 1):
        own = weight[c] * (start[c + 1] - start[c] - 1)
        for e in range(start[c], start[c + 1]):
            out[who[e]] += own


@threaded
def add_product(start: Offsets, who: Index, weight: Floats, d: Floats, out: Floats) -> None:
    """Add ``L d``: ``w (k d_i - sum d)`` for each entrant of a contest of k."""
    for c in range(len(start) - 1):
        total = 0.0
        for e in range(start[c], start[c + 1]):
            total += d[who[e]]
        k = start[c + 1] - start[c]
        for e in range(start[c], start[c + 1]):
            out[who[e]] += weight[c] * (k * d[who[e]] - total)


@threaded
def add_imbalance(
    start: Offsets, who: Index, score: Floats, weight: Floats, x: Floats, out: Floats
) -> None:
    """Add ``b - L x``, from residuals, and behind it the loss ``sum w (e_i - e_j)^2``.

    Last comes what rounding may hide of it, in units of it: a residual is off by a share of what it
    is the difference of. What leaves a contest by that is taken off its pulls, which costs its
    square.
    """
    n, loss, lost = len(x), 0.0, 0.0
    for c in range(len(start) - 1):
        k = start[c + 1] - start[c]
        if k < 2:
            continue
        mean = mean_residual(who, score, x, start[c], start[c + 1])
        left = 0.0
        for e in range(start[c], start[c + 1]):
            left += (score[e] - x[who[e]]) - mean
        left /= k
        for e in range(start[c], start[c + 1]):
            own = score[e] - x[who[e]]
            off = (own - mean) - left
            pull = weight[c] * k * off
            out[who[e]] += pull
            loss, lost = add_exactly(loss, lost, pull * off)
            slip = 2 * abs(pull) * (abs(own) + 2 * abs(x[who[e]]))
            out[n + 1] += slip + ROUGHLY * weight[c] * k * own * own
    out[n] += loss + lost


@threaded
def add_evening(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    x: Floats,
    d: Floats,
    out: Floats,
) -> None:
    """Add ``L d`` and, behind it, ``sum w (d_i - d_j) (e_i - e_j)`` over pairs, and its rounding.

    What rounding may hide is in units of it, and of all that is added up, not of what is left.
    """
    n, line, line_lost, pull_lost = len(x), 0.0, 0.0, np.zeros(len(x))
    for c in range(len(start) - 1):
        k = start[c + 1] - start[c]
        if k < 2:
            continue
        mean = mean_residual(who, score, x, start[c], start[c + 1])
        total = size = 0.0
        for e in range(start[c], start[c + 1]):
            total += d[who[e]]
            size += abs(d[who[e]])
        for e in range(start[c], start[c + 1]):
            i, own, far = who[e], score[e] - x[who[e]], d[who[e]]
            pull = weight[c] * (k * far - total)
            out[i], pull_lost[i] = add_exactly(out[i], pull_lost[i], pull)
            line, line_lost = add_exactly(line, line_lost, pull * (own - mean))
            out[n + 1] += weight[c] * (k * abs(far) + size) * (abs(own) + 2 * abs(x[i]))
    for i in range(n):
        out[i] += pull_lost[i]
    out[n] += line + line_lost
