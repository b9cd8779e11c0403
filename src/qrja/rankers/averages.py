"""Means and medians of a contestant's own scores, and the prediction that all are equal.

    mean:         x_a = (1/c) sum of the scores of a in its c contests so far
    median:       x_a = the middle one of them
    mean-margin:  x_a = the mean of the scores of a, less the mean of the others in each contest
    zero:         x_a = 0

They know nothing of how strong a field was, the first two not even of how hard a contest was. The
mean margin is all that judgments have an average of. The zero prediction is what the losses of the
others are divided by.
"""

from __future__ import annotations

from array import array
from bisect import insort

import numpy as np

from qrja.data import Contest, Floats, Index, Judgments
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


class MeanMargin:
    """Predict the mean of a contestant's margins over the others of a contest.

    Examples
    --------
    >>> ranker = MeanMargin()
    >>> ranker.learn(Contest("May", np.array([0, 1, 2]), np.array([9.0, 7.0, 5.0])))
    >>> ranker.scores(np.array([0, 1, 3]))
    array([ 3.,  0., nan])
    """

    name = "mean-margin"
    quantitative = True
    absolute = False

    def __init__(self) -> None:
        self._seen, self._tally = Tally(), Tally()

    def learn(self, contest: Contest) -> None:
        """Add the margins of a contest; one of a single entrant has none."""
        self._seen.add(contest.who, 0.0)
        if len(contest) > 1:
            others = (contest.score.sum() - contest.score) / (len(contest) - 1)
            self._tally.add(contest.who, contest.score - others)

    def learn_all(self, judgments: Judgments) -> None:
        """Add the margins of judgments."""
        self._seen.add(judgments.who, 0.0)
        self._tally.add(judgments.who, 2.0 * judgments.score)

    def scores(self, who: Index) -> Floats:
        """Return the mean of each, 0 for who met nobody; NaN for those never seen."""
        return self._seen.sums(who) + np.nan_to_num(self._tally.means(who))


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

    def learn_all(self, judgments: Judgments) -> None:
        """Remember who was judged."""
        self._tally.add(judgments.who, 0.0)

    def scores(self, who: Index) -> Floats:
        """Return 0 for each; NaN for those never seen."""
        return self._tally.sums(who)
