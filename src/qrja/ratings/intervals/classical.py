"""Classical intervals: from the covariance of least squares, errors known or scaled.

    x_i -+ z se_i,        se_i^2 = C_ii            errors known: they are what the weights say
    x_i -+ t_df se_i,     se_i^2 = C_ii Q / df     errors scaled by what the ratings leave

C is the :class:`~qrja.ratings.precision.Covariance` of the ratings and Q their misfit. Ranks come
from draws: results are drawn anew with their errors, and fitted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Offsets
from qrja.distributions import normal_quantile, student_quantile
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.bounds import Intervals
from qrja.ratings.intervals.request import Errors, IntervalRequest
from qrja.ratings.precision import (
    Covariance,
    PartCovariance,
    PartDraws,
    PathCovariance,
    PathDraws,
    measure_misfit,
)

STEPS = 2000
"""Values that stand for the distribution of a term."""


@dataclass(frozen=True, eq=False)
class StandardErrors:
    """Standard errors of ratings and of their differences.

    Parameters
    ----------
    errors : {"known", "scaled"}
        Whether results err as their weights say, or only in proportion.
    covariance : Covariance
        For results that err as their weights say.
    factor : float
        By which its roots are multiplied: 1 for known errors, else the reduced chi.
    df : float
        Degrees of freedom behind the factor; infinite for known errors.
    n : int
        Of how many candidates; a ground of measured values comes after them.
    """

    errors: Errors
    covariance: Covariance | PathCovariance | PathDraws | PartCovariance | PartDraws
    factor: float
    df: float
    n: int

    def of_ratings(self) -> Floats:
        """Return the standard error of each rating."""
        return self.factor * np.sqrt(np.maximum(self.covariance.variances()[: self.n], 0.0))

    def of_differences(self, i: Offsets, j: Offsets) -> Floats:
        """Return the standard error of each difference between candidates i and j."""
        return self.factor * np.sqrt(self.covariance.of_differences(i, j))

    def quantile(self, level: float) -> float:
        """Return how many standard errors an interval of that level reaches to either side."""
        upper = 0.5 * (1.0 + level)
        found = normal_quantile(upper) if math.isinf(self.df) else student_quantile(self.df, upper)
        return float(found)

    def draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Return deviations of the ratings, a column each, with the tails of their quantiles."""
        drawn = self.factor * self.covariance.draw(count, rng)[: self.n]
        if math.isinf(self.df):
            return drawn
        return np.asarray(drawn / np.sqrt(rng.chisquare(self.df, count) / self.df))


@dataclass(frozen=True, eq=False, repr=False)
class ClassicalIntervals(Intervals):
    """Intervals with the standard errors behind them; see :class:`Intervals`.

    Parameters
    ----------
    se : array of float
        The standard error of each rating.
    standard : StandardErrors
        Those of differences, and where they come from.

    Examples
    --------
    >>> import qrja
    >>> chain = qrja.Judgments.from_arrays("ab", "bc", [1, 1], se=[3, 4])
    >>> found = qrja.fit(chain, anchors={"a": 0}).intervals()
    >>> found.se, [round(end, 2) for end in found.difference("a", "c")]
    (array([0., 3., 5.]), [-7.8, 11.8])
    >>> found
    ClassicalIntervals(level=0.95, errors known)
    """

    se: Floats
    standard: StandardErrors

    def bounds(self, level: float) -> tuple[Floats, Floats]:
        """Return the bounds that all ratings have at another level."""
        reach = self.standard.quantile(level) * self.se
        return self.x - reach, self.x + reach

    def _bounds_of_difference(self, i: int, j: int) -> tuple[float, float]:
        (se,) = self.standard.of_differences(np.array([i]), np.array([j]))
        reach = self.standard.quantile(self.level) * float(se)
        middle = float(self.x[i] - self.x[j])
        return middle - reach, middle + reach

    def __repr__(self) -> str:
        standard = self.standard
        df = "" if math.isinf(standard.df) else f" with {standard.df:g} degrees of freedom"
        return f"ClassicalIntervals(level={self.level:g}, errors {standard.errors}{df})"


