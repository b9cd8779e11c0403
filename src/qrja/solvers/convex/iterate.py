"""Where a block stands: its scores, their residuals in units, and the best proof so far.

    u  =  (y - A (x + rest)) / unit,        loss  =  top * cost(unit) * sum_i w_i f(u_i),
    w  =  (weight / top, ridge * unit^2 / cost(unit) / top)        cost(unit) = unit^p for |t|^p

Each component has a unit (its largest residual at the start) and a top (its largest weight), so
that the loops see numbers of size 1 whatever the data. Scores are kept with what they lost to
rounding (as x + rest) and residuals are taken from both afresh after every move, so that margins
which agree up to a billionth leave digits to work with. Components that are done leave; the proof
keeps the whole block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from qrja.data import Floats, Mask, Offsets, sum_by
from qrja.interrupts import undisturbed
from qrja.laplacian import two_sum
from qrja.laplacian.network import Block, Laplacian
from qrja.losses import KnownLoss
from qrja.solvers.convex import certificate
from qrja.solvers.convex.smoothing import cost_of, scale

Report = Callable[[float], None]

SMALLEST_UNIT = 1e-140
"""Of a component without residuals: its square is still a float."""
LEAST_SHARE = 1e-30
"""Of what the ridge pulls at: less would not show beside it."""
BRIEF = 2_000
"""Arcs up to which a step takes about a millisecond."""


@dataclass(eq=False)
class Proof:
    """The best x and flow of a block, and the unit and top of each component they are given in.

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


