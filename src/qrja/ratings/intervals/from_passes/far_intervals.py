"""Intervals by passes: whole contests are drawn again where they are, for p = 2.

As in memory (:mod:`~qrja.ratings.intervals.bounds`), a draw of a rating is

    x_i + widening_i d_ik + noise sqrt(max(q_i - seen_i, 0)) z_ik,     z standard normal

and d is the deviation of least squares when contests count as often as they are drawn, a Poisson
number each. So few draws as fit in some passes show a spread and no tails: bounds are ``x -+ t se``
with a degree of freedom for each draw. Contests, or judgments, are taken to be independent: who
judged is not known here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.bounds import FEW_DRAWS, Intervals
from qrja.ratings.intervals.clusters import FEWEST, WIDEST
from qrja.ratings.intervals.moderation import Moderated
from qrja.ratings.intervals.request import IntervalRequest
from qrja.solvers import centre_where_relative


def can_resample(ratings: Fit) -> bool:
    """Tell whether the data are at hand, and can be drawn again."""
    problem: Any = ratings.problem
    return problem.passes is not None and ratings.model.is_square and len(problem) >= FEWEST


def find_far_intervals(
    ratings: Fit,
    request: IntervalRequest,
    progress: Callable[[int, int], None] | None = None,
) -> Intervals:
    """Find the intervals of all ratings, see :meth:`qrja.Ratings.intervals`."""
    from qrja.scale import check_memory, find_shares, resample_passes

    problem: Any = ratings.problem
    _check(ratings, request)
    count = request.draws if request.exactly else FEW_DRAWS
    check_memory(problem.n, draws=count)
    x, label = ratings.solution.x, ratings.solution.components
    shares = find_shares(problem.passes, label, x, precise=problem.directed)
    if shares.contests < FEWEST or np.isnan(shares.noise):
        raise InputError(
            f"they need at least {FEWEST} contests, and contestants with several results"
        )
    found = resample_passes(
        problem.passes, label, x, shares, count=count, seed=request.seed, tell=progress
    )
    once = problem.appearances < 2
    widening = np.where(once, 1.0, 1.0 / np.maximum(1.0 - shares.squares, 1.0 / WIDEST))
    missing: Floats = shares.noise * np.sqrt(np.maximum(shares.noise_squares - found.seen, 0.0))
    deviations = widening[:, None] * found.deviations
    se = np.sqrt((deviations**2).mean(axis=1) + missing**2)
    rng = np.random.default_rng(request.seed)
    deviations += missing[:, None] * rng.standard_normal(deviations.shape)
    deviations = centre_where_relative(problem, ratings.demands, deviations)
    errors = Moderated(se, np.full(problem.n, float(count)))
    reach = errors.reach(request.level)
    return Intervals(
        problem.names,
        request.level,
        "bootstrap",
        label,
        x,
        x - reach,
        x + reach,
        x[:, None] + deviations,
        shares.contests,
        found.lost,
        moderated=errors,
    )


def _check(ratings: Fit, request: IntervalRequest) -> None:
    problem: Any = ratings.problem
    beyond = "fit a part that fits in memory, without engine, to ask it"
    if problem.passes is None:
        raise InputError(
            "intervals draw contests again, and saved ratings of data read in passes are without"
            " them; fit the data again"
        )
    if not ratings.model.is_square:
        raise InputError(f"intervals of data read in passes are for p = 2; {beyond}")
    if request.method not in ("auto", "bootstrap") or request.by is not None:
        asked = f"method is {request.method!r}" if request.by is None else "by is given"
        raise InputError(
            f"{asked}, and data read in passes are resampled by contest; leave it out, or {beyond}"
        )
