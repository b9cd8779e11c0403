"""Compiled: the residuals ``e_i = score_i - x_i`` of one contest, their mean, and their windows.

Pairs are not written out. In sorted order the partners of i that lie inside a window,
``|e_i - e_j| < width``, are consecutive; their sums are differences of prefix sums. So a contest
costs a sort, whatever its number of pairs. Contests of some entrants are sorted, and their windows
found, by counting who lies below: several comparisons are one instruction, and none is a guess.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import Float, Int, compiled, tiny

LEAST, FEW = 9, 256
"""Entrants from which on counting who lies below is quicker than a sort, and up to which."""
LANES = 16
"""Numbers that are compared at once: contests are filled up to so many by infinity."""


@compiled
def most_entrants(start: Offsets) -> Int:
    """Return the size of the largest contest."""
    most = 0
    for c in range(len(start) - 1):
        most = max(most, start[c + 1] - start[c])
    return most


@compiled
def room_for(most: Int) -> tuple[Floats, Index, Floats, Index, Offsets, Offsets]:
    """Return room for the residuals of a contest and whose they are, twice, and ends of windows."""
    full = most + LANES
    e, v, ends = np.empty(full), np.empty(full, np.int32), np.empty((2, full), np.int64)
    return e, v, np.empty(full), np.empty(full, np.int32), ends[0], ends[1]


@tiny
def add_exactly(total: Float, lost: Float, more: Float) -> tuple[Float, Float]:
    """Add a number, and keep what the total loses (Knuth, 1969): equal ones all lose alike."""
    grown = total + more
    back = grown - total
    return grown, lost + ((total - (grown - back)) + (more - back))


@tiny
def mean_residual(who: Index, score: Floats, x: Floats, begin: Int, end: Int) -> Float:
    """Return the mean, found from the first one: a level that all share costs no digits."""
    first = score[begin] - x[who[begin]]
    total = 0.0
    for e in range(begin, end):
        total += (score[e] - x[who[e]]) - first
    return first + total / (end - begin)


@tiny
def gather(who: Index, score: Floats, x: Floats, begin: Int, k: Int, e: Floats, v: Index) -> None:
    """Write the residuals of a contest of k, and whose they are."""
    for i in range(k):
        v[i] = who[begin + i]
        e[i] = score[begin + i] - x[v[i]]


@compiled
def sort_residuals(
    rough: Floats, whose: Index, k: Int, e: Floats, v: Index, taken: Offsets
) -> None:
    """Sort the residuals of one contest into e; whose they are goes along."""
    if k > FEW:
        rank = np.argsort(rough[:k])
        e[:k], v[:k] = rough[rank], whose[rank]
        return
    if k < LEAST:
        for i in range(k):
            own, j = rough[i], i - 1
            while j >= 0 and e[j] > own:
                e[j + 1], v[j + 1] = e[j], v[j]
                j -= 1
            e[j + 1], v[j + 1] = own, whose[i]
        return
    full = (k + LANES - 1) // LANES * LANES
    for j in range(k, full):
        rough[j] = e[j] = np.inf
    for i in range(k):
        taken[i] = 0
    for i in range(k):
        own, at = rough[i], 0
        for j in range(full):
            at += rough[j] < own
        while taken[at]:  # by one that is equal
            at += 1
        taken[at] = 1
        e[at], v[at] = own, whose[i]


@compiled
def find_windows(e: Floats, k: Int, width: float, first: Offsets, last: Offsets) -> None:
    """Write who lies inside the window of each of some sorted residuals: from first up to last."""
    if k < LEAST or k > FEW:
        a = b = 0
        for i in range(k):
            while e[i] - e[a] >= width:
                a += 1
            while b < k and e[b] - e[i] < width:
                b += 1
            first[i], last[i] = a, b
        return
    full = (k + LANES - 1) // LANES * LANES
    for i in range(k):
        first[i] = 0
    for i in range(k):
        own, b = e[i], 0
        for j in range(full):
            b += e[j] - own < width
        last[i] = b
        first[b] += 1
    # The window of i begins behind those whose own ends at i or before.
    a = 0
    for i in range(k):
        a += first[i]
        first[i] = a


@tiny
def pull_by_windows(
    e: Floats,
    k: Int,
    width: float,
    first: Offsets,
    last: Offsets,
    apart: Floats,
    sums: Floats,
    pulls: Floats,
) -> None:
    """Write ``sum_j clip((e_i - e_j) / width, -1, 1)`` of sorted residuals.

    ``apart`` gets residuals about the last gap that no window reaches over: beyond, sums begin
    anew and keep their digits. ``sums`` gets their prefix sums.
    """
    inverse, base = 1.0 / width, e[0]
    sums[0] = 0.0
    for i in range(k):
        if i > 0 and e[i] - e[i - 1] >= width:
            base = e[i]
        apart[i] = e[i] - base
        sums[i + 1] = sums[i] + apart[i]
    for i in range(k):
        a, b = first[i], last[i]
        inside = (b - a) * apart[i] - (sums[b] - sums[a])
        pulls[i] = a - (k - b) + inside * inverse
