"""Intervals by passes: whole contests are drawn again where they are.

As in memory (:mod:`~qrja.ratings.intervals.bounds`), a draw of a rating is

    x_i + widening_i d_ik + noise sqrt(max(q_i - seen_i, 0)) z_ik,     z standard normal

and d is the deviation of the ratings when contests count as often as they are drawn, a Poisson
number each (:mod:`qrja.scale.drawing`). So few draws as fit in some passes show a spread and no
tails: bounds are ``x -+ t se`` with a degree of freedom for each draw. Contests, or judgments, are
taken to be independent: who judged is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.bounds import Intervals, numbers_of
from qrja.ratings.intervals.clusters import FEWEST, WIDEST
from qrja.ratings.intervals.moderation import Moderated
from qrja.ratings.intervals.request import IntervalRequest
from qrja.solvers import centre_where_relative

FEW_DRAWS = 64
"""Draws where nobody said how many: they show a spread to a tenth."""


def can_resample(ratings: Fit) -> bool:
    """Tell whether the data are at hand, and can be drawn again."""
    problem: Any = ratings.problem
    known = problem.passes is not None and problem.drawn is None
    return known and not _is_steep(ratings) and len(problem) >= FEWEST


def _is_steep(ratings: Fit) -> bool:
    from qrja.scale import STEEPEST

    minimised = ratings.solution.minimised
    return minimised is not None and (minimised.power or 0.0) > STEEPEST


def find_far_intervals(
    ratings: Fit,
    request: IntervalRequest,
    progress: Callable[[int, int], None] | None = None,
    of: Iterable[Hashable] | None = None,
) -> Intervals:
    """Find the intervals of all ratings, or of some, see :meth:`qrja.Ratings.intervals`."""
    from qrja.scale import check_memory, columns_of, find_shares, resample_passes

    problem: Any = ratings.problem
    _check(ratings, request)
    count = request.draws if request.exactly else FEW_DRAWS
    rows = None if of is None else numbers_of(problem.names, of)
    check_memory(problem.n, draws=count if rows is None else 0, columns=columns_of(problem.n))
    x, label = ratings.solution.x, ratings.solution.components
    shares = find_shares(problem.passes, label, x, precise=problem.directed)
    if shares.contests < FEWEST or np.isnan(shares.noise):
        raise InputError(
            f"they need at least {FEWEST} contests, and contestants with several results"
        )
    minimised = ratings.solution.minimised
    found = resample_passes(
        problem.passes,
        label,
        x,
        shares,
        count=count,
        seed=request.seed,
        loss=None if minimised is None else minimised.loss,
        rows=rows,
        tell=progress,
    )
    kept: Any = slice(None) if rows is None else rows
    once = (problem.appearances < 2)[kept]
    squares = shares.squares[kept]
    widening = np.where(once, 1.0, 1.0 / np.maximum(1.0 - squares, 1.0 / WIDEST))
    hidden = np.maximum(shares.noise_squares[kept] - found.seen, 0.0)
    missing: Floats = shares.noise * np.sqrt(hidden)
    deviations = widening[:, None] * found.deviations
    se = np.sqrt((deviations**2).mean(axis=1) + missing**2)
    rng = np.random.default_rng(request.seed)
    deviations += missing[:, None] * rng.standard_normal(deviations.shape)
    if rows is None:
        deviations = centre_where_relative(problem, ratings.demands, deviations)
    errors = Moderated(se, np.full(len(se), float(count)))
    reach, x = errors.reach(request.level), x[kept]
    names = problem.names if rows is None else tuple(problem.names[i] for i in rows)
    return Intervals(
        names,
        request.level,
        "bootstrap",
        label[kept],
        x,
        x - reach,
        x + reach,
        x[:, None] + deviations,
        shares.contests,
        found.lost,
        moderated=errors,
        are_some=rows is not None,
    )


def _check(ratings: Fit, request: IntervalRequest) -> None:
    from qrja.scale import STEEPEST

    problem: Any = ratings.problem
    beyond = "fit a part that fits in memory, without engine, to ask it"
    if problem.passes is None:
        raise InputError(
            "intervals draw contests again, and saved ratings of data read in passes are without"
            " them; fit the data again"
        )
    if problem.drawn is not None:
        raise InputError(
            "these are ratings of a sample, and how far such are from those of all data is what"
            " solution.gap bounds; fit without sample to have intervals"
        )
    if _is_steep(ratings):
        raise InputError(
            f"p is {ratings.model.p:g}, and intervals of data read in passes are for p up to"
            f" {STEEPEST:g}; {beyond}"
        )
    if request.method not in ("auto", "bootstrap") or request.by is not None:
        asked = f"method is {request.method!r}" if request.by is None else "by is given"
        raise InputError(
            f"{asked}, and data read in passes are resampled by contest; leave it out, or {beyond}"
        )
