"""Noise: how far a result strays from what earlier results foretold.

Every contest is predicted by ratings of the contests before it. With ``q_i`` the sum of squared
shares of the contests in i's rating (1/m after m contests of equal weight), what is learned is

    E(s_i)   = mean of the field + slope(q_i) (x_i - mean of the field)
    Var(s_i) = result + rating q_i,          slope(q) = (1 - q) slope_known + q slope_once

Ratings that rest on little are partly luck, so the slope is at most 1 and less for newcomers, and
their variance is larger. Slopes and variances follow by weighted least squares from the errors and
their squares; of an error that is centred among k entrants the square is expected to be
``(1 - 2/k) v_i + (sum_j v_j) / k^2``. The tail is that of the Student distribution under which the
errors are most likely.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from qrja.data import Contests, Floats, Offsets, centre, components
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Clusters, find_clusters
from qrja.ratings.past import cut_evenly

REFITS = 60
"""How often ratings are brought up to date on the way through the past. On the 6,504 football
matches 30 to 240 times give the variance of a result to 0.3 %, and 240 take 2.5 times as long."""
ENOUGH = 20
"""Errors that are needed to learn two variances and a tail from."""
ROUNDS = 5
"""Times that slopes and variances are fitted in turn; after five, four digits stand still."""
TAILS = (3.0, 4.0, 5.0, 7.0, 10.0, 20.0, math.inf)
"""Degrees of freedom to choose from; infinity is normal."""


@dataclass(frozen=True)
class Noise:
    """What was learned from past predictions.

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

    def spread(self, shares: Floats) -> Floats:
        """Return the standard deviation of a result, by the squared shares behind the rating."""
        return np.sqrt(self.result + self.rating * shares)

    def slope(self, shares: Floats) -> Floats:
        """Return the share of a difference in ratings that results show."""
        return self.slope_known * (1 - shares) + self.slope_once * shares


@dataclass(frozen=True, eq=False)
class Errors:
    """Past results and predictions, both relative to the mean of the entrants known by then.

    Parameters
    ----------
    score, x : array of float
        The result and the rating of each entry.
    shares : array of float
        The squared shares behind the rating.
    group : array of int
        The entries that were compared with each other.
    """

    score: Floats
    x: Floats
    shares: Floats
    group: Offsets

    def centre(self, values: Floats) -> Floats:
        """Subtract the mean of each group."""
        return centre(values, self.group)

    @property
    def signals(self) -> Floats:
        """The two columns whose combination, by the slopes, is the expected result."""
        known, once = (1 - self.shares) * self.x, self.shares * self.x
        return np.stack([self.centre(known), self.centre(once)], axis=1)

    @property
    def moments(self) -> Floats:
        """The two columns whose combination, by the variances, is the expected square."""
        k = np.bincount(self.group)[self.group]
        mean = self.shares - self.centre(self.shares)
        return np.stack([1 - 1 / k, (1 - 2 / k) * self.shares + mean / k], axis=1)


def learn_noise(ratings: Fit) -> Noise:
    """Learn the noise of the contests of some ratings.

    With fewer than ``ENOUGH`` errors, the noise is that around the ratings themselves, as much for
    a result as for a rating that rests on one.
    """
    errors = walk_forward(ratings)
    if len(errors.score) < ENOUGH:
        clusters = find_clusters(ratings.problem)
        variance = clusters.noise(ratings.solution.x, ratings.problem.components) ** 2
        return Noise(variance, variance)
    slopes, variances = fit_moments(errors)
    expected = errors.moments @ variances
    tail = math.inf
    if expected.min() > 0:
        tail = most_likely_tail((errors.score - errors.signals @ slopes) / np.sqrt(expected))
    return Noise(
        result=float(variances[0]),
        rating=float(variances[1]),
        tail=tail,
        slope_known=float(slopes[0]),
        slope_once=float(slopes[1]),
        errors=len(errors.score),
    )


def fit_moments(errors: Errors) -> tuple[Floats, Floats]:
    """Fit slopes and variances in turn, each entry weighed by how noisy it is expected to be."""
    from scipy.optimize import lsq_linear, nnls

    signals, moments = errors.signals, errors.moments
    deviation = np.ones(len(errors.score))
    for _ in range(ROUNDS):
        scale = 1.0 / deviation
        slopes = lsq_linear(signals * scale[:, None], errors.score * scale, (0.0, 1.0)).x
        squares = (errors.score - signals @ slopes) ** 2
        variances, _ = nnls(moments * scale[:, None] ** 2, squares * scale**2)
        expected = moments @ variances
        if not expected.any():
            break
        deviation = np.sqrt(np.maximum(expected, 1e-3 * expected.max()))
    return slopes, variances


