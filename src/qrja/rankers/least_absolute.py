"""QRJA with p = 1: scores whose differences are off by the least in all, exactly.

    minimise over x    sum over contests, over pairs a, b of one   w |x_a - x_b - (s_a - s_b)|

A margin that is far off counts by how far, not by its square, so a few freak results do little
harm. Contests go into a stream that keeps the last optimum and goes on from there
(:class:`qrja.solvers.l1.L1Stream`).

The optimum is rarely the only one. By default the central one is taken, which has few ties. The
experiments of the paper took the greatest one with no score above 0, after rounding margins to
millionths in a way that leaves every margin of an earlier listed over a later one a millionth too
small. That is too little to matter and enough to decide ties, so to repeat the paper's numbers the
rounding has to be repeated, and with it the pairs to be written out
(:mod:`qrja.rankers._rounded`).

References
----------
Y. E. Xu, H. Zhang, Y. Cheng and V. Conitzer, Aggregating quantitative relative judgments: from
social choice to ranking prediction, 2024.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Contest, Floats, Index, Pairs
from qrja.rankers._history import History
from qrja.rankers._rounded import RoundedPairs
from qrja.rules import Rules, check_rules
from qrja.solution import Solution
from qrja.solvers.l1 import L1Stream


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
        The scores learned so far with their proof; under the rules ``paper`` those before the
        margins are rounded.

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
        self._x = np.zeros(0)
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
            self._x = self.solution.x
            return
        distinct, first = np.unique(who, return_index=True)
        self._stream.append(distinct, contest.score[first])
        self.solution = self._stream.solve("greatest")
        self._rounded.add(who, contest.score)
        self._x = self._rounded.solve(self.solution)

    def scores(self, who: Index) -> Floats:
        """Return the score of each; NaN for those never seen."""
        return self._history.spread(self._x, who)
