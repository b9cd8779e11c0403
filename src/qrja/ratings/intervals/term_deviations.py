"""Terms drawn anew: how shared terms, and the ratings with them, come out of other results.

Least squares is solved for both. With weights w, the ratings U_w that explain the columns Z, what
is left of them, ``R_w = Z - A U_w``, and the ratings d for terms as they are,

    e = S_w^-1 R_w^T W r,      d - U_w e          r the residuals, S_w = Z^T W R_w

where a ridge on terms is added to S_w, and ``ridge beta`` taken off ``R_w^T W r``. For another loss
the terms would have to be searched for in every draw. Each draw is solved with the terms as they
are, which leaves a slope ``g = -Z^T f`` in its flow (and ``2 ridge beta``), and a step of Newton's
is taken:

    e = -H^-1 g,       d + X e

with H, how the slope changes, and X, how ratings do, from steps of the terms to either side, as
far as least squares sees them err. Powers beyond 4 and the largest error bend too unevenly for one
step: there the terms are searched for in every draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from qrja.data import Contests, Floats, Judgments
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.at_once import STEEPEST
from qrja.ratings.intervals.clusters import Clusters
from qrja.ratings.model import Model
from qrja.solution import Solution


def reweigh_terms(
    ratings: Fit,
    clusters: Clusters,
    weight: Floats,
    solved: Floats,
    solve: Callable[[Floats, float], Floats],
) -> tuple[Floats, Floats]:
    """Return deviations of ratings and terms of least squares, from those for terms as they are."""
    assert ratings.terms is not None
    z = ratings.terms.columns.centred(ratings.problem)
    pulls = [clusters.weightings.pulls(weight, column) for column in z.T]
    explaining = [solve(pull, 0.0) for pull in pulls]
    # Z^T W A v is v . pull, and Z^T W Z is a sum over contests, for all weightings at once.
    sums = [[np.asarray(_sums(clusters, one * other) @ weight) for other in z.T] for one in z.T]
    left = clusters.residuals(ratings.solution.x)
    draws, k = weight.shape[1], len(pulls)
    schur, part = np.empty((draws, k, k)), np.empty((draws, k))
    for i in range(k):
        part[:, i] = _sums(clusters, z[:, i] * left) @ weight - (pulls[i] * solved).sum(axis=0)
        for j in range(k):
            schur[:, i, j] = sums[i][j] - (pulls[i] * explaining[j]).sum(axis=0)
    ridge = ratings.terms.columns.ridge
    schur, part = schur + np.diag(ridge), part - ridge * ratings.terms.beta
    moved = np.asarray(np.linalg.solve(schur, part[:, :, None])[:, :, 0].T, dtype=np.float64)
    for one, column in zip(moved, explaining, strict=True):
        solved = solved - one * column
    return solved, moved


def _sums(clusters: Clusters, values: Floats) -> Floats:
    """Return ``k sum`` of the values of each contest, which its weight multiplies."""
    return np.asarray(clusters.sizes * np.bincount(clusters.contest, values, len(clusters.sizes)))


class SolvesDraws(Protocol):
    """Solves draws of a loss that is not the square, terms included."""

    def deviate(
        self, drawn: Contests | Judgments, around: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Return how far ratings and terms of a draw are from those there are, or ``around``."""


def solver_of_draws(ratings: Fit) -> SolvesDraws:
    """Choose how draws are solved: a step of the terms, or a search for them."""
    steep = ratings.model.loss is None and ratings.model.p > STEEPEST
    return TermSearch(ratings) if ratings.terms is not None and steep else TermSteps.of(ratings)


@dataclass(frozen=True, eq=False)
class TermSearch:
    """Searches for ratings and terms of every draw."""

    ratings: Fit

    def deviate(
        self, drawn: Contests | Judgments, around: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Return how far ratings and terms of a draw are from those there are, or ``around``."""
        terms = self.ratings.terms
        assert terms is not None
        found = self.ratings.model.solve(terms.put_back(drawn))
        assert found.terms is not None
        before = self.ratings.solution.x if around is None else around
        return found.x - before, found.terms.beta - terms.beta


@dataclass(frozen=True, eq=False)
class TermSteps:
    """Takes a step of the terms in every draw.

    Parameters
    ----------
    model : Model
        Without its terms.
    solution : Solution
        Where to begin.
    pairs : array of float
        The columns of all judgments; none where there are no terms.
    bend, along : array of float
        H and X.
    wanted : array of float
        What a flow carries of the columns where a ridge pulls the terms.
    """

    model: Model
    solution: Solution
    pairs: Floats
    bend: Floats
    along: Floats
    wanted: Floats

    @classmethod
    def of(cls, ratings: Fit) -> TermSteps:
        """Look to either side of the terms."""
        problem, solution = ratings.problem, ratings.solution
        none = np.zeros((0, 0))
        if ratings.terms is None:
            still = np.zeros((problem.n, 0))
            return cls(ratings.model.roughly, solution, none, none, still, np.zeros(0))
        plain, pairs = replace(ratings.model, terms=()), ratings.terms.pairs(problem)
        reach = np.sqrt(np.diag(ratings.covariance.of_terms()) * ratings.misfit.variance)
        begin = replace(solution, terms=None)
        bend: list[Floats] = []
        along: list[Floats] = []
        for column, step in zip(ratings.terms.columns.z.T, reach, strict=True):
            sides = [problem.with_score(problem.score - s * step * column) for s in (1, -1)]
            ahead, behind = (plain.solve(one, start=begin) for one in sides)
            bend.append(pairs.T @ (behind.flow() - ahead.flow()) / (2 * step))
            along.append((ahead.x - behind.x) / (2 * step))
        h = np.stack(bend, axis=1)
        h = 0.5 * (h + h.T) + 2 * np.diag(ratings.terms.columns.ridge)
        return cls(plain, begin, pairs, h, np.stack(along, axis=1), ratings.terms.wanted)

    def deviate(
        self, drawn: Contests | Judgments, around: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Return how far ratings and terms of a draw are from those there are, or ``around``."""
        # Below 1, a search that begins at the ratings would end near them.
        begins = around is None and (self.model.loss is not None or self.model.p >= 1)
        found = self.model.solve(drawn, start=self.solution if begins else None)
        off = found.x - (self.solution.x if around is None else around)
        if not self.pairs.size:
            return off, np.zeros(0)
        slope = self.pairs.T @ found.flow() - self.wanted
        moved = np.asarray(np.linalg.lstsq(self.bend, slope, rcond=1e-6)[0], dtype=np.float64)
        return off + self.along @ moved, moved
