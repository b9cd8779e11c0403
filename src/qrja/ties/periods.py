"""Periods: a contestant is a candidate of its own in each stretch of time with results.

Time is cut into stretches of one width, the same for everybody; who has results in a stretch has a
node there, at the mean time of these results. With width 0 every day has its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qrja.data import Floats, Index, Problem, frozen, sum_by


@dataclass(frozen=True, eq=False)
class Periods:
    """The nodes of contestants, numbered by first appearance.

    Parameters
    ----------
    of_entry : array of int
        The node of each entry.
    who : array of int
        Whose node it is.
    time : array of float
        When, in units of time since the first contest.
    n : int
        Number of contestants.
    width : float
        How long a stretch is.
    end : float
        When the last contest took place.
    """

    of_entry: Index
    who: Index
    time: Floats
    n: int
    width: float
    end: float

    def __len__(self) -> int:
        return len(self.who)

    @cached_property
    def _ordered(self) -> Index:
        return np.lexsort((self.time, self.who)).astype(np.int32)

    @cached_property
    def earlier(self) -> Index:
        """The node at the beginning of each tie."""
        order = self._ordered
        same = self.who[order[1:]] == self.who[order[:-1]]
        return np.asarray(order[:-1][same])

    @cached_property
    def later(self) -> Index:
        """The node at the end of each tie."""
        order = self._ordered
        same = self.who[order[1:]] == self.who[order[:-1]]
        return np.asarray(order[1:][same])

    @cached_property
    def gap(self) -> Floats:
        """How long each tie lasts."""
        return self.time[self.later] - self.time[self.earlier]

    @cached_property
    def last(self) -> Index:
        """The latest node of each contestant."""
        last = np.zeros(self.n, dtype=np.int32)
        last[self.who[self._ordered]] = self._ordered
        return last

    @cached_property
    def since(self) -> Floats:
        """How long ago the latest node of each contestant is."""
        return np.maximum(self.end - self.time[self.last], 0.0)

    def walk(self, steps: Floats) -> Floats:
        """Return where a walk of these steps leads, one for each tie, from 0 at first nodes."""
        moved = np.zeros(len(self))
        for k in np.argsort(self.time[self.later], kind="stable").tolist():
            moved[self.later[k]] = moved[self.earlier[k]] + steps[k]
        return moved

    def nodes_of(self, who: int) -> Index:
        """Return the nodes of a contestant, in time order."""
        order = self._ordered
        return np.asarray(order[self.who[order] == who])


def cut_periods(problem: Problem, time: Floats, width: float) -> Periods:
    """Cut the time of contests into stretches.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> races = Contests.from_arrays([1, 1, 2, 2, 3, 3], "abacab", [3, 1, 2, 2, 4, 4])
    >>> periods = cut_periods(races, np.array([0.0, 1.0, 3.0]), 2.0)
    >>> periods.who, periods.time
    (array([0, 1, 2, 0, 1], dtype=int32), array([0.5, 0. , 1. , 3. , 3. ]))
    >>> periods.earlier, periods.later
    (array([0, 1], dtype=int32), array([3, 4], dtype=int32))
    """
    stretch = _number_stretches(time, width)[problem.contest_of_entry]
    key = problem.who.astype(np.int64) * (int(stretch.max(initial=0)) + 1) + stretch
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    # By first appearance, as contests number their contestants.
    place = np.empty(len(first), dtype=np.int32)
    place[np.argsort(first, kind="stable")] = np.arange(len(first), dtype=np.int32)
    of_entry = place[of]
    count = np.bincount(of_entry, minlength=len(first))
    who = np.zeros(len(first), dtype=np.int32)
    who[of_entry] = problem.who
    # Relative to the first of a node, so that equal times have themselves as their mean.
    begin = time[problem.contest_of_entry[np.sort(first)]]
    off = time[problem.contest_of_entry] - begin[of_entry]
    mean = begin + sum_by(of_entry, off, len(first)) / np.maximum(count, 1)
    end = float(time[-1]) if len(time) else 0.0
    return Periods(frozen(of_entry), frozen(who), frozen(mean), problem.n, width, end)


def _number_stretches(time: Floats, width: float) -> Index:
    """Return the stretch of each contest; those of one time share one."""
    if not len(time):
        return np.zeros(0, dtype=np.int32)
    if width > 0:
        _, number = np.unique(np.floor((time - time[0]) / width), return_inverse=True)
    else:
        _, number = np.unique(time, return_inverse=True)
    return number.astype(np.int32)
