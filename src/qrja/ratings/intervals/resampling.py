"""The bootstrap: whole contests are drawn with replacement, and the ratings fitted anew.

A contest drawn k times counts k times. One that is not drawn keeps a thousandth of its weight, so
that nobody drops out: whoever hangs on it alone is placed by it. Such resamples are counted.

For the squared loss all resamples are solved at once, each for its deviation d from the ratings:
``(L_w + ridge) d = sum_c w_c k_c r_c + ridge (prior - x)``. Other losses are solved one by one. The
ratings are offered as a start, which helps where a solver can start from other weights: for
judgments, and for losses between; contests with p = 1 are solved from the beginning.

References
----------
B. Efron, Bootstrap methods: another look at the jackknife, 1979.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats
from qrja.laplacian import NOT_DRAWN
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.clusters import Clusters
from qrja.ratings.intervals.term_deviations import TermSteps, reweigh_terms

COLUMNS = 32
"""Resamples solved at once: as many as keep the ratings of all in the processor's cache."""
ACCURACY, ROUGH, STEPS = 1e-6, 1e-3, 5000
"""Relative accuracy of a resample, of one among few that show a spread to a tenth, and steps
allowed to reach it."""


@dataclass(frozen=True, eq=False)
class Resamples:
    """Deviations from the ratings, a column per resample, and how many of them fell apart."""

    deviations: Floats
    seen: Floats
    degenerate: int
    terms: Floats
    """Deviations of the shared terms, if there are any."""


def resample(
    ratings: Fit,
    clusters: Clusters,
    count: int,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None = None,
    *,
    with_seen: bool = True,
    accuracy: float = ACCURACY,
) -> Resamples:
    """Fit the ratings anew to ``count`` resamples; ``progress`` is told how many are done.

    How much noise they show is left out where nobody asks for it.
    """
    deviations, seen, degenerate, terms = [], np.zeros(clusters.n), 0, []
    known: dict[bytes, tuple[Floats, Floats]] = {}
    for drawn in draw(clusters, count, rng):
        kept = np.maximum(drawn, NOT_DRAWN)
        factor = kept[clusters.of]
        degenerate += int(clusters.weightings.fall_apart(drawn[clusters.of] > 0).sum())
        if with_seen:
            seen += clusters.shares.seen(kept)
        if ratings.model.is_square:
            moved, shared = deviate_by_squares(ratings, clusters, factor, accuracy)
        else:
            moved, shared = deviate_by_solving(ratings, clusters, factor, known)
        deviations.append(moved)
        terms.append(shared)
        if progress is not None:
            progress(sum(some.shape[1] for some in deviations), count)
    together = np.concatenate(deviations, axis=1), seen / count, degenerate
    return Resamples(*together, np.concatenate(terms, axis=1))


def draw(clusters: Clusters, count: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Draw the clusters with replacement; yield how often each was drawn, some columns a time."""
    size = int(clusters.of.max()) + 1
    for first in range(0, count, COLUMNS):
        columns = min(COLUMNS, count - first)
        chosen = rng.integers(size, size=(size, columns)) * columns + np.arange(columns)
        drawn = np.bincount(chosen.ravel(), minlength=size * columns)
        yield drawn.reshape(size, columns).astype(np.float64)


def deviate_by_squares(
    ratings: Fit, clusters: Clusters, factor: Floats, accuracy: float = ACCURACY
) -> tuple[Floats, Floats]:
    """Return the deviations of least squares and of its terms, a column per column of weights."""
    weight, demands = clusters.weight[:, None] * factor, ratings.demands
    pull = clusters.weightings.pulls(weight, clusters.residuals(ratings.solution.x))
    pull += (demands.ridge * (demands.goal - ratings.solution.x))[:, None]

    def solve(pull: Floats, rounding: float) -> Floats:
        found, _ = clusters.weightings.solve(
            weight,
            pull,
            ridge=demands.ridge,
            free=demands.free,
            tol=accuracy,
            rounding=rounding,
            limit=STEPS,
        )
        return found

    solved = solve(pull, clusters.rounding)
    if ratings.terms is None:
        return solved, np.zeros((0, solved.shape[1]))
    return reweigh_terms(ratings, clusters, weight, solved, solve)


def deviate_by_solving(
    ratings: Fit,
    clusters: Clusters,
    factor: Floats,
    known: dict[bytes, tuple[Floats, Floats]] | None = None,
) -> tuple[Floats, Floats]:
    """Return the deviations of any loss, solved one after the other.

    Few judges are often drawn alike: what is ``known`` of a draw is not solved again.
    """
    problem, solver = ratings.problem, TermSteps.of(ratings)
    known, moved = {} if known is None else known, []
    for column in factor.T:
        key = column.tobytes()
        if key not in known:
            known[key] = solver.deviate(problem.with_weight(problem.weight * column))
        moved.append(known[key])
    return np.stack([x for x, _ in moved], axis=1), np.stack([t for _, t in moved], axis=1)
