"""Sums over pairs of sorted residuals for Huber's loss: half squares up to delta, then lines.

Sorted, those within delta of an entry are consecutive, from ``first`` up to ``last``. Entries are
cut into cells of no more than delta, and each has sums of its own about its own beginning: what is
near is a difference of numbers no larger than itself, however far away others are.
"""

from __future__ import annotations

from qrja.data import Floats, Offsets
from qrja.jit import Table, kernel


@kernel
def add_up_near(
    start: Offsets,
    e: Floats,
    mass: Floats,
    delta: Floats,
    first: Offsets,
    last: Offsets,
    cell: Offsets,
    room: Table,
    sums: Table,
) -> None:
    """Fill sums per entry, residuals ascending: value, slope, mass near, sizes, beyond.

    The two sizes are of what is summed up for the slope and for the value; beyond is ``delta (|r| -
    delta)`` over those not near. Filled too: ``first`` and
    ``last``. For work: ``cell``, and in the rows of ``room`` sums of mass, distances and squares
    since the cell began, of mass and residuals since the contest did.
    """
    near, line, square, count, level = room
    for c in range(len(start) - 1):
        begin, end, width = start[c], start[c + 1], delta[c]
        if end - begin < 1:
            continue
        a = b = anew = begin
        all_mass = all_level = all_height = 0.0
        line_rest = square_rest = level_rest = 0.0
        for i in range(begin, end):
            if e[i] - e[anew] >= width:
                anew = i
            m = mass[i]
            cell[i] = anew
            # Of those before in the cell; what the entry itself adds is added where it is used.
            if i == anew:
                near[i] = line[i] = square[i] = line_rest = square_rest = 0.0
            else:
                before = e[i - 1] - e[anew]
                near[i] = near[i - 1] + mass[i - 1]
                # What rounding took goes along: such a sum is off by two units, however long it is.
                more = mass[i - 1] * before - line_rest
                line[i] = line[i - 1] + more
                line_rest = (line[i] - line[i - 1]) - more
                more = mass[i - 1] * before * before - square_rest
                square[i] = square[i - 1] + more
                square_rest = (square[i] - square[i - 1]) - more
            count[i], level[i] = all_mass, all_level
            all_mass += m
            more = m * e[i] - level_rest
            grown = all_level + more
            level_rest = (grown - all_level) - more
            all_level = grown
            all_height += m * abs(e[i])
        for i in range(begin, end):
            while e[i] - e[a] >= width:
                a += 1
            while b < end and e[b] - e[i] < width:
                b += 1
            first[i], last[i] = a, b
            inside = slope = half = slope_size = half_size = 0.0
            # A cell reaches from its beginning to the next: those near lie in three or four.
            high = b
            while high > a:
                top = high - 1
                low = max(cell[top], a)
                base = e[cell[top]]
                d, own, m = e[i] - base, e[top] - base, mass[top]
                masses = near[top] + m - near[low]
                lines = line[top] + m * own - line[low]
                squares = square[top] + m * own * own - square[low]
                inside += masses
                slope += d * masses - lines
                half += 0.5 * (d * d * masses - 2 * d * lines + squares)
                both = line[top] + m * own + line[low]
                slope_size += abs(d) * masses + both
                half_size += d * d * masses + 2 * abs(d) * both + square[top] + square[low]
                half_size += m * own * own
                high = low
            below, lower = count[a], level[a]
            above = all_mass - (count[b] if b < end else all_mass)
            upper_level = all_level - (level[b] if b < end else all_level)
            away = e[i] * (below - above) + upper_level - lower
            far = below + above
            w = mass[i]
            sums[0, i] = 0.5 * w * (half + width * (away - 0.5 * width * far))
            sums[1, i] = w * (slope + width * (below - above))
            sums[2, i] = w * (inside - w)
            sums[3, i] = w * (slope_size + width * far)
            outside = abs(e[i]) * far + 2 * all_height + width * far
            sums[4, i] = 0.5 * w * (half_size + (width * outside if far > 0 else 0.0))
            sums[5, i] = 0.5 * w * width * max(away - width * far, 0.0)
