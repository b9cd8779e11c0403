"""The sums of :mod:`.pair_sums` for any loss, by what the loss says of itself.

Rows of a contest are taken some at a time, so that a block of pairs fits the cache. It is some ten
times slower than what is compiled, and the twin that the compiled sums are tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Offsets
from qrja.losses import KnownLoss
from qrja.solvers.convex.streamed.pair_sums import Shortfalls, Slopes

BLOCK = 100_000
"""Pairs of a block: its arrays fit a cache."""


class _Block(NamedTuple):
    """Some rows of a contest: the entries of the rows, those of the contest, and who pairs."""

    contest: int
    rows: slice
    entries: slice
    mass: NDArray[np.float64]
    """``count_i count_j weight``, 0 on the diagonal."""


class PairBlocks:
    """The pairs of contests, for any smooth even loss; see :class:`.PairSums` for the arguments.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> sums = PairBlocks(np.array([0, 3]), np.ones(3), np.ones(1), Power(3))
    >>> sums.slopes(np.array([2.0, 1.0, 0.0]), np.zeros(1), np.ones(1)).slope
    array([ 15.,   0., -15.])
    """

    def __init__(self, start: Offsets, count: Floats, weight: Floats, loss: KnownLoss) -> None:
        self.start, self.count, self.weight, self.loss = start, count, weight, loss
        self.p = loss.power or 2.0

    def slopes(self, e: Floats, eps: Floats, unit: Floats) -> Slopes:
        """Return the smoothed loss of residuals e, its slopes and curvatures."""
        found = Slopes(*(np.zeros(len(e)) for _ in range(3)))
        for block in self._blocks():
            u = e[block.rows, None] - e[None, block.entries]
            value, slope, curvature = self._model(u, eps[block.contest], unit[block.contest])
            found.value[block.rows] = 0.5 * (block.mass * value).sum(1)
            found.slope[block.rows] = (block.mass * slope).sum(1)
            found.curvature[block.rows] = (block.mass * curvature).sum(1)
        return found

    def system(self, e: Floats, eps: Floats, unit: Floats) -> Callable[[Floats], Floats]:
        """Return what multiplies a vector per entry by the curvatures of pairs."""

        def multiply(v: Floats) -> Floats:
            out = np.zeros(len(v))
            for block in self._blocks():
                u = e[block.rows, None] - e[None, block.entries]
                curvature = self._model(u, eps[block.contest], unit[block.contest])[2]
                turn = v[block.rows, None] - v[None, block.entries]
                out[block.rows] = (block.mass * curvature * turn).sum(1)
            return out

        return multiply

    def shortfalls(
        self,
        e: Floats,
        turn: Floats,
        moved: Floats,
        eps: Floats,
        unit: Floats,
        steepest: Floats,
        scale: Floats,
    ) -> Shortfalls:
        """Return what the flow of a step from e, along ``turn``, proves of the residuals moved."""
        sums = Shortfalls(*np.zeros((5, len(e))))
        for block in self._blocks():
            c, rows, entries = block.contest, block.rows, block.entries
            u, change, r = (v[rows, None] - v[None, entries] for v in (e, turn, moved))
            flow = self.flow(u, change, eps[c], unit[c], steepest[c], scale[c])
            value, star = self.value_and_conjugate(r, flow, unit[c])
            line = flow * r
            parts = np.maximum(value + star - line, 0.0), value + star + np.abs(line)
            sums.value[rows] = 0.5 * (block.mass * value).sum(1)
            sums.excess[rows] = 0.5 * (block.mass * parts[0]).sum(1)
            sums.size[rows] = 0.5 * (block.mass * parts[1]).sum(1)
            sums.leaving[rows] = (block.mass * flow).sum(1)
            sums.through[rows] = (block.mass * np.abs(flow)).sum(1)
        return sums

    def flow(
        self,
        u: Floats,
        turn: Floats,
        eps: Floats | float,
        unit: Floats | float,
        steepest: Floats | float,
        scale: Floats | float,
    ) -> Floats:
        """Return the flow of a step on pairs of residuals u which it turns."""
        _, slope, curvature = self._model(u, eps, unit)
        return np.asarray(np.clip(scale * (slope + curvature * turn), -steepest, steepest))

    def value_and_conjugate(
        self, residual: Floats, flow: Floats, unit: Floats | float
    ) -> tuple[Floats, Floats]:
        """Return f and f* in units."""
        if self.loss.power is not None:
            return self.loss.value(residual), self.loss.conjugate(flow)
        cost, steep = np.power(unit, self.p), np.power(unit, self.p - 1)
        return self.loss.value(unit * residual) / cost, self.loss.conjugate(steep * flow) / cost

    def _model(
        self, u: Floats, eps: Floats | float, unit: Floats | float
    ) -> tuple[Floats, Floats, Floats]:
        """Return value, slope and curvature of the smoothed loss, in units."""
        square = u * u + np.asarray(eps) ** 2
        s = np.sqrt(np.maximum(square, 1e-300))
        t = s if self.loss.power is not None else unit * s
        size = 1.0 if self.loss.power is not None else np.asarray(unit, dtype=np.float64)
        steep, bent = self.loss.slope(t), self.loss.curvature(t)
        stiffness = steep * size ** (1 - self.p) / s
        bend = np.divide(t * bent, steep, out=np.ones_like(s), where=steep > 0) - 1.0
        share = u * u / np.maximum(square, 1e-300)
        return (
            self.loss.value(t) * size**-self.p,
            stiffness * u,
            stiffness * (1.0 + bend * share),
        )

    def _blocks(self) -> Iterator[_Block]:
        for c in range(len(self.start) - 1):
            low, high = int(self.start[c]), int(self.start[c + 1])
            step = max(BLOCK // max(high - low, 1), 1)
            for first in range(low, high, step):
                rows, entries = slice(first, min(first + step, high)), slice(low, high)
                mass = self.weight[c] * np.outer(self.count[rows], self.count[entries])
                here = np.arange(rows.start, rows.stop)
                mass[here - first, here - low] = 0.0
                yield _Block(c, rows, entries, mass)
