"""The unknowns of entries with parts in one vector: contestants, members, shared terms.

    v = (x - goal, u, beta),      residual = y - A goal - J v,      J = (A, G, Z)

Contestants that are anchored, and members of parts that do not differ, stay at 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, hstack

from qrja.data import Contests, Floats, Judgments, Offsets
from qrja.laplacian import BorderedLaplacian
from qrja.parts import PartColumns, PartScores
from qrja.solution import Demands
from qrja.terms import Estimates, TermColumns


@dataclass(frozen=True, eq=False)
class Composition:
    """A problem whose entries have parts, and how hard each part is pulled.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    columns : PartColumns
        Who is in which entry.
    demands : Demands
        Ridge, prior and anchors of contestants.
    terms : TermColumns or None
        Shared terms.
    scores : PartScores
        Pulls and spreads; its scores are not looked at.
    """

    problem: Contests | Judgments
    columns: PartColumns
    demands: Demands
    terms: TermColumns | None
    scores: PartScores

    @cached_property
    def live(self) -> Offsets:
        """The members that may differ."""
        return np.flatnonzero(self.scores.moves)

    @cached_property
    def pull(self) -> Floats:
        """What pulls each unknown to 0."""
        terms = 0 if self.terms is None else len(self.terms)
        return np.concatenate([self.demands.pull, self.scores.pulls, np.zeros(terms)])

    @property
    def border(self) -> csr_array:
        """Members and terms, a row for each entry."""
        columns = self.columns.entries[:, self.live]
        if self.terms is None:
            return csr_array(columns)
        return csr_array(hstack([columns, csr_array(self.terms.z)], format="csr"))

    @property
    def score(self) -> Floats:
        """Scores relative to where contestants are pulled, or held."""
        return np.asarray(self.problem.score - self.demands.goal[self.problem.who])

    def system(self) -> BorderedLaplacian:
        """Return the system of least squares."""
        return BorderedLaplacian(self.problem, self.border, self.pull, self.demands.free)

    def split(self, v: Floats) -> tuple[Floats, PartScores, Estimates | None]:
        """Return ratings, scores of members and terms."""
        n, many = self.problem.n, len(self.live)
        u = np.zeros(len(self.columns))
        u[self.live] = v[n : n + many]
        terms = None if self.terms is None else Estimates(self.terms, v[n + many :])
        x = np.where(self.demands.free, v[:n], 0.0) + self.demands.goal
        return x, replace(self.scores, columns=self.columns, u=u), terms

    def at_zero(self, scores: PartScores, terms: Estimates | None) -> Contests | Judgments:
        """Return the problem with what members and terms add taken off."""
        problem = scores.of_contestants(self.problem)
        return problem if terms is None else terms.at_zero(problem)
