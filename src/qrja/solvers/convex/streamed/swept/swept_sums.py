"""Sums over all pairs of contests for powers, by two sweeps over the sorted residuals.

Each power is a sum of exponentials (:mod:`.exponentials`), and sums of exponentials over all who
came before are carried on from one entry to the next: the cost grows with the entries. One sweep
goes up and one down, whatever pairs there are.

The loss is not smoothed: its slopes are those of the power itself. Only the systems of Newton's
method are, in a way that is natural here. Terms that are quicker than ``1 / eps`` are left out, so
that the curvature of residuals below eps is bounded; beyond p = 2, ``eps^(p - 2)`` is added, so
that no curvature is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets, sum_by
from qrja.jit import load_compiler, may_compile
from qrja.losses import KnownLoss
from qrja.solvers.convex.folding import Folded
from qrja.solvers.convex.streamed.pair_sums import Slopes, count_cores
from qrja.solvers.convex.streamed.swept.exponentials import DEAD, Exponentials, write_power

FINE, ROUGH = 1e-13, 1e-4
"""Accuracy of powers in slopes, and in the systems of Newton's method."""
SHORTEST = 1e-60
"""Distances below are taken for as long: their powers are 0 in every sum."""

LARGE, VERY_LARGE = 1_000, 5_000
"""Entries of contests, on average over entries, from which sweeps are quicker than pairs: for usual
powers, and for others, which take more steps; measured."""
USUAL, POSSIBLE = (1.3, 8.0), (1.05, 20.0)
"""Powers: nearer to 1 nearby pairs count for more than all others, and further off few digits of
the slopes prove anything."""


def is_swept(folded: Folded, loss: KnownLoss) -> bool:
    """Tell whether sweeps do better than looking at pairs.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> from qrja.losses import Power
    >>> from qrja.solvers.convex.folding import fold_contests
    >>> one = Contests.from_arrays([0] * 3000, range(3000), np.arange(3000.0))
    >>> folded = fold_contests(one, np.ones(3000, dtype=bool))
    >>> is_swept(folded, Power(1.5)), is_swept(folded, Power(1.1))
    (True, False)
    """
    if not (loss.power or loss.window) or not may_compile():
        return False
    size = np.diff(folded.start).astype(np.float64)
    mean = float((size * size).sum() / max(size.sum(), 1.0))
    power = loss.power or 2.0
    usual, possible = (low <= power <= high for low, high in (USUAL, POSSIBLE))
    return (usual and mean >= LARGE) or (possible and mean >= VERY_LARGE)


class Measured(NamedTuple):
    """Per entry: half of its loss, its slope, and the sizes of what was summed for both.

    ``error``, one number, is by what share of these, ``size`` and ``through``, sums may be off.
    """

    value: Floats
    slope: Floats
    through: Floats
    error: float
    size: Floats


class _Line(NamedTuple):
    """The entries of one direction, sorted within contests, and how far each is from the last."""

    order: Offsets
    start: Offsets
    gap: Floats
    mass: Floats


