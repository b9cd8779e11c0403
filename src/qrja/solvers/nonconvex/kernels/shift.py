"""The best shift of a group of candidates, for 0 < p < 1.

Shifting a group by d changes the judgments between it and the rest, with residuals r, to a loss of

    F(d) = sum_i w_i |r_i - d|^p,

which is concave between two neighbouring r_i: its least value is at one of them. With k judgments
there are k places to look at and k terms to add up at each. Branch and bound leaves out most of
both: sorted and halved again and again, residuals form ranges; shifts are bounded range by range,
and residuals far away enter the bound range by range.

Of shifts whose losses are equal but for rounding the shortest is taken, so that the way in which
terms are added up does not decide.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data import Floats
from qrja.jit import compiled, inner, kernel

COARSE, FINE = 2.0, 8.0
"""How far a range of residuals must be, in widths, to be taken as a whole."""
GAIN = 1e-12
"""Part of a loss that may be rounding: shifts that save less are not worth while."""
LESS = 1 - GAIN
LEAF = 4
"""Residuals of a range that is not halved."""


class Ranges(NamedTuple):
    """Sorted residuals; weight, mean and variance of range i, with halves 2 i + 1 and 2 i + 2."""

    r: Floats
    w: Floats
    weight: Floats
    mean: Floats
    variance: Floats


@inner
def loss_at(shift: float, r: Floats, w: Floats, zero: float, p: float) -> float:
    """Return F at a shift; distances up to ``zero`` are rounding."""
    total = 0.0
    for i in range(len(r)):
        distance = abs(r[i] - shift)
        if distance > zero:
            total += w[i] * distance**p
    return total


@compiled
def best_shift(r: Floats, w: Floats, zero: float, p: float, limit: float) -> tuple[float, float]:
    """Return the shift of least loss among r, and that loss, if it is below a limit; sorts r."""
    sort_together(r, w)
    ranges = describe_ranges(r, w)
    best, least, found = 0.0, limit, False
    lows, highs = np.empty(128, dtype=np.int64), np.empty(128, dtype=np.int64)
    lows[0], highs[0], top = 0, len(r), 1
    while top:
        top -= 1
        lo, hi = lows[top], highs[top]
        if lower_bound(r[lo], r[hi - 1], ranges, zero, p, COARSE) >= least:
            continue
        if r[lo] == r[hi - 1]:
            if lower_bound(r[lo], r[lo], ranges, zero, p, FINE) < least:
                loss = loss_at(r[lo], r, w, zero, p)
                is_less = loss < (least * LESS if found else least)
                is_shorter = abs(r[lo]) < abs(best) or (r[lo] == -best and r[lo] > 0)
                if is_less or (found and loss * LESS <= least and is_shorter):
                    best, least, found = r[lo], min(loss, least), True
        else:
            middle = (lo + hi) // 2
            lows[top], highs[top] = lo, middle
            lows[top + 1], highs[top + 1] = middle, hi
            top += 2
    return best, least


@compiled
def best_short_shift(
    r: Floats, w: Floats, zero: float, p: float, limit: float, most: int, sampled: int
) -> tuple[float, float]:
    """Return the best of the shortest shifts among r, ``most`` of them, and its loss.

    Besides, some are ``sampled``, evenly spread over the listing. As :func:`best_shift`, in a time
    that is in proportion to the residuals.
    """
    near, count = np.empty(most + sampled), 0
    for i in range(len(r)):
        if count < most or abs(r[i]) < abs(near[count - 1]):
            k = min(count, most - 1)
            while k > 0 and abs(near[k - 1]) > abs(r[i]):
                near[k] = near[k - 1]
                k -= 1
            near[k] = r[i]
            count = min(count + 1, most)
    for k in range(sampled):
        near[count + k] = r[k * len(r) // sampled]
    best, least = 0.0, limit
    for k in range(count + sampled):
        if k == 0 or near[k] != near[k - 1]:
            loss = loss_at(near[k], r, w, zero, p)
            if loss < (least if least == limit else least * LESS):
                best, least = near[k], loss
    return best, least


@inner
def sort_together(keys: Floats, others: Floats) -> None:
    """Sort keys and carry others along; Shell's method, as short to compile as to read."""
    gap = 1
    while gap < len(keys):
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, len(keys)):
            key, other, j = keys[i], others[i], i
            while j >= gap and keys[j - gap] > key:
                keys[j], others[j] = keys[j - gap], others[j - gap]
                j -= gap
            keys[j], others[j] = key, other
        gap //= 3


