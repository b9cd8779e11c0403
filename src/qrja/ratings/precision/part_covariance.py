"""The covariance of contestants and members together.

    covariance of (x, u, beta)  =  s^2 (M^T W M + pull)^+

for results that err by s and members that differ by tau, ``pull = s^2 / tau^2``: that of the best
linear predictions. Where every entry has as many members of a part, only their differences count,
and they are relative to their mean. A member of whom nothing is known has the variance of its part.
Up to 2,500
unknowns the inverse is written out; beyond, results and members are drawn anew and fitted, 200
times, which shows a standard error to a twentieth.

References
----------
C. R. Henderson, Best linear unbiased estimation and prediction under a selection model, 1975.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets, centre
from qrja.laplacian import DENSE, BorderedLaplacian
from qrja.parts import PartScores
from qrja.ratings.precision.drawn_errors import draw_errors
from qrja.solution import Demands, Solution
from qrja.terms import TermColumns

MANY, FEW = 200, 25
"""Draws where no inverse is written out, and where each is a solve of another loss."""


class PartCovariance:
    """The covariance of least squares, for members that differ as was learned.

    Parameters
    ----------
    problem : Contests or Judgments
        The results.
    parts : PartScores
        Who is in which entry, and by how much members differ.
    demands : Demands
        Ridge and anchors.
    columns : TermColumns, optional
        Those of shared terms.
    """

    def __init__(
        self,
        problem: Contests | Judgments,
        parts: PartScores,
        demands: Demands,
        columns: TermColumns | None = None,
    ) -> None:
        from qrja.solvers.composed import Composition  # few ratings need it

        tau, noise = parts.tau, parts.noise
        pull = np.divide(noise**2, tau**2, out=np.full(len(tau), np.inf), where=tau > 0)
        scores = PartScores(parts.columns, parts.u, pull, tau, noise)
        self._composition = Composition(problem, parts.columns, demands, columns, scores)
        self.n, self.noise, self.count = problem.n, noise, None
        self.place = np.full(len(parts.columns), -1)
        self.place[self._composition.live] = self.n + np.arange(len(self._composition.live))
        self._first_term = self.n + len(self._composition.live)

    @cached_property
    def _system(self) -> BorderedLaplacian:
        return self._composition.system()

    @cached_property
    def _inverse(self) -> Floats:
        half = self._relative(self.noise**2 * self._system.inverse())
        return self._relative(half.T)

    def _relative(self, columns: Floats) -> Floats:
        """Centre the members of parts of which only differences count."""
        members = self._composition.columns
        for k in range(len(members.parts)):
            place = self.place[members.members(k)]
            if len(place) and place[0] >= 0 and members.is_everywhere(k):
                columns[place] -= columns[place].mean(axis=0)
        return columns

    @property
    def is_written_out(self) -> bool:
        """Whether variances come from the inverse, and not from draws."""
        return self._system.size <= DENSE

    @cached_property
    def _drawn(self) -> Floats:
        return self._draw(MANY, np.random.default_rng(0))

    def _draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Return deviations of all unknowns: results and members drawn anew, and fitted."""
        system = self._system
        spread = 1.0 / np.sqrt(np.maximum(system.rays, np.finfo(np.float64).tiny))
        errors = spread[:, None] * rng.standard_normal((len(spread), count))
        errors = centre(errors, self._composition.problem.contest_of_entry)
        right = system.right_side(errors)
        right += np.sqrt(system.pull)[:, None] * rng.standard_normal((system.size, count))
        return self._relative(self.noise * system.solve(right, tol=1e-6))

    def variances(self) -> Floats:
        """Return the variance of each rating."""
        return self._variances()[: self.n]

    def of_members(self) -> Floats:
        """Return the variance of each member; 0 for those of parts that do not differ."""
        found = np.append(self._variances(), 0.0)
        return np.asarray(found[self.place])

    def _variances(self) -> Floats:
        if self.is_written_out:
            return np.maximum(np.diag(self._inverse), 0.0)
        return np.asarray((self._drawn**2).mean(axis=1))

    def of_sum(self, unknowns: list[int]) -> float:
        """Return the variance of a sum of unknowns: contestants, and members by ``place``."""
        if self.is_written_out:
            return max(float(self._inverse[np.ix_(unknowns, unknowns)].sum()), 0.0)
        return float((self._drawn[unknowns].sum(axis=0) ** 2).mean())

    def of_differences(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the variance of each difference of ratings."""
        if self.is_written_out:
            own = np.diag(self._inverse)
            return np.maximum(own[i] + own[j] - 2 * self._inverse[i, j], 0.0)
        return np.asarray(((self._drawn[i] - self._drawn[j]) ** 2).mean(axis=1))

    def of_terms(self) -> Floats:
        """Return the covariance of the terms."""
        if self.is_written_out:
            return self._inverse[self._first_term :, self._first_term :]
        drawn = self._drawn[self._first_term :]
        return np.asarray(drawn @ drawn.T / drawn.shape[1])

    def draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Return deviations of the ratings, a column each."""
        return self._draw(count, rng)[: self.n]


class PartDraws:
    """Deviations of ratings and members for another loss, a column a draw.

    Members are drawn as they differ, errors from what the ratings left, and both are fitted with
    the same pulls. Shared terms are taken as known; what they may be off by is that of squares.

    Parameters
    ----------
    problem : Contests or Judgments
        The results, with terms and members taken off.
    parts : PartScores
        What was found of members.
    x : array of float
        The ratings.
    df : int
        Degrees of freedom of the residuals.
    squares : PartCovariance
        Of squares.
    solve : callable
        Solves another problem with the same parts and without terms.
    """

    def __init__(
        self,
        problem: Contests | Judgments,
        parts: PartScores,
        x: Floats,
        df: int,
        squares: PartCovariance,
        solve: Callable[[Contests | Judgments], Solution],
    ) -> None:
        self.problem, self.parts, self.x, self.df = problem, parts, x, df
        self.squares, self.solve, self.n, self.count = squares, solve, problem.n, FEW

    @cached_property
    def _drawn(self) -> Floats:
        """Deviations of ratings, and behind them of members."""
        rng, found, problem = np.random.default_rng(0), [], self.problem
        columns = self.parts.columns
        left = centre(problem.score - self.x[problem.who], problem.contest_of_entry)
        for _ in range(FEW):
            truth = self.parts.tau[columns.of_part] * rng.standard_normal(len(columns))
            score = self.x[problem.who] + np.asarray(columns.entries @ truth)
            score += draw_errors(problem, left, self.df, rng)
            solved = self.solve(problem.with_score(score))
            assert solved.parts is not None
            off = solved.parts.u - truth
            for k in range(len(columns.parts)):
                if columns.is_everywhere(k):
                    off[columns.members(k)] -= off[columns.members(k)].mean()
            found.append(np.concatenate([solved.x - self.x, off]))
        return np.stack(found, axis=1)

    def variances(self) -> Floats:
        """Return the variance of each rating."""
        return np.asarray((self._drawn[: self.n] ** 2).mean(axis=1))

    def of_members(self) -> Floats:
        """Return the variance of each member."""
        return np.asarray((self._drawn[self.n :] ** 2).mean(axis=1))

    def of_differences(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the variance of each difference of ratings."""
        return np.asarray(((self._drawn[i] - self._drawn[j]) ** 2).mean(axis=1))

    def of_terms(self) -> Floats:
        """Return the covariance of the terms."""
        return self.squares.of_terms()

    def draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Return deviations of the ratings that hang together as those that were drawn do."""
        mixed = rng.standard_normal((FEW, count)) / np.sqrt(FEW)
        return np.asarray(self._drawn[: self.n] @ mixed)
