"""QRJA with p = 1 as published: margins rounded to millionths, and the greatest of the optima.

    minimise over x    sum over pairs of |r|,      r = x_later - x_earlier - margin

The experiments of the paper took the greatest optimum with no score above 0, after rounding margins
in a way that leaves every margin of an earlier listed over a later one a millionth too small. That
is too little to matter and enough to decide ties, so to repeat the paper's numbers the rounding has
to be repeated, and with it the pairs to be written out.

All pairs are written out, a million and more, but few are in doubt. For s = 1 or -1,
``|r| >= s r``, and they are equal where r has the sign s. Give every pair whose residual is large
at scores near the optimum its tangent ``s r`` for ``|r|``: the relaxed loss is never above the true
one. If at the greatest optimum of the relaxed problem no such pair has turned its sign, both losses
agree there. So it is an optimum of the true problem as well; and whatever else is one of the true
problem is one of the relaxed, so it is the greatest of both. Otherwise the pairs that turned are
taken in, and it is solved again.

The tangents add up to a linear term ``c_v x_v`` for each candidate. It is written as a judgment of
weight ``|c_v|`` between v and one more candidate, the ground, with a margin out of reach.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from qrja.data import Contest, Floats, Index, Judgments
from qrja.rankers import LeastAbsolute
from qrja.solution import Solution
from qrja.solvers.l1 import solve_l1

MILLION = 1e6
MANY = 200_000
"""Fewer pairs are solved as they are, which takes no longer."""
IN_DOUBT = 10
"""So many pairs per candidate are taken for being in doubt at first; from 4 on one round mostly
does, and more cost time."""

Chosen = NDArray[np.bool_]


def round_margins(margin: Floats) -> Floats:
    """Return margins of a later listed over an earlier one, in whole millionths.

    A half is added and the fraction cut off towards zero. So -2 becomes -1.999999, and 2 stays 2.

    Examples
    --------
    >>> round_margins(np.array([-2.0, 2.0]))
    array([-1999999.,  2000000.])
    """
    return np.trunc(margin * MILLION + 0.5)


class RoundedLeastAbsolute(LeastAbsolute):
    """Predict by the greatest l1 optimum, with no score above 0, of rounded margins.

    Attributes
    ----------
    solution : Solution or None
        The scores learned so far with their proof, before the margins are rounded.

    Examples
    --------
    >>> ranker = RoundedLeastAbsolute()
    >>> ranker.learn(Contest("a race", np.array([0, 1]), np.array([3.0, 1.0])))
    >>> ranker.scores(np.array([0, 1]))
    array([ 0.      , -1.999999])
    """

    def __init__(self) -> None:
        super().__init__()
        self._rounded = RoundedPairs()
        self._x = np.zeros(0)

    def learn(self, contest: Contest) -> None:
        """Add the pairs of a contest and go on to the new optimum."""
        who = self._learned.add(contest)
        if len(who):
            distinct, first = np.unique(who, return_index=True)
            self._stream.append(distinct, contest.score[first])
            self.solution = self._stream.solve("greatest")
            self._rounded.add(who, contest.score)
            self._x = self._rounded.solve(self.solution)

    def scores(self, who: Index) -> Floats:
        """Return the score of each; NaN for those never seen."""
        return self._learned.spread(self._x, who)


class RoundedPairs:
    """All pairs of the contests so far, with margins in whole millionths.

    Examples
    --------
    >>> pairs = RoundedPairs()
    >>> pairs.add(np.array([0, 1, 2]), np.array([9.0, 7.0, 8.0]))
    >>> pairs.judgments().y
    array([-1999999., -999999., 1000000.])
    """

    def __init__(self) -> None:
        self._later: list[Index] = []
        self._earlier: list[Index] = []
        self._margin: list[Floats] = []
        self._n = 0

    def add(self, who: Index, score: Floats) -> None:
        """Append the pairs of a contest; a contestant listed twice does not meet himself."""
        earlier, later = np.triu_indices(len(who), 1)
        others = who[earlier] != who[later]
        earlier, later = earlier[others], later[others]
        self._earlier.append(who[earlier])
        self._later.append(who[later])
        self._margin.append(round_margins(score[later] - score[earlier]))
        self._n = max(self._n, int(who.max()) + 1)

    def judgments(self) -> Judgments:
        """Return the problem that they make."""
        a, b, y = self._columns()
        return Judgments(a, b, y, np.ones(len(y)), tuple(range(self._n)))

    def solve(self, near: Solution, in_doubt: int | None = None) -> Floats:
        """Return the greatest optimum, in units of the scores.

        Parameters
        ----------
        near : Solution
            The greatest optimum of the margins as they are: a few millionths away.
        in_doubt : int, optional
            How many pairs not to relax at first; those without a residual, which has no sign,
            are never relaxed.
        """
        start = replace(near, x=near.x * MILLION)
        a, b, y = self._columns()
        residual = start.x[a] - start.x[b] - y
        if in_doubt is None:
            in_doubt = len(y) if len(y) < MANY else IN_DOUBT * self._n
        kept = _smallest(np.abs(residual), in_doubt) | (residual == 0)
        sign = np.sign(residual)
        while not kept.all():
            x = self._solve_relaxed(start, kept, sign)
            turned = ~kept & ((x[a] - x[b] - y) * sign < 0)
            if not turned.any() and np.abs(x).max() < _out_of_reach(start.x, y):
                return x / MILLION
            kept = kept | turned if turned.any() else np.ones_like(kept)
        return solve_l1(self.judgments(), start=start, optimum="greatest").x / MILLION

    def _solve_relaxed(self, start: Solution, kept: Chosen, sign: Floats) -> Floats:
        """Solve with the tangents of the pairs that are not kept."""
        a, b, y = self._columns()
        slope = np.where(kept, 0.0, sign)
        pull = np.bincount(a, slope, self._n) - np.bincount(b, slope, self._n)
        pulled = np.flatnonzero(pull)
        far = -np.sign(pull[pulled]) * _out_of_reach(start.x, y)
        relaxed = Judgments(
            np.append(a[kept], pulled.astype(np.int32)),
            np.append(b[kept], np.full(len(pulled), self._n, dtype=np.int32)),
            np.append(y[kept], far),
            np.append(np.ones(int(kept.sum())), np.abs(pull[pulled])),
            tuple(range(self._n + 1)),
        )
        grounded = replace(start, x=np.append(start.x, 0.0))
        return solve_l1(relaxed, start=grounded, optimum="greatest").x[:-1]

    def _columns(self) -> tuple[Index, Index, Floats]:
        later, earlier = np.concatenate(self._later), np.concatenate(self._earlier)
        return later, earlier, np.concatenate(self._margin)


def _smallest(sizes: Floats, count: int) -> Chosen:
    """Choose the ``count`` smallest, and whatever is as small as the last of them."""
    if count >= len(sizes):
        return np.ones(len(sizes), dtype=np.bool_)
    if count < 1:
        return np.zeros(len(sizes), dtype=np.bool_)
    chosen: Chosen = sizes <= np.partition(sizes, count - 1)[count - 1]
    return chosen


def _out_of_reach(x: Floats, y: Floats) -> float:
    """Return a power of two well beyond the scores and the margins."""
    largest = float(max(np.abs(x).max(initial=1.0), np.abs(y).max(initial=1.0)))
    return float(2.0 ** (np.frexp(largest)[1] + 4))
