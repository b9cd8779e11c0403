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
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Contest, Floats, Index, Judgments, Offsets, grown, sum_by
from qrja.paper.as_published import MILLION, round_margins
from qrja.rules import Rules
from qrja.solution import Solution
from qrja.solvers import solve

if TYPE_CHECKING:
    from qrja.solvers.l1 import Optimum

EDGES_AT_ONCE = 1_000_000
"""Distinct pairs of a problem of many repeats, beyond which it is solved in parts."""


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
        at_once = max(1, EDGES_AT_ONCE // self._pairs.edges)
        for begin in range(0, self.repeats, at_once):
            part = range(begin, min(begin + at_once, self.repeats))
            merged = [self._merge(repeat, shift * self._n) for shift, repeat in enumerate(part)]
            a, b, y, w = (np.concatenate(column) for column in zip(*merged, strict=True))
            together = Judgments(a, b, y, w, tuple(range(len(part) * self._n)))
            x[part.start : part.stop] = solve(together, 2).x.reshape(len(part), self._n)
        return x

    def _merge(self, repeat: int, shift: int) -> tuple[Index, Index, Floats, Floats]:
        """Return the distinct pairs of a draw: a, b, mean margin, weight of all together."""
        drawn = self.draw(repeat) * self._pairs.weight
        weight = sum_by(self._pairs.edge, drawn, self._pairs.edges)
        moment = sum_by(self._pairs.edge, drawn * self._pairs.margin, self._pairs.edges)
        found = 1 + np.flatnonzero(weight[1:])  # edge 0 is that of a contestant with himself
        low, high = self._pairs.ends()
        return low[found] + shift, high[found] + shift, moment[found] / weight[found], weight[found]

    def _solve_one_by_one(self) -> Floats:
        """Solve each repeat from the scores of the one before, which the optimum does not show."""
        x = np.zeros((self.repeats, self._n))
        start = None
        for repeat in range(self.repeats):
            start = self._solve(self._drawn(repeat), start)
            x[repeat] = start.x
        return x

    def _drawn(self, repeat: int) -> Judgments:
        """Return the pairs of a draw, each as heavy as all of its draws together."""
        drawn = self.draw(repeat) * self._pairs.weight
        found = np.flatnonzero((drawn > 0) & (self._pairs.edge > 0))
        low, high = self._pairs.ends()
        edge, margin = self._pairs.edge[found], self._pairs.margin[found]
        return Judgments(low[edge], high[edge], margin, drawn[found], tuple(range(self._n)))

    def _solve(self, problem: Judgments, start: Solution | None) -> Solution:
        is_published = self.p == 1 and self.rules == "paper"
        optimum: Optimum = "greatest" if is_published else "central"
        return solve(problem, self.p, optimum=optimum, start=start)


class PairPool:
    """All pairs of the contests so far, written out: an edge of two contestants, margin, weight.

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
    >>> pairs.ends()[0][pairs.edge], pairs.ends()[1][pairs.edge], pairs.margin
    (array([2], dtype=int32), array([4], dtype=int32), array([-2.]))
    """

    def __init__(self, *, by_size: bool = False, rounded: bool = False) -> None:
        self.count, self._by_size, self._rounded = 0, by_size, rounded
        self._edge = np.zeros(0, dtype=np.int64)
        self._margin, self._weight = np.zeros(0), np.zeros(0)
        self._number = {0: 0}
        self._ends: tuple[Index, Index] = np.zeros(0, np.int32), np.zeros(0, np.int32)

    @property
    def edge(self) -> Offsets:
        """The edge of each pair; 0 for a contestant who is listed twice in one contest."""
        return self._edge[: self.count]

    @property
    def margin(self) -> Floats:
        """By how much the lower-numbered contestant of each pair was better."""
        return self._margin[: self.count]

    @property
    def weight(self) -> Floats:
        """How much one draw of each pair weighs."""
        return self._weight[: self.count]

    @property
    def edges(self) -> int:
        """Number of edges, edge 0 included."""
        return len(self._number)

    def ends(self) -> tuple[Index, Index]:
        """Return the two contestants of each edge; kept until there are more edges."""
        if len(self._ends[0]) < self.edges:
            keys = np.fromiter(self._number, dtype=np.int64, count=self.edges)
            self._ends = (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)
        return self._ends

    def add(self, contest: Contest) -> None:
        """Append the pairs of a contest."""
        earlier, later = np.triu_indices(len(contest), 1)
        a, b = (contest.who[side].astype(np.int64) for side in (later, earlier))
        y = contest.score[later] - contest.score[earlier]
        if self._rounded:
            y = round_margins(y) / MILLION
        keys = np.where(a == b, 0, (np.minimum(a, b) << 32) | np.maximum(a, b))
        end = self.count + len(y)
        self._edge, self._margin = grown(self._edge, end), grown(self._margin, end)
        self._weight = grown(self._weight, end)
        self._edge[self.count : end] = [
            self._number.setdefault(key, len(self._number)) for key in keys.tolist()
        ]
        self._margin[self.count : end] = np.where(a < b, y, -y)
        self._weight[self.count : end] = 1 / max(len(contest), 1) if self._by_size else 1
        self.count = end