def most_likely_tail(z: Floats) -> float:
    """Return the degrees of freedom under which errors of variance 1 are most likely."""
    return max(TAILS, key=lambda tail: float(_log_density(z, tail).sum()))


def _log_density(z: Floats, tail: float) -> Floats:
    if tail == math.inf:
        return np.asarray(-0.5 * z**2 - 0.5 * math.log(2 * math.pi))
    constant = gammaln((tail + 1) / 2) - gammaln(tail / 2) - 0.5 * math.log(math.pi * (tail - 2))
    return np.asarray(constant - (tail + 1) / 2 * np.log1p(z**2 / (tail - 2)))


def walk_forward(ratings: Fit) -> Errors:
    """Predict every contest by least-squares ratings of those before it, and return the errors."""
    clusters = find_clusters(ratings.problem)
    found = [_errors_after(clusters, past) for past in look_back(ratings, clusters)]
    if not found:
        return Errors(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64))
    size = [int(errors.group.max(initial=-1)) + 1 for errors in found]
    first = np.cumsum(size) - size
    return Errors(
        np.concatenate([errors.score for errors in found]),
        np.concatenate([errors.x for errors in found]),
        np.concatenate([errors.shares for errors in found]),
        np.concatenate([errors.group + k for errors, k in zip(found, first, strict=True)]),
    )


class Foresight(NamedTuple):
    """Ratings of the contests before ``done``, to predict those from there to ``until``.

    ``label`` is the component of each candidate, -1 for those not seen by then; ``shares`` are the
    squared shares of contests in each rating.
    """

    done: int
    until: int
    x: Floats
    label: Offsets
    shares: Floats


def _errors_after(clusters: Clusters, past: Foresight) -> Errors:
    """Return one piece of the past; entries that compare with nobody known have no place in it."""
    entries = slice(int(clusters.start[past.done]), int(clusters.start[past.until]))
    known = past.label[clusters.who[entries]] >= 0
    who, contest = clusters.who[entries][known], clusters.contest[entries][known]
    key = contest.astype(np.int64) * (len(past.label) + 1) + past.label[who]
    _, met, count = np.unique(key, return_inverse=True, return_counts=True)
    kept = count[met] > 1
    _, group = np.unique(met[kept], return_inverse=True)
    score = clusters.score[entries][known][kept]
    found = Errors(score, past.x[who[kept]], past.shares[who[kept]], group.astype(np.int64))
    return replace(found, score=found.centre(found.score), x=found.centre(found.x))


def look_back(ratings: Fit, clusters: Clusters) -> Iterator[Foresight]:
    """Yield least-squares ratings of ever more contests, each started at the one before.

    The same walk as :func:`qrja.ratings.past.walk`, for all losses by squares and only as exactly
    as noise needs. Who is anchored, or pulled to a prior, moves nobody before appearing.
    """
    count, x = len(clusters.weight), np.zeros(clusters.n)
    demands = ratings.demands
    x[~demands.free] = ratings.solution.x[~demands.free]
    for done, until in pairwise(cut_evenly(count, REFITS, first=1)):
        first = _first(clusters, done, _weight_then(ratings, clusters, done))
        weight = first.weight[:, None]
        pull = first.weightings.pulls(weight, first.residuals(x))
        pull += (demands.ridge * (demands.goal - x))[:, None]
        step, _ = first.weightings.solve(
            weight,
            pull,
            ridge=demands.ridge,
            free=demands.free,
            tol=1e-6,
            rounding=first.rounding,
            limit=2000,
        )
        x = x + step[:, 0]
        label = components(clusters.n, first.start, first.who).astype(np.int64)
        label[np.bincount(first.who, minlength=clusters.n) == 0] = -1
        yield Foresight(done, until, x, label, first.shares.squares)


def _first(clusters: Clusters, done: int, weight: Floats) -> Clusters:
    entries = int(clusters.start[done])
    return replace(
        clusters,
        start=clusters.start[: done + 1],
        who=clusters.who[:entries],
        score=clusters.score[:entries],
        weight=weight,
        of=clusters.of[:done],
    )


def _weight_then(ratings: Fit, clusters: Clusters, done: int) -> Floats:
    """Return what the first contests weighed when they were the only ones."""
    if ratings.model.half_life is None:
        return clusters.weight[:done]
    assert isinstance(ratings.data, Contests)  # judgments have no age
    return ratings.model.weigh(ratings.data[:done]).pair_weight
