"""Elo: every pair of a contest is a match, and the whole contest moves a rating like one match.

    expected(a, b) = 1 / (1 + 10^((R_b - R_a) / 400))
    R_a <- R_a + K / (k - 1) * sum over the other k - 1 of  outcome(a, b) - expected(a, b)

The outcome is 1 for a better score, 1/2 for an equal one and 0 for a worse one. All of a contest
is computed from the ratings before it, so the order of listing does not matter, and divided by the
size of the field, so nobody moves by more than K. In contests of two this is Elo's system.

References
----------
A. E. Elo, The Rating of Chessplayers, Past and Present, 1978.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.data import Contest, Floats, Index, Judgments
from qrja.errors import InputError
from qrja.rankers.tally import Tally

START = 1500.0
"""The rating of a newcomer."""
SCALE = 400.0 / np.log(10.0)
"""Rating points per unit of log-odds."""
ROWS = 1 << 20
"""Pairs looked at together, so that the memory for a large contest stays small."""


class Elo:
    """Predict by Elo ratings.

    Parameters
    ----------
    K : float
        The most points that one contest can move a rating.

    Examples
    --------
    >>> ranker = Elo()
    >>> ranker.learn(Contest("May", np.array([0, 1, 2]), np.array([9.0, 7.0, 7.0])))
    >>> ranker.scores(np.array([0, 1, 2, 3]))
    array([1516., 1492., 1492.,   nan])
    """

    name = "elo"
    quantitative = False
    absolute = False

    def __init__(self, K: float = 32.0) -> None:
        if not 0 < K < np.inf:
            raise InputError(f"K is {K!r}; give a positive number of points, such as 32")
        self.K = float(K)
        self._gained = Tally()

    def learn(self, contest: Contest) -> None:
        """Move the ratings of a contest's field."""
        self._gained.reach(contest.who)
        surprise = surplus(contest.who, contest.score, self._gained.total[contest.who])
        self._gained.add(contest.who, self.K / max(len(contest) - 1, 1) * surprise)

    def learn_all(self, judgments: Judgments) -> None:
        """Play judgments in their order, each a match."""
        self._gained.reach(judgments.who)
        rating = self._gained.total.tolist()
        won = (np.sign(judgments.y) / 2 + 0.5).tolist()
        for a, b, outcome in zip(judgments.a.tolist(), judgments.b.tolist(), won, strict=True):
            surprise = outcome - 1 / (1 + math.exp((rating[b] - rating[a]) / SCALE))
            rating[a] += self.K * surprise
            rating[b] -= self.K * surprise
        self._gained.add(judgments.who, 0.0)
        self._gained.total[:] = rating

    def scores(self, who: Index) -> Floats:
        """Return the rating of each; NaN for those never seen."""
        return START + self._gained.sums(who)


def surplus(who: Index, score: Floats, rating: Floats) -> Floats:
    """Return how much more each won than expected, summed over the others.

    Examples
    --------
    >>> surplus(np.array([0, 1]), np.array([5.0, 5.0]), np.array([400.0, 0.0]))
    array([-0.40909091,  0.40909091])
    """
    total = np.zeros(len(who))
    step = max(1, ROWS // max(len(who), 1))
    for begin in range(0, len(who), step):
        rows = slice(begin, begin + step)
        outcome = np.sign(score[rows, None] - score)
        # tanh(z/2) is the expected outcome on the same scale from -1 to 1.
        expected = np.tanh((rating[rows, None] - rating) / (2 * SCALE))
        others = who[rows, None] != who
        total[rows] = np.where(others, outcome - expected, 0.0).sum(axis=1) / 2
    return total
