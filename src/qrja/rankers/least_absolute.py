"""QRJA with p = 1: scores whose differences are off by the least in all, exactly.

    minimise over x    sum over contests, over pairs a, b of one   w |x_a - x_b - (s_a - s_b)|

A margin that is far off counts by how far, not by its square, so a few freak results do little
harm. Contests go into a stream that keeps the last optimum and goes on from there
(:class:`qrja.solvers.l1.L1Stream`).

The optimum is rarely the only one. By default the central one is taken, which has few ties. The
experiments of the paper took the greatest one with no score above 0, after rounding margins to
millionths in a way that leaves every margin of an earlier listed over a later one a millionth too
small. That is too little to matter and enough to decide ties, so to repeat the paper's numbers the
rounding has to be repeated, and with it the pairs to be written out.

References
----------
Y. E. Xu, H. Zhang, Y. Cheng and V. Conitzer, Aggregating quantitative relative judgments: from
social choice to ranking prediction, 2024.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrja._arrays import Floats, Index
from qrja.contest import Contest
from qrja.contests import Pairs
from qrja.judgments import Judgments
from qrja.rankers._history import History
from qrja.rules import Rules, check_rules
from qrja.solution import Solution
from qrja.solvers.l1 import L1Stream, solve_l1

MILLION = 1e6


class LeastAbsolute:
    """Predict by the scores that disagree least in absolute value.

    Parameters
    ----------
    rules : {"fair", "paper"}
        ``fair``: the central optimum of the margins as they are. ``paper``: the greatest optimum
        with no score above 0, of margins rounded as in the paper's experiments.
    pairs : {"unit", "mean"}
        What a pair of a contest of k weighs: 1, or 1/(k-1); as published it is 1.

    Attributes
    ----------
    solution : Solution or None
        The scores learned so far with their proof; under the rules ``paper`` in millionths.

    Examples
    --------
    >>> ranker = LeastAbsolute()
    >>> for score in 1.0, 1.0, 91.0:                              # a typing error
    ...     ranker.learn(Contest("a race", np.array([0, 1]), np.array([score, 0.0])))
    >>> ranker.scores(np.array([0, 1, 2]))
    array([ 0.5, -0.5,  nan])
    """

    name = "qrja-l1"
    quantitative = True
    absolute = False

    def __init__(self, rules: Rules = "fair", *, pairs: Pairs = "unit") -> None:
        published = check_rules(rules) == "paper"
        self.solution: Solution | None = None
        self._history = History()
        self._stream = L1Stream(pairs="unit" if published else pairs)
        self._rounded = RoundedPairs() if published else None

    def learn(self, contest: Contest) -> None:
        """Add the pairs of a contest and go on to the new optimum."""
        who = self._history.add(contest)
        if not len(who):
            return
        if self._rounded is None:
            self._stream.append(who, contest.score, contest.weight)
            self.solution = self._stream.solve("central")
            return
        self._rounded.add(who, contest.score)
        # The optimum of the margins as they are is a start, a few millionths away.
        distinct, first = np.unique(who, return_index=True)
        self._stream.append(distinct, contest.score[first])
        near = self._stream.solve("greatest")
        near = replace(near, x=near.x * MILLION)
        self.solution = solve_l1(self._rounded.judgments(), start=near, optimum="greatest")

    def scores(self, who: Index) -> Floats:
        """Return the score of each; NaN for those never seen."""
        x = np.zeros(0) if self.solution is None else self.solution.x
        return self._history.spread(x if self._rounded is None else x / MILLION, who)


class RoundedPairs:
    """All pairs of the contests so far, with margins in whole millionths.

    Of the margin of the later listed over the earlier one, in millionths, a half is added and the
    fraction cut off towards zero. So -2 becomes -1.999999, and 2 stays 2.

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
        self._margin.append(np.trunc((score[later] - score[earlier]) * MILLION + 0.5))
        self._n = max(self._n, int(who.max()) + 1)

    def judgments(self) -> Judgments:
        """Return the problem that they make."""
        margin = np.concatenate(self._margin)
        return Judgments(
            np.concatenate(self._later),
            np.concatenate(self._earlier),
            margin,
            np.ones(len(margin)),
            tuple(range(self._n)),
        )
