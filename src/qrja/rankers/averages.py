"""Means and medians of a contestant's own scores, and the prediction that all are equal.

    mean:    x_a = (1/c) sum of the scores of a in its c contests so far
    median:  x_a = the middle one of them
    zero:    x_a = 0

They know nothing of how hard a contest was, and so compare scores of different contests as they
are. The zero prediction is what the losses of the others are divided by.
"""

from __future__ import annotations

from array import array
from bisect import insort

import numpy as np

from qrja.data import Contest, Floats, Index
from qrja.rankers.tally import Tally


class Mean:
    """Predict the mean of a contestant's scores.

    Examples
    --------
    >>> ranker = Mean()
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.learn(Contest("June", np.array([1]), np.array([8.0])))
    >>> ranker.scores(np.array([0, 1, 2]))
    array([9. , 7.5, nan])
    """

    name = "mean"
    quantitative = True
    absolute = True

    def __init__(self) -> None:
        self._tally = Tally()

    def learn(self, contest: Contest) -> None:
        """Add the scores of a contest."""
        self._tally.add(contest.who, contest.score)

    def scores(self, who: Index) -> Floats:
        """Return the mean of each; NaN for those never seen."""
        return self._tally.means(who)


class Median:
    """Predict the median of a contestant's scores; of an even number, between the middle two.

    Examples
    --------
    >>> ranker = Median()
    >>> for score in 3.0, 9.0:
    ...     ranker.learn(Contest("a race", np.array([0]), np.array([score])))
    >>> ranker.scores(np.array([0, 1]))
    array([ 6., nan])
    """

    name = "median"
    quantitative = True
    absolute = True

    def __init__(self) -> None:
        self._sorted: dict[int, array[float]] = {}

    def learn(self, contest: Contest) -> None:
        """Sort the scores of a contest in."""
        for who, score in zip(contest.who.tolist(), contest.score.tolist(), strict=True):
            insort(self._sorted.setdefault(who, array("d")), score)

    def scores(self, who: Index) -> Floats:
        """Return the median of each; NaN for those never seen."""
        return np.array([self._median(number) for number in who.tolist()], dtype=np.float64)

    def _median(self, who: int) -> float:
        scores = self._sorted.get(who)
        if not scores:
            return float("nan")
        upper = scores[len(scores) // 2]
        return upper if len(scores) % 2 else self._between(scores[len(scores) // 2 - 1], upper)

    def _between(self, lower: float, upper: float) -> float:
        return lower + (upper - lower) / 2


class Zero:
    """Predict 0 for everyone: no difference between any two.

    Examples
    --------
    >>> ranker = Zero()
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.scores(np.array([1, 2]))
    array([ 0., nan])
    """

    name = "zero"
    quantitative = True
    absolute = True

    def __init__(self) -> None:
        self._tally = Tally()

    def learn(self, contest: Contest) -> None:
        """Remember who took part."""
        self._tally.add(contest.who, 0.0)

    def scores(self, who: Index) -> Floats:
        """Return 0 for each; NaN for those never seen."""
        return self._tally.sums(who)
