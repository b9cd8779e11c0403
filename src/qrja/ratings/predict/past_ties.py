"""Past ties: how often two tied who were foretold to be that even.

With e = 4 p (1 - p), p the probability that one beats the other, a tie counting half,

    P(tie) = nu e^kappa / (1 + nu e^kappa),      at most 2 min(p, 1 - p)

as among the members of ``qrja-auto`` (:class:`qrja.adaptive.TieOdds`). Each entry of the past is
compared with a few others of its field, drawn by chance from a fixed seed, since fields may be
listed in the order of results.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats
from qrja.ratings.predict.past_errors import Errors
from qrja.ratings.predict.winning import beats

OTHERS = 4
"""Others of its field that an entry is compared with."""
MOST = 50_000
"""Pairs that are looked at."""
ROUNDING = 1e-9
"""Of the largest score: results that differ by less are those of a tie, but for rounding."""


def learn_ties(errors: Errors, mean: Floats, spread: Floats, tail: float) -> tuple[float, float]:
    """Return nu and kappa, from expected results of past entries and their spreads.

    Examples
    --------
    >>> group = np.repeat(np.arange(400), 2)
    >>> score = np.where(group % 4 == 0, 0.0, np.tile([0.5, -0.5], 400))
    >>> even = Errors(score, 0 * score, 0 * score, group, 1 + 0 * score)
    >>> nu, _ = learn_ties(even, even.x, even.scale, np.inf)
    >>> round(nu / (1 + nu), 2)
    0.25
    """
    from qrja.adaptive import TieOdds

    score = errors.score
    if errors.added is not None:
        mean, score = mean + errors.added, score + errors.added
    order = np.lexsort((np.random.default_rng(0).random(len(score)), errors.group))
    met = [(order[k:], order[:-k]) for k in range(1, min(OTHERS, len(order) - 1) + 1)]
    if not met:
        return TieOdds().chosen
    first, second = (np.concatenate(side) for side in zip(*met, strict=True))
    together = errors.group[first] == errors.group[second]
    first, second = first[together], second[together]
    step = max(1, -(-len(first) // MOST))
    first, second = first[::step], second[::step]
    unit = ROUNDING * float(np.abs(score).max(initial=0.0))
    draws = TieOdds()
    chance = beats(mean[first] - mean[second], spread[first], spread[second], tail)
    draws.add(chance, np.abs(score[first] - score[second]) <= unit)
    return draws.chosen
