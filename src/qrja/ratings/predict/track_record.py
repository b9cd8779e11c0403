"""Reliability: how often came true what was forecast with a probability of so much.

Every pair of every contest is forecast by ratings of the contests before it, as
:mod:`~qrja.ratings.predict.past_errors` walks through the past. For results ``m_a + s_a T`` and
``m_b + s_b T'`` with T and T' alike and independent,

    P(a beats b) = E F((m_a - m_b + s_a T) / s_b)

with F the distribution of T (:mod:`~qrja.ratings.predict.winning`). The favourite is the one with
more than 1/2; a tie counts half. Slopes, spread and tail were learned from the same
past, five numbers from thousands of pairs; the ratings are of earlier contests only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Offsets, whole_number
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.predict.noise import Noise
from qrja.ratings.predict.past_errors import Errors, walk_forward
from qrja.ratings.predict.winning import beats

MOST = 200_000
"""Pairs that are forecast; of more, every second, third and so on."""


@dataclass(frozen=True, eq=False)
class Forecasts:
    """Forecasts of the past, one for each pair: the favourite's chance, and what happened.

    Parameters
    ----------
    chance : array of float
        The probability that the favourite wins, from 1/2 to 1.
    won : array of float
        1 if the favourite did, 0 if not, 1/2 for a tie.
    """

    chance: Floats
    won: Floats

    def bins(self, count: int = 10) -> dict[str, Sequence[float]]:
        """Return columns forecast, happened, se and pairs, one line per bin with equally many.

        Examples
        --------
        >>> made = Forecasts(np.array([0.6, 0.9, 0.6, 0.9]), np.array([1.0, 1.0, 0.0, 1.0]))
        >>> made.bins(2)["happened"]
        [0.5, 1.0]
        """
        count = min(whole_number(count, "count", 1), max(len(self.chance), 1))
        order = np.argsort(self.chance, kind="stable")
        parts = [part for part in np.array_split(order, count) if len(part)]
        happened = [float(self.won[part].mean()) for part in parts]
        forecast = [float(self.chance[part].mean()) for part in parts]
        sizes = [len(part) for part in parts]
        spread = [math.sqrt(p * (1 - p) / k) for p, k in zip(forecast, sizes, strict=True)]
        return {
            "forecast": forecast,
            "happened": happened,
            "se": spread,
            "pairs": sizes,
        }


def forecast_past(ratings: Fit, noise: Noise) -> Forecasts:
    """Forecast every pair of the past from what came before it."""
    if ratings.moved is not None:
        how = "move" if ratings.moved.is_of_time else f"differ per {ratings.model.per}"
        raise InputError(
            f"forecasts of the past are those of strengths that stay, and these {how}; look at them"
            " without that"
        )
    if ratings.parts is not None:
        raise InputError(
            "forecasts of the past are those of contestants alone, and these ratings have parts;"
            " look at them without"
        )
    errors = walk_forward(ratings)
    first, second = _pairs(errors)
    step = max(1, -(-len(first) // MOST))
    first, second = first[::step], second[::step]
    mean, spread = noise.slope(errors.shares) * errors.x, noise.spread(errors.shares)
    score = errors.score
    if errors.added is not None:
        mean, score = mean + errors.added, score + errors.added
    chance = beats(mean[first] - mean[second], spread[first], spread[second], noise.tail)
    margin = score[first] - score[second]
    won = np.where(margin > 0, 1.0, np.where(margin < 0, 0.0, 0.5))
    behind = chance < 0.5
    return Forecasts(np.where(behind, 1 - chance, chance), np.where(behind, 1 - won, won))


def _pairs(errors: Errors) -> tuple[Offsets, Offsets]:
    """List all pairs within a group, by the numbers of their entries."""
    order = np.argsort(errors.group, kind="stable")
    sizes = np.bincount(errors.group) if len(errors.group) else np.zeros(0, dtype=np.int64)
    ends = np.cumsum(sizes)
    place = np.arange(len(order))
    after = ends[errors.group[order]] - place - 1  # entries of the same group that follow
    first = np.repeat(place, after)
    second = np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after) + first + 1
    return order[first], order[second]
