"""Past errors: what earlier contests foretold of every contest, and what came.

Ratings are brought up to date some times on the way through the past, by least squares; every
contest is predicted by ratings of contests before it, and scores and predictions are compared among
the entrants that were known and comparable by then. Shared terms are taken off as they are now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from qrja.data import Contests, Floats, Offsets, centre, components
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Clusters, find_clusters
from qrja.ratings.past import cut_evenly

REFITS = 60
"""How often ratings are brought up to date on the way through the past. On the 6,504 football
matches 30 to 240 times give the variance of a result to 0.3 %, and 240 take 2.5 times as long."""


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
    scale : array of float
        The variance of each result as a multiple of a usual one's: a light judgment errs more.
    added : array of float or None
        What shared terms add to each result, which is taken off both; None without terms.
    """

    score: Floats
    x: Floats
    shares: Floats
    group: Offsets
    scale: Floats
    added: Floats | None = None

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
        parts = (self.scale, self.shares)
        means = (part - self.centre(part) for part in parts)
        spread = [(1 - 2 / k) * part + mean / k for part, mean in zip(parts, means, strict=True)]
        return np.stack(spread, axis=1)


def walk_forward(ratings: Fit, count: int | None = None) -> Errors:
    """Predict every contest by least-squares ratings of those before it, and return the errors.

    ``count``: of the first contests only.
    """
    clusters = find_clusters(ratings.problem)
    until = len(clusters.weight) if count is None else count
    terms = ratings.terms
    added = None if terms is None else terms.columns.shift(terms.beta)
    found = [_errors_after(clusters, past, added) for past in look_back(ratings, clusters, until)]
    if not found:
        none = np.zeros(0)
        return Errors(none, none, none, np.zeros(0, dtype=np.int64), none)
    size = [int(errors.group.max(initial=-1)) + 1 for errors in found]
    first = np.cumsum(size) - size
    return Errors(
        np.concatenate([errors.score for errors in found]),
        np.concatenate([errors.x for errors in found]),
        np.concatenate([errors.shares for errors in found]),
        np.concatenate([errors.group + k for errors, k in zip(found, first, strict=True)]),
        np.concatenate([errors.scale for errors in found]),
        None
        if added is None
        else np.concatenate([errors.added for errors in found if errors.added is not None]),
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


def _errors_after(clusters: Clusters, past: Foresight, added: Floats | None) -> Errors:
    """Return one piece of the past; entries that compare with nobody known have no place in it."""
    entries = slice(int(clusters.start[past.done]), int(clusters.start[past.until]))
    known = past.label[clusters.who[entries]] >= 0
    who, contest = clusters.who[entries][known], clusters.contest[entries][known]
    key = contest.astype(np.int64) * (len(past.label) + 1) + past.label[who]
    _, met, count = np.unique(key, return_inverse=True, return_counts=True)
    kept = count[met] > 1
    _, group = np.unique(met[kept], return_inverse=True)
    score = clusters.score[entries][known][kept]
    there = past.x[who[kept]], past.shares[who[kept]], group.astype(np.int64)
    more = None if added is None else added[entries][known][kept]
    found = Errors(score, *there, np.ones(len(score)), more)
    return replace(found, score=found.centre(found.score), x=found.centre(found.x))


def look_back(ratings: Fit, clusters: Clusters, count: int) -> Iterator[Foresight]:
    """Yield least-squares ratings of ever more contests, each started at the one before.

    The same walk as :func:`qrja.ratings.past.walk`, for all losses by squares and only as exactly
    as noise needs. Who is anchored, or pulled to a prior, moves nobody before appearing.
    """
    x = np.zeros(clusters.n)
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
        yield Foresight(done, until, x, label, first.share_squares())


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
