"""Compiled: Huber windows over the pairs of contests, none of which is written out.

With ``e_i = score_i - x_i`` sorted within a contest, the pairs of i that lie inside the window,
``|e_i - e_j| < width``, are consecutive; their sums are differences of prefix sums. A pass costs a
sort of each contest, whatever its number of pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import compiled, threaded

FEW = 128
"""Entrants up to which sorting by insertion is quicker."""


@compiled
def sort_residuals(e: Any, order: Any) -> None:
    """Sort the residuals of one contest; ``order`` goes along."""
    if len(e) > FEW:
        rank = np.argsort(e)
        e[:], order[:] = e[rank], order[rank]
        return
    for i in range(1, len(e)):
        value, at, j = e[i], order[i], i - 1
        while j >= 0 and e[j] > value:
            e[j + 1], order[j + 1] = e[j], order[j]
            j -= 1
        e[j + 1], order[j + 1] = value, at


@threaded
def add_windows(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    x: Floats,
    width: float,
    out: Floats,
) -> None:
    """Add what the pairs pull, ``f_ij = w clip((e_i - e_j) / width, -1, 1)``.

    ``out`` holds n pulls ``sum_j f_ij``, n diagonals of the curvature, and five totals over pairs:
    ``w |r|``, ``f r``, ``f^2 / w``, the weight of those inside and that of all.
    """
    n = len(x)
    most = 0
    for c in range(len(start) - 1):
        most = max(most, start[c + 1] - start[c])
    residual, number, sums = np.empty(most), np.empty(most, np.int32), np.empty(most + 1)
    squares, apart = np.empty(most + 1), np.empty(most)
    pulls, bends = np.empty(most), np.empty(most)
    inverse, absolute, line, both, near, every = 1.0 / width, 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(len(start) - 1):
        lo, k, w = start[c], start[c + 1] - start[c], weight[c]
        if k < 2:
            continue
        e, v = residual[:k], number[:k]
        for i in range(k):
            v[i] = who[lo + i]
            e[i] = score[lo + i] - x[v[i]]
        sort_residuals(e, v)
        sums[0] = squares[0] = 0.0
        # No window reaches over a gap of its width: beyond, sums begin anew and keep their digits.
        base = e[0]
        for i in range(k):
            if i > 0 and e[i] - e[i - 1] >= width:
                base = e[i]
            apart[i] = e[i] - base
            sums[i + 1] = sums[i] + apart[i]
            squares[i + 1] = squares[i] + apart[i] ** 2
        a = b = 0
        for i in range(k):
            while e[i] - e[a] >= width:
                a += 1
            while b < k and e[b] - e[i] < width:
                b += 1
            own, far = apart[i], e[i] - e[0]
            inside = (b - a) * own - (sums[b] - sums[a])
            pulls[i] = pull = w * (a - (k - b) + inside * inverse)
            bends[i] = w * ((b - a - 1) * inverse)
            absolute += w * (2 * i - k + 1) * far
            line += pull * far
            # Pairs inside once, from their upper end; those outside count 1 each.
            below = sums[i] - sums[a]
            spread = (i - a) * own * own - 2 * own * below + squares[i] - squares[a]
            both += w * (max(spread, 0.0) * inverse * inverse + a)
            near += w * (i - a)
            every += w * i
        # Apart from the rest, so that what waits for memory waits together.
        for i in range(k):
            out[v[i]] += pulls[i]
            out[n + v[i]] += bends[i]
    out[2 * n] += absolute
    out[2 * n + 1] += line
    out[2 * n + 2] += both
    out[2 * n + 3] += near
    out[2 * n + 4] += every


@threaded
def add_window_product(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    x: Floats,
    width: float,
    share: float,
    d: Floats,
    out: Floats,
) -> None:
    """Add ``(H + share L) d``: H weighs pairs inside the window by ``w / width``, L all by w."""
    most = 0
    for c in range(len(start) - 1):
        most = max(most, start[c + 1] - start[c])
    residual, number, sums = np.empty(most), np.empty(most, np.int32), np.empty(most + 1)
    inverse = 1.0 / width
    for c in range(len(start) - 1):
        lo, k, w = start[c], start[c + 1] - start[c], weight[c]
        if k < 2:
            continue
        e, v = residual[:k], number[:k]
        for i in range(k):
            v[i] = who[lo + i]
            e[i] = score[lo + i] - x[v[i]]
        sort_residuals(e, v)
        sums[0] = 0.0
        for i in range(k):
            sums[i + 1] = sums[i] + d[v[i]]
        a = b = 0
        for i in range(k):
            while e[i] - e[a] >= width:
                a += 1
            while b < k and e[b] - e[i] < width:
                b += 1
            own = d[v[i]]
            near = ((b - a) * own - (sums[b] - sums[a])) * inverse
            out[v[i]] += w * (near + share * (k * own - sums[k]))
