"""Clusters: what is resampled as a whole, and how much noise a fit hides from itself.

Results of one contest share its course and its weather, judgments of one judge share the judge:
only whole contests, or judges, are independent of each other. With residuals
``r_e = s_e - x_i - (mean of its contest)`` the noise of one result is

    noise^2 = sum w r^2 / sum w (k - 1)  *  sum (k - 1) / (sum (k - 1) - candidates + components)

Weights of judgments are taken as precision: one that weighs w among others that weigh 1 on average
has ``1 / w`` of their noise. Those of contests are not, for an old race counts less than a new one
and was not less exact.

A candidate's own results pull the rating toward themselves, so deviations seen in resampling are
too small. With shares ``u_c`` of the clusters in a rating (1/m for m clusters of equal weight),
they are widened by ``1 / (1 - sum u^2)``, that is m / (m - 1), as residuals are by their leverage
in the jackknife; and the noise that resampling does not show at all, the whole of it for a
candidate seen once, is added as a normal draw.

References
----------
J. G. MacKinnon and H. White, Some heteroskedasticity-consistent covariance matrix estimators with
improved finite sample properties, 1985.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from qrja.data import (
    Floats,
    Index,
    Mask,
    Nouns,
    Offsets,
    Problem,
    centre,
    distinct_values,
    number_labels,
    sum_by,
)
from qrja.errors import InputError
from qrja.laplacian import Weightings
from qrja.row_matrices import by_rows
from qrja.speech import Count, Sentence, joined, plural

FEWEST = 3
"""Clusters that an interval needs."""
WIDEST = 2.0
"""Deviations are widened by this much at most, the value for two clusters."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """A problem as groups of entries, each in a cluster.

    Parameters
    ----------
    n : int
        Number of candidates.
    start, who, score : array
        The entries, as in :class:`qrja.Contests`; a judgment is a contest of two.
    weight : array of float
        What a pair of each contest weighs.
    of : array of int
        The cluster of each contest.
    what : str
        What the clusters are, in words.
    precise : bool
        Whether the more a result weighs the less it errs.
    overlap : int
        Margins of ``sum (k - 1)`` that follow from others: contrasts of a study do.
    held : array of bool, optional
        Which candidates are anchored: no result is needed to fix their ratings.
    """

    n: int
    start: Offsets
    who: Index
    score: Floats
    weight: Floats
    of: Index
    what: str
    precise: bool = False
    overlap: int = 0
    held: Mask | None = None

    @cached_property
    def count(self) -> int:
        """Number of clusters that compare anybody."""
        return len(distinct_values(self.of[self.sizes > 1]))

    @property
    def are_alone(self) -> bool:
        """Whether results are independent, but for what those of one contest have in common."""
        return self.what in ("contest", "judgment", "study")

    @cached_property
    def sizes(self) -> Offsets:
        """Entrants of each contest."""
        return np.diff(self.start)

    @cached_property
    def contest(self) -> Index:
        """The contest of each entry."""
        return np.repeat(np.arange(len(self.sizes), dtype=np.int32), self.sizes)

    @cached_property
    def weightings(self) -> Weightings:
        """The contests as least squares sees them, for weights yet to come."""
        return Weightings(self.n, self.start, self.who)

    @cached_property
    def rounding(self) -> float:
        """What rounding errors of residuals amount to in ``sum w k r^2``, with a margin."""
        centred = self.residuals(np.zeros(self.n))
        error = 1e-13 * np.abs(centred) + 1e-15 * np.abs(self.score)
        return float((self.weight * self.sizes)[self.contest] @ error**2)

    def residuals(self, x: Floats) -> Floats:
        """Return what each score is above the rating, relative to its contest."""
        return centre(self.score - x[self.who], self.contest)

    def spare_results(self, components: Index) -> int:
        """Count the results beyond those that fix the ratings: what noise is learned from."""
        raced = distinct_values(self.who[(self.sizes > 1)[self.contest]])
        held = raced[:0] if self.held is None else raced[self.held[raced]]
        compared = int(np.maximum(self.sizes - 1, 0).sum()) - self.overlap
        # The level of a component is no rating, unless an anchor makes it one.
        levels = set(components[raced].tolist()) - set(components[held].tolist())
        return compared - (len(raced) - len(held)) + len(levels)

    def are_enough(self, components: Index) -> bool:
        """Tell whether there is something to resample, and noise to be seen in it."""
        return self.count >= FEWEST and self.spare_results(components) > 0

    def lacking(self, components: Index, nouns: Nouns) -> str:
        """Say what intervals lack, and what to do about it; nothing where they lack nothing."""
        if self.are_enough(components):
            return ""
        if self.what == "judge" and self.count < FEWEST:
            return joined("", [few(self), *_remedy(self, components)])
        noun = self.what if self.what in ("study", "group") else nouns.event
        several = plural(nouns.event) if nouns.judged else "results"
        who = f"{plural(nouns.candidate)} with several {several}"
        return f"they need at least {FEWEST} {plural(noun)}, and {who}"

    @property
    def _noun(self) -> str:
        return "judgment" if self.precise else "contest"

    def noise(self, x: Floats, components: Index) -> float:
        """Return the standard deviation of one result around its rating."""
        left = self.spare_results(components)
        if left <= 0:
            raise InputError(
                "nobody met twice, not even through others, so nothing tells how far results"
                " stray from ratings; add contests"
            )
        others = np.maximum(self.sizes - 1, 0)
        squares = float(self.weight[self.contest] @ self.residuals(x) ** 2)
        return float(np.sqrt(squares / (self.weight @ others) * others.sum() / left))

    def share_squares(self) -> Floats:
        """Return the squares of :attr:`shares`, quickly where contests are clusters alone."""
        if (self.of != np.arange(len(self.of))).any():
            return self.shares.squares
        # No contest lists anybody twice: an entry is a share.
        share = np.repeat(self._ray, self.sizes)
        total = sum_by(self.who, share, self.n)[self.who]
        np.divide(share, total, out=share, where=total > 0)
        return sum_by(self.who, share**2, self.n)

    @property
    def _ray(self) -> Floats:
        """What an entry of each contest weighs in the rating; nothing in a contest of one."""
        return np.where(self.sizes > 1, self.weight * self.sizes, 0.0)

    @cached_property
    def shares(self) -> Shares:
        """How each rating is made up of clusters."""
        ray = self._ray[self.contest]
        base = int(self.of.max(initial=0)) + 1
        key = self.who.astype(np.int64) * base + self.of[self.contest]
        pairs, place = np.unique(key, return_inverse=True)
        who, cluster = np.divmod(pairs, base)
        weight = sum_by(place, ray, len(pairs))
        total = sum_by(who, weight, self.n)
        share = np.divide(weight, total[who], out=np.zeros(len(pairs)), where=total[who] > 0)
        return Shares(self.n, who, cluster, weight, share, self._noise_of(place, weight))

    def _noise_of(self, place: Offsets, weight: Floats) -> Floats:
        """Return the variance of noise in each share, in units of one result of average weight."""
        if not self.precise:
            return np.ones(len(weight))
        usual = float((self.weight * self.sizes).mean())
        # A margin has the noise of both sides; in a large field that of the others averages out.
        return 2.0 * np.bincount(place, minlength=len(weight)) * usual / weight


@dataclass(frozen=True, eq=False)
class Shares:
    """Pairs of a candidate and a cluster it is in, and the share of one in the other's rating."""

    n: int
    who: Offsets
    cluster: Offsets
    weight: Floats
    share: Floats
    noise: Floats

    @cached_property
    def squares(self) -> Floats:
        """Sum of squared shares of each candidate: 1/m for m equal clusters."""
        return sum_by(self.who, self.share**2, self.n)

    @cached_property
    def noise_squares(self) -> Floats:
        """The same with the noise of each share: the variance of one unit of noise in a rating."""
        return sum_by(self.who, self.share**2 * self.noise, self.n)

    @cached_property
    def widening(self) -> Floats:
        """By how much deviations are widened; 1 for those seen once, whose noise is added."""
        once = np.bincount(self.who, minlength=self.n) < 2
        factor = 1.0 / np.maximum(1.0 - self.squares, 1.0 / WIDEST)
        return np.where(once, 1.0, factor)

    def seen(self, drawn: Floats) -> Floats:
        """Return the variance that weightings show of one unit of noise, summed over columns."""
        # sum (share d / total - share)^2, the square written out: sums over the clusters of a
        # candidate are products with sparse matrices, and no array has a row per share.
        total = np.maximum(self._sum_up(self.share, drawn), 1e-150)
        squares = self._sum_up(self.noise * self.share**2, drawn**2) / total**2
        both = self._sum_up(self.noise * self.share**2, drawn) / total
        found = (squares - 2.0 * both).sum(axis=1) + drawn.shape[1] * self.noise_squares
        return np.asarray(np.maximum(found, 0.0))

    def _sum_up(self, values: Floats, drawn: Floats) -> Floats:
        """Sum a value of each share, times what its cluster was drawn, over each candidate."""
        table = by_rows(values, self.cluster, self._start, len(drawn))  # they come by candidate
        return np.asarray(table @ drawn)

    @cached_property
    def _start(self) -> Offsets:
        """Where the shares of each candidate begin."""
        count = np.bincount(self.who, minlength=self.n)
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(count)])

    def missing(self, seen: Floats) -> Floats:
        """Return the standard deviation to be added, in units of noise."""
        return np.sqrt(np.maximum(self.noise_squares - seen, 0.0))


