"""How well a speed explains the results: the restricted likelihood of a random walk.

With ``rho = tau^2 / s^2`` and K ties, the results of least squares on the problem with its ties,
``Q(rho)`` its loss and ``L(rho)`` its Laplacian,

    -2 log likelihood  =  df log Q  +  log det L  +  K log rho  +  sum of log dt,     s^2 = Q / df

where first periods, levels of components and shared terms are integrated out (df is what is left
beside them). Where standard errors are known s is 1 and Q takes the place of ``df log Q``.

References
----------
H. D. Patterson and R. Thompson, Recovery of inter-block information, 1971.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from qrja.data import Contests, Floats, Judgments, centre, sum_by
from qrja.laplacian import FactoredLaplacian
from qrja.solution import Demands
from qrja.terms import TermColumns
from qrja.ties import Periods, tie, tie_columns


class AtSpeed(NamedTuple):
    """What one rho makes of the results: the loss, what it charges, and the likelihood."""

    rho: float
    loss: float
    deviance: float


class Likelihood:
    """The restricted likelihood of rho.

    Parameters
    ----------
    problem : Contests or Judgments
        The results.
    periods : Periods
        The nodes.
    demands : Demands
        Anchors, of contestants.
    columns : TermColumns, optional
        Shared terms.
    """

    def __init__(
        self,
        problem: Contests | Judgments,
        periods: Periods,
        demands: Demands,
        columns: TermColumns | None = None,
    ) -> None:
        self.periods, ties = periods, len(periods.earlier)
        self._tied = tie(problem, periods, np.ones(ties))
        self._unit = self._tied.weight[len(problem) :]
        self._results = problem.weight
        self._free = demands.free[periods.who]
        self._columns = None if columns is None else tie_columns(columns, ties)
        known = np.where(self._free, 0.0, demands.goal[periods.who])
        self._score = self._tied.score - known[self._tied.who]
        label = problem.components
        floating = len(np.setdiff1d(label, label[~demands.free]))
        # A ridge is a prior, and takes no degree of freedom.
        terms = 0 if columns is None else int((columns.ridge == 0).sum())
        self.df = problem.independent - int(demands.free.sum()) + floating - terms
        self.is_known = problem.se is not None
        self.usual_ray = float(np.median(problem.pair_weight * problem.sizes))

    def at(self, rho: float) -> AtSpeed:
        """Explain the results by one rho."""
        gap = self.periods.gap
        weight = np.concatenate([self._results, self._unit / (rho * gap)])
        tied = self._tied.with_weight(weight)
        factored = FactoredLaplacian(tied, self._free)
        of, who = tied.contest_of_entry, tied.who
        rays = (tied.pair_weight * tied.sizes)[of]

        def fit(score: Floats) -> tuple[Floats, Floats]:
            pulls = [sum_by(who, rays * column, tied.n) for column in score.T]
            x = factored.solve(np.stack(pulls, axis=1))
            return x, score - centre(x[who], of)

        _, left = fit(centre(self._score, of)[:, None])
        determinant, pulled = factored.log_determinant, 0.0
        if self._columns is not None and len(self._columns):
            z = self._columns.centred(tied)
            _, rest = fit(z)
            schur = (rays[:, None] * z).T @ rest
            schur = schur + np.diag(self._columns.ridge)
            beta = np.linalg.lstsq(schur, (rays[:, None] * z).T @ left, rcond=None)[0]
            left = left - rest @ beta
            determinant += float(np.linalg.slogdet(schur)[1])
            pulled = float(self._columns.ridge @ beta[:, 0] ** 2)
        loss = float(rays @ left[:, 0] ** 2) + pulled
        free = len(gap) * math.log(rho) + float(np.log(gap).sum())
        size = loss if self.is_known else self.df * math.log(max(loss, np.finfo(float).tiny))
        return AtSpeed(rho, loss, size + determinant + free)

    def noise(self, explained: AtSpeed) -> float:
        """Return s: the root of what a result of weight 1 errs by, squared."""
        if self.is_known or self.df <= 0:
            return 1.0
        return math.sqrt(explained.loss / self.df)