class SweptSums:
    """The pairs of contests, for powers; see :class:`~..pair_sums.PairSums` for the arguments.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> sums = SweptSums(np.array([0, 3]), np.ones(3), np.ones(1), Power(3))
    >>> sums.measure(np.array([2.0, 1.0, 0.0]), np.ones(1)).slope
    array([ 15.,   0., -15.])
    """

    def __init__(self, start: Offsets, count: Floats, weight: Floats, loss: KnownLoss) -> None:
        load_compiler()  # which these kernels import themselves
        from qrja.solvers.convex.streamed.swept.kernels import sweep

        assert loss.power is not None
        self.p, self.start, self.count, self.weight = loss.power, start, count, weight
        # Compiled code takes what it was made for, which the type checker does not know.
        self.kernel: Any = sweep.sweep
        self.contest = np.repeat(np.arange(len(start) - 1), np.diff(start))
        self.mass = weight[self.contest] * count
        self.entrants = sum_by(self.contest, count, len(weight))
        self._pool = ThreadPoolExecutor(count_cores())

    def measure(self, e: Floats, unit: Floats) -> Measured:
        """Return the loss of residuals e and its slopes, and how far rounding may be off."""
        lines, shortest, longest = self._lay_out(e)
        terms = write_power(self.p, FINE, shortest, longest)
        (low, loss_low), (high, loss_high) = self._sweep(lines, terms, terms.degree, 2)
        value = 0.5 * self.mass * (loss_low + loss_high)
        below, above = self.p * self.mass * low, self.p * self.mass * high
        most = float(np.diff(self.start).max(initial=0))
        rounding = 2.0**-53 * (terms.degree + 3) * most + 2.0**-43
        return Measured(value, below - above, below + above, terms.error + rounding, value)

    def slopes(self, e: Floats, eps: Floats, unit: Floats) -> Slopes:
        """Return the loss of residuals e, its slopes, and curvatures smoothed by eps."""
        found = self.measure(e, unit)
        return Slopes(found.value, found.slope, self._curve(e, eps)[1])

    def system(self, e: Floats, eps: Floats, unit: Floats) -> Callable[[Floats], Floats]:
        """Return what multiplies a vector per entry by the smoothed curvatures of pairs."""
        curve, diagonal = self._curve(e, eps)
        return lambda v: diagonal * v - curve(v)

    def _curve(self, e: Floats, eps: Floats) -> tuple[Callable[[Floats], Floats], Floats]:
        """Return what sums curvatures times a vector over all others, and these sums of ones."""
        lines, _, longest = self._lay_out(e)
        p, least = self.p, float(np.clip(eps.min(initial=1.0), SHORTEST, 1.0))
        terms = write_power(p, ROUGH, DEAD * 2.0 ** np.floor(np.log2(least)), longest)
        quickest = np.searchsorted(terms.rate, 1 / np.maximum(eps, least), side="right")
        floor = np.maximum(eps, 1e-9) ** (p - 2) if p > 2 else np.zeros(len(eps))

        def curve(v: Floats) -> Floats:
            charged = [line._replace(mass=line.mass * v[line.order]) for line in lines]
            (low,), (high,) = self._sweep(charged, terms, terms.degree - 2, 1, quickest)
            total = sum_by(self.contest, self.count * v, len(self.weight))[self.contest]
            same = floor[self.contest] * (total - self.count * v)
            return np.asarray(p * (p - 1) * self.mass * (low + high + same))

        return curve, curve(np.ones(len(e)))

    def _lay_out(self, e: Floats) -> tuple[list[_Line], float, float]:
        """Sort entries within contests, up and down; return the shortest and longest distances."""
        order = np.lexsort((e, self.contest))
        gap = np.diff(e[order], prepend=0.0)
        gap[self.start[:-1][self.start[:-1] < len(e)]] = 0.0
        up = _Line(order, self.start, gap, self.count[order])
        down = _Line(
            np.ascontiguousarray(order[::-1]),
            len(e) - self.start[::-1],
            np.roll(gap[::-1], 1),
            np.ascontiguousarray(up.mass[::-1]),
        )
        positive = gap[gap > SHORTEST]
        shortest = 2.0 ** np.floor(np.log2(positive.min(initial=1.0)))
        reach = np.zeros(len(self.weight))
        np.add.at(reach, self.contest[order], gap)
        longest = 2.0 ** np.ceil(np.log2(max(float(reach.max(initial=0.0)), 1.0)))
        return [up, down], float(shortest), float(longest)

    def _sweep(
        self,
        lines: list[_Line],
        terms: Exponentials,
        degree: int,
        rows: int,
        quickest: Offsets | None = None,
    ) -> list[Floats]:
        """Return, of each direction, some sums per entry, in the order of the entries."""
        found = [np.empty((rows, len(self.contest))) for _ in lines]
        work = []
        for line, sums in zip(lines, found, strict=True):
            alive = self._alive(line, terms, quickest)
            for low, high in _deal(line.start):
                work.append((low, high, line.start, line.gap, alive, line.mass, sums))

        def run(piece: tuple[Any, ...]) -> None:
            room = np.zeros((degree + 4, max(len(terms.rate), degree + 1)))
            self.kernel(*piece[:-1], terms.rate, terms.share, room, piece[-1])

        for done in self._pool.map(run, work):
            assert done is None
        placed = []
        for line, sums in zip(lines, found, strict=True):
            back = np.empty_like(sums)
            back[:, line.order] = sums
            placed.append(back)
        return placed

    def _alive(self, line: _Line, terms: Exponentials, quickest: Offsets | None) -> Index:
        """Count the terms that have not died away over each gap, or are as quick as is asked."""
        with np.errstate(divide="ignore"):
            alive = np.searchsorted(terms.rate, DEAD / line.gap, side="right")
        if quickest is not None:
            alive = np.minimum(alive, quickest[self.contest[line.order]])
        return alive.astype(np.int32)


def _deal(start: Offsets, most: int = 20_000) -> list[tuple[int, int]]:
    """Cut contests into pieces of about as many entries, at least one contest each.

    Examples
    --------
    >>> _deal(np.array([0, 5, 9, 30, 31]), most=10)
    [(0, 2), (2, 3), (3, 4)]
    """
    pieces, low = [], 0
    while low < len(start) - 1:
        high = int(np.searchsorted(start, start[low] + most, side="right")) - 1
        pieces.append((low, max(high, low + 1)))
        low = pieces[-1][1]
    return pieces