class Iterate:
    """Scores ``x`` and residuals ``u`` of the components of a block that are not done yet.

    ``warm`` tells which components began from scores that were given.
    """

    def __init__(self, block: Block, loss: KnownLoss, start: Floats | None) -> None:
        self.block, self.loss = block, loss
        self.laplacian = Laplacian(block)
        groups, m = block.groups, block.m
        self.top = groups.max(block.w[:m])
        self.warm = np.zeros(groups.count, dtype=bool)
        self.x = self._begin(start)
        self.rest = np.zeros(block.n)
        residual = block.residuals(self.x, self.rest)
        self.unit = np.maximum(groups.max(np.abs(residual[:m])), self._smallest_unit(residual[m:]))
        self.u = residual / groups.spread_over_all(self.unit)
        self.agreement = certificate.Agreement(block, loss, self.top)
        self.alive: Offsets = np.arange(groups.count)
        self._arcs, self._nodes = np.arange(len(block.w)), np.arange(block.n)
        gap = np.full(groups.count, np.inf)
        flow = np.zeros(len(block.w))
        self.proof = Proof(block, self.x.copy(), flow, self.unit.copy(), self.top.copy(), gap)
        nothing = certificate.Bound(np.zeros(len(block.w)), np.zeros(m))
        self.compare(self.weights(), nothing)

    def _smallest_unit(self, held: Floats) -> Floats:
        """Return the smallest unit in which what the ridge pulls at is still of usual size.

        For a power, whose residuals may be many orders of magnitude smaller, it is the residual
        that costs as much as the ridge does.
        """
        groups, block = self.block.groups, self.block
        unit = np.full(groups.count, SMALLEST_UNIT)
        if not len(held):
            return unit
        np.maximum.at(unit, groups.held, LEAST_SHARE * np.abs(held))
        known = self.loss.has_conjugate and not self.loss.kinks
        if known and np.isfinite(self.loss.slopes).all():
            # A ridge that is stronger than the steepest slope leaves the scores where it pulls.
            there = block.residuals(block.target, np.zeros(block.n))[: block.m]
            unit = np.maximum(unit, groups.max(np.abs(there)))
        if self.loss.power is not None:
            cost = sum_by(groups.held, block.w[block.m :] * held * held, groups.count)
            share = cost / groups.sum(block.w[: block.m])
            unit = np.maximum(unit, share ** (1 / self.loss.power))
        return unit

    def repeat(
        self, step: Callable[[], None], retire: Callable[[], None], most: int, report: Report
    ) -> Proof:
        """Take steps until no component is left to improve, at most so many."""
        retire()
        # Calls within a call that is undisturbed are free: a step of few arcs is over before
        # anybody notices, and would spend a tenth of its time on holding Ctrl-C back.
        take = partial(undisturbed, step) if self.block.m <= BRIEF else step
        while len(self.alive) and self.proof.steps < most:
            self.proof.steps += 1
            take()
            report(float(self.proof.gap.max()))
            retire()
        return self.proof

    def weights(self) -> Floats:
        """Return the weights of all arcs, see :func:`weigh`."""
        return weigh(self.block, self.loss, self.unit, self.top)

    @property
    def gap(self) -> Floats:
        """The best gap of each component."""
        return self.proof.gap[self.alive]

    def _begin(self, start: Floats | None) -> Floats:
        """Take the given scores of the components they fit better than scores of 0 do."""
        block = self.block
        if start is not None:
            given, nowhere = block.settle(start[block.nodes]), np.zeros(block.n)
            worth = block.groups.sum(block.w * block.residuals(given, nowhere) ** 2)
            self.warm = worth < block.groups.sum(block.w * block.y**2)
        if self.warm.all():
            return given
        x = self._least_squares()
        if self.loss.power is not None and self.loss.power > 2 and len(block.w) > block.m:
            x = np.where(block.spread(self._is_held(x, self.loss.power)), block.target, x)
        return np.where(block.spread(self.warm), given, x) if self.warm.any() else x

    def _is_held(self, x: Floats, p: float) -> Mask:
        """Tell which components are better off where the ridge pulls than at scores x.

        Of residuals well below 1 a high power leaves next to nothing, and a square a lot: such a
        ridge is all that counts, and from afar no step ends where it pulls to the last digit.
        """
        block, groups, m = self.block, self.block.groups, self.block.m
        at_x, there = (block.residuals(s, np.zeros(block.n)) for s in (x, block.target))
        unit = groups.max(np.maximum(np.abs(at_x), np.abs(there))[:m])
        unit = np.maximum(unit, SMALLEST_UNIT)
        cost, least = (
            groups.sum(block.w[:m] * (np.abs(r[:m]) / groups.spread(unit)) ** p)
            for r in (at_x, there)
        )
        share = block.w[m:] * (at_x[m:] / unit[groups.held]) ** 2
        # Infinite, perhaps, in the cost of a unit.
        pulled = sum_by(groups.held, share, groups.count) * unit ** (2 - p)
        return least < cost + pulled

    def _least_squares(self) -> Floats:
        """Solve the problem with squares instead, again on the residuals until they stay."""
        block = self.block
        weight = block.w / block.groups.spread_over_all(self.top)
        x, rest = np.zeros(block.n), np.zeros(block.n)
        for _ in range(4):
            residual = block.residuals(x, rest)
            change = self.laplacian.solve(weight, block.imbalance(weight * residual), 1e-6)
            x = block.settle(x + change)
            if np.abs(block.differences(change)).max() <= 1e-3 * np.abs(residual).max():
                break
        return x

    def move(self, change: Floats, length: Floats) -> None:
        """Go ``length`` times the change of the scores, which is in units."""
        block = self.block
        step = block.spread(length * self.unit) * change
        step = np.where(np.isfinite(step), step, 0.0)
        x, rest = two_sum(self.x, self.rest + step)
        self.x, self.rest = two_sum(x, rest - block.spread(block.level(x + rest)))
        grounds = block.ground[block.ground >= 0]
        self.x[grounds] = self.rest[grounds] = 0.0
        self.u = block.residuals(self.x, self.rest) / block.groups.spread_over_all(self.unit)

    def change_unit(self, factor: Floats) -> None:
        """Multiply the unit of each component, as far as units go."""
        factor = np.maximum(factor, SMALLEST_UNIT / self.unit)
        self.unit = self.unit * factor
        self.u = self.u / self.block.groups.spread_over_all(factor)

    def certify(self, w: Floats, curvature: Floats, flow: Floats) -> None:
        """Prove the scores as good as the flow of a step allows."""
        if not self.loss.has_conjugate:
            self.compare(w, certificate.Bound(flow, flow[:0]))
            return
        scaled = scale(self.loss, self.block.groups, self.unit)
        self.compare(w, certificate.bound(self.laplacian, scaled, self.u, w, curvature, flow))

    def compare(self, w: Floats, bound: certificate.Bound) -> None:
        """Keep scores and flow of the components whose gap is the best so far."""
        block, proof = self.block, self.proof
        gap, flow = self._gap(w, bound)
        better = gap < self.gap
        if not better.any():
            return
        proof.gap[self.alive[better]] = gap[better]
        proof.unit[self.alive[better]] = self.unit[better]
        if better.all() and len(better) == len(proof.gap):
            proof.x, proof.flow = self.x + self.rest, flow
            return
        nodes = block.spread(better)
        arcs = better[block.groups.index_of_all]
        proof.x[self._nodes[nodes]] = self.x[nodes] + self.rest[nodes]
        proof.flow[self._arcs[arcs]] = flow[arcs]

    def _gap(self, w: Floats, bound: certificate.Bound) -> tuple[Floats, Floats]:
        block = self.block
        scaled = scale(self.loss, block.groups, self.unit)
        if not self.loss.has_conjugate:
            return certificate.gradient_norm(block, scaled, self.u, w), bound.flow
        cost, excess = certificate.measure(block, scaled, self.u, w, bound)
        # Losses are at least 0: where a flow proves less than that, none is better.
        useful = excess < cost
        excess = np.where(useful, excess, cost)
        floor = np.maximum(cost, self.agreement.measure(block, w, self.unit))
        gap = np.where(excess > 0, excess / floor, 0.0)
        if useful.all():
            return gap, bound.flow
        return gap, np.where(block.groups.spread_over_all(useful), bound.flow, 0.0)

    def retire(self, done: Mask) -> tuple[Mask, Mask] | None:
        """Drop finished components once that is worth the copying.

        Return which components and which arcs stayed, or None if all did.
        """
        if not done.any():
            return None
        size = np.diff(self.block.groups.first)
        if not done.all() and 2 * size[done].sum() < size.sum():
            return None
        stay, hard = ~done, self.laplacian.hard
        self.alive = self.alive[stay]
        self.unit, self.top = self.unit[stay], self.top[stay]
        self.agreement.select(stay)
        self.block, arcs, nodes = self.block.select(stay)
        if len(self.alive):
            self.laplacian = Laplacian(self.block)
            self.laplacian.hard = hard
        self._arcs, self._nodes = self._arcs[arcs], self._nodes[nodes]
        self.u, self.x, self.rest = self.u[arcs], self.x[nodes], self.rest[nodes]
        return stay, arcs


def weigh(block: Block, loss: KnownLoss, unit: Floats, top: Floats) -> Floats:
    """Return the weights of all arcs in the unit and cost of each component."""
    m, groups = block.m, block.groups
    w = block.w[:m] / groups.spread(top)
    if len(block.w) == m:
        return w
    factor = unit**2 / cost_of(loss, unit) if loss.power is None else unit ** (2 - loss.power)
    # Beyond these bounds the ridge is everything or nothing, and would not fit a float.
    ridge = np.clip(block.w[m] * factor / top, 1e-200, 1e150)
    return np.concatenate([w, ridge[groups.held]])
