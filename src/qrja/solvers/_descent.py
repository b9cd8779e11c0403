"""Newton's method on the smoothed loss of a block, certified step by step.

Per component, in units of its largest residual::

    x = least squares;  u = (y - A x) / unit;  eps = 1
    repeat
        model the smoothed loss at u: slope g, curvature D      (qrja.solvers._smoothing)
        solve  A^T D A dx = A^T g;   dr = -A dx;   flow = g + D dr
        if the decrement is small: certify u and u + dr by the flow     (..._certificate)
        u += t dr, with t where the derivative along dr fell to a quarter
        shrink eps by how well the full step fitted
    until the excess over the bound is tol of the loss

All components of a block advance together, each with its own unit, eps and step length; those
that are done leave the block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qrja._arrays import Floats, Offsets, sum_by
from qrja.losses import ConjugateLoss, Loss, Power
from qrja.solvers import _certificate as certificate
from qrja.solvers._linear import Laplacian
from qrja.solvers._network import Block, Mask
from qrja.solvers._search import search
from qrja.solvers._smoothing import cost_of, scale, smooth

MOST_STEPS = 200
SMALLEST_EPS = 1e-30
CLOSE = 0.3
"""A decrement below this times the root of the tolerance is worth a certificate."""
AGREEMENT = 1e-7
"""Residuals below this share of the margins count as agreement up to rounding."""

Report = Callable[[float], None]


@dataclass(eq=False)
class Proof:
    """The best x and flow of a block, and the scale of each component they are given in.

    The loss of component c is ``top[c] * cost * measure`` with the cost of ``unit[c]``; its flow
    is scaled likewise.
    """

    block: Block
    x: Floats
    flow: Floats
    unit: Floats
    top: Floats
    gap: Floats
    steps: int = 0


def weigh(block: Block, loss: Loss, unit: Floats, top: Floats) -> Floats:
    """Return the weights of all arcs in the unit and cost of each component."""
    m, groups = block.m, block.groups
    w = block.w[:m] / groups.spread(top)
    if len(block.w) == m:
        return w
    factor = unit ** (2 - loss.p) if isinstance(loss, Power) else unit**2 / cost_of(loss, unit)
    # Beyond these bounds the ridge is everything or nothing, and would not fit a float.
    ridge = np.clip(block.w[m] * factor / top, 1e-200, 1e150)
    return np.concatenate([w, ridge[groups.held]])


class Descent:
    """The state of the loop on one block; :meth:`run` gives the proof."""

    def __init__(self, block: Block, loss: Loss, tol: float, start: Floats | None) -> None:
        self.loss, self.tol = loss, tol
        self.block = block
        self.laplacian = Laplacian(block)
        self.accuracy = 1e-4
        groups, m = block.groups, block.m
        self.top = groups.max(block.w[:m])
        self.origin = self._least_squares() if start is None else start[block.nodes]
        residual = block.residuals(self.origin)
        self.unit = np.maximum(groups.max(np.abs(residual[:m])), 1e-290)
        self.u = residual / groups.spread_over_all(self.unit)
        self.moved = np.zeros(block.n)
        self.eps = np.ones(groups.count)
        self.flow: Floats | None = None
        # Everything above shrinks as components finish; the proof keeps the whole block.
        self.alive: Offsets = np.arange(groups.count)
        self.arcs, self.nodes = np.arange(len(block.w)), np.arange(block.n)
        self.proof = Proof(
            block,
            self.origin.copy(),
            np.zeros(len(block.w)),
            self.unit.copy(),
            self.top.copy(),
            np.full(groups.count, np.inf),
        )

    def run(self, report: Report) -> Proof:
        """Iterate until every component is certified or nothing more can be gained."""
        # Trial steps may overflow to infinity on their way; the search takes that as too far.
        with np.errstate(all="ignore"):
            self._accept_agreement()
            while len(self.alive) and self.proof.steps < MOST_STEPS:
                self.proof.steps += 1
                self._step()
                report(float(self.proof.gap.max()))
                self._retire(self.proof.gap[self.alive] <= self.tol)
        return self.proof

    def _least_squares(self) -> Floats:
        """Solve the problem with squares instead, again on the residuals until they stay."""
        block = self.block
        weight = block.w / block.groups.spread_over_all(self.top)
        x = np.zeros(block.n)
        for _ in range(4):
            residual = block.residuals(x)
            change = self.laplacian.solve(weight, block.imbalance(weight * residual), 1e-6)
            x = block.settle(x + change)
            if np.abs(block.differences(change)).max() <= 1e-3 * np.abs(residual).max():
                break
        return x

    def _accept_agreement(self) -> None:
        """Finish the components whose judgments agree up to rounding: they need no flow."""
        nothing = certificate.Bound(np.zeros(len(self.u)), np.zeros(self.block.m))
        w = weigh(self.block, self.loss, self.unit, self.top)
        self._compare(w, self.u, 0.0, self.moved, nothing)
        self._retire(self.proof.gap <= self.tol)

    def _step(self) -> None:
        block, groups, m = self.block, self.block.groups, self.block.m
        if isinstance(self.loss, Power) and self.loss.p > 2:
            self._change_unit(groups.max(np.abs(self.u[:m])))
        w = weigh(block, self.loss, self.unit, self.top)
        smoothing = smooth(self.loss, groups, self.unit)
        model = smoothing.model(self.u[:m], self.eps, w[:m], self.flow)
        slope, curvature, value = model.slope, model.curvature, model.value
        if len(w) > m:
            slope = np.concatenate([slope, 2 * w[m:] * self.u[m:]])
            curvature = np.concatenate([curvature, 2 * w[m:]])
            value = value + sum_by(groups.held, w[m:] * self.u[m:] ** 2, groups.count)
        # Arcs of less curvature than this add nothing to the loss that the gap could show.
        floor = (1e-14 if smoothing.growth > 2 else 1e-20) * value
        curvature = np.maximum(curvature, groups.spread_over_all(floor))

        gradient = block.imbalance(slope)
        change = self.laplacian.solve(curvature, gradient, self.accuracy)
        turn = -block.differences(change)
        decrement = np.add.reduceat(gradient * change, block.start[:-1])
        flow = slope + curvature * turn
        self.flow = smoothing.follow(model, turn[:m], flow[:m])
        close = (decrement <= CLOSE * self.tol**0.5 * value) & (self.eps < 0.5)
        if close.any():
            self._certify(w, turn, change, curvature, flow, close)

        stuck = ~((decrement > 1e-15 * value) & np.isfinite(decrement))
        if stuck.any():
            self._sharpen()
        length, fit = search(smoothing, block, self.u, turn, self.eps, w, value, decrement, stuck)
        self.u = self.u + groups.spread_over_all(length) * turn
        self.moved = self.moved + np.repeat(length * self.unit, np.diff(block.start)) * change
        self.eps = self.eps * np.where(stuck, 0.1, _shrinkage(fit))

    def _change_unit(self, factor: Floats) -> None:
        factor = np.maximum(factor, 1e-290)
        self.unit = self.unit * factor
        self.u = self.u / self.block.groups.spread_over_all(factor)
        self.eps = self.eps / factor

    def _sharpen(self) -> None:
        """Solve the next systems more accurately."""
        self.accuracy = max(1e-2 * self.accuracy, 1e-13)

    def _certify(
        self,
        w: Floats,
        turn: Floats,
        change: Floats,
        curvature: Floats,
        flow: Floats,
        close: Mask,
    ) -> None:
        before = self.proof.gap[self.alive]
        proof = certificate.Bound(flow, flow[:0])
        if isinstance(self.loss, ConjugateLoss):
            scaled = scale(self.loss, self.block.groups, self.unit)
            proof = certificate.bound(self.laplacian, scaled, self.u, w, curvature, flow)
        self._compare(w, turn, 1.0, change, proof)
        self._compare(w, turn, 0.0, change, proof)
        gap = self.proof.gap[self.alive]
        # eps shrank since the last time, so the gap should have: the flow is not conserved enough.
        if (close & (gap > self.tol) & (gap > 0.5 * before)).any():
            self._sharpen()

    def _compare(
        self, w: Floats, turn: Floats, t: float, change: Floats, proof: certificate.Bound
    ) -> None:
        """Certify the residuals ``u + t turn``; keep x and flow where that is progress."""
        gap = self._gap(w, turn, t, proof)
        better = gap < self.proof.gap[self.alive]
        if better.any():
            x = self.origin + self.moved
            x = x + t * np.repeat(self.unit, np.diff(self.block.start)) * change
            self._keep(better, gap, x, proof.flow)

    def _gap(self, w: Floats, turn: Floats, t: float, proof: certificate.Bound) -> Floats:
        block, m = self.block, self.block.m
        scaled = scale(self.loss, block.groups, self.unit)
        if not isinstance(self.loss, ConjugateLoss):
            return certificate.gradient_norm(block, scaled, self.u + t * turn, w)
        cost, excess = certificate.measure(block, scaled, self.u, turn, t, w, proof)
        margin = AGREEMENT * np.abs(block.y[:m]) / block.groups.spread(self.unit)
        floor = block.groups.sum(w[:m] * scaled.value(margin))
        return np.where(excess > 0, excess / np.maximum(cost, floor), 0.0)

    def _keep(self, better: Mask, gap: Floats, x: Floats, flow: Floats) -> None:
        block, proof = self.block, self.proof
        nodes = np.repeat(better, np.diff(block.start))
        arcs = better[block.groups.index_of_all]
        proof.x[self.nodes[nodes]] = x[nodes]
        proof.flow[self.arcs[arcs]] = flow[arcs]
        proof.gap[self.alive[better]] = gap[better]
        proof.unit[self.alive[better]] = self.unit[better]

    def _retire(self, done: Mask) -> None:
        """Drop finished components, once they are worth the copying."""
        done = done | (self.eps < SMALLEST_EPS)
        if done.all():
            self.alive = self.alive[:0]
            return
        size = np.diff(self.block.groups.first)
        if 2 * size[done].sum() < size.sum():
            return
        self.block, arcs, nodes = self.block.select(~done)
        hard = self.laplacian.hard
        self.laplacian = Laplacian(self.block)
        self.laplacian.hard = hard
        self.alive = self.alive[~done]
        self.arcs, self.nodes = self.arcs[arcs], self.nodes[nodes]
        self.u, self.moved, self.origin = self.u[arcs], self.moved[nodes], self.origin[nodes]
        self.unit, self.top, self.eps = self.unit[~done], self.top[~done], self.eps[~done]
        if self.flow is not None:
            self.flow = self.flow[..., arcs[: self.flow.shape[-1]]]


def _shrinkage(fit: Floats) -> Floats:
    """Return the factor on eps: the better the full step fitted, the smaller."""
    return np.select(
        [fit <= 0.01, fit <= 0.05, fit <= 0.25, fit <= 0.5, fit <= 1],
        [0.03, 0.1, 0.3, 0.5, 0.8],
        1.0,
    )
