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

from qrja._arrays import Floats, Offsets
from qrja.losses import ConjugateLoss, Loss, Power
from qrja.solvers import _certificate as certificate
from qrja.solvers._linear import Laplacian
from qrja.solvers._network import Block, Mask
from qrja.solvers._smoothing import Scaled, Smoothing, cost_of, smooth

MOST_STEPS = 200
SMALLEST_EPS = 1e-30
AGREEMENT = 1e-7
"""Residuals below this share of the margins count as agreement up to rounding."""

Report = Callable[[int, float], None]


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
    w = block.w[:m] / groups.spread(top, m)
    if len(block.w) == m:
        return w
    with np.errstate(over="ignore", under="ignore"):
        if isinstance(loss, Power):
            factor = unit ** (2 - loss.p)
        else:
            factor = unit * unit / cost_of(loss, unit)
        # Beyond these bounds the ridge is everything or nothing, and would not fit a float.
        ridge = np.clip(block.w[m] * factor / top, 1e-200, 1e150)
    return np.concatenate([w, ridge[groups.index[m:]]])


def in_units(loss: Loss, block: Block, unit: Floats) -> Loss:
    """Return the loss as a function of residuals in the unit of their component."""
    if isinstance(loss, Power):
        return loss
    return Scaled(
        loss,
        block.groups.spread(unit, block.m),
        block.groups.spread(cost_of(loss, unit), block.m),
    )


