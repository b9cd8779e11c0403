"""How far to go along a Newton direction: where the derivative fell to a quarter of the first.

The smoothed loss F along a direction is convex, so its derivative alone says where to look next:
beyond while it is negative, and between two points of different sign at the zero of the secant.
A loss that grows like ``t^p`` with p > 2 is searched on ``F^(2/p)``, which grows like a square: its
Newton direction is the same and its Newton step longer,
``1 / (1 - (1 - 2/p) decrement / F)`` times, which is ``p - 1`` for a pure power.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qrja.data import Floats, Mask

TRIALS = 40
"""A secant mostly ends after two or three; halving alone would reach 1e-12."""


Look = Callable[[Floats], tuple[Floats, Floats]]
"""Value and derivative of the loss of each component after a step of some length."""


def search(
    look: Look,
    growth: float,
    value: Floats,
    squares: Floats,
    decrement: Floats,
    stuck: Mask,
) -> tuple[Floats, Floats]:
    """Return a step per component, 0 where stuck, and how much slope the first trial left.

    ``value`` is the loss before the step, ``squares`` the part of it that the ridge has.
    """
    count, p = len(value), growth
    root = np.where(squares < 0.5 * value, 1 - 2 / p, 0.0) if p > 2 else np.zeros(count)
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
        total, now = look(trial)
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


def shrinkage(fit: Floats) -> Floats:
    """Return the factor on eps: the better the full step fitted, the smaller."""
    return np.select(
        [fit <= 0.01, fit <= 0.05, fit <= 0.25, fit <= 0.5, fit <= 1],
        [0.03, 0.1, 0.3, 0.5, 0.8],
        1.0,
    )


def _between(low: Floats, high: Floats, at_low: Floats, at_high: Floats) -> Floats:
    """Return the zero of the secant, kept off the ends, or twice ``low`` without a ``high``."""
    share = np.where(np.isfinite(at_high), at_low / (at_low - at_high), 0.1)
    inside = low + np.clip(share, 0.1, 0.9) * (high - low)
    return np.where(np.isfinite(high), inside, 2 * low)
