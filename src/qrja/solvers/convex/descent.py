"""Smooth losses: Newton's method on the smoothed loss of a block, certified step by step.

Per component, in units of its largest residual::

    x = least squares;  u = (y - A x) / unit;  eps = 1
    repeat
        model the smoothed loss at u: slope g, curvature D      (qrja.solvers.convex.smoothing)
        solve  A^T D A dx = A^T g;   dr = -A dx;   flow = g + D dr
        x += t dx, with t where the derivative along dr fell to a quarter
        if the decrement was small: certify x by the flow       (qrja.solvers.convex.certificate)
        shrink eps by how well the full step fitted
    until the excess over the bound is tol of the loss

All components of a block advance together, each with its own unit, eps and step length.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, sum_by
from qrja.laplacian.network import Block
from qrja.losses import KnownLoss
from qrja.solvers.convex.iterate import Iterate, Proof, Report
from qrja.solvers.convex.smoothing import smooth
from qrja.solvers.convex.step_length import search, shrinkage

MOST_STEPS = 200
"""Some tens are needed at p = 1.01 or p = 50; beyond, rounding allows no more."""
SMALLEST_EPS = 1e-30
"""The smoothing of residuals of size 1 has long vanished."""
WARM_EPS = 0.03
"""Where the smoothing begins with scores that are good already."""
CLOSE = 0.3
"""A decrement below this times the root of the tolerance is worth a certificate."""


class Descent:
    """The loop on one block; :meth:`run` gives the proof."""

    def __init__(self, block: Block, loss: KnownLoss, tol: float, start: Floats | None) -> None:
        self.loss, self.tol = loss, tol
        self.now = Iterate(block, loss, start)
        self.eps = np.where(self.now.warm, WARM_EPS, 1.0)
        self.flow: Floats | None = None
        self.accuracy = 1e-4

    def run(self, report: Report) -> Proof:
        """Iterate until every component is certified or nothing more can be gained."""
        return self.now.repeat(self._step, self._retire, MOST_STEPS, report)

    def _step(self) -> None:
        now = self.now
        block, groups, m = now.block, now.block.groups, now.block.m
        if self.loss.power is not None and self.loss.power > 2:
            unit = now.unit
            now.change_unit(self._largest(self.loss.power))
            # Residuals are at most 1 now, and a greater eps would smooth no more.
            self.eps = np.minimum(self.eps * (unit / now.unit), 1.0)
        w, u = now.weights(), now.u
        smoothing = smooth(self.loss, groups, now.unit)
        model = smoothing.model(u[:m], self.eps, w[:m], self.flow)
        slope, curvature, value = model.slope, model.curvature, model.value
        if len(w) > m:
            slope = np.concatenate([slope, 2 * w[m:] * u[m:]])
            curvature = np.concatenate([curvature, 2 * w[m:]])
            value = value + sum_by(groups.held, w[m:] * u[m:] ** 2, groups.count)
        # Arcs of less curvature than this add nothing to the loss that the gap could show.
        floor = (1e-14 if smoothing.growth > 2 else 1e-20) * value
        curvature = np.maximum(curvature, groups.spread_over_all(floor), out=curvature)

        gradient = block.imbalance(slope)
        change = now.laplacian.solve(curvature, gradient, self.accuracy)
        turn, flow = block.respond(change, slope, curvature)
        decrement = np.add.reduceat(gradient * change, block.start[:-1])
        self.flow = smoothing.follow(flow[:m])
        stuck = ~((decrement > 1e-15 * value) & np.isfinite(decrement))

        def look(t: Floats) -> tuple[Floats, Floats]:
            total, along = smoothing.along(u[:m], turn[:m], t, self.eps, w[:m])
            if len(u) > m:
                held = u[m:] + t[groups.held] * turn[m:]
                total = total + sum_by(groups.held, w[m:] * held * held, groups.count)
                along = along + sum_by(groups.held, 2 * w[m:] * held * turn[m:], groups.count)
            return total, along

        squares = sum_by(groups.held, w[m:] * u[m:] ** 2, groups.count)
        length, fit = search(look, smoothing.growth, value, squares, decrement, stuck)
        now.move(change, length)

        before = now.gap
        close = ~(decrement > CLOSE * self.tol**0.5 * value) & (self.eps < 0.5)
        if close.any():
            # The flow of the ridge is known exactly, and its arcs are no way for the rest.
            held = np.concatenate([flow[:m], 2 * w[m:] * now.u[m:]])
            now.certify(w, np.concatenate([curvature[:m], 2 * w[m:]]), held)
        # eps shrank since the last time, so the gap should have: the flow is not conserved enough.
        late = close & (now.gap > self.tol) & (now.gap > 0.5 * before)
        if (late | stuck).any():
            self.accuracy = max(1e-2 * self.accuracy, 1e-13)
        self.eps = self.eps * np.where(stuck, 0.1, shrinkage(fit))

    def _largest(self, p: float) -> Floats:
        """Return the largest residual, or the one that costs as much as the ridge if that is more.

        A ridge may leave residuals that are many orders of magnitude smaller than those of the
        start, or none: what they cost beside the ridge is then the measure.
        """
        now, groups, m = self.now, self.now.block.groups, self.now.block.m
        largest = groups.max(np.abs(now.u[:m]))
        if len(now.u) == m:
            return largest
        w = now.weights()
        ridge = sum_by(groups.held, w[m:] * now.u[m:] ** 2, groups.count)
        return np.maximum(largest, (ridge / groups.sum(w[:m])) ** (1 / p))

    def _retire(self) -> None:
        left = self.now.retire((self.now.gap <= self.tol) | (self.eps < SMALLEST_EPS))
        if left is not None:
            components, arcs = left
            self.eps = self.eps[components]
            if self.flow is not None:
                self.flow = self.flow[arcs[: len(self.flow)]]
