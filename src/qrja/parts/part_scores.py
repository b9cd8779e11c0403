"""What was found of parts: a score u for each member.

    minimise over x, u:  sum_i w_i f(x_a - x_b + u_a - u_b - y_i)  +  sum over members of pull u^2

What the members of an entry are better by is taken off its score, and x is an optimum of what is
left. So whatever asks why ratings are as they are may look at results ``of_contestants``. The
proof: a flow that is conserved at contestants, of which ``2 pull u`` goes to each member.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar, cast

import numpy as np

from qrja.data import Floats, Mask, Problem
from qrja.parts.part_columns import PartColumns

P = TypeVar("P", bound=Problem)


@dataclass(frozen=True, eq=False)
class PartScores:
    """The scores of members.

    Parameters
    ----------
    columns : PartColumns
        Who is in which entry.
    u : array of float
        The score of each member.
    pull : array of float
        What pulls the members of each part toward 0; infinite where none were seen to differ.
    tau : array of float
        By how much the members of each part differ, a standard deviation.
    noise : float
        The root of what a result of weight 1 errs by, squared.
    taken_off : bool
        Whether the problem that they go with has them taken off its scores.

    Examples
    --------
    >>> from qrja import Contests
    >>> from qrja.parts import PartKind, parts_in
    >>> known = {"jockey": ["Ann", "Bob", "Bob", "Ann"]}
    >>> races = Contests.from_arrays([1, 1, 2, 2], "xyzx", [2, 1, 0, 0], covariates=known)
    >>> columns = parts_in(races, [PartKind(("jockey",))])
    >>> found = PartScores(columns, np.array([0.5, 0.0]), np.ones(1), np.ones(1), 1.0)
    >>> found.of_contestants(races).score
    array([ 1.5,  1. ,  0. , -0.5])
    """

    columns: PartColumns
    u: Floats
    pull: Floats
    tau: Floats
    noise: float
    taken_off: bool = False

    @cached_property
    def shift(self) -> Floats:
        """What the members of each entry add to its score."""
        return np.asarray(self.columns.entries @ self.u)

    @property
    def moves(self) -> Mask:
        """Which members may differ from 0."""
        return np.asarray(np.isfinite(self.pull)[self.columns.of_part])

    @property
    def pulls(self) -> Floats:
        """What pulls each member that may differ from 0."""
        return self.pull[self.columns.of_part][self.moves]

    @property
    def cost(self) -> float:
        """What the pull costs: a part of the objective."""
        return float(np.sum(self.pulls * self.u[self.moves] ** 2))

    def left_by(self, carried: Floats) -> float:
        """Return what a flow falls short of a proof by, which goes to members as ``carried``."""
        miss = carried[self.moves] - 2 * self.pulls * self.u[self.moves]
        return float(np.sum(miss**2 / (4 * self.pulls)))

    def of_contestants(self, problem: P) -> P:
        """Return a problem with what members add taken off its scores."""
        if self.taken_off:
            return problem
        return cast(P, problem.with_score(problem.score - self.shift))

    def put_back(self, problem: P) -> P:
        """Return a problem whose scores have what was taken off."""
        if not self.taken_off:
            return problem
        return cast(P, problem.with_score(problem.score + self.shift))

    def known_off(self) -> PartScores:
        """Return the same for a problem that has them taken off already."""
        return replace(self, taken_off=True)
