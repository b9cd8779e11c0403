"""QRJA on a random share of the judgments: the paper's Algorithm 1 with equal weights.

Before each contest, ``M = floor(rate * m)`` of the m pairs of the earlier contests are drawn
uniformly with replacement, anew every time, and QRJA is solved on them alone. The published figures
come out if a pair of a contest of k weighs ``1 / k``, which is inferred from them: in the paper's
text and code, and under fair rules, it weighs 1. The experiment is repeated: the repeats differ in
nothing but the draw.

For p = 2, several pairs of the same two contestants are as good as one with their weight and their
mean margin, and all repeats are solved as one problem of many components.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Contest, Floats, Index, Judgments, Mask, Offsets, grown
from qrja.paper.as_published import MILLION, round_margins
from qrja.rules import Rules
from qrja.solution import Solution
from qrja.solvers import solve

if TYPE_CHECKING:
    from qrja.solvers.l1 import Optimum

EDGES_AT_ONCE = 1_000_000
"""Distinct pairs of a problem of many repeats, beyond which it is solved in parts."""
MOST_CONTESTANTS = 2**26
"""Two numbers of contestants below it are one float, exactly."""


class SubsampledQRJA:
    """A ranker that solves QRJA on freshly drawn pairs whenever it is asked.

    Parameters
    ----------
    p : float
        The power of the loss.
    rate : float
        The share of pairs to draw.
    rules : {"fair", "paper"}
        ``paper``: each pair of a contest of k weighs 1 / k; for l1, margins are rounded and the
        greatest optimum is taken.
    repeats : int
        How many draws to predict from. The same repeat draws the same pairs after the same
        contests.

    Examples
    --------
    >>> from qrja import datasets
    >>> ranker = SubsampledQRJA(p=2, rate=1.0, repeats=3)
    >>> for race in datasets.marathons():
    ...     ranker.learn(race)
    >>> int(ranker.draw(repeat=0).sum())  # of 5 pairs, some never and some twice
    5
    >>> ranker.predictions(np.array([0, 1])).shape
    (3, 2)
    """

    quantitative = True

    def __init__(self, p: float, rate: float, rules: Rules = "fair", *, repeats: int = 1) -> None:
        self.p, self.rate, self.rules, self.repeats = p, rate, rules, repeats
        self._contests = self._n = 0
        as_published = rules == "paper"
        self._pairs = PairPool(by_size=as_published, rounded=as_published and p == 1)

    def learn(self, contest: Contest) -> None:
        """Add the pairs of a contest."""
        self._contests += 1
        self._n = max(self._n, int(contest.who.max(initial=-1)) + 1)
        self._pairs.add(contest)

    def scores(self, who: Index) -> Floats:
        """Predict from the first of the draws."""
        first: Floats = self.predictions(who)[0]
        return first

    def predictions(self, who: Index) -> Floats:
        """Predict from each of the draws, one row each; who is in none of its pairs has 0."""
        x = np.full((self.repeats, max(self._n, int(who.max(initial=-1)) + 1)), np.nan)
        x[:, : self._n] = 0.0
        if self._pairs.count:
            x[:, : self._n] = self._solve_squares() if self.p == 2 else self._solve_one_by_one()
        return x[:, who]

    def draw(self, repeat: int) -> Offsets:
        """Draw pairs of the contests learned so far; return how often each was drawn."""
        m = self._pairs.count
        random = np.random.default_rng([repeat, round(self.rate * 1e6), self._contests])
        drawn = random.integers(m, size=math.floor(self.rate * m))
        return np.bincount(drawn, minlength=m)

    def _solve_squares(self) -> Floats:
        """Solve many repeats at a time, as components of one problem."""
        x = np.zeros((self.repeats, self._n))
        at_once = max(1, EDGES_AT_ONCE // len(self._pairs.sorted.first))
        for begin in range(0, self.repeats, at_once):
            part = range(begin, min(begin + at_once, self.repeats))
            merged = [self._merge(repeat, shift * self._n) for shift, repeat in enumerate(part)]
            a, b, y, w = (np.concatenate(column) for column in zip(*merged, strict=True))
            together = Judgments(a, b, y, w, tuple(range(len(part) * self._n)))
            x[part.start : part.stop] = solve(together, 2).x.reshape(len(part), self._n)
        return x

    def _merge(self, repeat: int, shift: int) -> tuple[Index, Index, Floats, Floats]:
        """Return the distinct pairs of a draw: a, b, mean margin, weight of all together."""
        pairs = self._pairs.sorted
        drawn = self.draw(repeat)[pairs.order] * pairs.weight
        weight = np.add.reduceat(drawn, pairs.first)
        moment = np.add.reduceat(drawn * pairs.margin, pairs.first)
        found = np.flatnonzero((weight > 0) & pairs.differ[pairs.first])
        low, high = (side[pairs.first[found]] + shift for side in (pairs.low, pairs.high))
        return low, high, moment[found] / weight[found], weight[found]

    def _solve_one_by_one(self) -> Floats:
        """Solve each repeat from the mean of those before, which the optimum does not show."""
        x = np.zeros((self.repeats, self._n))
        start = None
        for repeat in range(self.repeats):
            found = self._solve(self._drawn(repeat), start)
            x[repeat] = found.x
            start = replace(found, x=x[: repeat + 1].mean(axis=0))
        return x

    def _drawn(self, repeat: int) -> Judgments:
        """Return the pairs of a draw, each as heavy as all of its draws together."""
        pairs = self._pairs.sorted
        drawn = self.draw(repeat)[pairs.order] * pairs.weight
        found = np.flatnonzero((drawn > 0) & pairs.differ)
        ends, names = (pairs.low[found], pairs.high[found]), tuple(range(self._n))
        return Judgments(*ends, pairs.margin[found], drawn[found], names)

    def _solve(self, problem: Judgments, start: Solution | None) -> Solution:
        is_published = self.p == 1 and self.rules == "paper"
        optimum: Optimum = "greatest" if is_published else "central"
        return solve(problem, self.p, optimum=optimum, start=start)


@dataclass(frozen=True)
class SortedPairs:
    """All pairs, sorted by their contestants and then by margin; ``low <= high``."""

    order: Index
    """When each came, counted from 0."""
    low: Index
    high: Index
    margin: Floats
    """By how much the lower-numbered contestant was better."""
    weight: Floats
    first: Offsets
    """Where the pairs of each two contestants begin."""

    @cached_property
    def differ(self) -> Mask:
        """Whether they are two: a contestant may be listed twice in one contest."""
        apart: Mask = self.low != self.high
        return apart


class PairPool:
    """All pairs of the contests so far, written out.

    Solvers find pairs that come sorted sooner than they would sort them, and every repeat draws
    from the same ones: so they are kept sorted.

    Parameters
    ----------
    by_size : bool
        Let a pair of a contest of k weigh 1 / k, not 1.
    rounded : bool
        Round margins to millionths as the paper's l1 does.

    Examples
    --------
    >>> pairs = PairPool()
    >>> pairs.add(Contest("May", np.array([4, 2]), np.array([9.0, 7.0])))
    >>> pairs.sorted.low, pairs.sorted.high, pairs.sorted.margin
    (array([2], dtype=int32), array([4], dtype=int32), array([-2.]))
    """

    def __init__(self, *, by_size: bool = False, rounded: bool = False) -> None:
        self.count, self._by_size, self._rounded = 0, by_size, rounded
        self._weight = np.zeros(0)
        # Two contestants and a margin as one number: complex ones are compared part by part.
        self._key, self._order = np.zeros(0, dtype=np.complex128), np.zeros(0, dtype=np.int32)
        self._new: list[tuple[Any, Any]] = []
        self._sorted: SortedPairs | None = None

    def add(self, contest: Contest) -> None:
        """Append the pairs of a contest."""
        earlier, later = np.triu_indices(len(contest), 1)
        a, b = contest.who[later], contest.who[earlier]
        y = contest.score[later] - contest.score[earlier]
        if self._rounded:
            y = round_margins(y) / MILLION
        key = np.empty(len(y), dtype=np.complex128)
        key.real = np.minimum(a, b) * float(MOST_CONTESTANTS) + np.maximum(a, b)
        key.imag = np.where(a < b, y, -y)
        end = self.count + len(y)
        self._new.append((key, np.arange(self.count, end, dtype=np.int32)))
        self._weight = grown(self._weight, end)
        self._weight[self.count : end] = 1 / max(len(contest), 1) if self._by_size else 1
        self.count, self._sorted = end, None

    @property
    def sorted(self) -> SortedPairs:
        """All of them."""
        if self._sorted is None:
            self._sorted = self._sort()
        return self._sorted

    def _sort(self) -> SortedPairs:
        """Put the new ones in among those that are sorted."""
        if self._new:
            key, order = (np.concatenate(column) for column in zip(*self._new, strict=True))
            turn = np.argsort(key, kind="stable")
            at = np.searchsorted(self._key, key[turn], side="right")
            self._key = np.insert(self._key, at, key[turn])
            self._order = np.insert(self._order, at, order[turn])
            self._new = []
        low, high = np.divmod(self._key.real.astype(np.int64), MOST_CONTESTANTS)
        first = np.flatnonzero(np.diff(self._key.real, prepend=-1.0))
        weight = self._weight[self._order]
        ends = low.astype(np.int32), high.astype(np.int32)
        return SortedPairs(self._order, *ends, self._key.imag.copy(), weight, first)
