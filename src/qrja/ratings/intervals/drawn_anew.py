"""Results drawn anew: for a loss other than the square, what its ratings make of the same noise.

    s* = x + e*,     e* drawn from what least squares leaves, made as large as the noise behind it

Ratings are fitted to many such results, by the loss itself; how far they are from x is their error.
All results are taken as equally noisy (a judgment of weight w as ``1/w`` so), and nobody is ever
lost, as happens where contests are resampled. What is left of N independent margins after f are
spare is smaller than the noise by the root of ``f / N``, and in a contest of k by that of
``(k - 1) / k``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from qrja.data import Floats, Problem, centre
from qrja.ratings.fitted import Fit


def deviate_anew(
    ratings: Fit,
    count: int,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """Return by how much ratings of results drawn anew are off, a column for each."""
    problem, model = ratings.problem, ratings.model
    x = replace(model, p=2, loss=None).solve(problem).x
    pool = _noise(problem, x, ratings.misfit.df)
    level, off = x[problem.who], np.empty((problem.n, count))
    for k in range(count):
        drawn = problem.with_score(level + _draw(problem, pool, rng))
        off[:, k] = model.solve(drawn).x - x
        if progress is not None:
            progress(k + 1, count)
    return off


def _noise(problem: Problem, x: Floats, spare: int) -> Floats:
    """Return what is left of each result, as large as the noise behind it; of a margin for two."""
    left = centre(problem.score - x[problem.who], problem.contest_of_entry)
    inflation = np.sqrt(problem.independent / spare)
    if problem.directed:
        return np.asarray(inflation * 2.0 * left[0::2] * np.sqrt(problem.weight))
    size = problem.sizes[problem.contest_of_entry]
    used = size > 1
    return np.asarray(inflation * (left * np.sqrt(size / np.maximum(size - 1, 1)))[used])


def _draw(problem: Problem, pool: Floats, rng: np.random.Generator) -> Floats:
    """Draw the noise of all entries; the sign is chance too, as nobody knows who is favoured."""
    size = len(problem) if problem.directed else problem.entries
    noise = np.asarray(rng.choice(pool, size) * rng.choice([-1.0, 1.0], size))
    if not problem.directed:
        return noise
    half = 0.5 * noise / np.sqrt(problem.weight)
    return np.stack([half, -half], axis=1).ravel()
