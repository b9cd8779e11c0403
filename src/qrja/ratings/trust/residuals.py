"""Residuals: what ratings leave unexplained, by entry and by contest.

In a contest only differences count, so the residual of an entry is ``e_i = (s_i - x_i)`` less the
mean of that over the contest: how much better it went than the ratings expected, given the day.
The pairs need not be written out:

    sum over pairs (e_i - e_j)^2  =  k sum_i e_i^2
    sum over pairs |e_i - e_j|    =  sum_r (2 r - k - 1) e_(r),   e_(1) <= ... <= e_(k)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Problem, centre, sum_by

NORMAL = 0.6745
"""The median of the size of a normal error of standard deviation 1."""

ROUNDING = 1e-6
"""A median below this share of the root mean square is rounding."""


@dataclass(frozen=True, eq=False)
class Residuals:
    """The residuals of a problem at ratings x.

    Parameters
    ----------
    problem : Contests or Judgments
        The data.
    x : array of float
        The ratings.

    Examples
    --------
    >>> from qrja import Contests
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abab", [9, 7, 8, 2])
    >>> left = Residuals(races, np.array([2.0, -2.0]))
    >>> left.each
    array([-1.,  1.,  1., -1.])
    >>> round(left.unexplained(2), 9)
    0.2
    """

    problem: Problem
    x: Floats

    @cached_property
    def entries(self) -> Floats:
        """The residual of each entry; of a judgment one half for a, the other for b."""
        problem, hub = self.problem, self.problem.contest_of_entry
        return centre(centre(problem.score, hub) - self.x[problem.who], hub)

    @cached_property
    def each(self) -> Floats:
        """The residual of each result: an entry of a contest, or a judgment as a whole."""
        if self.problem.directed:
            return np.asarray(self.entries[0::2] - self.entries[1::2])
        return self.entries

    @cached_property
    def freed(self) -> Floats:
        """Each residual as large as if the mean of its contest were known: larger in small ones."""
        if self.problem.directed:
            return self.each
        size = self.problem.sizes[self.problem.contest_of_entry]
        return np.asarray(self.each * np.sqrt(size / np.maximum(size - 1, 1)))

    @cached_property
    def usual(self) -> float:
        """The usual size of a residual: by the median, which a few outliers do not move.

        Where most are rounding (ratings that rest on one result fit it), the root mean square.
        """
        used = np.abs(self.freed[self._checked])
        if not len(used):
            return 0.0
        middle, root = float(np.median(used)) / NORMAL, float(np.sqrt(np.mean(used**2)))
        return middle if middle > ROUNDING * root else root

    @property
    def _checked(self) -> NDArray[np.bool_]:
        """Tell which residuals are more than 0 by chance: a single result fits its own rating."""
        problem = self.problem
        if problem.directed:
            return np.ones(len(problem), dtype=bool)
        useful = problem.sizes[problem.contest_of_entry] > 1
        results = np.bincount(problem.who[useful], minlength=problem.n)
        return np.asarray(useful & (results[problem.who] > 1))

    def unexplained(self, p: float) -> float:
        """Return the share of ``sum w |y|^p`` that is left, for p = 1 or 2; 0 if there is none."""
        score = centre(self.problem.score, self.problem.contest_of_entry)
        left, whole = (_pair_sum(self.problem, e, p) for e in (self.entries, score))
        return left / whole if whole > 0 else 0.0

    @cached_property
    def typical_margin_error(self) -> float:
        """The root mean square by which a margin differs from that of the ratings."""
        pairs = self.problem.sizes * (self.problem.sizes - 1) / 2
        weight = float(self.problem.pair_weight @ pairs)
        left = _pair_sum(self.problem, self.entries, 2)
        return float(np.sqrt(left / weight)) if weight > 0 else 0.0


def _pair_sum(contests: Problem, e: Floats, p: float) -> float:
    """Sum ``w |e_i - e_j|^p`` over the pairs of all contests, p = 1 or 2."""
    hub = contests.contest_of_entry
    if p == 2:
        return float((contests.pair_weight * contests.sizes) @ sum_by(hub, e * e, len(contests)))
    order = np.lexsort((e, hub))
    place = np.arange(len(e)) - contests.start[hub]
    sign = 2.0 * place - contests.sizes[hub] + 1
    return float((contests.pair_weight[hub] * sign) @ e[order])


@dataclass(frozen=True, eq=False)
class ContestFits:
    """How each contest agrees with the ratings.

    Parameters
    ----------
    error : array of float
        The root mean square of its residuals.
    agreement : array of float
        The correlation of its scores with the ratings, from -1 to 1; 0 where there is none.
    """

    error: Floats
    agreement: Floats


def contest_fits(left: Residuals) -> ContestFits:
    """Measure how each contest agrees with the ratings.

    Examples
    --------
    >>> from qrja import Contests
    >>> races = Contests.from_arrays([1, 1, 1, 2, 2, 2], "abcabc", [9, 7, 5, 2, 4, 6])
    >>> fits = contest_fits(Residuals(races, np.array([1.0, 0.0, -1.0])))
    >>> fits.agreement.round(9)
    array([ 1., -1.])
    """
    contests = left.problem
    hub, count = contests.contest_of_entry, len(contests)
    x, s = centre(left.x[contests.who], hub), centre(contests.score, hub)
    spare = np.maximum(contests.sizes - 1, 1)
    error = np.sqrt(sum_by(hub, left.entries**2, count) / spare)
    both = sum_by(hub, x * s, count)
    size = np.sqrt(sum_by(hub, x * x, count) * sum_by(hub, s * s, count))
    agreement = np.divide(both, size, out=np.zeros(count), where=size > 0)
    return ContestFits(error, agreement)
