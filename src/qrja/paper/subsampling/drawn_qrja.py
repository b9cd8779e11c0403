"""QRJA on freshly drawn pairs, as a ranker."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Contest, Floats, Index, Judgments, Offsets
from qrja.paper.subsampling.drawn_squares import solve_squares
from qrja.paper.subsampling.pair_pool import Counts, PairPool
from qrja.rules import Rules
from qrja.solvers import solve
from qrja.solvers.l1 import IntegerPairs

if TYPE_CHECKING:
    from qrja.solvers.l1 import Optimum

TOLERANCE = 1e-9
"""Relative gap to reach."""


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
        self._integers: IntegerPairs | None = None
        self._last = np.zeros(0)

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
            x[:, : self._n] = self._solve_squares() if self.p == 2 else self._solve_deviations()
        return x[:, who]

    def draw(self, repeat: int) -> Offsets:
        """Draw pairs of the contests learned so far; return how often each was drawn."""
        return np.bincount(self._draw(repeat), minlength=self._pairs.count)

    def _draw(self, repeat: int) -> Index:
        """Return the pairs that were drawn, by the order in which they came."""
        m = self._pairs.count
        random = np.random.default_rng([repeat, round(self.rate * 1e6), self._contests])
        return random.integers(m, size=math.floor(self.rate * m), dtype=np.int32)

    def _count(self, repeat: int) -> Counts:
        """Return how often each pair was drawn, sorted as they are kept."""
        from qrja.paper.subsampling.kernels.many_draws import count_draws

        drawn, place = self._draw(repeat), self._pairs.sorted.place
        times = np.zeros(len(place), dtype=np.uint16)
        count_draws(drawn, place, times)
        return times

    def _solve_squares(self) -> Floats:
        """Solve all repeats at a time, and one by one what that does not prove."""
        times = np.array([self._count(repeat) for repeat in range(self.repeats)])
        found = solve_squares(self._pairs.sorted, times, self._n, TOLERANCE)
        x = np.ascontiguousarray(found.x.T)
        for repeat in np.flatnonzero(~found.is_proved):
            x[repeat] = solve(self._judgments(times[repeat]), 2, tol=TOLERANCE).x
        return x

    def _solve_deviations(self) -> Floats:
        """Solve each repeat from the mean of those before, which the optimum does not show."""
        x, begin = np.zeros((self.repeats, self._n)), np.zeros(self._n)
        begin[: len(self._last)] = self._last
        optimum: Optimum = "greatest" if self.rules == "paper" else "central"
        pairs = self._pairs.sorted
        self._integers = IntegerPairs.of(pairs.low, pairs.high, pairs.margin, self._integers)
        for repeat in range(self.repeats):
            times = self._count(repeat)
            found = None
            if self._integers is not None and pairs.parts is not None:
                rows = np.flatnonzero((times > 0) & pairs.differ).astype(np.int32)
                weight = times * pairs.parts
                found = self._integers.solve(self._n, rows, weight, begin, optimum)
            if found is None:
                found = solve(self._judgments(times), 1, optimum=optimum).x
            x[repeat] = found
            begin = x[: repeat + 1].mean(axis=0)
        self._last = begin
        return x

    def _judgments(self, times: Counts) -> Judgments:
        """Return the pairs of a draw, each as heavy as all of its draws together."""
        pairs = self._pairs.sorted
        found = np.flatnonzero((times > 0) & pairs.differ)
        ends, names = (pairs.low[found], pairs.high[found]), tuple(range(self._n))
        weight = times[found] * pairs.weight[found]
        return Judgments(*ends, pairs.margin[found], weight, names)
