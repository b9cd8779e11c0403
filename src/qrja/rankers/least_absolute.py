"""QRJA with p = 1: scores whose differences are off by the least in all, exactly.

    minimise over x    sum over contests, over pairs a, b of one   w |x_a - x_b - (s_a - s_b)|

A margin that is far off counts by how far, not by its square, so a few freak results do little
harm. Contests go into a stream that keeps the last optimum and goes on from there
(:class:`qrja.solvers.l1.L1Stream`).

The optimum is rarely the only one. The central one is taken, which has few ties.

References
----------
Y. E. Xu, H. Zhang, Y. Cheng and V. Conitzer, Aggregating quantitative relative judgments: from
social choice to ranking prediction, 2024.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Contest, Floats, Index, Judgments, Pairs
from qrja.rankers.learned_contests import LearnedContests
from qrja.solution import Solution
from qrja.solvers.l1 import L1Stream, solve_l1


class LeastAbsolute:
    """Predict by the scores that disagree least in absolute value.

    Parameters
    ----------
    pairs : {"unit", "mean", "additive"}
        What a pair of a contest of k weighs: 1, or 1/(k-1).

    Attributes
    ----------
    solution : Solution or None
        The scores learned so far with their proof.

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

    def __init__(self, *, pairs: Pairs = "unit") -> None:
        self.solution: Solution | None = None
        self._learned = LearnedContests()
        self._stream = L1Stream(pairs=pairs, often=True)

    def learn(self, contest: Contest) -> None:
        """Add the pairs of a contest and go on to the new optimum."""
        who = self._learned.add(contest)
        if len(who):
            self._stream.append(who, contest.score, contest.weight)
            self.solution = self._stream.solve("central")

    def learn_all(self, judgments: Judgments) -> None:
        """Solve judgments all at once, in place of what was learned before."""
        self._learned.stand_for(judgments)
        self.solution = solve_l1(judgments)

    def scores(self, who: Index) -> Floats:
        """Return the score of each; NaN for those never seen."""
        x = np.zeros(0) if self.solution is None else self.solution.x
        return self._learned.spread(x, who)
