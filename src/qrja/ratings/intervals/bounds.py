"""Intervals: how far ratings, differences and ranks may be from the truth.

``bootstrap`` draws whole contests again and again (:mod:`~qrja.ratings.intervals.resampling`) and
takes quantiles; ``sandwich`` has a closed form for p = 2
(:mod:`~qrja.ratings.intervals.sandwich`). Both are corrected for what a fit hides from itself
(:mod:`~qrja.ratings.intervals.clusters`). Ranks are those within the drawn ratings, so an interval
on a rank is as honest as one on a rating.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from qrja.data import Floats, Index, centre, check_level, whole_number
from qrja.errors import InputError
from qrja.ratings.intervals.clusters import check_enough, find_clusters
from qrja.ratings.intervals.resampling import resample
from qrja.ratings.intervals.sandwich import covariance_root
from qrja.ratings.ranks import rank_draws, tie_width
from qrja.ratings.words import number_of

if TYPE_CHECKING:
    from qrja.ratings.door import Ratings

Method = Literal["bootstrap", "sandwich"]
"""Resample whole contests, or use the closed form of p = 2."""

FEWEST_RESAMPLES = 20


@dataclass(frozen=True, eq=False)
class Intervals:
    """The result of :meth:`qrja.Ratings.intervals`.

    Parameters
    ----------
    names : tuple
        The candidates.
    level : float
        The share of intervals that should hold the truth.
    method : {"bootstrap", "sandwich"}
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

    @property
    def resamples(self) -> int:
        """Number of columns of ``draws``."""
        return int(self.draws.shape[1])

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
        low, high = self._quantiles(self.draws[i] - self.draws[j])
        return float(low), float(high)

    def _quantiles(self, draws: NDArray[Any]) -> Floats:
        tail = 0.5 * (1.0 - self.level)
        return np.asarray(np.quantile(draws, [tail, 1.0 - tail], axis=-1))

    @cached_property
    def _rank_bounds(self) -> tuple[Index, Index]:
        best, worst = rank_draws(self.draws.T, self.components, tie_width(self.x, self.components))
        low, high = self._quantiles(best.T)
        if worst is not best:
            high = self._quantiles(worst.T)[1]
        return np.floor(low).astype(np.int32), np.ceil(high).astype(np.int32)

    @property
    def rank_low(self) -> Index:
        """The best rank that each candidate may have."""
        return self._rank_bounds[0]

    @property
    def rank_high(self) -> Index:
        """The worst rank that each candidate may have."""
        return self._rank_bounds[1]

    @cached_property
    def is_tied_for_first(self) -> NDArray[np.bool_]:
        """Whether each candidate may be as good as the leader of its component."""
        order = np.lexsort((-self.x, self.components))
        _, first = np.unique(self.components[order], return_index=True)
        leader = order[first][self.components]
        return np.asarray(self._quantiles(self.draws[leader] - self.draws)[0] <= 0)

    def tied_for_first(self, component: int = 0) -> list[Hashable]:
        """List those who may be as good as the leader of a component, best first."""
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


def find_intervals(
    ratings: Ratings,
    level: float,
    resamples: int,
    seed: int,
    method: Method,
    by: Iterable[Hashable] | None,
    progress: Callable[[int, int], None] | None = None,
) -> Intervals:
    """Find the intervals of all ratings, see :meth:`qrja.Ratings.intervals`."""
    count = check_request(level, resamples, seed, method)
    clusters = find_clusters(ratings.problem, by)
    check_enough(clusters)
    x, rng, shares = ratings.solution.x, np.random.default_rng(seed), clusters.shares
    noise = clusters.noise(x, ratings.problem.components)
    widening, degenerate = shares.widening[:, None], 0
    if method == "bootstrap":
        found = resample(ratings, clusters, count, rng, progress)
        deviations, degenerate, seen = widening * found.deviations, found.degenerate, found.seen
    else:
        root = widening * covariance_root(ratings, clusters)
        deviations = root @ rng.standard_normal((root.shape[1], count))
        # What a residual shows of the noise behind it, summed over the clusters of a rating.
        seen = shares.squares * np.maximum(1.0 - shares.squares, 0.0)
    free = ratings.model.demands_on(ratings.problem).free
    missing = noise * np.where(free, shares.missing(seen), 0.0)
    deviations = deviations + missing[:, None] * rng.standard_normal(deviations.shape)
    draws = x[:, None] + _centre(ratings, deviations)
    tail = 0.5 * (1.0 - level)
    if method == "bootstrap":
        low, high = np.quantile(draws, [tail, 1.0 - tail], axis=1)
    else:
        spread = -ndtri(tail) * np.sqrt((root**2).sum(axis=1) + missing**2)
        low, high = x - spread, x + spread
    return Intervals(
        ratings.problem.names,
        level,
        method,
        ratings.solution.components,
        x,
        low,
        high,
        draws,
        clusters.count,
        degenerate,
    )


def check_request(level: float, resamples: int, seed: int, method: str) -> int:
    """Check what is asked for; return the number of resamples."""
    check_level(level)
    if method not in get_args(Method):
        raise InputError(f"method is {method!r}; choose one of {', '.join(get_args(Method))}")
    whole_number(seed, "seed", 0)
    return whole_number(resamples, "resamples", FEWEST_RESAMPLES)


def _centre(ratings: Ratings, deviations: Floats) -> Floats:
    """Centre each component, unless its ratings are absolute."""
    if ratings.model.anchors or ratings.model.prior is not None:
        return deviations
    label = ratings.problem.components
    return np.stack([centre(column, label) for column in deviations.T], axis=1)
