"""Contexts: a contestant is a candidate of its own before each voter, on each surface.

Each context of a contestant is tied to the contestant as such, which has no results of its own:

    sum_i w_i |x_ac - x_bc - y_i|^p  +  sum over contexts of v |x_ac - x_a|^p,    v = (s / tau)^p

so that effects are pulled toward 0, the harder the less contexts differ (tau). What is the same for
all entrants of a contest cancels: effects are those of a contestant in a context beside the others.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qrja.data import Covariate, Floats, Index, Problem, frozen
from qrja.errors import InputError, nearest
from qrja.ties.periods import Periods, cut_periods


@dataclass(frozen=True, eq=False)
class Contexts(Periods):
    """Nodes of contestants in contexts, and behind them the contestants as such.

    Parameters
    ----------
    level : array of int
        The context of each node but the last n, a number into ``labels``.
    labels : tuple
        What the contexts are called.
    """

    level: Index
    labels: tuple[Hashable, ...]

    @cached_property
    def earlier(self) -> Index:
        """The node at the beginning of each tie, contestant by contestant."""
        return np.argsort(self.who[: len(self.level)], kind="stable").astype(np.int32)

    @cached_property
    def later(self) -> Index:
        """The contestant as such at the end of each tie."""
        return np.asarray(len(self.level) + self.who[self.earlier], dtype=np.int32)

    @cached_property
    def gap(self) -> Floats:
        """One for each tie: contexts are as far apart as each other."""
        return np.ones(len(self.level))

    @cached_property
    def last(self) -> Index:
        """The contestants as such."""
        return len(self.level) + np.arange(self.n, dtype=np.int32)

    def walk(self, steps: Floats) -> Floats:
        """Return effects drawn for each tie, a number for each node."""
        moved = np.zeros(len(self))
        moved[self.earlier] = steps
        return moved

    def nodes_of(self, who: int) -> Index:
        """Return the nodes of a contestant in its contexts."""
        return np.flatnonzero(self.who[: len(self.level)] == who).astype(np.int32)


@dataclass(frozen=True)
class Context:
    """What contestants may differ by: the covariate that says the context of each entry.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> known = {"voter": ["x", "x", "y", "y"]}
    >>> votes = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 2], covariates=known)
    >>> found = Context("voter").cut(votes, np.zeros(2), 0.0)
    >>> found.who, found.level, found.labels
    (array([0, 1, 0, 1, 0, 1], dtype=int32), array([0, 0, 1, 1], dtype=int32), ('x', 'y'))
    """

    name: str
    tau: float | None = None

    def __str__(self) -> str:
        return self.name

    @property
    def is_of_time(self) -> bool:
        """No: contexts have no order."""
        return False

    def unit_for(self, problem: Problem) -> str:
        """Return what contestants differ by."""
        return self.name

    def times(self, problem: Problem) -> Floats:
        """Return one time for all contests."""
        return np.zeros(len(problem))

    def cut(self, problem: Problem, time: Floats, width: float) -> Periods:
        """Return the nodes; of infinite width one for each contestant."""
        column = self._column(problem)
        if np.isinf(width):
            return cut_periods(problem, time, width)
        number, labels = column.as_levels()
        key = problem.who.astype(np.int64) * max(len(labels), 1) + number
        _, first, of = np.unique(key, return_index=True, return_inverse=True)
        place = np.empty(len(first), dtype=np.int32)
        order = np.argsort(first, kind="stable")
        place[order] = np.arange(len(first), dtype=np.int32)
        own = np.arange(problem.n, dtype=np.int32)
        return Contexts(
            frozen(place[of]),
            frozen(np.append(problem.who[first[order]], own)),
            frozen(np.zeros(len(first) + problem.n)),
            problem.n,
            width,
            0.0,
            frozen(number[first[order]]),
            labels,
        )

    def _column(self, problem: Problem) -> Covariate:
        known = {one.name: one for one in problem.covariates}
        if self.name in known:
            return known[self.name]
        have = nearest(self.name, list(known)) or "; give it when the data are read, as covariates"
        raise InputError(
            f"per is {self.name!r}, and these {problem.noun}s have no such column{have}"
        )


def check_per(given: object) -> Context | None:
    """Read what contestants differ by: the name of a column.

    Examples
    --------
    >>> check_per("voter")
    Context(name='voter', tau=None)
    """
    if given is None:
        return None
    if not isinstance(given, str) or not given.strip():
        raise InputError(f"per is {given!r}; give the name of a column, such as 'voter'")
    return Context(given.strip())
