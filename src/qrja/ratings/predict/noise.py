"""Noise: how far a result strays from what other results foretold.

Every contest is predicted by ratings of the contests before it
(:mod:`~qrja.ratings.predict.past_errors`), every judgment, which has no date, by those of all
others (:mod:`~qrja.ratings.predict.undated`). With ``q_i`` the sum of squared shares of the
contests in i's rating (1/m after m contests of equal weight), what is learned is

    E(s_i)   = mean of the field + slope(q_i) (x_i - mean of the field)
    Var(s_i) = result + rating q_i,          slope(q) = (1 - q) slope_known + q slope_once

Ratings that rest on little are partly luck, so the slope is at most 1 and less for newcomers, and
their variance is larger. Slopes and variances follow by weighted least squares from the errors and
their squares; of an error that is centred among k entrants the square is expected to be
``(1 - 2/k) v_i + (sum_j v_j) / k^2``. The variance of a judgment, for which a usual weight stands,
is the larger the less it weighs. The tail is that of the Student distribution under which the
errors are most likely.

Of many contests, noise is learned from the first M of them, M the last milestone: a number that
changes once in some hundreds of contests, so that updates carry the noise on until then, and that
depends on nothing but how many contests there are, so that it does not matter by which updates they
came.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaln

from qrja.data import Floats, centre
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import find_clusters, share_squares
from qrja.ratings.past import last_milestone
from qrja.ratings.predict.past_errors import Errors, walk_forward
from qrja.ratings.predict.past_ties import learn_ties
from qrja.ratings.predict.undated import leave_judgments_out

ENOUGH = 20
"""Errors that are needed to learn two variances and a tail from."""
ROUNDS = 5
"""Times that slopes and variances are fitted in turn; after five, four digits stand still."""
TAILS = (3.0, 4.0, 5.0, 7.0, 10.0, 20.0, math.inf)
"""Degrees of freedom to choose from; infinity is normal."""


@dataclass(frozen=True)
class Noise:
    """What was learned from predictions of results that are known.

    Parameters
    ----------
    result : float
        Variance of a result of somebody whose strength is known.
    rating : float
        Variance added by a rating that rests on one contest; m contests add an m-th of it.
    tail : float
        Degrees of freedom of the Student distribution, infinity for the normal.
    slope_known, slope_once : float
        The share of a difference in ratings that results show, for a known strength and for a
        rating that rests on one contest.
    errors : int
        How many errors it was learned from; 0 if there were too few, see :func:`learn_noise`.
    contests : int
        From how many contests or judgments it was learned, the first ones.
    tie_odds, tie_bend : float
        nu and kappa of :mod:`~qrja.ratings.predict.past_ties`: how probable ties are between
        equals, and how much less between others. Odds of 0 where ties were not looked at.

    Examples
    --------
    >>> noise = Noise(9.0, 16.0, math.inf, 1.0, 0.5, 100)
    >>> noise.spread(np.array([1.0, 0.0])), noise.slope(np.array([1.0, 0.0]))
    (array([5., 3.]), array([0.5, 1. ]))
    """

    result: float
    rating: float
    tail: float = math.inf
    slope_known: float = 1.0
    slope_once: float = 1.0
    errors: int = 0
    contests: int = 0
    tie_odds: float = 0.0
    tie_bend: float = 0.0

    def spread(self, shares: Floats) -> Floats:
        """Return the standard deviation of a result, by the squared shares behind the rating."""
        return np.sqrt(self.result + self.rating * shares)

    def slope(self, shares: Floats) -> Floats:
        """Return the share of a difference in ratings that results show."""
        return self.slope_known * (1 - shares) + self.slope_once * shares


def learn_noise(ratings: Fit) -> Noise:
    """Learn the noise of the contests or judgments of some ratings.

    With fewer than ``ENOUGH`` errors, the noise is that around the ratings themselves, as much for
    a result as for a rating that rests on one.
    """
    if (known := recall_noise(ratings)) is not None:
        return known
    noise = _learn(ratings)
    if noise.errors and ratings.moved is None and ratings.parts is None:
        keep_noise(ratings, noise)
    return noise


def recall_noise(ratings: Fit) -> Noise | None:
    """Return the noise that was learned before updates that do not change it, else None."""
    count = last_milestone(len(ratings.data))
    found: Noise | None = ratings.memory.recall(ratings, count, Noise)
    return found


def keep_noise(ratings: Fit, noise: Noise) -> None:
    """Keep a noise that was learned from ratings like these, for what is made of them."""
    ratings.memory.keep(ratings, noise.contests, Noise, noise)


def rating_shares(ratings: Fit) -> Floats:
    """Return what ``Noise.rating`` is multiplied by: squared shares of contests in each rating.

    Of strengths that move or have parts, whose noise is known, it is the variance of each
    rating as of today.
    """
    if ratings.parts is not None:
        return ratings.part_errors.variances()
    if ratings.moved is None:
        return share_squares(ratings)
    return ratings.path_covariance.variances()


def _learn(ratings: Fit) -> Noise:
    count = len(ratings.data)
    if ratings.moved is not None:
        return _of_model(ratings, ratings.moved.noise)
    if ratings.parts is not None:
        return _of_model(ratings, ratings.parts.noise)
    if ratings.problem.directed:
        errors = leave_judgments_out(ratings)
    else:
        count = last_milestone(count)
        errors = walk_forward(ratings, count)
    if len(errors.score) < ENOUGH:
        clusters = find_clusters(ratings.problem)
        variance = clusters.noise(ratings.solution.x, ratings.problem.components) ** 2
        return Noise(variance, variance, contests=len(ratings.data))
    slopes, variances = fit_moments(errors)
    expected = errors.moments @ variances
    tail = math.inf
    if expected.min() > 0:
        tail = most_likely_tail((errors.score - errors.signals @ slopes) / np.sqrt(expected))
    noise = Noise(
        result=float(variances[0]),
        rating=float(variances[1]),
        tail=tail,
        slope_known=float(slopes[0]),
        slope_once=float(slopes[1]),
        errors=len(errors.score),
        contests=count,
    )
    mean, spread = noise.slope(errors.shares) * errors.x, noise.spread(errors.shares)
    odds, bend = learn_ties(errors, mean, spread, tail)
    return replace(noise, tie_odds=odds, tie_bend=bend)


def _of_model(ratings: Fit, noise: float) -> Noise:
    """Return the noise that a model of strengths that move, or of parts, has of its own."""
    problem, count = ratings.problem, len(ratings.data)
    rays = problem.pair_weight * problem.sizes
    result = noise**2 / float(np.median(rays))
    of, size = problem.contest_of_entry, problem.sizes
    left = centre(problem.score - ratings.solution.x[problem.who], of)
    seen = np.sqrt(result * np.maximum(size - 1, 1) / np.maximum(size, 1))[of]
    tail = most_likely_tail((left / seen)[(size > 1)[of]]) if result > 0 else math.inf
    return Noise(result, 1.0, tail, errors=problem.entries, contests=count)


def fit_moments(errors: Errors) -> tuple[Floats, Floats]:
    """Fit slopes and variances in turn, each entry weighed by how noisy it is expected to be."""
    from scipy.optimize import nnls

    signals, moments = errors.signals, errors.moments
    deviation = np.ones(len(errors.score))
    for _ in range(ROUNDS):
        scale = 1.0 / deviation
        slopes = fit_slopes(signals * scale[:, None], errors.score * scale)
        squares = (errors.score - signals @ slopes) ** 2
        variances, _ = nnls(moments * scale[:, None] ** 2, squares * scale**2)
        expected = moments @ variances
        if not expected.any():
            break
        deviation = np.sqrt(np.maximum(expected, 1e-3 * expected.max()))
    return slopes, variances


def fit_slopes(signals: Floats, score: Floats) -> Floats:
    """Return the two slopes from 0 to 1 of least squares: inside, or else on an edge.

    Examples
    --------
    >>> fit_slopes(np.eye(2), np.array([0.25, 3.0]))
    array([0.25, 1.  ])
    """
    square, right = signals.T @ signals, signals.T @ score
    tries: list[Floats] = []
    if np.linalg.det(square) > 1e-12 * square[0, 0] * square[1, 1]:
        free_both: Floats = np.linalg.solve(square, right).astype(np.float64)
        tries.append(free_both)
    for held, at in ((1, 1.0), (0, 1.0), (1, 0.0), (0, 0.0)):
        free = 1 - held
        slopes = np.full(2, at)
        left = right[free] - square[free, held] * at
        slopes[free] = np.clip(left / square[free, free], 0.0, 1.0) if square[free, free] else 1.0
        tries.append(slopes)
    inside = [slopes for slopes in tries if ((slopes >= 0) & (slopes <= 1)).all()]
    return min(inside, key=lambda slopes: float(slopes @ square @ slopes - 2.0 * right @ slopes))


def most_likely_tail(z: Floats) -> float:
    """Return the degrees of freedom under which errors of variance 1 are most likely."""
    return max(TAILS, key=lambda tail: float(_log_density(z, tail).sum()))


def _log_density(z: Floats, tail: float) -> Floats:
    if tail == math.inf:
        return np.asarray(-0.5 * z**2 - 0.5 * math.log(2 * math.pi))
    constant = gammaln((tail + 1) / 2) - gammaln(tail / 2) - 0.5 * math.log(math.pi * (tail - 2))
    return np.asarray(constant - (tail + 1) / 2 * np.log1p(z**2 / (tail - 2)))
