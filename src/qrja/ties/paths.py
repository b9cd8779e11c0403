"""Paths: what was found of strengths that move, a score for each node.

Ratings are those of the latest periods. What a contestant was better or worse by before is taken
off the results of that time, and x is an optimum of what is left: a path may move as a whole
without any tie noticing. So whatever asks why ratings are as they are may look at results
``at_present``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets
from qrja.ties.contexts import Contexts
from qrja.ties.periods import Periods
from qrja.ties.tied import tie

P = TypeVar("P", Contests, Judgments, Contests | Judgments)


@dataclass(frozen=True, eq=False)
class Paths:
    """Strengths over time.

    Parameters
    ----------
    periods : Periods
        The nodes.
    x : array of float
        The score of each.
    weight : array of float
        What each tie weighs.
    tau : float
        How far strengths move in one unit of time; 0 if they were found not to.
    noise : float
        The root of what a result of weight 1 errs by, squared.
    unit : str
        The unit of time, year or contest; or what contexts are of.
    learned : bool
        Whether tau is what the results say.
    taken_off : bool
        Whether the problem that they go with has moves taken off its scores.

    Examples
    --------
    >>> from qrja.ties import cut_periods
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 2])
    >>> nodes = cut_periods(races, np.array([0.0, 1.0]), 0.0)
    >>> found = Paths(nodes, np.array([2.0, 0.0, 1.0, 1.0]), np.ones(2), 1.0, 1.0, "contest")
    >>> found.latest, found.at_present(races).score
    (array([1., 1.]), array([2., 2., 2., 2.]))
    """

    periods: Periods
    x: Floats
    weight: Floats
    tau: float
    noise: float
    unit: str
    learned: bool = False
    taken_off: bool = False

    @property
    def is_of_time(self) -> bool:
        """Whether nodes are periods, and not contexts."""
        return not isinstance(self.periods, Contexts)

    @cached_property
    def latest(self) -> Floats:
        """The score of each contestant in the latest period."""
        return self.x[self.periods.last]

    @cached_property
    def moves(self) -> Floats:
        """What changes in each tie."""
        return self.x[self.periods.later] - self.x[self.periods.earlier]

    @cached_property
    def shift(self) -> Floats:
        """What the contestant of each entry was better by at the time than in the latest period."""
        periods = self.periods
        return self.x[periods.of_entry] - self.latest[periods.who[periods.of_entry]]

    @property
    def growth(self) -> Floats:
        """The variance that has come to each contestant since the latest period."""
        return np.asarray(self.tau**2 * self.periods.since)

    def at_present(self, problem: P) -> P:
        """Return a problem with the moves since taken off its scores."""
        if self.taken_off:
            return problem
        return problem.with_score(problem.score - self.shift)

    def tie(self, problem: Contests | Judgments) -> Contests | Judgments:
        """Return the problem between nodes, with its ties; moves taken off are put back."""
        if self.taken_off:
            problem = problem.with_score(problem.score + self.shift)
        return tie(problem, self.periods, self.weight)

    def known_off(self) -> Paths:
        """Return the same for a problem that has moves taken off already."""
        return replace(self, taken_off=True)

    def results_of(self, nodes: Index) -> Offsets:
        """Count the results of some nodes."""
        return np.asarray(np.bincount(self.periods.of_entry, minlength=len(self.periods))[nodes])
