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
from qrja.rankers._growing import grown, looked_up
from qrja.rules import Rules, check_rules


class Borda:
    """Predict by the points gained for places.

    Parameters
    ----------
    rules : {"fair", "paper"}
        ``fair``: places go by score, and equal scores share the mean of their places. ``paper``:
        places go by the order of listing and are counted from 0, so that every entry gains
        2/(k-1) points more; whoever is alone in a contest gains 3.

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

    def __init__(self, rules: Rules = "fair") -> None:
        self._points = points_by_score if check_rules(rules) == "fair" else points_as_listed
        self._total = np.zeros(0)
        self._count = np.zeros(0)

    def learn(self, contest: Contest) -> None:
        """Add the points of a contest."""
        self._total = grown(self._total, contest.who)
        self._count = grown(self._count, contest.who)
        np.add.at(self._total, contest.who, self._points(contest.score))
        np.add.at(self._count, contest.who, 1)

    def scores(self, who: Index) -> Floats:
        """Return the points of each; NaN for those never seen."""
        return looked_up(np.where(self._count > 0, self._total, np.nan), who)


def points_by_score(score: Floats) -> Floats:
    """Return (beaten - beaten by) / (k - 1) for each: the formula with equal places shared.

    Examples
    --------
    >>> points_by_score(np.array([9.0, 5.0, 7.0]))
    array([ 1., -1.,  0.])
    """
    ranked = np.sort(score)
    below = np.searchsorted(ranked, score, side="left")
    not_above = np.searchsorted(ranked, score, side="right")
    # Who is alone beat nobody and lost to nobody.
    return (below - (len(score) - not_above)) / max(len(score) - 1, 1)


def points_as_listed(score: Floats) -> Floats:
    """Return the points the paper's experiments gave: i from 0, in the order of listing.

    Examples
    --------
    >>> points_as_listed(np.array([9.0, 7.0, 5.0]))
    array([2., 1., 0.])
    """
    place = np.arange(len(score))
    return 1 - 2 * (place - 1) / max(len(score) - 1, 1)
