"""QRJA: scores whose differences disagree least with all margins of the contests so far.

    minimise over x    sum over contests, over pairs a, b of one   w |x_a - x_b - (s_a - s_b)|^p

A margin is compared within its contest only, so it does not matter how hard a contest was. The
larger p, the more the largest errors count; p = 2 is least squares, and Huber's loss is p = 2 for
small errors and p = 1 for large ones. p = 1 itself has a solver that takes contests one by one:
:mod:`qrja.rankers.least_absolute`.

Each contest is solved as it is learned, beginning from the scores before it. So what a ranker
answers depends on the contests alone and not on when it was asked. Squares of contests of few are
not solved but grown (:class:`qrja.laplacian.GrowingSquares`), in a hundredth of the time; the proof
of the scores is found when somebody asks for it.

References
----------
Y. E. Xu, H. Zhang, Y. Cheng and V. Conitzer, Aggregating quantitative relative judgments: from
social choice to ranking prediction, 2024.
P. J. Huber, Robust estimation of a location parameter, 1964.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from itertools import combinations

import numpy as np

from qrja.data import (
    Contest,
    Contests,
    Floats,
    Index,
    Judgments,
    Pairs,
    Problem,
    best_rows,
    weigh_pairs,
)
from qrja.errors import InputError
from qrja.laplacian import GrowingSquares
from qrja.rankers.learned_contests import LearnedContests
from qrja.solution import Solution
from qrja.solvers import solve

EFFICIENT = 1.345
"""In standard deviations, where Huber's loss turns linear: 95 % as efficient as least squares on
normal errors."""
NORMAL = 0.6745
"""The median of the absolute value of a standard normal variable."""
ROUNDING = 1e-9
"""Residuals below this part of the largest score are taken for 0."""
SMALL_FIELD = 5
"""Entrants up to which the squares of a contest are added pair by pair."""
TIED = 1e-10
"""Scores that differ by less than this part of the widest contest are equal but for rounding."""


class Refitted(ABC):
    """What the rankers by loss share: contests in, one solve after each, scores out."""

    quantitative = True
    absolute = False

    def __init__(self, name: str, pairs: Pairs) -> None:
        self.name = name
        self._solution: Solution | None = None
        self._is_behind = False
        self._learned = LearnedContests(pairs=pairs)
        self._widest = 0.0

    @property
    def solution(self) -> Solution | None:
        """The scores learned so far with their proof; None before the first contest."""
        if self._is_behind:
            self._solution, self._is_behind = self._solve(self._learned.contests()), False
        return self._solution

    def learn(self, contest: Contest) -> None:
        """Add the pairs of a contest and solve again."""
        who = self._learned.add(contest)
        if len(who):
            self._widest = max(self._widest, float(np.ptp(contest.score)))
            self._follow(who, contest)

    def _follow(self, who: Index, contest: Contest) -> None:
        """Solve again, after a contest of ``who``, by the numbers that they have here."""
        self._solution, self._is_behind = self._solve(self._learned.contests()), False

    def learn_all(self, judgments: Judgments) -> None:
        """Solve judgments all at once, in place of what was learned before."""
        self._learned.stand_for(judgments)
        self._widest = float(np.abs(judgments.y).max(initial=0.0))
        self._solution, self._is_behind = None, False
        self._solution = self._solve(judgments)

    def scores(self, who: Index) -> Floats:
        """Return the score of each; NaN for those never seen."""
        return without_rounding(self._learned.spread(self._x(), who), TIED * self._widest)

    def _x(self) -> Floats:
        return np.zeros(0) if self.solution is None else self.solution.x

    @abstractmethod
    def _solve(self, contests: Contests | Judgments) -> Solution:
        """Solve, beginning from the scores before."""


def without_rounding(x: Floats, unit: float) -> Floats:
    """Give numbers that are no more than a ``unit`` apart the same value, the least of theirs.

    Results that balance out tie two contestants exactly; without this the last digits would decide
    who is predicted to be ahead.

    Examples
    --------
    >>> without_rounding(np.array([3.0, 1.0 + 1e-15, np.nan, 1.0]), 1e-9)
    array([ 3.,  1., nan,  1.])
    """
    order = np.argsort(x)
    ascending = x[order]
    apart = np.append(True, ~(np.diff(ascending) <= unit))[: len(x)]
    first = np.maximum.accumulate(np.where(apart, np.arange(len(x)), 0))
    result = np.empty_like(x)
    result[order] = ascending[first]
    return result


class PowerQRJA(Refitted):
    """Predict by the scores that disagree least in the p-th power.

    Parameters
    ----------
    p : float
        Any number above 0 but 1, or ``math.inf``: the smallest largest error. Below 1 the scores
        are a local optimum.
    pairs : {"unit", "mean", "additive"}
        What a pair of a contest of k weighs: 1, or 1/(k-1).

    Attributes
    ----------
    solution : Solution or None
        The scores learned so far with their proof.

    Examples
    --------
    >>> ranker = PowerQRJA()
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.learn(Contest("June", np.array([1, 2]), np.array([5.0, 4.0])))
    >>> a, b, c, nobody = ranker.scores(np.array([0, 1, 2, 3])).tolist()
    >>> round(a - b, 9), round(b - c, 9), nobody
    (2.0, 1.0, nan)
    """

    def __init__(self, p: float = 2, *, pairs: Pairs = "unit") -> None:
        if not p > 0:
            raise InputError(f"p is {p!r}; give a positive number such as 1.5 or 2")
        super().__init__("qrja-l2" if p == 2 else f"qrja-p{p:g}", pairs)
        self.p = float(p)
        self._growing = GrowingSquares() if p == 2 else None
        self._pair_weights = weigh_pairs(pairs, np.arange(SMALL_FIELD + 1)).tolist()

    def _follow(self, who: Index, contest: Contest) -> None:
        if self._growing is not None and self._grow(self._growing, who, contest):
            self._solution, self._is_behind = None, True
        else:
            self._growing = None
            super()._follow(who, contest)

    def _grow(self, growing: GrowingSquares, who: Index, contest: Contest) -> bool:
        """Add a contest of few to the squares; tell whether that went well."""
        if len(who) > SMALL_FIELD or not growing.meet(int(who.max()) + 1):
            return False
        pair = contest.weight * self._pair_weights[len(who)]
        entries = zip(who.tolist(), contest.score.tolist(), strict=True)
        return all(
            growing.add(a, b, one - other, pair)
            for (a, one), (b, other) in combinations(entries, 2)
        )

    def learn_all(self, judgments: Judgments) -> None:
        """Solve judgments all at once, in place of what was learned before."""
        self._growing = None
        super().learn_all(judgments)

    def _x(self) -> Floats:
        return super()._x() if self._growing is None else self._growing.scores()

    def _solve(self, contests: Contests | Judgments) -> Solution:
        if self.p == 2:
            return solve(contests, 2, start=self._solution)
        return solve(without_repeats(contests), self.p, start=self._solution)


class HuberQRJA(Refitted):
    """Predict by Huber's loss: least squares that large errors do not rule.

    Parameters
    ----------
    delta : float, optional
        The error from which on the loss grows linearly. By default 1.345 standard deviations of a
        margin's error, estimated anew after each contest from the median absolute residual of the
        l1 scores, which freak results hardly move.
    pairs : {"unit", "mean", "additive"}
        What a pair of a contest of k weighs: 1, or 1/(k-1).

    Attributes
    ----------
    solution : Solution or None
        The scores learned so far with their proof.

    Examples
    --------
    >>> ranker = HuberQRJA(delta=1.0)
    >>> for score in 1.0, 1.0, 91.0:                              # a typing error
    ...     ranker.learn(Contest("a race", np.array([0, 1]), np.array([score, 0.0])))
    >>> a, b = ranker.scores(np.array([0, 1])).tolist()
    >>> round(a - b, 6)
    1.5
    """

    def __init__(self, delta: float | None = None, *, pairs: Pairs = "unit") -> None:
        if delta is not None and not 0 < delta < math.inf:
            raise InputError(f"delta is {delta!r}; give a positive number, in units of the scores")
        super().__init__("qrja-huber", pairs)
        self.delta = delta
        self._absolute: Solution | None = None

    def _solve(self, contests: Contests | Judgments) -> Solution:
        from qrja.losses import Huber
        from qrja.solvers.l1 import solve_l1

        contests = without_repeats(contests)
        delta = self.delta
        if delta is None:
            self._absolute = solve_l1(contests, start=self._absolute)
            delta = EFFICIENT * margin_spread(contests, self._absolute.x)
            if delta == 0:  # every margin fits exactly, so any loss is 0
                return self._absolute
        return solve(contests, loss=Huber(delta), start=self._solution)


def margin_spread(contests: Problem, x: Floats) -> float:
    """Estimate the standard deviation of a margin's error from the residuals of the entries.

    Residuals are taken from the median of their contest. Those that are 0 say nothing: whoever was
    seen once fits exactly. A margin is the difference of two entries.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1, 1], ["a", "b", "c"], [3.0, 1.0, -1.0])
    >>> round(margin_spread(races, np.zeros(3)), 3)                # 2 sqrt(2) / 0.6745
    4.193
    """
    residual = contests.score - x[contests.who]
    middle = medians_by(contests.contest_of_entry, residual, len(contests))
    error = np.abs(residual - middle[contests.contest_of_entry])
    error = error[error > ROUNDING * np.abs(contests.score).max(initial=0)]
    return float(np.median(error)) / NORMAL * math.sqrt(2) if len(error) else 0.0


def medians_by(group: Index, values: Floats, count: int) -> Floats:
    """Return the median of each of ``count`` groups; 0 for one without values.

    Examples
    --------
    >>> medians_by(np.array([0, 0, 2, 0]), np.array([1.0, 5.0, 7.0, 2.0]), 3)
    array([2., 0., 7.])
    """
    ordered = np.append(values[np.lexsort((values, group))], 0.0)
    size = np.bincount(group, minlength=count)
    first = np.cumsum(size) - size
    middle = (ordered[first + (size - 1) // 2 * (size > 0)] + ordered[first + size // 2]) / 2
    return np.where(size > 0, middle, 0.0)


def without_repeats(contests: Contests | Judgments) -> Contests | Judgments:
    """Keep the best entry of a contestant whom one contest lists twice; no judgment does.

    Solvers that write pairs out know nobody who competes with himself.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1, 2], ["a", "b", "a"], [3.0, 1.0, 5.0])
    >>> without_repeats(races) is races
    True
    """
    if isinstance(contests, Judgments):
        return contests
    key = contests.contest_of_entry.astype(np.int64) * contests.n + contests.who
    kept = best_rows(key, contests.score)
    if len(kept) == len(key):
        return contests
    sizes = np.bincount(contests.contest_of_entry[kept], minlength=len(contests))
    return Contests(
        np.concatenate([[0], np.cumsum(sizes)]),
        contests.who[kept],
        contests.score[kept],
        contests.names,
        contests.labels,
        contests.weight,
        pairs=contests.pairs,
    )
