"""Compiled: the residuals ``e_i = score_i - x_i`` of one contest, their mean, and their windows.

Pairs are not written out. In sorted order the partners of i that lie inside a window,
``|e_i - e_j| < width``, are consecutive; their sums are differences of prefix sums. So a contest
costs a sort, whatever its number of pairs.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import Float, Int, compiled, tiny

FEW = 128
"""Entrants up to which sorting by insertion is quicker."""


@compiled
def most_entrants(start: Offsets) -> Int:
    """Return the size of the largest contest."""
    most = 0
    for c in range(len(start) - 1):
        most = max(most, start[c + 1] - start[c])
    return most


@compiled
def room_for(most: Int) -> tuple[Floats, Index, Offsets, Offsets]:
    """Return room for the residuals of a contest, whose they are, and both ends of windows."""
    ends = np.empty(most, np.int64), np.empty(most, np.int64)
    return np.empty(most), np.empty(most, np.int32), ends[0], ends[1]


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
def sort_residuals(e: Floats, v: Index, k: Int) -> None:
    """Sort the residuals of one contest; whose they are goes along."""
    if k > FEW:
        rank = np.argsort(e[:k])
        e[:k], v[:k] = e[rank], v[rank]
        return
    for i in range(1, k):
        value, whose, j = e[i], v[i], i - 1
        while j >= 0 and e[j] > value:
            e[j + 1], v[j + 1] = e[j], v[j]
            j -= 1
        e[j + 1], v[j + 1] = value, whose


@tiny
def find_windows(e: Floats, k: Int, width: float, first: Offsets, last: Offsets) -> None:
    """Write who lies inside the window of each of some sorted residuals: from first up to last."""
    a = b = 0
    for i in range(k):
        while e[i] - e[a] >= width:
            a += 1
        while b < k and e[b] - e[i] < width:
            b += 1
        first[i], last[i] = a, b


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
