"""Passes over the pairs of contests, none of which is stored: each entry looks at all others.

The entries of contest c are ``start[c]:start[c + 1]``, with residuals ``e = score - x`` and a
``count`` of contestants that they stand for; a pair i, j weighs ``weight[c] count_i count_j`` and
has the residual ``e_i - e_j``. ``eps`` and ``shape`` belong to contests, see :mod:`.formulas`.

Every pass takes a range of contests and, of these, the rows ``low:high``: rows are independent, so
that threads can share even a single contest. A contest is copied to ``room`` first, filled up with
entries that count nothing to a multiple of ``LANES``: loops of vectors then leave no rest.
"""

from __future__ import annotations

from qrja.data import Floats, Offsets
from qrja.jit import Float, Int, Table, tiny_vector, vector
from qrja.solvers.convex.streamed.kernels.formulas import (
    LOG_COSH,
    conjugate_of,
    log_cosh,
    short_curvature,
    smoothed_value,
    stiffness_and_bend,
    value_of,
)

LANES = 32


@tiny_vector
def _copy(source: Table, first: Int, count: Int, room: Table) -> None:
    for j in range(count):
        room[j] = source[first + j]
    for j in range(count, (count + LANES - 1) // LANES * LANES):
        room[j] = 0


@vector
def slopes(
    contests: tuple[Int, Int],
    rows: tuple[Int, Int],
    start: Offsets,
    e: Floats,
    count: Floats,
    weight: Floats,
    eps: Floats,
    shape: Floats,
    kind: Int,
    p: Float,
    room: Table,
    value: Floats,
    slope: Floats,
    curvature: Floats,
) -> None:
    """Fill, for each row, its half of the smoothed loss, its slope and the sum of curvatures."""
    here, many = room[0], room[1]
    for c in range(contests[0], contests[1]):
        first, size = start[c], start[c + 1] - start[c]
        wide = (size + LANES - 1) // LANES * LANES
        _copy(e, first, size, here)
        _copy(count, first, size, many)
        eps2, bends = eps[c] * eps[c], shape[c]
        for i in range(max(rows[0] - first, 0), min(rows[1] - first, size)):
            own, at = many[i], here[i]
            many[i] = 0.0  # nobody is paired with himself
            total, pull, stiff = 0.0, 0.0, 0.0
            for j in range(wide):
                u = at - here[j]
                square = u * u + eps2
                b, bend = stiffness_and_bend(kind, p, bends, square)
                total += many[j] * smoothed_value(kind, p, bends, square, b)
                pull += many[j] * b * u
                stiff += many[j] * b * (1.0 + bend * (u * u) / square)
            many[i] = own
            scale = own * weight[c]
            value[first + i] = 0.5 * scale * total
            slope[first + i] = scale * pull
            curvature[first + i] = scale * stiff


@vector
def products(
    contests: tuple[Int, Int],
    rows: tuple[Int, Int],
    start: Offsets,
    e: Table,
    count: Table,
    weight: Floats,
    eps: Table,
    shape: Table,
    kind: Int,
    p: Float,
    v: Table,
    room: Table,
    out: Table,
) -> None:
    """Fill ``sum_j curvature_ij (v_i - v_j)`` of each row, in single precision."""
    here, many, other = room[0], room[1], room[2]
    for c in range(contests[0], contests[1]):
        first, size = start[c], start[c + 1] - start[c]
        wide = (size + LANES - 1) // LANES * LANES
        _copy(e, first, size, here)
        _copy(count, first, size, many)
        _copy(v, first, size, other)
        eps2, bends = eps[c] * eps[c], shape[c]
        for i in range(max(rows[0] - first, 0), min(rows[1] - first, size)):
            at, mine = here[i], other[i]
            total = many[i] * (mine - mine)
            for j in range(wide):
                bent = short_curvature(kind, p, bends, eps2, at - here[j])
                total += many[j] * bent * (mine - other[j])
            out[first + i] = many[i] * weight[c] * total


@vector
def shortfalls(
    contests: tuple[Int, Int],
    rows: tuple[Int, Int],
    start: Offsets,
    e: Floats,
    turn: Floats,
    moved: Floats,
    count: Floats,
    weight: Floats,
    eps: Floats,
    shape: Floats,
    kind: Int,
    p: Float,
    steepest: Floats,
    scale: Floats,
    room: Table,
    sums: Table,
) -> None:
    """Fill, for each row, what the flow of a Newton step proves at the residuals ``moved``.

    The flow of a pair is ``slope + curvature (turn_i - turn_j)`` at e, times ``scale`` of the
    contest, within ``steepest``. The rows of ``sums``: half the loss, half of what the flow proves
    too little, half of the size of all that was summed for that, what leaves the entry, and its
    size.
    """
    here, many, turned, there = room[0], room[1], room[2], room[3]
    flow, worth, star = room[4], room[5], room[6]
    for c in range(contests[0], contests[1]):
        first, size = start[c], start[c + 1] - start[c]
        wide = (size + LANES - 1) // LANES * LANES
        _copy(e, first, size, here)
        _copy(count, first, size, many)
        _copy(turn, first, size, turned)
        _copy(moved, first, size, there)
        eps2, bends, most, times = eps[c] * eps[c], shape[c], steepest[c], scale[c]
        for i in range(max(rows[0] - first, 0), min(rows[1] - first, size)):
            own, at, turning, after = many[i], here[i], turned[i], there[i]
            many[i] = 0.0
            # One loop after the other: each is small enough to become one of vectors.
            for j in range(wide):
                u = at - here[j]
                square = u * u + eps2
                b, bend = stiffness_and_bend(kind, p, bends, square)
                curved = b * (1.0 + bend * (u * u) / square)
                pushed = times * (b * u + curved * (turning - turned[j]))
                flow[j] = min(max(pushed, -most), most)
            if kind == LOG_COSH:
                for j in range(wide):
                    worth[j], star[j] = log_cosh(bends, after - there[j], flow[j])
            else:
                for j in range(wide):
                    worth[j] = value_of(kind, p, bends, after - there[j])
                for j in range(wide):
                    star[j] = conjugate_of(kind, p, flow[j])
            loss, short, parts, leaving, through = 0.0, 0.0, 0.0, 0.0, 0.0
            for j in range(wide):
                line = flow[j] * (after - there[j])
                loss += many[j] * worth[j]
                short += many[j] * max(worth[j] + star[j] - line, 0.0)
                parts += many[j] * (worth[j] + star[j] + abs(line))
                leaving += many[j] * flow[j]
                through += many[j] * abs(flow[j])
            many[i] = own
            mass = own * weight[c]
            sums[0, first + i] = 0.5 * mass * loss
            sums[1, first + i] = 0.5 * mass * short
            sums[2, first + i] = 0.5 * mass * parts
            sums[3, first + i] = mass * leaving
            sums[4, first + i] = mass * through
