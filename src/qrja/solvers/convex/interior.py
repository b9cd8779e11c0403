"""Losses with kinks: an interior-point method on the flow and the residuals together.

A piecewise linear loss, such as ``|t|``, the pinball or the epsilon-insensitive one, is a sum of
pieces, one for each of its kinks and linear on either side of it. The flow f of a piece obeys
bounds ``-low <= f <= high`` and nothing else:

    minimise  sum_i  high_i v_i + low_i z_i    over x,   with  v - z = y - A x,  v, z >= 0
    maximise  f . y    over f,    with  A^T f = 0,  -low <= f <= high

An optimal pair has ``z (low + f) = 0`` and ``v (high - f) = 0``. The method lowers these products
together: Newton steps towards ``= mu``, each a predictor (mu = 0) that tells how far mu can drop
and a corrector that takes the curvature into account. Both need a Laplacian system with weights
``D = 1 / (z / (low + f) + v / (high - f))``. It starts inside, at f = 0, and stays there.

References
----------
Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2 (1992).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data import Floats
from qrja.laplacian.network import Block
from qrja.losses import KnownLoss
from qrja.solvers.convex.iterate import Iterate, Proof, Report
from qrja.solvers.convex.smoothing import scale

MOST_STEPS = 100
"""Ten to thirty are needed."""
SAFETY = 0.995
"""Share of the way to the boundary that a step goes."""
LIGHTEST = 1e-30
"""Weights in a system below this share of the loss are raised to it."""
SHORTEST = 1e-9
"""Steps shorter than this lead nowhere."""


class Inside(NamedTuple):
    """The four positive quantities of every piece: distances to the bounds and their prices."""

    below: Floats  # low + f
    above: Floats  # high - f
    z: Floats
    v: Floats

    def products(self) -> Floats:
        """Return the products that an optimum has at 0, added up per arc."""
        return np.asarray((self.z * self.below + self.v * self.above).sum(axis=0))


class Direction(NamedTuple):
    """A Newton step: of the scores, of the flow of every piece and of both prices."""

    change: Floats
    f: Floats
    z: Floats
    v: Floats


class Interior:
    """The loop on one block; :meth:`run` gives the proof."""

    def __init__(self, block: Block, loss: KnownLoss, tol: float, start: Floats | None) -> None:
        self.loss, self.tol = loss, tol
        self.now = Iterate(block, loss, start)
        self.accuracy = 1e-12
        groups, m = block.groups, block.m
        w = self.now.weights()[:m]
        low, high, kinks = self._pieces()
        residual = self.now.u[:m] - kinks
        below, above = low * w + 0 * residual, high * w + 0 * residual
        size = np.abs(residual)
        if len(self.now.u) > m:
            # The ridge may pull the scores away from the judgments: leave room for that.
            pull = np.zeros(groups.count)
            np.maximum.at(pull, groups.held, np.abs(self.now.u[m:]))
            size = np.maximum(size, groups.spread(pull))
        # Every piece starts with about the same product, whatever its weight.
        middle = 0.5 * (below + above)
        mu = groups.sum((middle * size).mean(axis=0)) / np.diff(groups.first)
        slack = groups.spread(np.maximum(mu, 1e-290)) / middle
        self.f = np.zeros_like(residual)
        self.inside = Inside(
            below, above, np.maximum(-residual, 0.0) + slack, np.maximum(residual, 0.0) + slack
        )
        self.short = np.zeros(groups.count, dtype=bool)

    def _pieces(self) -> tuple[Floats, Floats, Floats]:
        """Return bounds on the flow of each piece of weight 1, and where its kink is, in units.

        Every piece has its share of both outermost slopes, as large as its jump.
        """
        at, jump = np.array(self.loss.kinks).T[:, :, None]
        steepest_down, steepest_up = self.loss.slopes
        share = jump / (steepest_up - steepest_down)
        kinks = at / self.now.block.groups.spread(self.now.unit)
        return -steepest_down * share, steepest_up * share, kinks

    def run(self, report: Report) -> Proof:
        """Iterate until every component is certified or nothing more can be gained."""
        return self.now.repeat(self._step, self._retire, MOST_STEPS, report)

    def _step(self) -> None:
        now, groups, inside = self.now, self.now.block.groups, self.inside
        w, m = now.weights(), now.block.m
        d = 1.0 / (inside.z / inside.below + inside.v / inside.above)
        cost = groups.sum(w[:m] * scale(self.loss, groups, now.unit).value(now.u[:m]))
        # Lighter pieces add nothing that the gap could show, but would amplify rounding.
        d = np.maximum(d, groups.spread(LIGHTEST * cost))
        curvature = np.concatenate([d.sum(axis=0), 2 * w[m:]])
        mu = groups.sum(inside.products()) / (2 * len(d) * np.diff(groups.first))
        predictor = self._direction(w, d, curvature, 0.0, 0.0)
        far = self._lengths(predictor, 1.0)
        reached = groups.sum(self._after(predictor, *far).products())
        ratio = reached / groups.sum(inside.products())
        corrector = self._correct(w, d, curvature, predictor, mu * ratio**3, np.ones_like(mu))
        length, extent = self._lengths(corrector, SAFETY)
        weak = (length < 0.1 * far[0]) | (extent < 0.1 * far[1])
        if weak.any():
            # Second-order terms mislead where the products differ too much: centre instead.
            target = np.where(weak, mu * np.maximum(ratio, 0.1), mu * ratio**3)
            corrector = self._correct(w, d, curvature, predictor, target, np.where(weak, 0.0, 1.0))
            length, extent = self._lengths(corrector, SAFETY)
        self.inside = self._after(corrector, length, extent)
        self.f = self.f + groups.spread(extent) * corrector.f
        now.move(corrector.change, length)
        self.short = np.maximum(length, extent) < SHORTEST

        before = now.gap
        now.certify(w, curvature, np.concatenate([self._flow(), 2 * w[m:] * now.u[m:]]))
        if ((now.gap > self.tol) & (now.gap > 0.5 * before)).any():
            self.accuracy = max(1e-2 * self.accuracy, 1e-13)

    def _flow(self) -> Floats:
        """Return the flow of each arc, the sum over its pieces.

        Pieces cancel each other, those of a tube inside it. Their distances to the nearer bounds,
        which are small there, leave the digits that the flows themselves have lost.
        """
        if len(self.f) == 1:
            return np.asarray(self.f[0])
        (low, high, _), (below, above, _, _) = self._pieces(), self.inside
        is_low = below < above
        bounds = np.where(is_low, -low, high).sum(axis=0) * self.now.weights()[: len(below[0])]
        return np.asarray(bounds + np.where(is_low, below, -above).sum(axis=0))

    def _correct(
        self,
        w: Floats,
        d: Floats,
        curvature: Floats,
        predictor: Direction,
        target: Floats,
        second: Floats,
    ) -> Direction:
        """Aim at products of ``target``, with second-order terms where ``second`` is 1."""
        groups = self.now.block.groups
        target, second = groups.spread(target), groups.spread(second)
        goal_z = target - second * predictor.z * predictor.f
        goal_v = target + second * predictor.v * predictor.f
        return self._direction(w, d, curvature, goal_z, goal_v)

    def _direction(
        self,
        w: Floats,
        d: Floats,
        curvature: Floats,
        goal_z: Floats | float,
        goal_v: Floats | float,
    ) -> Direction:
        """Solve for the step towards ``z below = goal_z`` and ``v above = goal_v``."""
        now, block, m = self.now, self.now.block, self.now.block.m
        below, above, z, v = self.inside
        residual = now.u[:m] - self._pieces()[2]
        offset = goal_v / above - goal_z / below - residual
        slope = np.concatenate([self._flow() - (d * offset).sum(axis=0), 2 * w[m:] * now.u[m:]])
        change = now.laplacian.solve(curvature, block.imbalance(slope), self.accuracy)
        turn = -block.differences(change)
        f = d * (turn[:m] - offset)
        return Direction(change, f, (goal_z - z * f) / below - z, (goal_v + v * f) / above - v)

    def _lengths(self, step: Direction, safety: float) -> tuple[Floats, Floats]:
        """Return how far prices and flows of each component can go and stay positive."""
        groups = self.now.block.groups
        below, above, z, v = self.inside
        prices = groups.max(np.maximum(-step.z / z, -step.v / v).max(axis=0))
        flows = groups.max(np.maximum(-step.f / below, step.f / above).max(axis=0))
        if len(self.now.u) > self.now.block.m:
            # The flow of the ridge follows the scores: both must go equally far.
            prices = flows = np.maximum(prices, flows)
        return _at_most_one(prices, safety), _at_most_one(flows, safety)

    def _after(self, step: Direction, length: Floats, extent: Floats) -> Inside:
        """Return the four quantities after a step."""
        groups = self.now.block.groups
        prices, flows = groups.spread(length), groups.spread(extent)
        below, above, z, v = self.inside
        return Inside(
            below + flows * step.f, above - flows * step.f, z + prices * step.z, v + prices * step.v
        )

    def _retire(self) -> None:
        left = self.now.retire((self.now.gap <= self.tol) | self.short)
        if left is not None:
            components, arcs = left
            arcs = arcs[: self.f.shape[1]]
            self.f, self.short = self.f[:, arcs], self.short[components]
            self.inside = Inside(*(part[:, arcs] for part in self.inside))


def _at_most_one(worst: Floats, safety: float) -> Floats:
    return np.where(worst > 0, np.minimum(safety / worst, 1.0), 1.0) * np.isfinite(worst)
