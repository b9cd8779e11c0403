"""Compiled: Huber windows over the pairs of contests, none of which is written out."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import threaded
from qrja.scale.kernels.residuals import (
    add_exactly,
    find_windows,
    gather,
    most_entrants,
    pull_by_windows,
    room_for,
    sort_residuals,
)

EACH, TOTALS = 3, 8
"""How many numbers :func:`add_windows` adds up for each candidate, and beside those."""


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

    ``out`` holds for each candidate, side by side, as they are far apart in memory, the pull
    ``sum_j f_ij``, what that sum lost, and the diagonal of the curvature. Five totals over pairs
    come next: ``w |r|``, ``f r``, ``f^2 / w``, the weight of those inside and that of all. Behind
    them stands what rounding may hide, in units of it: of ``f r``, of ``f^2 / w``, and of
    ``|f| / w`` at the worst pair of each shard.
    """
    totals, most = EACH * len(x), most_entrants(start)
    rough, whose, e, v, first, last = room_for(most)
    apart, pulls = np.empty(most), np.empty(most)
    sums, squares = np.empty(most + 1), np.empty(most + 1)
    inverse, absolute, line, both, near, every = 1.0 / width, 0.0, 0.0, 0.0, 0.0, 0.0
    line_slip, both_slip, worst = 0.0, 0.0, 0.0
    absolute_lost, line_lost, both_lost = 0.0, 0.0, 0.0
    for c in range(len(start) - 1):
        k, w = start[c + 1] - start[c], weight[c]
        if k < 2:
            continue
        gather(who, score, x, start[c], k, rough, whose)
        sort_residuals(rough, whose, k, e, v, first)
        find_windows(e, k, width, first, last)
        pull_by_windows(e, k, width, first, last, apart, sums, pulls)
        squares[0] = left = 0.0
        for i in range(k):
            squares[i + 1] = squares[i] + apart[i] ** 2
        # About the middle, what is added is nearly all of one sign and keeps its digits.
        middle = e[k // 2]
        for i in range(k):
            a, b, own, far = first[i], last[i], apart[i], e[i] - middle
            left += w * pulls[i]
            here = w * (2 * i - k + 1) * far
            absolute, absolute_lost = add_exactly(absolute, absolute_lost, here)
            # Pairs inside once, from their upper end; those outside count 1 each.
            below = sums[i] - sums[a]
            spread = (i - a) * own * own - 2 * own * below + squares[i] - squares[a]
            here = w * (max(spread, 0.0) * inverse * inverse + a)
            both, both_lost = add_exactly(both, both_lost, here)
            near += w * (i - a)
            every += w * i
            # Prefix sums are off by no more than a share of the last, for each that was added.
            worst = max(worst, (b - a + 1) * sums[b] * inverse / (k - 1))
            both_slip += w * (i - a) * (own * sums[i + 1] + squares[i + 1]) * inverse * inverse
        # Apart from the rest, so that what waits for memory waits together.
        for i in range(k):
            # What leaves a contest was rounded: as a flow between its entrants it leaves nothing.
            pull = w * pulls[i] - left / k
            line, line_lost = add_exactly(line, line_lost, pull * (e[i] - middle))
            at = EACH * np.int64(v[i])
            out[at], out[at + 1] = add_exactly(out[at], out[at + 1], pull)
            out[at + 2] += w * ((last[i] - first[i] - 1) * inverse)
            # A residual is off by a share of what it is the difference of.
            line_slip += abs(pull) * (abs(e[i]) + 2 * abs(x[v[i]]))
    out[totals] += absolute + absolute_lost
    out[totals + 1] += line + line_lost
    out[totals + 2] += both + both_lost
    out[totals + 3] += near
    out[totals + 4] += every
    out[totals + 5] += line_slip
    out[totals + 6] += 4 * both_slip
    out[totals + 7] += 4 * worst


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
    most = most_entrants(start)
    rough, whose, e, v, first, last = room_for(most)
    along, sums, inverse = np.empty(most), np.empty(most + 1), 1.0 / width
    for c in range(len(start) - 1):
        k, w = start[c + 1] - start[c], weight[c]
        if k < 2:
            continue
        gather(who, score, x, start[c], k, rough, whose)
        sort_residuals(rough, whose, k, e, v, first)
        find_windows(e, k, width, first, last)
        sums[0] = 0.0
        for i in range(k):
            along[i] = d[v[i]]
            sums[i + 1] = sums[i] + along[i]
        for i in range(k):
            a, b, own = first[i], last[i], along[i]
            near = ((b - a) * own - (sums[b] - sums[a])) * inverse
            out[v[i]] += w * (near + share * (k * own - sums[k]))


@threaded
def add_drawn_windows(
    start: Offsets,
    who: Index,
    score: Floats,
    weight: Floats,
    drawn: Floats,
    x: Floats,
    d: Floats,
    width: float,
    are_apart: bool,
    out: Floats,
) -> None:
    """Add the pulls of drawn contests, a column for each resample: those at ``x + d``.

    Where resamples are not yet apart, all columns of d are alike.
    """
    most = most_entrants(start)
    rough, whose, e, v, first, last = room_for(most)
    apart, pulls, sums = np.empty(most), np.empty(most), np.empty(most + 1)
    for c in range(len(start) - 1):
        k = start[c + 1] - start[c]
        if k < 2:
            continue
        for column in range(drawn.shape[1]):
            if column == 0 or are_apart:
                gather(who, score, x, start[c], k, rough, whose)
                for i in range(k):
                    rough[i] -= d[whose[i], column]
                sort_residuals(rough, whose, k, e, v, first)
                find_windows(e, k, width, first, last)
                pull_by_windows(e, k, width, first, last, apart, sums, pulls)
            for i in range(k):
                out[v[i], column] += weight[c] * drawn[c, column] * pulls[i]
