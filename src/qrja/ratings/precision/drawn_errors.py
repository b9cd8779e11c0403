"""Errors drawn anew from what ratings left of results, for losses whose spread has no closed form.

Errors are drawn with either sign, each scaled to the spread that it had before the fit took its
part, and in units of the weights.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Contests, Floats, Judgments


def draw_errors(
    problem: Contests | Judgments,
    left: Floats,
    df: int,
    rng: np.random.Generator,
    results: int | None = None,
) -> Floats:
    """Return an error for each entry, drawn from what is ``left`` of all of them.

    Parameters
    ----------
    problem : Contests or Judgments
        The results.
    left : array of float
        What ratings left of each entry, relative to the mean of its contest.
    df : int
        Degrees of freedom of the residuals.
    rng : Generator
        Draws.
    results : int, optional
        How many of the first contests are results; all unless said.
    """
    size = problem.sizes[:results]
    last = int(problem.start[len(size)])
    of, left = problem.contest_of_entry[:last], left[:last]
    spread = np.sqrt((problem.pair_weight[:results] * size)[of])
    hidden = np.sqrt(np.maximum(size - 1, 1) / np.maximum(size, 1))[of]
    pool = (left * spread / hidden)[(size > 1)[of]]
    margins = float(np.maximum(size - 1, 0).sum())
    pool = pool * np.sqrt(margins / df)
    drawn = rng.choice(pool, len(left)) * rng.choice([-1.0, 1.0], len(left))
    return np.asarray(drawn / spread)
