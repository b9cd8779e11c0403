"""Compiled: sums over contests that are drawn again, several weightings side by side.

How often a contest is drawn is a Poisson number of mean 1, made of a hash of its shard, its place
there and the resample: whoever takes the shard again draws the same.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import Float, Int, compiled, threaded
from qrja.scale.kernels.residuals import mean_residual

MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
STEP = np.uint64(0x9E3779B97F4A7C15)
A, B, C, MANTISSA = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
UNIT = 2.0**-53
APART = 1.4142135623730951
"""How many times as far as one from the middle two normal residuals are from each other."""


@compiled
def scramble(z: Int) -> Int:
    """Return 64 bits that look like chance (the finaliser of SplitMix64)."""
    z = (z ^ (z >> A)) * MIX_1
    z = (z ^ (z >> B)) * MIX_2
    return z ^ (z >> C)


@compiled
def times_drawn(salt: Int, contest: Int, resample: Int) -> Float:
    """Return how often a contest is drawn: Poisson with mean 1."""
    z = scramble(salt + STEP * np.uint64(contest + 1))
    chance = (scramble(z + STEP * np.uint64(resample + 1)) >> MANTISSA) * UNIT
    share = below = 0.36787944117144233
    count = 0
    while chance >= below and count < 20:
        count += 1
        share /= count
        below += share
    return float(count)


@threaded
def draw_contests(contests: int, salt: Int, resamples: Index, out: Floats) -> None:
    """Write how often each contest is drawn in each resample."""
    for c in range(contests):
        for b in range(len(resamples)):
            out[c, b] = times_drawn(salt, c, resamples[b])


@threaded
def find_stray(
    start: Offsets,
    who: Index,
    score: Floats,
    x: Floats,
    mean: float,
    showing: float,
    out: Floats,
) -> None:
    """Write how far the residuals of each contest stray, in units of the ``mean`` of all pairs.

    Twice the mean distance from the middle is that of pairs at the most. The mean of all counts as
    so many entrants ``showing`` it.
    """
    for c in range(len(start) - 1):
        k = start[c + 1] - start[c]
        total = showing * mean
        if k > 1:
            middle = mean_residual(who, score, x, start[c], start[c + 1])
            for e in range(start[c], start[c + 1]):
                total += APART * abs((score[e] - x[who[e]]) - middle) * (k - 1) / k
        out[c] = total / (showing + max(k - 1, 0)) / mean


@threaded
def add_drawn(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    drawn: Floats,
    x: Floats,
    usual: float,
    out: Floats,
) -> None:
    """Add what drawn contests pull and weigh, five numbers for a candidate and a resample.

    These are ``w m k r``, the degree ``w m (k - 1)``, and of ``ray = w k`` the sums ``ray m``,
    ``(ray m)^2`` and ``ray^2 m``, the last two times the noise of a result, which is 1, or
    ``2 usual / ray``.
    """
    many = drawn.shape[1]
    for c in range(len(start) - 1):
        k = start[c + 1] - start[c]
        if k < 2:
            continue
        mean = mean_residual(who, score, x, start[c], start[c + 1])
        ray = weight[c] * k
        noise = 2.0 * usual / ray if usual > 0 else 1.0
        for e in range(start[c], start[c + 1]):
            i = who[e]
            residual = (score[e] - x[i]) - mean
            for b in range(many):
                m = drawn[c, b]
                out[0, i, b] += ray * m * residual
                out[1, i, b] += weight[c] * (k - 1) * m
                out[2, i, b] += ray * m
                out[3, i, b] += noise * (ray * m) ** 2
                out[4, i, b] += noise * ray * ray * m


@threaded
def add_drawn_degrees(
    start: Offsets, who: Index, weight: Floats, drawn: Floats, out: Floats
) -> None:
    """Add what the pairs of drawn contests weigh, ``w m (k - 1)`` for each entrant."""
    for c in range(len(start) - 1):
        others = weight[c] * (start[c + 1] - start[c] - 1)
        for e in range(start[c], start[c + 1]):
            for b in range(drawn.shape[1]):
                out[who[e], b] += others * drawn[c, b]


@threaded
def add_drawn_product(
    start: Offsets, who: Index, weight: Floats, drawn: Floats, d: Floats, out: Floats
) -> None:
    """Add ``L_m d`` of each resample: ``w m (k d_i - sum d)`` for each entrant of a contest."""
    many = drawn.shape[1]
    total = np.empty(many)
    for c in range(len(start) - 1):
        k = start[c + 1] - start[c]
        total[:] = 0.0
        for e in range(start[c], start[c + 1]):
            for b in range(many):
                total[b] += d[who[e], b]
        for e in range(start[c], start[c + 1]):
            i = who[e]
            for b in range(many):
                m = weight[c] * drawn[c, b]
                out[i, b] += m * (k * d[i, b] - total[b])


@threaded
def add_shares(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    x: Floats,
    usual: float,
    out: Floats,
) -> None:
    """Add rays, their squares, and squares by noise; behind them totals of residuals.

    These are ``w r^2``, ``w (k - 1)``, ``k - 1``, and how many contests compare anybody.
    """
    n = len(x)
    for c in range(len(start) - 1):
        k = start[c + 1] - start[c]
        if k < 2:
            continue
        mean = mean_residual(who, score, x, start[c], start[c + 1])
        ray = weight[c] * k
        noise = 2.0 * usual / ray if usual > 0 else 1.0
        for e in range(start[c], start[c + 1]):
            off = (score[e] - x[who[e]]) - mean
            out[who[e]] += ray
            out[n + who[e]] += ray * ray
            out[2 * n + who[e]] += noise * ray * ray
            out[3 * n] += weight[c] * off * off
        out[3 * n + 1] += weight[c] * (k - 1)
        out[3 * n + 2] += k - 1
        out[3 * n + 3] += 1
