"""Kemeny and Young: the order of a field that disagrees least with the contests so far.

    minimise over orders of the field   sum of wins(b, a) over pairs with a placed before b

where wins(b, a) counts the earlier contests in which b was ahead of a. It is the one rule here that
needs to know whom to order: only the field to predict is ranked, by its own common history.

Net majorities ``D = wins - wins^T`` are all that matters. The field splits into the strongly
connected components of the majorities; between components no majority is ever reversed, and each
component is solved by itself, exactly (:mod:`branch_and_bound`). The best order is rarely the only
one, so the pairs on which best orders differ are told (:mod:`agreement`).

References
----------
J. Kemeny, Mathematics without numbers, 1959.
H. P. Young and A. Levenglick, A consistent extension of Condorcet's election principle, 1978.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Contest, Floats, Index
from qrja.errors import InputError

TIME_LIMIT = 300.0
"""Seconds of processor time for one field, so that what is proven does not hang on what else a
machine does; of the paper's fields the hardest takes a third of it."""


@dataclass(frozen=True, eq=False)
class Consensus:
    """What the best orders of a field agree on.

    Parameters
    ----------
    ahead : array of int8
        ``ahead[i, j]`` is 1 where the i-th of the field is before the j-th in all best orders, -1
        where it is behind in all, and 0 where history leaves the pair open.
    order : array of int
        One best order, as positions in the field; without those never seen.
    cost : int
        Wins that it reverses, net of the wins it would reverse the other way round.
    bound : int
        What every order is proven to reverse at least.
    unproven : int
        Pairs counted as agreed on because all best orders found agree, without a proof.
    seconds : float
        Processor time taken.
    """

    ahead: NDArray[np.int8]
    order: NDArray[np.integer[Any]]
    cost: int
    bound: int
    unproven: int
    seconds: float

    @property
    def gap(self) -> float:
        """``(cost - bound) / cost``, 0 where the order is proven to be best."""
        return (self.cost - self.bound) / max(self.cost, 1)

    @property
    def status(self) -> str:
        """``optimal``, or ``time limit`` where the order may not be best."""
        return "optimal" if self.bound == self.cost else "time limit"

    @property
    def open_pairs(self) -> NDArray[np.bool_]:
        """The pairs whose order history leaves open, both ways round."""
        undecided: NDArray[np.bool_] = self.ahead == 0
        np.fill_diagonal(undecided, False)
        return undecided


class KemenyYoung:
    """Rank a field by Kemeny and Young's rule: a win is a better score, and equal scores are none.

    Parameters
    ----------
    time_limit : float
        Seconds of processor time for one field.

    Examples
    --------
    >>> ranker = KemenyYoung()
    >>> ranker.learn(Contest("May", np.array([0, 1, 2]), np.array([9.0, 7.0, 5.0])))
    >>> ranker.learn(Contest("June", np.array([2, 3]), np.array([9.0, 7.0])))
    >>> ranker.scores(np.array([3, 2, 0, 9]))
    array([-2.,  0.,  2., nan])
    """

    name = "kemeny-young"
    quantitative = False
    absolute = False

    def __init__(self, *, time_limit: float = TIME_LIMIT) -> None:
        if not time_limit > 0:
            raise InputError(f"the time limit is {time_limit} seconds; give a positive number")
        self._time_limit = time_limit
        self._contests: list[Contest] = []
        self._entered: dict[int, list[int]] = {}
        self._last: tuple[bytes, Consensus] | None = None

    def learn(self, contest: Contest) -> None:
        """Remember who was ahead of whom."""
        for who in np.unique(contest.who).tolist():
            self._entered.setdefault(who, []).append(len(self._contests))
        self._contests.append(contest)
        self._last = None

    def scores(self, who: Index) -> Floats:
        """Return, for each, how many of the field it is settled to beat less how many beat it.

        Two that are settled have scores in that order. Scores of an open pair may differ; its
        order is left open all the same (:meth:`consensus` tells which). NaN: never seen.
        """
        consensus = self.consensus(who)
        scores = np.full(len(who), np.nan)
        scores[consensus.order] = consensus.ahead.sum(axis=1)[consensus.order]
        return scores

    def consensus(self, who: Index) -> Consensus:
        """Return what the best orders of a field agree on."""
        key = np.asarray(who, dtype=np.int32).tobytes()
        if self._last is None or self._last[0] != key:
            self._last = key, self._solve(who)
        return self._last[1]

    def _solve(self, who: Index) -> Consensus:
        from qrja.rankers.kemeny.field_order import order_field

        begin = time.thread_time()
        seen = np.flatnonzero([number in self._entered for number in who.tolist()])
        field, at, entries = np.unique(who[seen], return_inverse=True, return_counts=True)
        best = order_field(
            self._net_wins(field) * np.outer(entries, entries), begin + self._time_limit
        )
        ahead = np.zeros((len(who), len(who)), dtype=np.int8)
        ahead[np.ix_(seen, seen)] = (best.always.astype(np.int8) - best.always.T)[np.ix_(at, at)]
        return Consensus(
            ahead=ahead,
            order=seen[np.argsort(np.argsort(best.order)[at], kind="stable")],
            cost=best.cost,
            bound=best.bound,
            unproven=int((best.always & ~best.settled).sum()),
            seconds=time.thread_time() - begin,
        )

    def _net_wins(self, field: Index) -> NDArray[np.int64]:
        """Count wins among the field, less losses."""
        from qrja.rankers.kemeny.kernels.orders import count_wins

        common = sorted({c for who in field.tolist() for c in self._entered[who]})
        wins = np.zeros((len(field), len(field)), dtype=np.int64)
        for number in common:
            contest = self._contests[number]
            at = np.searchsorted(field, contest.who)
            inside = field[np.minimum(at, len(field) - 1)] == contest.who
            count_wins(at[inside], contest.score[inside], wins)
        return wins - wins.T
