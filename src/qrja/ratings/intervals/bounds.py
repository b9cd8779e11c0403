"""Bounds: how far ratings, differences and ranks may be from the truth.

Draw k of the rating of candidate i, in a component that is centred unless an anchor or a ridge
holds it, is

    x_i + widening_i d_ik + noise sqrt(max(q_i - seen_i, 0)) z_ik,     z standard normal

with d a deviation that whole contests drawn again show (:mod:`~qrja.ratings.intervals.resampling`)
or that the closed form for p = 2 has (:mod:`~qrja.ratings.intervals.sandwich`). A fit hides noise
from itself (:mod:`~qrja.ratings.intervals.clusters`): of the share ``q_i = sum u^2`` of a unit of
noise that is in a rating, the deviations show ``seen_i``, and what is missing is added back. Bounds
are quantiles of the draws, or ``x -+ z sd`` in closed form. Ranks are those within the drawn
ratings, so an interval on a rank is as honest as one on a rating; it holds the rank itself too, and
who has 1 among the ranks may be first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Offsets, quantiles, whole_number
from qrja.distributions import normal_quantile, student_quantile
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.clusters import Clusters, check_enough, find_clusters
from qrja.ratings.intervals.drawn_anew import deviate_by_covariance, deviate_by_loss
from qrja.ratings.intervals.moderation import Moderated, calibrate, can_moderate, moderate, pool
from qrja.ratings.intervals.request import IntervalRequest, Method
from qrja.ratings.intervals.resampling import (
    ACCURACY,
    ROUGH,
    go_in_steps,
    resample,
    resample_in_steps,
)
from qrja.ratings.intervals.sandwich import covariance_root
from qrja.ratings.ranks import rank_draws, rank_within, tie_width
from qrja.ratings.words import number_of
from qrja.solvers import centre_where_relative

FEW_DRAWS, MOST_DRAWN = 32, 20_000_000
"""Draws that show a spread to an eighth, which bounds allow for, and entries by draws beyond which
they have to do: from 50,000 or 100,000 entries on, as 400 or 200 draws are usual."""
WRITTEN = 5
"""Times as many, of so few candidates that a covariance is at hand: more is made of each draw."""
POOLED, JOSTLING = 1_000_000, 1.0 / math.sqrt(math.pi)
"""Drawn ratings among which ranks are looked up, and how much of ``n f(x) se`` the number of those
ahead of somebody varies by: the integral of ``F (1 - F)`` for normal errors."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """The result of :meth:`qrja.Ratings.intervals`.

    Parameters
    ----------
    names : tuple
        The candidates.
    level : float
        The share of intervals that should hold the truth.
    method : {"bootstrap", "sandwich", "model"}
        How they were found.
    components : array of int
        Which candidates compare.
    x : array of float
        The ratings.
    low, high : array of float
        The interval on each rating.
    draws : array of float
        Ratings as they might have come out, a column each.
    clusters : int
        How many contests, judgments or groups were taken as independent.
    degenerate : int
        Resamples in which somebody, or the only contest that joins two groups, was not drawn.
    moderated : Moderated or None
        The standard errors behind the bounds, where they are in closed form.
    terms : array of float or None
        Shared terms as they might have come out, a column each.
    are_some : bool
        Whether these are some of the candidates, who have no ranks among each other.

    Examples
    --------
    >>> import qrja
    >>> made = qrja.datasets.synthetic_races(races=60, entrants=8, field=5, turnover=0)
    >>> intervals = qrja.fit(made.contests).intervals(resamples=100)
    >>> low, high = intervals.of("racer 1")
    >>> bool(low < intervals.x[0] < high)
    True
    >>> intervals.tied_for_first()
    ['racer 5']
    """

    names: tuple[Hashable, ...]
    level: float
    method: Method
    components: Index
    x: Floats
    low: Floats
    high: Floats
    draws: Floats
    clusters: int
    degenerate: int
    moderated: Moderated | None = field(default=None, kw_only=True)
    terms: Floats | None = field(default=None, kw_only=True)
    are_some: bool = field(default=False, kw_only=True)

    def only(self, of: Iterable[Hashable]) -> Intervals:
        """Return the intervals of some candidates."""
        rows = numbers_of(self.names, of)
        errors = self.moderated
        return replace(
            self,
            names=tuple(self.names[i] for i in rows),
            components=self.components[rows],
            x=self.x[rows],
            low=self.low[rows],
            high=self.high[rows],
            draws=self.draws[rows],
            moderated=None if errors is None else errors.of(rows),
            are_some=True,
        )

    def term_bounds(self) -> tuple[Floats, Floats]:
        """Return the bounds of each shared term."""
        low, high = self._quantiles(np.zeros((0, 1)) if self.terms is None else self.terms)
        return low, high

    @property
    def resamples(self) -> int:
        """Number of columns of ``draws``."""
        return int(self.draws.shape[1])

    def bounds(self, level: float) -> tuple[Floats, Floats]:
        """Return the bounds that all ratings have at another level."""
        if self.moderated is not None:
            reach = self.moderated.reach(level)
            return self.x - reach, self.x + reach
        low, high = quantiles(self.draws, [0.5 * (1.0 - level), 0.5 * (1.0 + level)])
        return low, high

    def of(self, name: Hashable) -> tuple[float, float]:
        """Return the interval on a rating."""
        i = number_of(self.names, name)
        return float(self.low[i]), float(self.high[i])

    def difference(self, a: Hashable, b: Hashable) -> tuple[float, float]:
        """Return the interval on how much better a is than b.

        Raises
        ------
        InputError
            If nothing joins the two: no number would mean anything.
        """
        i, j = number_of(self.names, a), number_of(self.names, b)
        if self.components[i] != self.components[j]:
            raise InputError(
                f"{a!r} and {b!r} cannot be compared: no chain of contests joins them;"
                " a contest with members of both groups would"
            )
        return self._bounds_of_difference(i, j)

    def _bounds_of_difference(self, i: int, j: int) -> tuple[float, float]:
        low, high = self._quantiles(self.draws[i] - self.draws[j])
        return float(low), float(high)

    def _quantiles(self, draws: NDArray[Any]) -> Floats:
        tail = 0.5 * (1.0 - self.level)
        return quantiles(draws, [tail, 1.0 - tail])

    @cached_property
    def _rank_bounds(self) -> tuple[Index, Index]:
        if self.are_some:
            raise InputError(
                "ranks are among all contestants, and these are intervals of some; ask for those of"
                " all, without of"
            )
        low, high = self._quantiles_of_ranks()
        # Draws vary on both sides of x, and among many near-equals the leader is rarely first.
        rank = rank_within(self.x, self.components)
        low, high = np.minimum(np.floor(low), rank), np.maximum(np.ceil(high), rank)
        return low.astype(np.int32), high.astype(np.int32)

    def _quantiles_of_ranks(self) -> tuple[Floats, Floats]:
        best, worst = rank_draws(self.draws.T, self.components, tie_width(self.x, self.components))
        low, high = self._quantiles(best.T)
        if worst is not best:
            high = self._quantiles(worst.T)[1]
        return low, high

    @property
    def rank_low(self) -> Index:
        """The best rank that each candidate may have."""
        return self._rank_bounds[0]

    @property
    def rank_high(self) -> Index:
        """The worst rank that each candidate may have."""
        return self._rank_bounds[1]

    @property
    def is_tied_for_first(self) -> NDArray[np.bool_]:
        """Whether each candidate may be first in its component: 1 is among its ranks."""
        return np.asarray(self.rank_low == 1)

    def tied_for_first(self, component: int = 0) -> list[Hashable]:
        """List those who may be first in a component, best first."""
        component = whole_number(component, "component", 0)
        if component > self.components.max(initial=0):
            raise InputError(f"component is {component}; give at most {self.components.max()}")
        tied = np.flatnonzero(self.is_tied_for_first & (self.components == component))
        return [self.names[i] for i in tied[np.argsort(-self.x[tied], kind="stable")]]

    def __repr__(self) -> str:
        return (
            f"Intervals(level={self.level:g}, method={self.method!r}, {self.resamples} draws of"
            f" {self.clusters} clusters, {self.degenerate} degenerate)"
        )


class FewDraws(Intervals):
    """Intervals by draws that show a spread and no tails: errors are Student's, and ranks counted.

    A degree of freedom for each draw. With R(t) the number of others above t, on average over the
    draws, ``1 + R`` at the ends of an interval are the ranks there. How many are ahead varies
    besides, by ``v = n f se / sqrt(pi)`` with n f the others per unit around x:

        rank  =  1 + R(x)  -+  sqrt((R(x) - R(end))^2 + z^2 v)
    """

    def _bounds_of_difference(self, i: int, j: int) -> tuple[float, float]:
        middle = float(self.x[i] - self.x[j])
        off = self.draws[i] - self.draws[j] - middle
        df, chance = np.array([float(off.size)]), 0.5 * (1.0 - self.level)
        reach = -float(student_quantile(df, chance)[0]) * float(np.sqrt((off**2).mean()))
        return middle - reach, middle + reach

    def _quantiles_of_ranks(self) -> tuple[Floats, Floats]:
        above = _Above(self.draws[:, : max(1, POOLED // len(self.x))], self.components)
        width = tie_width(self.x, self.components)[self.components]
        best, worst = above(self.high, width), above(self.low, -width) - 1.0
        middle = 0.5 * (above(self.x, width) + above(self.x, -width) - 1.0)
        z = -normal_quantile(0.5 * (1.0 - self.level))
        varied = z**2 * JOSTLING * np.maximum(worst - best, 0.0) / (2.0 * z)
        low = 1.0 + middle - np.sqrt((middle - best) ** 2 + varied)
        high = 1.0 + middle + np.sqrt((worst - middle) ** 2 + varied)
        size = np.bincount(self.components)[self.components]
        return np.maximum(low, 1.0), np.minimum(high, size)


class _Above:
    """How many of each component are above some values, on average over draws."""

    def __init__(self, draws: Floats, components: Index) -> None:
        self.count, self.components = draws.shape[1], components
        last = int(components.max(initial=0))
        low, high = float(draws.min()), float(draws.max())
        self.bounds = low, high
        # One component after the other, so far apart that all of them are sorted as one.
        self.apart = (2.0 * (high - low) + 1.0) * np.arange(last + 1)
        self.ordered = np.sort(draws + self.apart[components][:, None], axis=None)
        self.ends = self.count * np.cumsum(np.bincount(components, minlength=last + 1))

    def __call__(self, x: Floats, width: Floats) -> Floats:
        """Return how many are further above each x than the width of a tie."""
        low, high = self.bounds
        x = np.clip(x + width, low - 0.5, high + 0.5) + self.apart[self.components]
        below = np.searchsorted(self.ordered, x, side="right")
        return np.asarray((self.ends[self.components] - below) / self.count)


def numbers_of(names: tuple[Hashable, ...], of: Iterable[Hashable]) -> Offsets:
    """Return the numbers of some candidates."""
    asked = [of] if isinstance(of, str) else list(of)
    if not asked:
        raise InputError("of is empty; name the contestants whose intervals are asked for")
    return np.array([number_of(names, name) for name in asked], dtype=np.int64)


def find_by_clusters(
    ratings: Fit,
    request: IntervalRequest,
    progress: Callable[[int, int], None] | None = None,
) -> Intervals:
    """Find the intervals of all ratings from clusters that are independent of each other."""
    clusters = find_clusters(ratings.problem, request.by, ratings.demands.free)
    check_enough(clusters, ratings.problem.components)
    x, rng = ratings.solution.x, np.random.default_rng(request.seed)
    noise = clusters.noise(x, ratings.problem.components)
    shown = (_resampled if request.method == "bootstrap" else _closed_form)(
        ratings, clusters, request, rng, progress
    )
    deviations = shown.deviations
    if shown.moderated is None:
        missing = noise * np.where(ratings.demands.free, clusters.shares.missing(shown.seen), 0.0)
        deviations = deviations + missing[:, None] * rng.standard_normal(deviations.shape)
        deviations = centre_where_relative(ratings.problem, ratings.demands, deviations)
    draws, moderated = x[:, None] + deviations, shown.moderated
    if shown.are_few:
        se = np.sqrt((shown.deviations**2).mean(axis=1) + missing**2)
        moderated = Moderated(se, np.full(len(se), float(deviations.shape[1])))
    if moderated is not None:
        reach = moderated.reach(request.level)
        low, high = x - reach, x + reach
    elif shown.variance is None:
        low, high = quantiles(draws, [request.tail, 1.0 - request.tail])
    else:
        spread = -normal_quantile(request.tail) * np.sqrt(shown.variance + missing**2)
        low, high = x - spread, x + spread
    return (FewDraws if shown.are_few else Intervals)(
        ratings.problem.names,
        request.level,
        request.method,
        ratings.solution.components,
        x,
        low,
        high,
        draws,
        clusters.count,
        shown.degenerate,
        moderated=moderated,
        terms=_around(ratings, shown.terms),
    )


def _around(ratings: Fit, deviations: Floats | None) -> Floats | None:
    """Return shared terms as they might have come out."""
    if ratings.terms is None or deviations is None:
        return None
    return np.asarray(ratings.terms.beta[:, None] + deviations)


class _Shown(NamedTuple):
    """What a method shows: widened deviations, and how much of one unit of noise is in them."""

    deviations: Floats
    seen: Floats
    degenerate: int = 0
    variance: Floats | None = None
    """Of each deviation, where it is known; else their quantiles are taken."""
    moderated: Moderated | None = None
    """Errors that hide nothing, with the degrees of freedom behind each."""
    terms: Floats | None = None
    """Deviations of shared terms."""
    are_few: bool = False
    """Whether draws show a spread only."""


def _resampled(
    ratings: Fit,
    clusters: Clusters,
    request: IntervalRequest,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None,
) -> _Shown:
    count = request.draws
    is_long = not request.exactly and takes_long(ratings, clusters, count)
    # Many results show the noise of each candidate well enough, and a covariance would take longer.
    moderates = not is_long and can_moderate(ratings)
    if moderates and not ratings.model.is_square and clusters.what != "judge":
        anew = deviate_by_loss(ratings, count, rng, progress, exactly=request.exactly)
        errors = pool(anew)
        errors, drawn = calibrate(errors, anew, errors.se, rng)
        drawn = _centred(ratings, drawn)
        return _Shown(drawn, clusters.shares.squares, moderated=errors, terms=anew.terms)
    if is_long:
        count = FEW_DRAWS
    if is_long and not ratings.model.is_square:
        found = resample_in_steps(ratings, count, request.seed, progress)
    else:
        accuracy = ROUGH if is_long else ACCURACY
        found = resample(
            ratings, clusters, count, rng, progress, with_seen=not moderates, accuracy=accuracy
        )
    if moderates:
        # Errors of ratings hang together as in the model, also where few resamples show it.
        spread = np.sqrt(np.maximum(ratings.covariance.variances()[: clusters.n], 0.0))
        errors, tails = moderate(ratings, clusters, _centred(ratings, found.deviations))
        anew = deviate_by_covariance(ratings, tails, count, rng)
        errors, drawn = calibrate(errors, anew, spread, rng, exact=tails.is_normal)
        drawn = _centred(ratings, drawn)
        shown = drawn, found.seen, found.degenerate
        return _Shown(*shown, moderated=errors, terms=found.terms)
    deviations = clusters.shares.widening[:, None] * found.deviations
    return _Shown(deviations, found.seen, found.degenerate, terms=found.terms, are_few=is_long)


def takes_long(ratings: Fit, clusters: Clusters, draws: int) -> bool:
    """Tell whether so many draws would take many times as long as a fit, and few can be had sooner.

    Counts decide that, never a clock.
    """
    most = MOST_DRAWN * (WRITTEN if ratings.covariance.is_written else 1)
    if ratings.problem.entries * draws <= most:
        return False
    return ratings.model.is_square or go_in_steps(ratings, clusters)


def _centred(ratings: Fit, deviations: Floats) -> Floats:
    return centre_where_relative(ratings.problem, ratings.demands, deviations)


def _closed_form(
    ratings: Fit,
    clusters: Clusters,
    request: IntervalRequest,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None,
) -> _Shown:
    if ratings.terms is not None:
        raise InputError(
            f"method is 'sandwich', which does not know the covariate {ratings.terms.names[0]!r}"
            " yet; use method='bootstrap'"
        )
    shares = clusters.shares
    root = shares.widening[:, None] * covariance_root(ratings, clusters)
    deviations = root @ rng.standard_normal((root.shape[1], request.draws))
    # What a residual shows of the noise behind it, summed over the clusters of a rating.
    seen = shares.noise_squares * np.maximum(1.0 - shares.squares, 0.0)
    return _Shown(deviations, seen, variance=(root**2).sum(axis=1))
