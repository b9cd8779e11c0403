"""The covariance of strengths that move: that of the smoother of a random walk.

    covariance of all periods  =  s^2 (L + ties)^+          and U S^-1 U^T s^2 for shared terms

for results that err by s and strengths that move by tau. A rating is that of the latest period,
relative to the mean of its component; since then ``tau^2`` times the time that has passed has come
to its variance. For squares these are the variances of Rauch, Tung and Striebel.

References
----------
H. E. Rauch, F. Tung and C. T. Striebel, Maximum likelihood estimates of linear dynamic systems,
1965.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets, centre, sum_by
from qrja.laplacian import FactoredLaplacian
from qrja.ratings.precision.misfit import floating
from qrja.solution import Demands
from qrja.terms import TermColumns
from qrja.ties import Paths, tie, tie_columns, weigh_ties

COLUMNS = 64
"""Columns that are solved at once."""


class PathCovariance:
    """The covariance of ratings in the latest period, and of any other.

    Parameters
    ----------
    problem : Contests or Judgments
        The results.
    paths : Paths
        Periods, speed and noise.
    demands : Demands
        Anchors.
    columns : TermColumns, optional
        Those of shared terms.
    """

    def __init__(
        self,
        problem: Contests | Judgments,
        paths: Paths,
        demands: Demands,
        columns: TermColumns | None = None,
    ) -> None:
        periods = paths.periods
        self.n, self._paths, self._periods = problem.n, paths, periods
        weight = paths.weight
        if len(weight):
            weight = weigh_ties(periods, 2.0, paths.tau, paths.noise, 1.0)
        self._tied = tie(problem, periods, weight)
        self._free = demands.free[periods.who]
        self._label = problem.components
        self._is_floating = floating(problem, demands)[self._label] > 0
        self._columns = None if columns is None else tie_columns(columns, len(weight))

    @cached_property
    def _factored(self) -> FactoredLaplacian:
        return FactoredLaplacian(self._tied, self._free)

    @cached_property
    def _rays(self) -> Floats:
        tied = self._tied
        return (tied.pair_weight * tied.sizes)[tied.contest_of_entry]

    def _pulls(self, entries: Floats) -> Floats:
        tied = self._tied
        return np.stack(
            [sum_by(tied.who, self._rays * column, tied.n) for column in entries.T], axis=1
        )

    @cached_property
    def _terms(self) -> tuple[Floats, Floats, Floats] | None:
        """U, R and S of the shared terms."""
        if self._columns is None:
            return None
        of, who = self._tied.contest_of_entry, self._tied.who
        z = self._columns.centred(self._tied)
        explaining = self._factored.solve(self._pulls(z))
        rest = z - centre(explaining[who], of)
        schur = (self._rays[:, None] * z).T @ rest
        bent = 0.5 * (schur + schur.T) + np.diag(self._columns.ridge)
        return explaining, rest, np.asarray(bent)

    def variances(self) -> Floats:
        """Return the variance of each rating, as of the last contest."""
        growth = self._paths.growth
        found = self.of_nodes(self._periods.last, np.arange(self.n))
        size = np.bincount(self._label)[self._label]
        mean = sum_by(self._label, growth, int(self._label.max(initial=-1)) + 1)[self._label] / size
        added = np.where(self._is_floating, growth * (1 - 2 / size) + mean / size, growth)
        return np.asarray(found + np.where(self._free[self._periods.last], added, 0.0))

    def of_nodes(self, nodes: Index, who: Offsets) -> Floats:
        """Return the variance of periods of some contestants, relative to the mean of ratings."""
        found = []
        for at in _blocks(len(nodes)):
            columns = np.zeros((len(self._periods), at.stop - at.start))
            columns[nodes[at], np.arange(columns.shape[1])] = 1.0
            for column, i in enumerate(who[at].tolist()):
                if self._is_floating[i]:
                    same = self._periods.last[self._label == self._label[i]]
                    columns[same, column] -= 1.0 / len(same)
            found.append(self._variances_of(columns))
        return np.concatenate(found) if found else np.zeros(0)

    def of_differences(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the variance of each difference of ratings, as of the last contest."""
        growth = np.where(self._free[self._periods.last], self._paths.growth, 0.0)
        last = self._periods.last
        return self.between(last[i], last[j]) + np.where(i == j, 0.0, growth[i] + growth[j])

    def between(self, one: Index, other: Index) -> Floats:
        """Return the variance of each difference of two periods."""
        found = []
        for at in _blocks(len(one)):
            columns, here = np.zeros((len(self._periods), at.stop - at.start)), at.stop - at.start
            np.add.at(columns, (one[at], np.arange(here)), 1.0)
            np.add.at(columns, (other[at], np.arange(here)), -1.0)
            found.append(self._variances_of(columns))
        return np.concatenate(found) if found else np.zeros(0)

    def _variances_of(self, columns: Floats) -> Floats:
        """Return ``c^T C c`` of each column c."""
        held = np.where(self._free[:, None], columns, 0.0)
        forms = (held * self._factored.solve(held)).sum(axis=0)
        if self._terms is not None:
            explaining, _, schur = self._terms
            part = explaining.T @ held
            forms = forms + (part * np.linalg.solve(schur, part)).sum(axis=0)
        return np.asarray(self._paths.noise**2 * np.maximum(forms, 0.0))

    def of_terms(self) -> Floats:
        """Return the covariance of the terms."""
        if self._terms is None:
            return np.zeros((0, 0))
        return np.asarray(self._paths.noise**2 * np.linalg.inv(self._terms[2]))

    def draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Return deviations of the ratings, a column each: results and moves drawn anew, fitted."""
        tied, paths, last = self._tied, self._paths, self._periods.last
        of, found = tied.contest_of_entry, []
        spread = 1.0 / np.sqrt(self._rays)
        for at in _blocks(count):
            drawn = spread[:, None] * rng.standard_normal((tied.entries, at.stop - at.start))
            drawn = centre(drawn, of)
            x = self._factored.solve(self._pulls(drawn))
            if self._terms is not None:
                explaining, rest, schur = self._terms
                carried = (self._rays[:, None] * rest).T @ drawn
                assert self._columns is not None
                if self._columns.ridge.any():  # else the draws stay those of no ridge
                    prior = np.sqrt(self._columns.ridge)[:, None]
                    carried = carried - prior * rng.standard_normal(carried.shape)
                x = x - explaining @ np.linalg.solve(schur, carried)
            since = np.sqrt(paths.growth)[:, None] * rng.standard_normal((self.n, drawn.shape[1]))
            found.append(paths.noise * x[last] + np.where(self._free[last][:, None], since, 0.0))
        drawn = np.concatenate(found, axis=1)
        return np.where(self._is_floating[:, None], centre(drawn, self._label), drawn)


def _blocks(count: int) -> Iterator[slice]:
    return (slice(at, min(at + COLUMNS, count)) for at in range(0, count, COLUMNS))