@compiled
def describe_ranges(r: Floats, w: Floats) -> Ranges:
    """Describe the ranges of sorted residuals, the small ones first."""
    size = 2
    while size * LEAF < 4 * len(r):
        size *= 2
    ranges = Ranges(r, w, np.zeros(size), np.zeros(size), np.zeros(size))
    lows, highs = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    highs[0] = len(r)
    for node in range(size):
        if highs[node] - lows[node] > LEAF:
            middle = (lows[node] + highs[node]) // 2
            lows[2 * node + 1], highs[2 * node + 1] = lows[node], middle
            lows[2 * node + 2], highs[2 * node + 2] = middle, highs[node]
    for node in range(size - 1, -1, -1):
        if highs[node] - lows[node] > LEAF:
            add_up(ranges, node)
        elif highs[node] > lows[node]:
            add_leaf(ranges, node, lows[node], highs[node])
    return ranges


@inner
def add_leaf(ranges: Ranges, node: int, lo: int, hi: int) -> None:
    """Compute weight, mean and variance of a few residuals."""
    weight, mean, variance = 0.0, ranges.r[lo], 0.0
    for i in range(lo, hi):
        weight += ranges.w[i]
        step = (ranges.r[i] - mean) * ranges.w[i] / weight
        variance += step * (ranges.r[i] - mean) * (weight - ranges.w[i])
        mean += step
    ranges.weight[node], ranges.mean[node], ranges.variance[node] = weight, mean, variance / weight


@kernel
def add_up(ranges: Ranges, node: int) -> None:
    """Compute weight, mean and variance of a range from its halves."""
    one, other = 2 * node + 1, 2 * node + 2
    weight = ranges.weight[one] + ranges.weight[other]
    part = ranges.weight[other] / weight
    step = ranges.mean[other] - ranges.mean[one]
    within = (1 - part) * ranges.variance[one] + part * ranges.variance[other]
    ranges.weight[node] = weight
    ranges.mean[node] = ranges.mean[one] + part * step
    ranges.variance[node] = within + part * (1 - part) * step**2


@compiled
def lower_bound(
    low: float, high: float, ranges: Ranges, zero: float, p: float, far: float
) -> float:
    """Bound F over all shifts from low to high from below.

    A residual outside is at least as far away as from the nearer end. Ranges of residuals that are
    not ``far`` times as far away as they are wide are halved.
    """
    total = 0.0
    nodes = np.empty(128, dtype=np.int64)
    lows, highs = np.empty(128, dtype=np.int64), np.empty(128, dtype=np.int64)
    nodes[0], lows[0], highs[0], top = 0, 0, len(ranges.r), 1
    while top:
        top -= 1
        node, lo, hi = nodes[top], lows[top], highs[top]
        left, right = ranges.r[lo], ranges.r[hi - 1]
        if low <= left and right <= high:
            continue
        nearest = max(left - high, low - right)
        if nearest > max(far * (right - left), zero):
            end = high if left > high else low
            mean = abs(ranges.mean[node] - end)
            total += ranges.weight[node] * mean_power(nearest, mean, ranges.variance[node], p)
        elif hi - lo <= LEAF:
            for i in range(lo, hi):
                distance = max(ranges.r[i] - high, low - ranges.r[i])
                if distance > zero:
                    total += ranges.w[i] * distance**p
        else:
            middle = (lo + hi) // 2
            nodes[top], lows[top], highs[top] = 2 * node + 1, lo, middle
            nodes[top + 1], lows[top + 1], highs[top + 1] = 2 * node + 2, middle, hi
            top += 2
    return total * (1 - GAIN)


@inner
def mean_power(nearest: float, mean: float, variance: float, p: float) -> float:
    """Bound the mean of u^p from below, given the least u, the mean and the variance.

    Taylor's formula around the mean. The third derivative is positive and falling, so it is largest
    at the least u, and ``(u - mean)^3 >= (nearest - mean) (u - mean)^2``.
    """
    power = float(mean**p)
    second = p * (p - 1) * power * (variance / mean / mean)
    third = p * (p - 1) * (p - 2) * float(nearest**p) * (variance / nearest / nearest)
    return power + second / 2 - third * max(mean / nearest - 1.0, 0.0) / 6