def find_clusters(
    problem: Problem, by: Iterable[Hashable] | None = None, free: Mask | None = None
) -> Clusters:
    """Group a problem: by contest, by judge or else judgment, or by a label of each.

    ``free`` says who is not anchored, everybody if it is not given.

    Examples
    --------
    >>> from qrja import Contests
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abbc", [3, 1, 2, 0])
    >>> find_clusters(races).count
    2
    """
    of, what = np.arange(len(problem), dtype=np.int32), problem.noun
    if by is not None:
        of = number_labels(by, {}, "group")
        if len(of) != len(problem):
            raise InputError(
                f"by has {len(of)} labels for {len(problem)} {what}s; give one for each"
            )
        what = "group"
    elif problem.judge is not None:
        of, what = problem.judge, "judge"
    elif problem.study is not None:
        of, what = problem.study, "study"
    entries = problem.start, problem.who, problem.score, problem.pair_weight
    overlap = int(np.maximum(problem.sizes - 1, 0).sum()) - problem.independent
    held = None if free is None else ~free
    return Clusters(problem.n, *entries, of, what, problem.directed, overlap, held)


def check_enough(clusters: Clusters, components: Index) -> None:
    """Check that there is something to resample."""
    if clusters.count < FEWEST:
        why = joined("", [few(clusters), *_remedy(clusters, components)])
        raise InputError(Sentence("an interval asked of {why}", why=why))


def few(clusters: Clusters) -> Sentence:
    """Say how many clusters there are, and how many it takes."""
    clustered = Count(clusters.count, clusters.what)
    said = "{clustered}; it takes at least {fewest} to see how far they disagree"
    return Sentence(said, clustered=clustered, fewest=FEWEST)


def _remedy(clusters: Clusters, components: Index) -> list[Sentence]:
    """Offer to forget who judged, where single judgments would be enough."""
    noun = clusters._noun
    alone = replace(clusters, of=np.arange(len(clusters.of), dtype=np.int32), what=noun)
    if clusters.what != "judge" or not alone.are_enough(components):
        return []
    contests = '; --judge "" (judge="" in Python) takes each contest by itself'
    judgments = '; --judge "" (judge="" in Python) takes each judgment by itself'
    return [Sentence(judgments if clusters.precise else contests)]
