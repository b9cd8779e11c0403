"""Compiled: the exact line search of a pivot, looking only at the nearest crossings.

In each contest the moving entries and those at rest interleave. A pair (i moving, j at rest) with
j ahead of i is crossed at the distance ``r_j - r_i``. The nearest pairs come out of a heap one by
one until their pulls add up to the excess. The heap holds, for each moving entry i, its next pair
only; and no pair at all for an entry with another moving one right ahead of it, since whatever i
can cross is nearer to that one: i begins when the one ahead of it has crossed its first.

A twist can exchange the order of pairs whose distances differ by less than ``2 TWIST``, so such
neighbours enter the heap together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.solvers._kernels_jit import kernel
from qrja.solvers._kernels_l1_contests import TWIST, sign_at_zero, twist

FIRST, LAST = 1, 2


@kernel
def push(heap: Any, count: int, hi: int, lo: int, p: int, q: int, kind: int) -> int:
    """Add a pair to a heap of ``count`` with the nearest on top; return the new count.

    In a full heap the pair is lost, which the count shows by passing the size.
    """
    if count >= heap.size:
        return heap.size + 1
    k = count
    while k > 0:
        up = (k - 1) >> 1
        if heap[up].hi < hi or (heap[up].hi == hi and heap[up].lo <= lo):
            break
        heap[k] = heap[up]
        k = up
    heap[k].hi, heap[k].lo, heap[k].p, heap[k].q, heap[k].kind = hi, lo, p, q, kind
    return count + 1


@kernel
def pop(heap: Any, count: int) -> int:
    """Remove the nearest of ``count`` pairs; return the new count."""
    last = count - 1
    hi, lo = heap[last].hi, heap[last].lo
    k = 0
    while True:
        down = 2 * k + 1
        if down >= last:
            break
        right = down + 1
        if right < last and (
            heap[right].hi < heap[down].hi
            or (heap[right].hi == heap[down].hi and heap[right].lo < heap[down].lo)
        ):
            down = right
        if heap[down].hi > hi or (heap[down].hi == hi and heap[down].lo >= lo):
            break
        heap[k] = heap[down]
        k = down
    heap[k] = heap[last]
    return last


@kernel
def is_close(places: Any, p: int, q: int) -> bool:
    """Tell whether a twist could exchange what two places are ahead of."""
    return places[p].hi == places[q].hi and abs(places[p].lo - places[q].lo) <= 2 * TWIST


@kernel
def distance_lo(places: Any, p: int, q: int, d: int) -> int:
    """Return the lower part of the distance at which place p crosses place q."""
    i, j = np.int64(places[p].entry), np.int64(places[q].entry)
    return (places[q].lo - places[p].lo + twist(i, j)) * d


@kernel
def is_ahead(
    hi: int, lo: int, p: int, q: int, d: int,
    forest: Any, entries: Any, places: Any, zeros: Any, control: Any,
) -> bool:
    """Tell whether the pair at a distance (hi, lo) has yet to be crossed."""
    if hi != 0:
        return hi > 0
    if lo != 0:
        return lo > 0
    i, j = np.int64(places[p].entry), np.int64(places[q].entry)
    return sign_at_zero(forest, entries, zeros, control, i, j) == -d


@kernel
def offer(
    heap: Any, count: int, p: int, q: int, first: int, stop: int, d: int, kind: int,
    mark: Any, forest: Any, entries: Any, places: Any, zeros: Any, control: Any,
) -> tuple[int, bool]:
    """Put the next pair of the moving entry at place p, from place q on, into the heap.

    Returns
    -------
    count, skipped
        ``skipped``: the first entry at rest was already crossed, by a twist.
    """
    stamp = control[0].stamp
    skipped = False
    while first <= q < stop:
        if mark[places[q].node] != stamp:
            hi = (places[q].hi - places[p].hi) * d
            lo = distance_lo(places, p, q, d)
            if is_ahead(hi, lo, p, q, d, forest, entries, places, zeros, control):
                is_last = not (first <= q + d < stop) or not is_close(places, q, q + d)
                count = push(heap, count, hi, lo, p, q, kind | (LAST if is_last else 0))
                if is_last:
                    break
            elif kind == FIRST:
                skipped = True
            kind = 0
        q += d
    return count, skipped


@kernel
def begin(
    heap: Any, count: int, p: int, q: int, first: int, stop: int, d: int,
    mark: Any, forest: Any, entries: Any, places: Any, zeros: Any, control: Any,
) -> int:
    """Begin with the moving entry at place p, and with those behind it that cannot wait."""
    while True:
        count, skipped = offer(
            heap, count, p, q, first, stop, d, FIRST, mark, forest, entries, places, zeros, control
        )
        behind = p - d
        if not (first <= behind < stop) or mark[places[behind].node] != control[0].stamp:
            break
        if not skipped and not is_close(places, p, behind):
            break
        p = behind
    return count


@kernel
def look_behind(
    heap: Any, count: int, p: int, first: int, stop: int, d: int,
    mark: Any, forest: Any, entries: Any, places: Any, zeros: Any, control: Any,
) -> int:
    """Put the pairs into the heap that stand behind place p but are still ahead, by a twist."""
    q = p - d
    while first <= q < stop and is_close(places, p, q):
        if mark[places[q].node] != control[0].stamp:
            lo = distance_lo(places, p, q, d)
            if is_ahead(0, lo, p, q, d, forest, entries, places, zeros, control):
                count = push(heap, count, 0, lo, p, q, 0)
        q -= d
    return count


@kernel
def first_pairs(
    heap: Any, moving: int, d: int, mark: Any, work: Any, nodes: Any, where: Any,
    forest: Any, entries: Any, places: Any, fields: Any, zeros: Any, control: Any,
) -> int:
    """Fill the heap with the pairs right ahead of the moving entries; return their number."""
    stamp = control[0].stamp
    count = 0
    for k in range(moving):
        v = work[k].moving
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            p = np.int64(where[slot])
            c = places[p].contest
            first = np.int64(fields[c].first)
            stop = first + fields[c].size
            if first <= p + d < stop and mark[places[p + d].node] != stamp:
                count = begin(
                    heap, count, p, p + d, first, stop, d,
                    mark, forest, entries, places, zeros, control,
                )
            if first <= p - d < stop and is_close(places, p, p - d):
                count = look_behind(
                    heap, count, p, first, stop, d,
                    mark, forest, entries, places, zeros, control,
                )
    return count


@kernel
def search(
    heap: Any, crossed: Any, ties: Any, moving: int, d: int, need: int,
    mark: Any, work: Any, nodes: Any, where: Any,
    forest: Any, entries: Any, places: Any, fields: Any, zeros: Any, control: Any,
) -> int:
    """Find the nearest pairs ahead of the moving nodes whose pulls add up to ``need``.

    ``ties`` are left with further ones exactly as far as the last.

    Returns
    -------
    The number of pairs crossed, the farthest last; or -1 if heap or crossed are too small.
    """
    stamp = control[0].stamp
    count = first_pairs(
        heap, moving, d, mark, work, nodes, where,
        forest, entries, places, fields, zeros, control,
    )
    found, total = 0, np.int64(0)
    while total < need:
        if count > heap.size or found == crossed.size:
            return -1
        hi, lo, kind = heap[0].hi, heap[0].lo, heap[0].kind
        p, q = np.int64(heap[0].p), np.int64(heap[0].q)
        count = pop(heap, count)
        c = places[p].contest
        i, j = places[p].entry, places[q].entry
        pull = 2 * fields[c].weight * entries[i].count * entries[j].count
        crossed[found].hi, crossed[found].lo, crossed[found].pull = hi, lo, pull
        crossed[found].i, crossed[found].j = i, j
        found += 1
        total += pull
        first = np.int64(fields[c].first)
        stop = first + fields[c].size
        if kind & LAST:
            count, _ = offer(
                heap, count, p, q + d, first, stop, d, 0,
                mark, forest, entries, places, zeros, control,
            )
        behind = p - d
        if (
            kind & FIRST
            and first <= behind < stop
            and mark[places[behind].node] == stamp
            and not is_close(places, p, behind)
        ):
            count = begin(
                heap, count, behind, q, first, stop, d,
                mark, forest, entries, places, zeros, control,
            )
    control[0].ties = 0
    last = found - 1
    while count > 0 and heap[0].hi == crossed[last].hi and heap[0].lo == crossed[last].lo:
        k = control[0].ties
        if k < ties.size:
            ties[k].i, ties[k].j = places[heap[0].p].entry, places[heap[0].q].entry
            ties[k].sign = -d
            control[0].ties = k + 1
        count = pop(heap, count)
    return found
