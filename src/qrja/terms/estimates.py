"""What was found of terms: a number beta for each column.

Ratings are those at z = 0: what the terms add is taken off the scores, and x is an optimum of what
is left. So whatever asks why ratings are as they are may look at results ``at_zero``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar, cast

import numpy as np

from qrja.data import Floats, Problem
from qrja.terms.term_columns import TermColumns

P = TypeVar("P", bound=Problem)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Terms and their estimates.

    Parameters
    ----------
    columns : TermColumns
        What they are of.
    beta : array of float
        What one unit of each column adds to a score.
    taken_off : bool
        Whether the problem that they go with has them taken off its scores.

    Examples
    --------
    >>> from qrja import Contests
    >>> known = {"home": [1, 0, 1, 0]}
    >>> games = Contests.from_arrays([1, 1, 2, 2], "xyyx", [3, 0, 2, 1], covariates=known)
    >>> from qrja.terms import as_terms, columns_for
    >>> found = Estimates(columns_for(games, as_terms(["home"])), np.array([2.0]))
    >>> found
    Estimates(home=2)
    >>> found.at_zero(games).score
    array([1., 0., 0., 1.])
    """

    columns: TermColumns
    beta: Floats
    taken_off: bool = False

    def __repr__(self) -> str:
        each = zip(self.names, self.beta.tolist(), strict=True)
        return f"Estimates({', '.join(f'{name}={beta:.4g}' for name, beta in each)})"

    @property
    def cost(self) -> float:
        """What the ridge costs: a part of the objective."""
        return float(np.sum(self.columns.ridge * self.beta**2))

    @property
    def wanted(self) -> Floats:
        """What a flow that proves the estimates carries of the columns: nothing without a ridge."""
        return np.asarray(2 * self.columns.ridge * self.beta)

    def left_by(self, carried: Floats) -> float:
        """Return what a flow falls short of a proof by, which carries so much of the columns."""
        pulled = self.columns.ridge > 0
        miss = (carried - self.wanted)[pulled]
        return float(np.sum(miss**2 / (4 * self.columns.ridge[pulled])))

    @property
    def names(self) -> tuple[str, ...]:
        """What each is called."""
        return self.columns.names

    def at_zero(self, problem: P) -> P:
        """Return a problem with what the terms add taken off its scores."""
        if self.taken_off or not len(self.columns):
            return problem
        return cast(P, problem.with_score(problem.score - self.columns.shift(self.beta)))

    def put_back(self, problem: P) -> P:
        """Return a problem whose scores have what was taken off."""
        if not self.taken_off or not len(self.columns):
            return problem
        return cast(P, problem.with_score(problem.score + self.columns.shift(self.beta)))

    def pairs(self, problem: Problem) -> Floats:
        """Return the columns of the judgments that a problem is, or stands for."""
        first, second = problem.pair_entries()
        return np.asarray(self.columns.z[first] - self.columns.z[second])

    def known_off(self) -> Estimates:
        """Return the same for a problem that has them taken off already."""
        return replace(self, taken_off=True)
