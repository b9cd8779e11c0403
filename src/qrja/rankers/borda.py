"""Borda: points for the place in each contest, added up.

    x_a = sum over contests of  1 - 2 (i - 1) / (k - 1)        a came i-th of k

The first gains 1, the last loses 1, and a contest hands out 0 points in all.

References
----------
J.-C. de Borda, Mémoire sur les élections au scrutin, 1781.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Contest, Floats, Index
from qrja.rankers.tally import Tally


class Borda:
    """Predict by the points gained for places; equal scores share the mean of their places.

    Examples
    --------
    >>> ranker = Borda()
    >>> ranker.learn(Contest("May", np.array([0, 1, 2]), np.array([9.0, 7.0, 7.0])))
    >>> ranker.scores(np.array([0, 1, 2, 3]))
    array([ 1. , -0.5, -0.5, nan])
    """

    name = "borda"
    quantitative = False
    absolute = False

    def __init__(self) -> None:
        self._tally = Tally()

    def learn(self, contest: Contest) -> None:
        """Add the points of a contest."""
        self._tally.add(contest.who, self.points(contest.score))

    def scores(self, who: Index) -> Floats:
        """Return the points of each; NaN for those never seen."""
        return self._tally.sums(who)

    def points(self, score: Floats) -> Floats:
        """Return (beaten - beaten by) / (k - 1) for each: the formula with equal places shared.

        Examples
        --------
        >>> Borda().points(np.array([9.0, 5.0, 7.0]))
        array([ 1., -1.,  0.])
        """
        ranked = np.sort(score)
        below = np.searchsorted(ranked, score, side="left")
        not_above = np.searchsorted(ranked, score, side="right")
        # Who is alone beat nobody and lost to nobody.
        return (below - (len(score) - not_above)) / max(len(score) - 1, 1)