def find_standard_errors(ratings: Fit, errors: Errors | None = None) -> StandardErrors:
    """Return the standard errors of least squares, known ones unless there are none.

    Raises
    ------
    InputError
        For another loss than the square, for known errors where none were stated, and for scaled
        ones where nothing is left to scale them by.
    """
    problem, demands, x = ratings.model.ground(ratings.problem, ratings.solution.x)
    if ratings.moved is not None:
        return _standard_errors_of_paths(ratings, errors)
    if ratings.parts is not None:
        return _standard_errors_of_parts(ratings, errors)
    if not ratings.model.is_square:
        raise InputError(
            f"the covariance of the model is for p = 2, and the loss is {ratings.solution.loss};"
            " use method='bootstrap'"
        )
    errors = errors or ("scaled" if problem.se is None else "known")
    covariance = ratings.covariance
    if errors == "known":
        if problem.se is None:
            raise InputError(
                f"errors are 'known', and no {problem.noun} has a standard error; give se, or take"
                " errors='scaled'"
            )
        return StandardErrors(errors, covariance, 1.0, math.inf, ratings.problem.n)
    terms = 0 if ratings.terms is None else len(ratings.terms.names)
    misfit = measure_misfit(problem, demands, x, terms)
    if misfit.df <= 0:
        raise InputError(
            "nobody met twice, not even through others, so nothing tells how far results stray from"
            f" ratings; add {problem.noun}s"
        )
    chi, df = misfit.reduced_chi, float(misfit.df)
    return StandardErrors(errors, covariance, chi, df, ratings.problem.n)


def _standard_errors_of_paths(ratings: Fit, errors: Errors | None) -> StandardErrors:
    """Return the standard errors of strengths that move, whose covariance knows the noise."""
    told, reach = _check_known_noise(ratings, errors, "where strengths move")
    if not ratings.model.is_square:
        drawn = ratings.path_draws
        return StandardErrors("scaled", drawn, 1.0, float(drawn.count), ratings.problem.n)
    return StandardErrors(told, ratings.path_covariance, 1.0, reach, ratings.problem.n)


def _check_known_noise(ratings: Fit, errors: Errors | None, where: str) -> tuple[Errors, float]:
    """Return which errors a model has that knows its noise, and their degrees of freedom."""
    stated, df = ratings.problem.se is not None, ratings.misfit.df
    told: Errors = "known" if stated else "scaled"
    if errors is not None and errors != told:
        raise InputError(
            f"errors are {errors!r}, and {where} they are known where standard errors are given,"
            " else scaled; leave it out"
        )
    if not stated and df <= 0:
        raise InputError(
            "nobody met twice, not even through others, so nothing tells how far results stray from"
            f" ratings; add {ratings.problem.noun}s"
        )
    return told, math.inf if stated else float(df)


def _standard_errors_of_parts(ratings: Fit, errors: Errors | None) -> StandardErrors:
    """Return the standard errors of entries with parts, whose covariance knows the noise."""
    told, df = _check_known_noise(ratings, errors, "where entries have parts")
    found = ratings.part_errors
    if found.count is not None:
        return StandardErrors("scaled", found, 1.0, float(found.count), ratings.problem.n)
    return StandardErrors(told, found, 1.0, df, ratings.problem.n)


def find_classical(ratings: Fit, request: IntervalRequest) -> ClassicalIntervals:
    """Find the intervals of all ratings from the covariance of the model."""
    standard = find_standard_errors(ratings, request.errors)
    x, se = ratings.solution.x, standard.of_ratings()
    reach = standard.quantile(request.level) * se
    draws = standard.draw(request.draws, np.random.default_rng(request.seed))
    return ClassicalIntervals(
        ratings.problem.names,
        request.level,
        "model",
        ratings.solution.components,
        x,
        x - reach,
        x + reach,
        x[:, None] + draws,
        len(ratings.problem),
        0,
        se,
        standard,
        terms=_draw_terms(ratings, standard),
    )


def _draw_terms(ratings: Fit, standard: StandardErrors) -> Floats | None:
    """Return shared terms at equal steps of their distribution, which bounds are quantiles of."""
    if ratings.terms is None:
        return None
    spread = standard.factor * np.sqrt(np.diag(standard.covariance.of_terms()))
    shares = (np.arange(STEPS) + 0.5) / STEPS
    steps = np.array([standard.quantile(2 * share - 1) for share in shares])
    return np.asarray(ratings.terms.beta[:, None] + spread[:, None] * steps)
