"""Compiled: the slope of the l1 loss of contests at some scores, and how fast it changes.

In sorted order the slope of an entry is what stands below it less what stands above, and it changes
by what stands in a small window around it, divided by the width of that window.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.jit import Float, Table, kernel

LEAST_WIDTH = 1e-3
"""Of the range of a contest: no window is narrower, however many are equal."""


@kernel
def slopes_near(
    x: Table, start: Table, node: Table, score: Table, count: Table, weight: Table,
    order: Table, residual: Table, slope: Table, density: Table, mass: Table,
) -> Float:  # fmt: skip
    """Add up the slope at each node; return the loss.

    ``order`` lists the entries of each contest, at best nearly by residual already, and is sorted;
    ``density`` is that of each entry, in units of its multiplicity. ``residual`` and ``mass`` are
    room for a number for each entry. ``slope`` is zero before.
    """
    loss = 0.0
    for c in range(start.size - 1):
        first, stop = np.int64(start[c]), np.int64(start[c + 1])
        for p in range(first, stop):
            residual[p] = x[node[order[p]]] - score[order[p]]
        gap = np.int64(stop - first)
        while gap > 1:  # Shell's sort: hardly more than a look at each where little has changed
            gap = max((gap * 4) // 9, np.int64(1))
            for p in range(first + gap, stop):
                value, entry, q = residual[p], order[p], np.int64(p)
                while q >= first + gap and residual[q - gap] > value:
                    residual[q], order[q] = residual[q - gap], order[q - gap]
                    q -= gap
                residual[q], order[q] = value, entry
        total = 0.0
        for p in range(first, stop):
            total += count[order[p]]
            mass[p] = total
        half = max(np.int64(math.sqrt(float(stop - first))), np.int64(1))
        least = LEAST_WIDTH * (residual[max(stop - 1, first)] - residual[first]) + 1.0
        for p in range(first, stop):
            i, own = order[p], float(count[order[p]])
            pull = weight[c] * own * (2.0 * mass[p] - own - total)
            slope[node[i]] += pull
            loss += pull * residual[p]
            low, high = max(p - half, first), min(p + half, stop - 1)
            beside = mass[high] - mass[low] + count[order[low]] - own
            density[i] = beside / max(residual[high] - residual[low], least)
    return loss
