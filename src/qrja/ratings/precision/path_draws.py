"""How far strengths that move may be off, for losses other than the square: by drawing anew.

Moves are drawn from the random walk, errors from what the ratings left of the results
(:mod:`drawn_errors`), and both are fitted with the same ties: what a fit then misses is what this
one may miss. Shared terms are taken as known; what they may be off by is that of squares.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Mask, Offsets, centre
from qrja.ratings.precision.drawn_errors import draw_errors
from qrja.ratings.precision.path_covariance import PathCovariance
from qrja.solution import Solution
from qrja.ties import Paths

DRAWS = 25
"""Draws: each is a solve; so many see a spread no better than so many degrees of freedom."""


class PathDraws:
    """Deviations of ratings that move, a column a draw; it answers as a covariance does.

    Parameters
    ----------
    tied : Contests or Judgments
        The results between periods, with their ties, terms taken off.
    paths : Paths
        What was found.
    results : int
        How many contests of ``tied`` are results.
    df : int
        Degrees of freedom of the residuals.
    free : array of bool
        Which contestants are not anchored.
    label : array of int
        The component of each contestant.
    squares : PathCovariance
        Of squares with the same speed.
    solve : callable
        Solves another problem on the same periods.
    """

    def __init__(
        self,
        tied: Contests | Judgments,
        paths: Paths,
        results: int,
        df: int,
        free: Mask,
        label: Index,
        squares: PathCovariance,
        solve: Callable[[Contests | Judgments], Solution],
    ) -> None:
        self.tied, self.paths, self.results, self.df = tied, paths, results, df
        self.free, self.label, self.squares, self.solve = free, label, squares, solve
        self.n, self.count = len(free), DRAWS

    @cached_property
    def _drawn(self) -> Floats:
        """Deviations of ratings."""
        rng, found = np.random.default_rng(0), []
        for _ in range(DRAWS):
            truth = self.paths.x + self._walk(rng)
            score = truth[self.tied.who] + self._errors(rng)
            score[self._last :] = 0.0
            latest = (self.solve(self.tied.with_score(score)).x - truth)[self.paths.periods.last]
            since = np.sqrt(self.paths.growth) * rng.standard_normal(self.n)
            found.append(np.where(self.free, latest + since, 0.0))
        drawn = np.stack(found, axis=1)
        floats = ~np.isin(self.label, self.label[~self.free])
        return np.where(floats[:, None], centre(drawn, self.label), drawn)

    @property
    def _last(self) -> int:
        """Where the entries of ties begin."""
        return int(self.tied.start[self.results])

    def _walk(self, rng: np.random.Generator) -> Floats:
        """Return moves of a random walk, a number for each period."""
        periods = self.paths.periods
        steps = rng.standard_normal(len(periods.gap)) * np.sqrt(periods.gap)
        return periods.walk(self.paths.tau * steps)

    def _errors(self, rng: np.random.Generator) -> Floats:
        """Return errors of entries drawn from those that there are, in units of their weights."""
        tied, last = self.tied, self._last
        left = centre(tied.score - self.paths.x[tied.who], tied.contest_of_entry)
        errors = np.zeros(tied.entries)
        errors[:last] = draw_errors(tied, left, self.df, rng, self.results)
        return errors

    def variances(self) -> Floats:
        """Return the variance of each rating."""
        return np.asarray((self._drawn**2).mean(axis=1))

    def of_differences(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the variance of each difference of ratings."""
        return np.asarray(((self._drawn[i] - self._drawn[j]) ** 2).mean(axis=1))

    def of_terms(self) -> Floats:
        """Return the covariance of the terms."""
        return self.squares.of_terms()

    def draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Return deviations of the ratings that hang together as those that were drawn do."""
        mixed = rng.standard_normal((DRAWS, count)) / np.sqrt(DRAWS)
        return np.asarray(self._drawn @ mixed)
