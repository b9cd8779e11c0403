"""How far to go along a Newton direction: where the derivative fell to a quarter of the first.

The smoothed loss F along a direction is convex, so its derivative alone says where to look next:
beyond while it is negative, and between two points of different sign at the zero of the secant.
A loss that grows like ``t^p`` with p > 2 is searched on ``F^(2/p)``, which grows like a square: its
Newton direction is the same and its Newton step longer,
``1 / (1 - (1 - 2/p) decrement / F)`` times, which is ``p - 1`` for a pure power.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Mask, sum_by
from qrja.laplacian.network import Block
from qrja.solvers.convex.smoothing import Smoothing

TRIALS = 40
"""A secant mostly ends after two or three; halving alone would reach 1e-12."""


def search(
    smoothing: Smoothing,
    block: Block,
    u: Floats,
    turn: Floats,
    eps: Floats,
    w: Floats,
    value: Floats,
    decrement: Floats,
    stuck: Mask,
) -> tuple[Floats, Floats]:
    """Return a step per component, 0 where stuck, and how much slope the first trial left."""
    count, p = block.groups.count, smoothing.growth
    root = np.where(_ridge(block, u, w) < 0.5 * value, 1 - 2 / p, 0.0) if p > 2 else np.zeros(count)
    trial = np.where(root > 0, 1 / np.maximum(1 - root * decrement / value, 1 / (p - 1)), 1.0)
    longest = 4 * trial
    trial[stuck] = 0.0
    low, high = np.zeros(count), np.full(count, np.inf)
    at_low, at_high = -decrement, np.full(count, np.inf)
    fit = np.full(count, np.nan)
    looking = ~stuck
    for _ in range(TRIALS):
        if not looking.any():
            break
        total, now = _look(smoothing, block, u, turn, trial, eps, w)
        if p > 2:
            now = now * (total / value) ** -root
        now = np.where(np.isnan(now), np.inf, now)
        fit = np.where(np.isnan(fit), np.abs(now) / decrement, fit)
        near = np.abs(now) <= 0.25 * decrement
        looking &= ~(near | ((now < 0) & (trial >= longest)))
        below = now < 0
        low, at_low = np.where(below, trial, low), np.where(below, now, at_low)
        high, at_high = np.where(below, high, trial), np.where(below, at_high, now)
        trial = np.where(looking, _between(low, high, at_low, at_high), trial)
    return trial, np.where(np.isnan(fit), 1.0, fit)


def _ridge(block: Block, u: Floats, w: Floats) -> Floats:
    """Return the part of the loss that is the ridge's, a square already."""
    m, groups = block.m, block.groups
    return sum_by(groups.held, w[m:] * u[m:] ** 2, groups.count)


def _look(
    smoothing: Smoothing,
    block: Block,
    u: Floats,
    turn: Floats,
    t: Floats,
    eps: Floats,
    w: Floats,
) -> tuple[Floats, Floats]:
    """Return value and derivative at ``u + t turn``, per component."""
    m, groups = block.m, block.groups
    total, slope = smoothing.along(u[:m], turn[:m], t, eps, w[:m])
    if len(u) > m:
        held = u[m:] + t[groups.held] * turn[m:]
        total = total + sum_by(groups.held, w[m:] * held * held, groups.count)
        slope = slope + sum_by(groups.held, 2 * w[m:] * held * turn[m:], groups.count)
    return total, slope


def _between(low: Floats, high: Floats, at_low: Floats, at_high: Floats) -> Floats:
    """Return the zero of the secant, kept off the ends, or twice ``low`` without a ``high``."""
    share = np.where(np.isfinite(at_high), at_low / (at_low - at_high), 0.1)
    inside = low + np.clip(share, 0.1, 0.9) * (high - low)
    return np.where(np.isfinite(high), inside, 2 * low)
