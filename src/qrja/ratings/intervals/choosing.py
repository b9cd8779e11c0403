"""The method by which intervals are found, where nobody named one, and why.

- Standard errors are given: the model's, errors known.
- Weights of judgments differ, and no judge is named: the model's, errors scaled, since a light
  judgment then is an imprecise one.
- Most resamples of judgments would lose somebody, as few hold each of them: the same.
- Else whole contests, judges or judgments are resampled, which assumes less; so for every loss but
  the square, and for so many candidates and judgments that their covariance takes long.

Errors of many contests hardly change with one more, and take a while to find. So they are found
from the first contests, as many as the last milestone says and everybody has appeared in
(:mod:`qrja.ratings.past`), and carried to the ratings of all. With the squared shares
``q_i = sum u^2`` of the contests in a rating, 1/m for m of equal weight,

    draw of x_i  =  x_i  +  sqrt(q_i / q_i then)  (draw of x_i then - x_i then)

so that whoever competed since is known better by as much. Where groups have joined since, errors
are found anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.ratings.fitted import Fit, is_elsewhere
from qrja.ratings.intervals.bounds import Intervals, find_by_clusters
from qrja.ratings.intervals.classical import find_classical
from qrja.ratings.intervals.clusters import find_clusters
from qrja.ratings.intervals.from_passes import can_resample, find_far_intervals
from qrja.ratings.intervals.request import IntervalRequest
from qrja.ratings.past import last_milestone, walk
from qrja.solvers import centre_where_relative

UNEQUAL = 1e-9
"""Relative difference of weights that is none."""
HALF = 0.7
"""Candidates missing on average from which half of the resamples lack one: a Poisson of log 2."""


class ChosenMethod(NamedTuple):
    """A request with its method named, and in a sentence why it was taken; empty if as usual."""

    request: IntervalRequest
    why: str


def choose_method(ratings: Fit, request: IntervalRequest) -> ChosenMethod:
    """Name the method of a request that leaves it open.

    Examples
    --------
    >>> import qrja
    >>> rated = qrja.fit(qrja.Judgments.from_arrays("ab", "bc", [1, 1], se=[3, 4]))
    >>> print(choose_method(rated, IntervalRequest()).why)
    errors are taken as known: judgments have standard errors
    """
    if request.method != "auto":
        return ChosenMethod(request, "")
    problem, resampled = ratings.problem, replace(request, method="bootstrap")
    if ratings.moved is not None:
        how = "move as fast as that" if ratings.moved.is_of_time else "differ as much as that"
        why = f"errors are those of strengths that {how}"
        return ChosenMethod(replace(request, method="model", errors=None), why)
    if ratings.parts is not None:
        why = "errors are those of members that differ as much as that"
        return ChosenMethod(replace(request, method="model", errors=None), why)
    if not problem.directed or request.by is not None:
        return ChosenMethod(resampled, "")
    if ratings.model.measured is not None:
        why = "errors are taken as known: judgments and measured values have standard errors"
        return ChosenMethod(replace(request, method="model", errors="known"), why)
    if problem.se is not None:
        if ratings.model.is_square and ratings.covariance.is_quick:
            why = "errors are taken as known: judgments have standard errors"
            return ChosenMethod(replace(request, method="model", errors="known"), why)
        slow = f"take long for {problem.n:,} candidates and {len(problem):,} judgments"
        limit = slow if ratings.model.is_square else "are for p = 2 only"
        return ChosenMethod(
            resampled, f"errors are found by resampling: those of the model {limit}"
        )
    if _is_imprecise(ratings):
        freedom = _freedom(ratings.misfit.df)
        why = (
            "errors are scaled by what the ratings leave, a light judgment being an imprecise one:"
            f" weights differ ({freedom})"
        )
        return ChosenMethod(replace(request, method="model", errors="scaled"), why)
    if _falls_apart(ratings):
        freedom = _freedom(ratings.misfit.df)
        why = (
            "errors are scaled by what the ratings leave: most resamples of these judgments would"
            f" lose somebody ({freedom})"
        )
        return ChosenMethod(replace(request, method="model", errors="scaled"), why)
    return ChosenMethod(resampled, "")


def _falls_apart(ratings: Fit) -> bool:
    """Tell whether somebody is missing in most resamples: so many are expected to be, on average.

    Of N judgments drawn N times, the m of somebody are all missing with chance ``(1 - m / N)^N``.
    """
    problem = ratings.problem
    if not ratings.model.is_square or problem.judge is not None or problem.study is not None:
        return False
    share = ratings.appearances / max(len(problem), 1)
    lost = float(((1.0 - np.minimum(share, 1.0)) ** len(problem)).sum())
    return lost > HALF and ratings.misfit.df > 0 and ratings.covariance.is_quick


def _is_imprecise(ratings: Fit) -> bool:
    """Tell whether weights differ, and say by that how precise each judgment is."""
    w = ratings.problem.weight
    if not ratings.model.is_square or ratings.problem.judge is not None or not len(w):
        return False
    return float(w.max()) > float(w.min()) * (1.0 + UNEQUAL) and ratings.covariance.is_quick


def are_possible(ratings: Fit, request: IntervalRequest) -> bool:
    """Tell whether intervals can be found: known errors need nothing else."""
    if is_elsewhere(ratings.problem):
        return can_resample(ratings)
    chosen = choose_method(ratings, request).request
    if chosen.method == "model":
        known = chosen.errors == "known" or (chosen.errors is None and ratings.data.se is not None)
        return known or ratings.misfit.df > 0
    clusters = find_clusters(ratings.problem, free=ratings.demands.free)
    return clusters.are_enough(ratings.problem.components)


def find_intervals(
    ratings: Fit,
    request: IntervalRequest,
    progress: Callable[[int, int], None] | None = None,
    of: Iterable[Hashable] | None = None,
) -> Intervals:
    """Find the intervals of all ratings, or of some, see :meth:`qrja.Ratings.intervals`."""
    if is_elsewhere(ratings.problem):
        return find_far_intervals(ratings, request, progress, of)
    if of is not None:
        return find_intervals(ratings, request, progress).only(of)
    chosen = choose_method(ratings, request).request
    if chosen.method == "model":
        return _remember(ratings, find_classical(ratings, chosen))
    if ratings.model.measured is not None:
        raise InputError(
            f"method is {chosen.method!r}, and measured values are not drawn again; their errors"
            " are those of method='model' (--errors known or scaled)"
        )
    carried = _find_carried(ratings, chosen, progress)
    if carried is not None:
        return carried
    return _remember(ratings, find_by_clusters(ratings, chosen, progress))


def _remember(ratings: Fit, found: Intervals) -> Intervals:
    """Keep what was found last of shared terms, for whoever shows them beside the ratings."""
    if found.terms is not None:
        ratings.__dict__["term_bounds"] = (found.level, *found.term_bounds())
    return found


def _freedom(df: int) -> str:
    return f"{df:,} degree{'' if df == 1 else 's'} of freedom"


# ----------------------------------------------------------------- errors carried on


def _find_carried(
    ratings: Fit, request: IntervalRequest, progress: Callable[[int, int], None] | None
) -> Intervals | None:
    """Carry on the intervals of the first contests; None where they are to be found from all."""
    count = learned_from(ratings)
    if count == len(ratings.data) or request.by is not None or ratings.terms is not None:
        return None
    known = ratings.memory.recall(ratings, count, Intervals)
    if known is None or known[0] != request:
        first = next(walk(ratings, [count]))
        known = (request,)
        if _are_alike(first, ratings):
            known = request, find_by_clusters(first, request, progress), share_squares(first)
        ratings.memory.keep(ratings, count, Intervals, known)
    return _move(ratings, *known[1:]) if len(known) > 1 else None


def learned_from(ratings: Fit) -> int:
    """Return from how many of the first contests errors are found; judgments have no order."""
    data = ratings.data
    if data.directed or len(data) == last_milestone(len(data)):
        return len(data)
    newest = int(np.argmax(data.who == data.n - 1))  # numbered by first appearance
    return max(last_milestone(len(data)), int(data.contest_of_entry[newest]) + 1)


def _are_alike(first: Fit, ratings: Fit) -> bool:
    """Tell whether the same candidates are comparable, and everybody is one of them."""
    return np.array_equal(first.problem.components, ratings.problem.components)


def share_squares(ratings: Fit) -> Floats:
    """Return the sum of squared shares of contests in each rating, found once."""
    if "shares" not in ratings.found:
        ratings.found["shares"] = find_clusters(ratings.problem).share_squares()
    found: Floats = ratings.found["shares"]
    return found


def _move(ratings: Fit, found: Intervals, then: Floats) -> Intervals:
    """Set the errors of intervals around the ratings of all."""
    now = share_squares(ratings)
    narrower = np.sqrt(np.divide(now, then, out=np.ones_like(now), where=then > 0))
    off = narrower[:, None] * (found.draws - found.x[:, None])
    x = ratings.solution.x
    errors = found.moderated
    return replace(
        found,
        names=ratings.problem.names,
        components=ratings.solution.components,
        x=x,
        low=x - narrower * (found.x - found.low),
        high=x + narrower * (found.high - found.x),
        draws=x[:, None] + centre_where_relative(ratings.problem, ratings.demands, off),
        moderated=None if errors is None else errors._replace(se=narrower * errors.se),
    )
