"""The proof: a conserved flow and how far the loss at x exceeds its bound.

For residuals r and any flow f with ``A^T f = 0``, ``f . r = f . y``, so that

    loss(x) - bound(f) = sum_i [ h_i(r_i) + h_i*(f_i) - f_i r_i ]

with every term at least 0 (Fenchel and Young): nothing cancels, and the sum is trustworthy down
to rounding. ``h_i = w_i f`` has ``h_i*(s) = w_i f*(s / w_i)``.

The flow of a Newton step is conserved up to the error of its linear solve. What is left is sent
over a spanning tree of the heaviest arcs, those on which a change of flow costs least.
"""

from __future__ import annotations

import numpy as np

from qrja._arrays import Floats
from qrja.losses import ConjugateLoss, Loss, Power
from qrja.solvers import _kernels_graph as kernels
from qrja.solvers._linear import Laplacian
from qrja.solvers._network import Block


def balance(laplacian: Laplacian, weight: Floats, flow: Floats) -> Floats:
    """Return the flow with its imbalance sent over the heaviest spanning forest."""
    block = laplacian.block
    conductance = laplacian.conductance(weight)
    forest = kernels.heaviest_forest(block.n, laplacian.low, laplacian.high, conductance)
    order, parent, pair = kernels.root_forest(block.n, laplacian.low, laplacian.high, forest)
    arc = kernels.heaviest_arcs(laplacian.pair, weight, len(laplacian.low))[pair]
    flow = flow.copy()
    # Once for the imbalance, once for the rounding of the first time.
    for _ in range(2):
        kernels.drain(order, parent, arc, block.a, block.imbalance(flow), flow)
    return flow


def hold(block: Block, loss: ConjugateLoss, w: Floats, flow: Floats) -> Floats:
    """Return the flow with every arc held within the slopes of the loss."""
    held = flow.copy()
    low, high = loss.slopes
    held[: block.m] = np.clip(flow[: block.m], low * w[: block.m], high * w[: block.m])
    return held


def shrink(block: Block, loss: ConjugateLoss, u: Floats, w: Floats, flow: Floats) -> Floats:
    """Return the multiple of the flow that the conjugate likes best, or at least allows.

    Without a ridge, ``|t|^p`` has its best multiple in closed form. A loss of bounded slopes
    takes the whole flow, or as much of it as respects the bounds.
    """
    low, high = loss.slopes
    slope = flow[: block.m] / w[: block.m]
    if np.isfinite(high).all():
        # A hair less than allowed, so that rounding does not carry it over the edge.
        excess = block.groups.max(np.maximum(slope / high, slope / low))
        factor = np.where(excess > 1 - 1e-15, (1 - 1e-15) / np.maximum(excess, 1e-300), 1.0)
    elif isinstance(loss, Power) and len(flow) == block.m:
        factor = _best_multiple(block, loss.p, u, w, slope)
    else:
        return flow
    return flow * block.groups.spread(factor)


def _best_multiple(block: Block, p: float, u: Floats, w: Floats, slope: Floats) -> Floats:
    """Return ``(f.u / (q sum h*(f)))^(p-1)``, taking logarithms of what might overflow."""
    q = p / (p - 1)
    size = np.abs(slope) / p
    peak = np.maximum(block.groups.max(size), 1e-300)
    power = block.groups.sum(w * (size / block.groups.spread(peak)) ** q)
    gain = block.groups.dot(w * slope, u)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        exponent = (p - 1) * (np.log(gain) - np.log((p - 1) * q * power)) - p * np.log(peak)
        factor = np.exp(exponent)
    return np.where((gain > 0) & np.isfinite(factor), factor, 0.0)


def measure(
    block: Block, loss: ConjugateLoss, u: Floats, w: Floats, flow: Floats
) -> tuple[Floats, Floats]:
    """Return, per component, the loss and its excess over the bound of a conserved flow."""
    m, groups = block.m, block.groups
    with np.errstate(over="ignore", invalid="ignore"):
        value = w[:m] * loss.value(u[:m])
        terms = value + w[:m] * loss.conjugate(flow[:m] / w[:m]) - flow[:m] * u[:m]
    cost, excess = groups.sum(value), groups.sum(np.maximum(terms, 0.0))
    if len(u) > m:
        held, ridge = u[m:], w[m:]
        with np.errstate(divide="ignore", invalid="ignore"):
            miss = np.where(ridge > 0, (flow[m:] - 2 * ridge * held) ** 2 / (4 * ridge), 0.0)
        index = groups.index[m:]
        cost = cost + np.bincount(index, ridge * held * held, groups.count)
        excess = excess + np.bincount(index, miss, groups.count)
    return cost, excess


def gradient_norm(block: Block, loss: Loss, u: Floats, w: Floats) -> Floats:
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
