"""Results drawn anew, and fitted: how far ratings are off when the same noise strikes again.

    s* = x + size e*,     size and tails of e* as the residuals of least squares show them

Least squares is linear, so its covariance fits all draws at once (:mod:`qrja.ratings.precision`);
another loss is minimised by steps for all draws (:mod:`~qrja.ratings.intervals.at_once`), or draw
by draw. All results are taken as equally noisy (a judgment of weight
w as ``1/w`` so), and nobody is ever lost, as happens where contests are resampled. How noisy a draw
looks, by the residuals that it leaves in turn, is part of the draw: whoever has large errors also
sees that they are large.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Mask, Problem
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.at_once import can_deviate, choose_effort, deviate_at_once
from qrja.ratings.intervals.clusters import Clusters
from qrja.ratings.intervals.tails import NORMAL, Tails, left_of_results, spare_share
from qrja.ratings.intervals.term_deviations import solver_of_draws
from qrja.solvers import centre_where_relative

COLUMNS = 32
"""Draws that are fitted at once."""
SOLVED, FEWEST = 20_000, 25
"""Entries that are solved one draw after the other, and the fewest draws: bounds allow for few."""
SQUARE, OTHER = 1.0, 0.5
"""Moments by which noise is seen: of the square, and of losses that mind outliers less."""


class Anew(NamedTuple):
    """Deviations from the ratings, a column for each draw, and how noisy each draw looks."""

    deviations: Floats
    noise: Floats
    df: float
    """The results to spare, by which noise is seen."""
    terms: Floats
    """Deviations of the shared terms, if there are any."""


def find_tails(ratings: Fit, clusters: Clusters, noise: Floats) -> Tails:
    """Find the tails of results, each in the noise of its candidate; normal ones for judges."""
    problem, spare = ratings.problem, ratings.misfit.df
    if not clusters.are_alone or spare <= 0:
        return NORMAL
    left, own = left_of_results(problem, ratings.squares), noise[problem.who]
    some = (own > 0) & _several(problem)
    return Tails.seen_in(left[some] / own[some], spare_share(problem, spare), SQUARE)


def deviate_by_covariance(ratings: Fit, tails: Tails, count: int, rng: np.random.Generator) -> Anew:
    """Draw noise of variance 1 in units of the stated errors, and fit it by least squares."""
    columns = [min(COLUMNS, count - first) for first in range(0, count, COLUMNS)]
    drawn = (tails.draw(ratings.problem, some, rng) for some in columns)
    blocks = [_fit_squares(ratings, tails, noise, SQUARE) for noise in drawn]
    deviations = np.concatenate([block.deviations for block in blocks], axis=1)
    looks = np.concatenate([block.noise for block in blocks])
    terms = np.concatenate([block.terms for block in blocks], axis=1)
    return Anew(deviations, looks, blocks[0].df, terms)


def deviate_by_loss(
    ratings: Fit,
    count: int,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None = None,
    *,
    exactly: bool = False,
) -> Anew:
    """Draw noise like that of the results, and fit it by the loss of the model.

    All draws at once where the loss has slopes, else one by one; fewer than ``count`` of many data,
    unless it is to be ``exactly`` as many.
    """
    problem, x, spare = ratings.problem, ratings.squares, float(max(ratings.misfit.df, 1))
    left, share = left_of_results(problem, x)[_several(problem)], spare_share(problem, spare)
    tails = Tails.seen_in(left, share, OTHER)
    size = tails.size_behind(left, share, OTHER)
    of_entry = np.repeat(np.sqrt(0.5 / problem.weight), 2) if problem.directed else np.ones(1)
    level, scale = x[problem.who], (size * of_entry)[:, None]
    solver = solver_of_draws(ratings)

    def solve(noise: Floats) -> tuple[Floats, Floats]:
        off, terms = solver.deviate(problem.with_score(level + noise), x)
        return centre_where_relative(problem, ratings.demands, off[:, None])[:, 0], terms

    if ratings.terms is None and can_deviate(ratings):
        effort = choose_effort(problem.entries, problem.m, count, exactly=exactly)
        drawn = tails.draw(problem, effort.draws, rng)
        off = deviate_at_once(ratings, scale * drawn, effort, lambda noise: solve(noise)[0])
        off = centre_where_relative(problem, ratings.demands, off)
        if progress is not None:
            progress(count, count)
        return Anew(off, _looks(ratings, tails, drawn), spare, np.zeros((0, off.shape[1])))
    columns = []
    if not exactly:
        count = max(min(count, SOLVED // problem.entries), min(count, FEWEST))
    for k in range(count):
        drawn = tails.draw(problem, 1, rng)
        columns.append((*solve((scale * drawn)[:, 0]), _looks(ratings, tails, drawn)[0]))
        if progress is not None:
            progress(k + 1, count)
    off, terms, looks = (np.stack(them, axis=-1) for them in zip(*columns, strict=True))
    return Anew(off, looks, spare, terms)


def _looks(ratings: Fit, tails: Tails, noise: Floats) -> Floats:
    """Return how noisy each of some draws looks, for a loss that is not the square."""
    parts = np.array_split(noise, max(1, noise.shape[1] // COLUMNS), axis=1)
    return np.concatenate([_fit_squares(ratings, tails, part, OTHER).noise for part in parts])


def _several(problem: Problem) -> Mask:
    """Tell which entries are in a contest with others."""
    return np.asarray((problem.sizes > 1)[problem.contest_of_entry])


def _fit_squares(ratings: Fit, tails: Tails, noise: Floats, order: float) -> Anew:
    """Fit noise in units of the stated errors, a draw in each column."""
    problem, spare = ratings.problem, float(max(ratings.misfit.df, 1))
    deviations = ratings.covariance.deviate(noise)
    left = ratings.covariance.leave(noise, deviations)
    if problem.directed:
        left *= np.sqrt(2.0)  # each of the two has half of what is left
    share = spare_share(problem, spare)
    looks = tails.size_behind(left, share, order)
    return Anew(deviations[: problem.n], looks, spare, ratings.covariance.deviate_terms(noise))
