"""One sweep over the sorted entries of contests: sums over all who came before, without pairs.

Entry i of a contest stands ``gap[i]`` beyond the one before it. With t the distance to entry j and
``M_q = sum over j < i of mass_j t^q / q! exp(-rate t)`` for each of the exponentials, a step over a
gap d is

    M_q  <-  exp(-rate d) sum over r <= q of  d^(q - r) / (q - r)!  M_r,        M_0  <-  M_0 + mass

Masses and powers are positive: nothing cancels, and a step costs ``q + 2`` roundings of what it
finds. ``alive`` says how many terms, the slowest ones, have not died away over each gap; the
others begin anew with the entry before.
"""

from __future__ import annotations

from qrja.data import Floats, Index, Offsets
from qrja.jit import Float, Int, Table, tiny_vector, vector
from qrja.solvers.convex.streamed.kernels.fast_powers import rise_and_scale

PER_BIT = 1.4426950408889634


@tiny_vector
def _step_on(moments: Table, work: Table, rate: Floats, degree: Int, d: Float, now: Int) -> None:
    """Move the moments of the terms alive on by a distance d."""
    power, rise, scale = work[0], work[1], work[2]
    power[0] = 1.0
    for q in range(1, degree + 1):
        power[q] = power[q - 1] * d / q
    for k in range(now):
        rise[k], scale[k] = rise_and_scale(-PER_BIT * (rate[k] * d))
    for q in range(degree, 0, -1):
        row = moments[q]
        for r in range(q):
            below, times = moments[r], power[q - r]
            for k in range(now):
                row[k] += times * below[k]
    for q in range(degree + 1):
        row = moments[q]
        for k in range(now):
            row[k] = scale[k] * (row[k] + row[k] * rise[k])


@tiny_vector
def _begin_anew(moments: Table, degree: Int, mass: Float, live: Int, now: Int) -> None:
    for k in range(live, now):
        moments[0, k] = mass
    for q in range(1, degree + 1):
        for k in range(live, now):
            moments[q, k] = 0.0


@vector
def sweep(
    low: Int,
    high: Int,
    start: Offsets,
    gap: Floats,
    alive: Index,
    mass: Floats,
    rate: Floats,
    share: Floats,
    room: Table,
    sums: Table,
) -> None:
    """Fill sums over those before, ``mass t^q`` times the exponentials, of the contests low:high.

    ``room`` has three rows more than there are moments, each as long as there are terms; ``sums`` a
    row for each of the highest q.
    """
    degree, rows = len(room) - 4, len(sums)
    moments, work = room[: degree + 1], room[degree + 1 :]
    for c in range(low, high):
        live = 0
        for i in range(start[c], start[c + 1]):
            now = 0
            if i > start[c]:
                now = alive[i]
                _begin_anew(moments, degree, mass[i - 1], live, now)
                _step_on(moments, work, rate, degree, gap[i], now)
            factor = 1.0
            for q in range(degree + 1):
                factor *= max(q, 1)
                slot = q - (degree + 1 - rows)
                if slot >= 0:
                    row, total = moments[q], 0.0
                    for k in range(now):
                        total += share[k] * row[k]
                    sums[slot, i] = factor * total
            for k in range(now):
                moments[0, k] += mass[i]
            live = now
