"""Bradley and Terry: who won, and not by how much; every pair of a contest is a match.

    P(a beats b) = 1 / (1 + exp(theta_b - theta_a))

    maximise over theta   sum over matches  w log P(winner beats loser)  -  ridge/2 sum_a theta_a^2

A tie counts half a win for each side. This is the model of Plackett and Luce with two entrants
(:mod:`~qrja.rankers.plackett_luce`), whose maximum, and ridge, it takes; equal matches are merged,
so that many judgments between few candidates cost little.

References
----------
R. A. Bradley and M. E. Terry, Rank analysis of incomplete block designs, 1952.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Contest, Floats, Index, Judgments, Offsets, grown, sum_by
from qrja.rankers.plackett_luce import RIDGE, Choices, maximise, positive_ridge
from qrja.rankers.tally import Tally, looked_up


class BradleyTerry:
    """Predict by the strengths that make the wins seen most likely.

    Parameters
    ----------
    ridge : float
        Weight of the prior, see :mod:`~qrja.rankers.plackett_luce`.

    Examples
    --------
    >>> ranker = BradleyTerry()
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.scores(np.array([0, 1, 3])).round(2)
    array([ 1.06, -1.06,   nan])
    """

    name = "bradley-terry"
    quantitative = False
    absolute = False

    def __init__(self, ridge: float = RIDGE) -> None:
        self.ridge = positive_ridge(ridge)
        self._seen = Tally()
        self._wins: dict[tuple[int, int], float] = {}
        self._theta = np.zeros(0)

    def learn(self, contest: Contest) -> None:
        """Add the matches of a contest and find the maximum again."""
        self._seen.add(contest.who, 0.0)
        first, second = np.triu_indices(len(contest), 1)
        a, b = contest.who[first], contest.who[second]
        margin = contest.score[first] - contest.score[second]
        self._add(a, b, margin, np.full(len(a), contest.weight))

    def learn_all(self, judgments: Judgments) -> None:
        """Add judgments, each a match, and find the maximum once.

        One with a standard error counts as one, and not by its precision, which is of a margin.
        """
        self._seen.add(judgments.who, 0.0)
        weight = judgments.w if judgments.se is None else judgments.w * judgments.se**2
        self._add(judgments.a, judgments.b, judgments.y, weight)

    def _add(self, a: Index, b: Index, margin: Floats, weight: Floats) -> None:
        if not (a != b).any():
            return
        matches = merge_matches(a, b, margin, weight)
        for winner, loser, won in zip(*(column.tolist() for column in matches), strict=True):
            self._wins[winner, loser] = self._wins.get((winner, loser), 0.0) + won
        who = np.array(list(self._wins), dtype=np.int32)
        start = grown(self._theta, int(who.max()) + 1)
        self._theta = maximise(_as_choices(who, self._wins, len(start)), self.ridge, start)

    def scores(self, who: Index) -> Floats:
        """Return theta of each, 0 for who met nobody; NaN for those never seen."""
        return self._seen.sums(who) + np.nan_to_num(looked_up(self._theta, who))


def merge_matches(
    a: Index, b: Index, margin: Floats, weight: Floats
) -> tuple[Offsets, Offsets, Floats]:
    """Return winner, loser and weight of matches, each pair once; a tie is half a win of each.

    Examples
    --------
    >>> who = np.array([0, 0, 1]), np.array([1, 1, 0])
    >>> merge_matches(*who, np.array([3.0, 0.0, -1.0]), np.ones(3))
    (array([0, 1]), array([1, 0]), array([2.5, 0.5]))
    """
    apart = a != b
    a, b, margin, weight = a[apart], b[apart], margin[apart], weight[apart]
    won, tied = np.where(margin >= 0, a, b), margin == 0
    lost = a + b - won
    winner = np.concatenate([won, lost[tied]]).astype(np.int64)
    loser = np.concatenate([lost, won[tied]]).astype(np.int64)
    points = np.concatenate([np.where(tied, 0.5, 1.0) * weight, 0.5 * weight[tied]])
    base = int(max(winner.max(), loser.max())) + 1
    key, of = np.unique(winner * base + loser, return_inverse=True)
    return key // base, key % base, sum_by(of, points, len(key))


def _as_choices(who: Index, wins: dict[tuple[int, int], float], n: int) -> Choices:
    matches = np.arange(len(who) + 1, dtype=np.int64)
    entries = np.arange(2 * len(who), dtype=np.int64)
    return Choices(2 * matches, entries, who.ravel(), np.array(list(wins.values())), n)
