"""Any p above 1 by passes: Newton's method, all pairs of a contest looked at and none kept.

The pulls are those of ``(r^2 + eps^2)^(p/2)``, in units of a residual: where eps is large, least
squares, and where it is 0, the loss itself. It need not become 0: what the smoothed flow proves too
little of a pair counts in full, and is of the size of ``eps^(1 + p)`` of all for p < 2 and of
``eps^4`` for p > 2. So eps shrinks until that is small enough.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from qrja.data import Floats
from qrja.jit import may_compile
from qrja.losses import KnownLoss, Power
from qrja.scale.newton_steps import Spot, newton_step
from qrja.scale.pass_proofs import DIGITS
from qrja.scale.passes import Passes, add_up
from qrja.scale.search import Reached, Search
from qrja.scale.shards import Shard
from qrja.scale.spanning import Edges, Routes
from qrja.solution import UNIT
from qrja.solvers.convex.streamed import PairBlocks, PairSums

STEPS = 200
SHRINK = 0.3
TOTALS = 3
"""How many numbers :func:`add_powers` adds up beside those of the candidates."""
FINER = 1e-2
"""How far conjugate gradients go: the loss is smooth, so steps that are nearly Newton's are few."""


def pair_sums(shard: Shard, loss: KnownLoss) -> PairSums | PairBlocks:
    """Return the sums over the pairs of a shard."""
    kind = PairSums if may_compile() else PairBlocks
    return kind(shard.start, np.ones(shard.entries), shard.weight, loss)


class _ShardPairs(NamedTuple):
    """The pairs of a shard at some x: their sums, residuals in units, and what contests share."""

    sums: PairSums | PairBlocks
    e: Floats
    eps: Floats
    ones: Floats

    @classmethod
    def of(cls, shard: Shard, unit: float, p: float, eps: float, x: Floats) -> _ShardPairs:
        e = (shard.score - x[shard.who]) / unit
        return cls(
            pair_sums(shard, Power(p)),
            e,
            np.full(len(shard.weight), eps),
            np.ones(len(shard.weight)),
        )


def add_powers(shard: Shard, out: Floats, unit: float, p: float, eps: float, x: Floats) -> None:
    """Add pulls, diagonal, loss, shortfall, what rounding may hide of it, and what pulls sum."""
    n, still = len(x), np.zeros(shard.entries)
    sums, e, smooth, ones = _ShardPairs.of(shard, unit, p, eps, x)
    bent = sums.slopes(e, smooth, ones).curvature
    found = sums.shortfalls(e, still, e, smooth, ones, np.inf * ones, ones)
    out[:n] += np.bincount(shard.who, found.leaving, n)
    out[n : 2 * n] += np.bincount(shard.who, bent, n)
    # A residual is off by a share of what it is the difference of.
    slip = np.abs(found.leaving) @ (np.abs(e) + 2 * np.abs(x[shard.who]) / unit)
    out[2 * n : 2 * n + TOTALS] += found.value.sum(), found.excess.sum(), slip + found.size.sum()
    out[2 * n + TOTALS :] += np.bincount(shard.who, found.through, n)


def add_power_product(
    shard: Shard, out: Floats, unit: float, p: float, eps: float, x: Floats, d: Floats
) -> None:
    """Add a product with the curvature."""
    sums, e, smooth, ones = _ShardPairs.of(shard, unit, p, eps, x)
    out += np.bincount(shard.who, sums.system(e, smooth, ones)(d[shard.who]), len(x))


def solve_power(
    passes: Passes,
    routes: Routes,
    x: Floats,
    search: Search,
    p: float,
    unit: float,
    eps: float = 0.3,
) -> Reached:
    """Minimise ``sum w |x_a - x_b - y|^p`` from x on; ``unit`` is the size of a residual."""
    n = passes.n
    # A power of two: then scores in it are the same to the last digit.
    unit = math.ldexp(1.0, math.frexp(unit)[1])
    in_units = Routes(n, Edges(*routes.edges[:3], routes.edges.y / unit))

    def look(x: Floats) -> Spot:
        out = add_up(passes, add_powers, 3 * n + TOTALS, unit, p, eps, x * unit)
        return Spot.of(out, n)

    x = x / unit
    spot, best = look(x), None
    for _ in range(STEPS):
        loss, smoothed, slip = (float(it) for it in spot.totals[:TOTALS])
        excess = smoothed + max(_cost_of_routing(in_units, spot, x, p, eps), 0.0)
        excess += UNIT * slip + DIGITS * loss
        here = Reached(x, loss, excess)
        best = here if best is None else best.improved(x, loss, loss - excess)
        search.arrive(passes, best._replace(x=best.x * unit), unit=unit, eps=eps)
        if best.gap <= search.tol or not loss > 0:
            break
        if excess < 2 * smoothed:  # what is missing is the smoothing
            eps *= SHRINK
            spot = look(x)
        product = partial(add_up, passes, add_power_product, n, unit, p, eps, x * unit)
        taken = newton_step(x, spot, routes.label, look, product, spot.diagonal, FINER)
        x, spot = taken.x, taken.spot
    assert best is not None
    power = unit**p
    return Reached(best.x * unit, best.objective * power, best.excess * power)


def _cost_of_routing(routes: Routes, spot: Spot, x: Floats, p: float, eps: float) -> float:
    """Return what sending the imbalance along the forest adds to the shortfall.

    Residuals are known to some digits, and what is carried to those of the pulls that it adds up:
    what counts is the worst of what they may be.
    """
    r, w, loss = routes.residuals(x), routes.edges.w, Power(p)
    size = routes.slips(x)
    carried = routes.carry(spot.pull) / w
    astray = UNIT * np.sqrt(routes.gather(spot.totals[TOTALS:] ** 2)) / w
    ends = r - size, r + size
    low, high = (p * it * (it * it + eps * eps) ** (0.5 * p - 1) for it in ends)
    moved = low - carried - astray, high - carried + astray
    with np.errstate(over="ignore", invalid="ignore"):
        most = np.max([loss.shortfall(t, s) for t in ends for s in moved], axis=0)
        least = np.min([loss.shortfall(t, s) for t, s in zip(ends, (low, high), strict=True)], 0)
        cost = float(np.sum(w * (most - np.where(size < np.abs(r), least, 0.0))))
    return cost if cost == cost else np.inf
