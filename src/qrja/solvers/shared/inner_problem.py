"""What is left to solve for a given beta: an ordinary problem, whose flow says where to go.

    h(beta) = min over x of F(x; y - Z beta),      h'(beta) = -Z^T f

with f the flow that proves x. h is convex; a convex combination of flows that carries nothing of
the columns, ``Z^T f = 0``, proves a bound for every beta. With a ridge on beta ``h(beta) + sum
ridge beta^2`` is minimised, and the flow carries ``2 ridge beta``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qrja.data import Contests, Floats, Judgments
from qrja.solution import Solution
from qrja.terms import Estimates, TermColumns


@dataclass(frozen=True, eq=False)
class Looked:
    """What is known at one beta: h and its slope, and the solution behind them.

    ``cost`` is that of a ridge on beta and ``pull`` its slope, which h does not have.
    """

    beta: Floats
    value: float
    slope: Floats
    solution: Solution
    flow: Floats
    cost: float
    pull: Floats

    @property
    def total(self) -> float:
        """What is minimised: h and the ridge."""
        return self.value + self.cost

    @property
    def steepness(self) -> Floats:
        """Its slope."""
        return self.slope + self.pull


class InnerProblem:
    """The problem for any beta, in columns that are scaled to the size of margins.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    columns : TermColumns
        The terms.
    scale : array of float
        One unit of each column as the search sees it.
    solve : callable
        Solves a problem from a start, without terms.
    """

    def __init__(
        self,
        problem: Contests | Judgments,
        columns: TermColumns,
        scale: Floats,
        solve: Callable[[Contests | Judgments, Solution | None], Solution],
    ) -> None:
        self.problem, self.columns, self.scale = problem, columns, scale
        self._solve = solve
        self.ridge = columns.ridge * scale**2
        self._pairs: Floats | None = None
        self.asked = 0

    def estimates(self, t: Floats) -> Estimates:
        """Return the terms at a point of the search."""
        return Estimates(self.columns, t * self.scale)

    @property
    def pairs(self) -> Floats:
        """The scaled columns of all judgments."""
        if self._pairs is None:
            self._pairs = self.estimates(self.scale).pairs(self.problem) * self.scale
        return self._pairs

    def look(self, t: Floats, start: Solution | None = None) -> Looked:
        """Solve the problem at a point."""
        self.asked += 1
        found = self._solve(self.estimates(t).at_zero(self.problem), start)
        flow = found.flow()
        slope = -np.asarray(self.pairs.T @ flow)
        cost, pull = float(self.ridge @ t**2), 2 * self.ridge * t
        return Looked(t, found.objective, slope, found, flow, cost, pull)