class Descent:
    """The state of the loop on one block; :meth:`run` gives the proof."""

    def __init__(self, block: Block, loss: Loss, tol: float, start: Floats | None) -> None:
        self.loss, self.tol = loss, tol
        self.block = block
        self.laplacian = Laplacian(block)
        self.top = block.groups.max(block.w[: block.m])
        self.origin = self._least_squares() if start is None else start[block.nodes]
        residual = block.residuals(self.origin)
        self.unit = np.maximum(block.groups.max(np.abs(residual[: block.m])), 1e-290)
        self.u = residual / block.groups.spread(self.unit)
        self.moved = np.zeros(block.n)
        self.eps = np.ones(block.groups.count)
        self.flow: Floats | None = None
        self.accuracy = 1e-4
        # Everything above shrinks as components finish; the proof keeps the whole block.
        self.alive: Offsets = np.arange(block.groups.count)
        self.arcs, self.nodes = np.arange(len(block.w)), np.arange(block.n)
        self.proof = Proof(
            block,
            self.origin.copy(),
            np.zeros(len(block.w)),
            self.unit.copy(),
            self.top.copy(),
            np.full(block.groups.count, np.inf),
        )

    def run(self, report: Report) -> Proof:
        """Iterate until every component is certified or nothing more can be gained."""
        self._accept_agreement()
        while len(self.alive) and self.proof.steps < MOST_STEPS:
            self.proof.steps += 1
            self._step()
            report(self.proof.steps, float(self.proof.gap.max()))
            self._retire(self.proof.gap[self.alive] <= self.tol)
        return self.proof

    def _accept_agreement(self) -> None:
        """Finish the components whose judgments agree up to rounding: they need no flow."""
        nothing = np.zeros(len(self.u))
        w = weigh(self.block, self.loss, self.unit, self.top)
        scaled = in_units(self.loss, self.block, self.unit)
        self._compare(scaled, w, 0.0, nothing, nothing, nothing)
        self._retire(self.proof.gap <= self.tol)

    def _least_squares(self) -> Floats:
        """Solve the problem with squares instead, again on the residuals until they stay."""
        block = self.block
        weight = block.w / block.groups.spread(self.top)
        x = np.zeros(block.n)
        for _ in range(4):
            residual = block.residuals(x)
            change = self.laplacian.solve(weight, block.imbalance(weight * residual), 1e-6)
            x = block.settle(x + change)
            if np.abs(block.differences(change)).max() <= 1e-3 * np.abs(residual).max():
                break
        return x

    def _step(self) -> None:
        block, groups, m = self.block, self.block.groups, self.block.m
        if isinstance(self.loss, Power) and self.loss.p > 2:
            self._change_unit(groups.max(np.abs(self.u[:m])))
        w = weigh(block, self.loss, self.unit, self.top)
        scaled = in_units(self.loss, block, self.unit)
        unit = groups.spread(self.unit, m)
        smoothing = smooth(self.loss, unit, groups.spread(cost_of(self.loss, self.unit), m))
        spread_eps = groups.spread(self.eps, m)
        model = smoothing.model(self.u[:m], spread_eps, w[:m], self.flow)

        held = 2 * w[m:]
        slope = np.concatenate([model.slope, held * self.u[m:]])
        value = groups.sum(np.concatenate([model.value, 0.5 * held * self.u[m:] ** 2]))
        floor = (1e-14 if smoothing.growth > 2 else 1e-20) * value
        curvature = np.concatenate([model.curvature, held])
        curvature = np.maximum(curvature, groups.spread(floor))
        gradient = block.imbalance(slope)
        change = self.laplacian.solve(curvature, gradient, self.accuracy)
        turn = -block.differences(change)
        decrement = np.add.reduceat(gradient * change, block.start[:-1])
        flow = slope + curvature * turn
        self.flow = smoothing.step(model, turn[:m])
        if (decrement <= 1e-2 * value).any():
            before = self.proof.gap[self.alive]
            self._certify(scaled, w, turn, change, curvature, flow)
            gap = self.proof.gap[self.alive]
            # eps shrank since, so the gap should have; if not, the flow is not conserved enough.
            if ((gap > self.tol) & (gap > 0.5 * before) & (decrement <= 1e-2 * value)).any():
                self.accuracy = max(1e-2 * self.accuracy, 1e-13)
        self._advance(smoothing, w, slope, turn, change, value, decrement)

    def _change_unit(self, factor: Floats) -> None:
        factor = np.maximum(factor, 1e-290)
        self.unit = self.unit * factor
        self.u = self.u / self.block.groups.spread(factor)
        self.eps = self.eps / factor

    def _certify(
        self,
        scaled: Loss,
        w: Floats,
        turn: Floats,
        change: Floats,
        curvature: Floats,
        flow: Floats,
    ) -> None:
        block = self.block
        conj: ConjugateLoss = scaled  # type: ignore[assignment]
        if np.isfinite(conj.slopes[1]).all():
            flow = certificate.hold(block, conj, w, flow)
        flow = certificate.balance(self.laplacian, curvature, flow)
        flow = certificate.shrink(block, conj, self.u, w, flow)
        self._compare(conj, w, 1.0, turn, change, flow)
        self._compare(conj, w, 0.0, turn, change, flow)

    def _compare(
        self, scaled: Loss, w: Floats, t: float, turn: Floats, change: Floats, flow: Floats
    ) -> None:
        """Certify the residuals ``u + t turn`` by the flow; keep them where that is progress."""
        block, m = self.block, self.block.m
        conj: ConjugateLoss = scaled  # type: ignore[assignment]
        u = self.u + t * turn if t else self.u
        cost, excess = certificate.measure(block, conj, u, w, flow)
        with np.errstate(over="ignore"):
            margin = AGREEMENT * np.abs(block.y[:m]) / block.groups.spread(self.unit, m)
            floor = block.groups.sum(w[:m] * conj.value(margin))
        with np.errstate(invalid="ignore", divide="ignore"):
            gap = np.where(excess > 0, excess / np.maximum(cost, floor), 0.0)
        self._keep(np.where(np.isnan(gap), np.inf, gap), t, change, flow)

    def _keep(self, gap: Floats, t: float, change: Floats, flow: Floats) -> None:
        """Note x and flow of the components whose gap is the best so far."""
        better = gap < self.proof.gap[self.alive]
        if not better.any():
            return
        block, proof = self.block, self.proof
        x = self.origin + self.moved
        if t:
            x = x + t * change * np.repeat(self.unit, np.diff(block.start))
        nodes = np.repeat(better, np.diff(block.start))
        arcs = better[block.groups.index]
        proof.x[self.nodes[nodes]] = x[nodes]
        proof.flow[self.arcs[arcs]] = flow[arcs]
        proof.gap[self.alive[better]] = gap[better]
        proof.unit[self.alive[better]] = self.unit[better]

    def _advance(
        self,
        smoothing: Smoothing,
        w: Floats,
        slope: Floats,
        turn: Floats,
        change: Floats,
        value: Floats,
        decrement: Floats,
    ) -> None:
        groups = self.block.groups
        first = groups.dot(slope, turn)
        stuck = ~((first < 0) & (decrement > 1e-15 * value))
        if stuck.any():
            self.accuracy = max(1e-2 * self.accuracy, 1e-13)
        length, fit = self._search(smoothing, w, turn, value, first, decrement, stuck)
        self.u = self.u + groups.spread(length) * turn
        self.moved = self.moved + np.repeat(length * self.unit, np.diff(self.block.start)) * change
        self.eps = self.eps * np.where(stuck, 0.1, _shrinkage(fit))

    def _search(
        self,
        smoothing: Smoothing,
        w: Floats,
        turn: Floats,
        value: Floats,
        first: Floats,
        decrement: Floats,
        stuck: Mask,
    ) -> tuple[Floats, Floats]:
        """Find steps where the derivative fell to a quarter; return also the fit of the first."""
        groups, m, p = self.block.groups, self.block.m, smoothing.growth
        eps = groups.spread(self.eps, m)
        trial = np.ones(groups.count)
        if p > 2:
            # The Newton step of F^(2/p) has the same direction and this length.
            trial = 1 / (1 - np.minimum((1 - 2 / p) * decrement / value, 1 - 1e-6))
        longest = 4 * trial
        trial[stuck] = 0.0
        low, high = np.zeros(groups.count), np.full(groups.count, np.inf)
        at_low, at_high = first.copy(), np.zeros(groups.count)
        fit = np.full(groups.count, np.nan)
        open_ = ~stuck
        for _ in range(40):
            if not open_.any():
                break
            u = self.u + groups.spread(trial) * turn
            with np.errstate(over="ignore", invalid="ignore"):
                values, slopes = smoothing.look(u[:m], eps, w[:m])
                ridge = 2 * w[m:] * u[m:]
                now = groups.dot(np.concatenate([slopes, ridge]), turn)
                if p > 2:
                    total = groups.sum(np.concatenate([values, 0.5 * ridge * u[m:]]))
                    now = now * (total / value) ** (2 / p - 1)
            now = np.where(np.isnan(now), np.inf, now)
            fit = np.where(np.isnan(fit), np.abs(now) / np.abs(first), fit)
            good = np.abs(now) <= 0.25 * np.abs(first)
            good |= (now < 0) & (trial >= longest)
            open_ &= ~good
            below = now < 0
            low, at_low = np.where(below, trial, low), np.where(below, now, at_low)
            high, at_high = np.where(below, high, trial), np.where(below, at_high, now)
            trial = np.where(open_, _between(low, high, at_low, at_high), trial)
        return trial, np.where(np.isfinite(fit), fit, 1.0)

    def _retire(self, done: Mask) -> None:
        """Drop finished components, once they are worth the copying."""
        done = done | (self.eps < SMALLEST_EPS)
        if done.all():
            self.alive = self.alive[:0]
            return
        size = np.bincount(self.block.groups.index, minlength=self.block.groups.count)
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
            self.flow = self.flow[:, arcs[: self.flow.shape[1]]]


def _between(low: Floats, high: Floats, at_low: Floats, at_high: Floats) -> Floats:
    """Return the zero of the secant, kept off the ends, or twice ``low`` without a ``high``."""
    with np.errstate(invalid="ignore", over="ignore"):
        share = np.where(np.isfinite(at_high), -at_low / (at_high - at_low), 0.1)
    inside = low + np.clip(share, 0.1, 0.9) * (np.where(np.isinf(high), low, high) - low)
    return np.where(np.isinf(high), 2 * low, inside)


def _shrinkage(fit: Floats) -> Floats:
    """Return the factor on eps: the better the full step fitted, the smaller."""
    return np.select(
        [fit <= 0.01, fit <= 0.1, fit <= 0.25, fit <= 0.5], [0.03, 0.1, 0.25, 0.5], 0.8
    )
