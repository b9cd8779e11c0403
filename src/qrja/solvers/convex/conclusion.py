"""What the proofs of all blocks amount to, for the very x that is returned.

    objective = sum over components of  top * cost(unit) * measure

The loops work in the units of their components; here the residuals are taken afresh from the
rounded scores. Losses of components add up relative to the largest unit, so that ``|t|^50`` of
margins in the billions overflows at the very end, if at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from qrja.data import Floats, sum_by
from qrja.errors import InputError
from qrja.laplacian.network import Block, Network
from qrja.losses import KnownLoss
from qrja.solution import UNIT, Proved, Status, prove
from qrja.solvers.convex import certificate
from qrja.solvers.convex.iterate import Proof, weigh
from qrja.solvers.convex.smoothing import cost_of, scale

STEEPEST = 1e-7
"""What is left of a gradient at an optimum: losses that agree to 16 digits have slopes to 8."""


@dataclass(frozen=True, eq=False)
class Conclusion:
    """Totals over all components."""

    proved: Proved
    certificate: Literal["flow", "gradient"]
    norm: float | None
    flow: Floats
    """Per arc of the network, relative to ``scale`` of its component."""
    scale: Floats

    def flow_of_arcs(self) -> Floats:
        """Return the flow on every arc of the network, in units of the loss."""
        with np.errstate(over="ignore", invalid="ignore"):
            return check_flow(self.flow * self.scale, self.norm)


def check_flow(flow: Floats, norm: float | None) -> Floats:
    """Return a flow that floats can hold."""
    if not np.isfinite(flow).all():
        raise InputError(
            "the flow is too large for a float at this power; divide the margins by"
            f" {norm:.0e} and solve again"
        )
    return flow


def judge(
    network: Network, loss: KnownLoss, x: Floats, proofs: Sequence[Proof], tol: float
) -> Conclusion:
    """Weigh x, one score per candidate, against the flows of the proofs."""
    p = loss.power or 0.0
    score = np.concatenate([x, np.zeros(len(network.label) - network.n)])
    if p:
        proofs = [_make_room(proof, p, score[proof.block.nodes]) for proof in proofs]
    fixed = np.flatnonzero(network.a < 0)
    unit = max((float(proof.unit.max()) for proof in proofs), default=0.0)
    unit = max(unit, float(np.abs(network.y[fixed]).max(initial=0.0))) or 1.0
    if not p:
        unit = 1.0
    flow, scales = np.zeros(len(network.y)), np.ones(len(network.y))
    steepest = excess = rounding = 0.0
    with np.errstate(all="ignore"):
        objective = float((network.w[fixed] * loss.value(network.y[fixed] / unit)).sum())
        flow[fixed] = network.w[fixed] * loss.slope(network.y[fixed])
        for proof in proofs:
            block, groups = proof.block, proof.block.groups
            if p:
                size = proof.top * (proof.unit / unit) ** p
                lift = proof.top * proof.unit ** (p - 1)
            else:
                size = proof.top * cost_of(loss, proof.unit)
                lift = size / proof.unit
            cost, over, slip = _weigh_up(block, loss, score[block.nodes], proof, tol)
            objective += float((size * cost).sum())
            if loss.has_conjugate:
                excess += float((size * over).sum())
                rounding += float((size * slip).sum())
            else:
                steepest = max(steepest, float(over.max()))
            flow[block.arcs] = proof.flow[: block.m]
            scales[block.arcs] = groups.spread(lift)
        told = prove(objective, excess, rounding, tol)
        lost = told.objective, told.lower_bound, told.rounding
        value, lower, rounding = (enlarge(number, unit, p) for number in lost)
        proved = Proved(value, lower, told.gap, rounding, told.status)
        if not loss.has_conjugate:
            close = steepest <= max(tol, STEEPEST)
            status: Status = "optimal" if close else "inexact"
            proved = Proved(objective, -np.inf, steepest, 0.0, status)
        return Conclusion(
            proved=proved,
            certificate="flow" if loss.has_conjugate else "gradient",
            norm=unit * objective ** (1 / p) if p else None,
            flow=flow,
            scale=scales,
        )


def enlarge(loss: float, unit: float, p: float) -> float:
    """Return ``loss * unit^p``, which may fit a float though the power does not."""
    full = float(np.power(unit, p))
    if loss == 0:
        return 0.0
    if 1e-290 < full < np.inf:
        return float(loss * full)
    return float(np.power(unit * loss ** (1 / p), p))


def _make_room(proof: Proof, p: float, x: Floats) -> Proof:
    """Enlarge units to the residuals that rounding x has left, lest their powers overflow."""
    block, groups = proof.block, proof.block.groups
    residual = block.residuals(x, np.zeros(len(x)))[: block.m]
    unit = np.maximum(proof.unit, groups.max(np.abs(residual)))
    flow = proof.flow * groups.spread_over_all((proof.unit / unit) ** (p - 1))
    return replace(proof, unit=unit, flow=flow)


def _weigh_up(
    block: Block, loss: KnownLoss, x: Floats, proof: Proof, tol: float
) -> tuple[Floats, Floats, Floats]:
    """Return cost, excess and rounding of each component, in its own scale."""
    groups, m = block.groups, block.m
    u = block.residuals(x, np.zeros(len(x))) / groups.spread_over_all(proof.unit)
    w = weigh(block, loss, proof.unit, proof.top)
    scaled = scale(loss, groups, proof.unit)
    if not loss.has_conjugate:
        cost = groups.sum(np.concatenate([w[:m] * scaled.value(u[:m]), w[m:] * u[m:] ** 2]))
        return cost, certificate.gradient_norm(block, scaled, u, w), np.zeros(groups.count)
    terms = w[:m] * scaled.conjugate(proof.flow[:m] / w[:m])
    bound = certificate.Bound(proof.flow, terms)
    cost, excess = certificate.measure(block, scaled, u, w, bound)
    excess = np.minimum(excess, cost)
    if (excess <= tol * cost).all():
        return cost, excess, np.zeros(groups.count)
    slip = UNIT * (np.abs(x[block.a]) + np.abs(x[block.b]) + np.abs(block.y))
    slip = slip / groups.spread_over_all(proof.unit)
    near, bend = u[:m], slip[:m]
    moved = np.maximum(scaled.value(near + bend), scaled.value(near - bend)) - scaled.value(near)
    rounding = groups.sum(w[:m] * np.maximum(moved, 0.0))
    pulled = w[m:] * slip[m:] * (2 * np.abs(u[m:]) + slip[m:])
    return cost, excess, rounding + sum_by(groups.held, pulled, groups.count)
