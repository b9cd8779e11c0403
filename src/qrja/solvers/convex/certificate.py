"""The proof: a conserved flow and how far the loss at x exceeds its bound.

For residuals r and any flow f with ``A^T f = 0``, ``f . r = f . y``, so that

    loss(x) - bound(f) = sum_i [ h_i(r_i) + h_i*(f_i) - f_i r_i ]

with every term at least 0 (Fenchel and Young): nothing cancels, and the sum is trustworthy down
to rounding. ``h_i = w_i f`` has ``h_i*(s) = w_i f*(s / w_i)``.

The flow of a Newton step is conserved up to the error of its linear solve. What is left is sent
over a spanning tree of the heaviest arcs, those on which a change of flow costs least.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Mask, sum_by
from qrja.laplacian.network import Block, Laplacian, balance
from qrja.losses import KnownLoss
from qrja.solution import ROUNDED, UNIT
from qrja.solvers.convex.kernels import power as power_kernels
from qrja.solvers.convex.smoothing import Scaled, cost_of

ScaledLoss = KnownLoss | Scaled

SHARE = 1e-12
"""Of its weight, that a judgment counts at least when ways are chosen for what is left over. A
bounded loss is flat far out; but the rounding of a heavy flow is more than light ones can carry."""


class Bound(NamedTuple):
    """A conserved flow and its conjugate terms ``h*(f)`` on the arcs with the loss."""

    flow: Floats
    terms: Floats


def bound(
    laplacian: Laplacian, loss: ScaledLoss, u: Floats, w: Floats, curvature: Floats, flow: Floats
) -> Bound:
    """Turn the flow of a Newton step into a bound: within its limits, conserved, well scaled.

    A loss of bounded slopes takes the flow, held within them before it is balanced, or as much of
    it as respects the limits afterwards. For ``|t|^p`` without a ridge the best multiple of a flow
    is known in closed form.
    """
    block, m = laplacian.block, laplacian.block.m
    low, high = loss.slopes
    bounded = bool(np.isfinite(high).all())
    if bounded:
        flow = np.concatenate([np.clip(flow[:m], low * w[:m], high * w[:m]), flow[m:]])
        curvature = np.maximum(curvature, SHARE * w)
    flow = balance(laplacian, curvature, flow)
    if loss.power is not None and not bounded:
        return _bound_of_power(block, loss.power, u, w, flow)
    if bounded:
        slope = flow[:m] / w[:m]
        # A hair less than allowed, so that rounding does not carry it over the edge.
        most = block.groups.max(np.maximum(slope / high, slope / low)) * (1 + 1e-15)
        flow = flow / block.groups.spread_over_all(np.maximum(most, 1.0))
    return Bound(flow, w[:m] * loss.conjugate(flow[:m] / w[:m]))


def _bound_of_power(block: Block, p: float, u: Floats, w: Floats, flow: Floats) -> Bound:
    """Scale by ``(f.u / (q sum h*(f)))^(p-1)``; what might overflow is relative to its peak."""
    groups, m, q = block.groups, block.m, p / (p - 1)
    terms = np.empty(m)
    peak, power, gain = power_kernels.conjugate(groups.first, u[:m], w[:m], flow[:m], p, terms)
    if len(flow) > m:
        return Bound(flow, (p - 1) * groups.spread(peak**q) * terms)
    ratio = np.maximum(gain, 0.0) / (p * power * peak)
    flow *= groups.spread(ratio ** (p - 1) / peak)
    terms *= (p - 1) * groups.spread(ratio**p)
    return Bound(flow, terms)


def measure(
    block: Block, loss: ScaledLoss, u: Floats, w: Floats, bound: Bound
) -> tuple[Floats, Floats]:
    """Return, per component, the loss at residuals u and its excess over the bound."""
    m, groups = block.m, block.groups
    flow, terms = bound
    if loss.power is not None:
        arcs = (groups.first, u[:m], w[:m], flow[:m], terms, loss.power)
        cost, excess = power_kernels.excess(*arcs)
    else:
        value = w[:m] * loss.value(u[:m])
        cost = groups.sum(value)
        excess = groups.sum(np.maximum(value + terms - flow[:m] * u[:m], 0.0))
    if len(u) > m:
        held, ridge = u[m:], w[m:]
        miss = (flow[m:] - 2 * ridge * held) ** 2 / (4 * ridge)
        cost = cost + sum_by(groups.held, ridge * held * held, groups.count)
        excess = excess + sum_by(groups.held, miss, groups.count)
    return cost, excess


class Agreement:
    """The loss beside which the rounding of margins is a gap of 1e-9, in whatever unit."""

    def __init__(self, block: Block, loss: KnownLoss, top: Floats) -> None:
        m, groups = block.m, block.groups
        size, w = np.abs(block.y[:m]), block.w[:m] / groups.spread(top)
        self.loss, self.peak = loss, np.maximum(groups.max(size), 1e-290)
        if loss.power is not None:
            value = loss.value(size / groups.spread(self.peak))
        else:
            value = loss.cost_of_rounding(UNIT * size)
        self.total = groups.sum(w * value)

    def measure(self, block: Block, w: Floats, unit: Floats) -> Floats:
        """Return the loss per component, given its unit and the weights in it."""
        if self.loss.power is not None:
            total = self.total * (UNIT * self.peak / unit) ** self.loss.power
        else:
            total = self.total / cost_of(self.loss, unit)
        held = block.groups.held
        size = UNIT * np.abs(block.y[block.m :]) / unit[held]
        return (total + sum_by(held, w[block.m :] * size**2, len(total))) / ROUNDED

    def select(self, chosen: Mask) -> None:
        """Keep some components."""
        self.peak, self.total = self.peak[chosen], self.total[chosen]


def gradient_norm(block: Block, loss: ScaledLoss, u: Floats, w: Floats) -> Floats:
    """Return, per component, the largest gradient entry over the largest sum of absolute slopes."""
    m = block.m
    slope = np.concatenate([w[:m] * loss.slope(u[:m]), 2 * w[m:] * u[m:]])
    size = np.abs(slope)
    total = np.bincount(block.a, size, block.n) + np.bincount(block.b, size, block.n)
    gradient = np.abs(block.imbalance(slope))
    gradient[block.ground[block.ground >= 0]] = 0.0
    first = block.start[:-1]
    largest = np.maximum.reduceat(total, first)
    return np.maximum.reduceat(gradient, first) / np.maximum(largest, 1e-300)
