"""The bootstrap: whole contests are drawn with replacement, and the ratings fitted anew.

A contest drawn k times counts k times. One that is not drawn keeps a thousandth of its weight, so
that nobody drops out: whoever hangs on it alone is placed by it. Such resamples are counted.

For the squared loss all resamples are solved at once, each for its deviation d from the ratings:
``(L_w + ridge) d = sum_c w_c k_c r_c + ridge (prior - x)``. Other losses are solved one by one, and
by such steps, all together, where there are very many results. The
ratings are offered as a start, which helps where a solver can start from other weights.

References
----------
B. Efron, Bootstrap methods: another look at the jackknife, 1979.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats
from qrja.laplacian import NOT_DRAWN
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.clusters import Clusters
from qrja.ratings.intervals.term_deviations import reweigh_terms, solver_of_draws
from qrja.ratings.model import Model
from qrja.solvers import solve_each

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


def go_in_steps(ratings: Fit, clusters: Clusters) -> bool:
    """Tell whether resamples of another loss than the square can be had by steps of it.

    Of plain results, each a cluster alone, and losses whose pulls are known at once for whole
    contests: those that data larger than memory have.
    """
    minimised, model = ratings.solution.minimised, ratings.model
    loss = None if minimised is None else minimised.loss
    if loss is None or loss.power == 2 or not clusters.are_alone or clusters.what == "study":
        return False
    if model.looks_further or ratings.moved is not None or ratings.demands.ridge > 0:
        return False
    from qrja.scale import STEEPEST

    return bool(loss.window) if loss.power is None else 1 <= loss.power <= STEEPEST


def resample_in_steps(
    ratings: Fit, count: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> Resamples:
    """Deviate by any such loss, all resamples together, as data larger than memory do.

    See :mod:`qrja.scale.drawing.other_losses`.
    """
    from qrja.scale import InMemory, find_shares, resample_passes

    problem, minimised = ratings.problem, ratings.solution.minimised
    assert minimised is not None
    label, x, passes = ratings.solution.components, ratings.solution.x, InMemory.of(problem)
    shares = find_shares(passes, label, x, precise=problem.directed)
    found = resample_passes(
        passes, label, x, shares, count=count, seed=seed, loss=minimised.loss, tell=progress
    )
    return Resamples(found.deviations, found.seen, found.lost, np.zeros((0, count)))


def deviate_by_solving(
    ratings: Fit,
    clusters: Clusters,
    factor: Floats,
    known: dict[bytes, tuple[Floats, Floats]] | None = None,
) -> tuple[Floats, Floats]:
    """Return the deviations of any loss, each solved anew.

    Few judges are often drawn alike: what is ``known`` of a draw is not solved again.
    """
    known = {} if known is None else known
    keys = [column.tobytes() for column in factor.T]
    new = {key: column for key, column in zip(keys, factor.T, strict=True) if key not in known}
    known.update(zip(new, _solve_columns(ratings, list(new.values())), strict=True))
    moved = [known[key] for key in keys]
    return np.stack([x for x, _ in moved], axis=1), np.stack([t for _, t in moved], axis=1)


def _solve_columns(ratings: Fit, columns: list[Floats]) -> list[tuple[Floats, Floats]]:
    """Return the deviations of ratings and terms by some columns of weights."""
    problem, solution = ratings.problem, ratings.solution
    drawn = [problem.with_weight(problem.weight * column) for column in columns]
    if ratings.terms is not None:
        solver = solver_of_draws(ratings)
        return [solver.deviate(each) for each in drawn]
    # Below 1, a search that begins at the ratings would end near them.
    model, convex = ratings.model.roughly, ratings.model.loss is not None or ratings.model.p >= 1
    starts = [solution if convex else None] * len(drawn)
    if are_apart(model):
        found = solve_each(model.solve, drawn, starts)
    else:
        found = [model.solve(each, start).x for each, start in zip(drawn, starts, strict=True)]
    return [(x - solution.x, np.zeros(0)) for x in found]


def are_apart(model: Model) -> bool:
    """Tell whether a model knows nothing of candidates by name, and is solved in steps."""
    is_stepped = model.loss is not None or (1 < model.p < math.inf and model.p != 2)
    return is_stepped and not model.looks_further
