"""The contests learned so far, as a problem that grows: what the rankers that refit ask for.

A ranker is told contestants by any numbers and in any order. A problem numbers them by first
appearance, so that the solution of the earlier contests is a start for the next.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrja.data import (
    Contest,
    Contests,
    Floats,
    Index,
    Judgments,
    Pairs,
    best_rows,
    check_pairs,
    pick,
)


class LearnedContests:
    """Contests in the order in which they were learned; one without entries is left out.

    Parameters
    ----------
    pairs : {"unit", "mean", "additive"}
        What a pair weighs, see :class:`qrja.Contests`.

    Examples
    --------
    >>> learned = LearnedContests()
    >>> learned.add(Contest("May", np.array([7, 4]), np.array([9.0, 8.0])))
    array([0, 1], dtype=int32)
    >>> learned.contests().score, learned.spread(np.array([0.5, -0.5]), np.array([4, 5, 7]))
    (array([9., 8.]), array([-0.5,  nan,  0.5]))
    """

    def __init__(self, *, pairs: Pairs = "unit") -> None:
        check_pairs(pairs)
        self.pairs = pairs
        self._numbers: dict[int, int] = {}
        self._who: list[Index] = []
        self._score: list[Floats] = []
        self._weight: list[float] = []

    def add(self, contest: Contest) -> Index:
        """Append a contest; return the numbers of its contestants by first appearance."""
        numbers = self._numbers
        who = np.array(
            [numbers.setdefault(number, len(numbers)) for number in contest.who.tolist()],
            dtype=np.int32,
        )
        if len(who):
            self._who.append(who)
            self._score.append(np.asarray(contest.score, dtype=np.float64))
            self._weight.append(contest.weight)
        return who

    def stand_for(self, judgments: Judgments) -> None:
        """Take over the numbers of all who are judged, in place of what was learned before."""
        self._numbers = {number: number for number in np.unique(judgments.who).tolist()}

    def contests(self) -> Contests:
        """Return the problem that they make.

        Its parts were checked when they were read, so they are not checked after every contest. A
        contestant whom a contest lists twice stays listed twice.
        """
        sizes = [len(who) for who in self._who]
        return Contests._trusted(
            np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
            np.concatenate(self._who),
            np.concatenate(self._score),
            tuple(range(len(self._numbers))),
            tuple(range(len(sizes))),
            np.array(self._weight),
            None,
            self.pairs,
        )

    def spread(self, x: Floats, who: Index) -> Floats:
        """Return the score in x of each of ``who``; NaN for those never seen."""
        places = [self._numbers.get(number, -1) for number in np.asarray(who).tolist()]
        return np.append(x, np.nan)[places]


def each_once(contest: Contest) -> Contest:
    """Return a contest with the best row of each contestant.

    Examples
    --------
    >>> each_once(Contest("May", np.array([5, 3, 5]), np.array([1.0, 2.0, 4.0]))).score
    array([2., 4.])
    """
    kept = best_rows(contest.who, contest.score)
    if len(kept) == len(contest):
        return contest
    return replace(
        contest,
        who=contest.who[kept],
        score=contest.score[kept],
        covariates=pick(contest.covariates, kept),
    )
