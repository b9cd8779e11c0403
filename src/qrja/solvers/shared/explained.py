"""What of the columns of terms the ratings explain, and what is left to estimate terms by.

    u_j = the ratings that explain column j best,   R = Z - A U,   S = R^T W R = Z^T W R

for the weights W of pairs, and with the pull of a ridge and the anchors of the problem, if it has
any. S is the Schur complement of the Laplacian: where it is singular, the data cannot tell the
terms from ratings, or from each other, unless a ridge on beta, added to it, shares out what they
are worth together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qrja.data import Contests, Floats, Judgments, centre, dot, sum_by
from qrja.errors import InputError
from qrja.laplacian import LaplacianSolver
from qrja.terms import HOME, TermColumns

NOTHING = 1e-16
"""Share of the squares of a column that is rounding: what is left of one that ratings explain."""


@dataclass(frozen=True, eq=False)
class ExplainedColumns:
    """Columns of terms, and what the ratings leave of them.

    Parameters
    ----------
    problem : Contests or Judgments
        What they are columns of.
    columns : TermColumns
        The terms.
    ratings : array of float
        U: the ratings that explain each column best.
    solver : LaplacianSolver, optional
        By which they were found, where nothing pulls or holds the ratings.
    """

    problem: Contests | Judgments
    columns: TermColumns
    ratings: Floats
    solver: LaplacianSolver | None = None

    @cached_property
    def rays(self) -> Floats:
        """What the square of an entry weighs that is relative to the mean of its contest."""
        problem = self.problem
        return np.repeat(problem.pair_weight * problem.sizes, problem.sizes)

    @cached_property
    def centred(self) -> Floats:
        """Z, relative to the mean of each contest."""
        return self.columns.centred(self.problem)

    @cached_property
    def left(self) -> Floats:
        """R, relative to the mean of each contest."""
        problem = self.problem
        return self.centred - centre(self.ratings[problem.who], problem.contest_of_entry)

    @cached_property
    def schur(self) -> Floats:
        """S."""
        across = (self.rays[:, None] * self.centred).T @ self.left
        return np.asarray(0.5 * (across + across.T))

    @cached_property
    def bent(self) -> Floats:
        """S with the ridge on beta: how least squares bend in beta."""
        return np.asarray(self.schur + np.diag(self.columns.ridge))

    def part_of(self, score: Floats) -> Floats:
        """Return ``R^T W`` of scores, or of residuals."""
        weighed = self.rays * score
        return np.array([dot(column, weighed) for column in self.left.T])

    def estimate(self, score: Floats, beta: Floats | None = None) -> Floats:
        """Return the beta of least squares of scores, or what one lacks for its residuals."""
        part = self.part_of(score)
        if beta is not None:
            part = part - self.columns.ridge * beta
        return np.asarray(np.linalg.solve(self.bent, part))


def explain_columns(
    problem: Contests | Judgments, columns: TermColumns, solver: LaplacianSolver | None = None
) -> ExplainedColumns:
    """Find what ratings without demands explain of columns, by one solver."""
    solver, centred = solver or LaplacianSolver(problem), columns.centred(problem)
    rays = np.repeat(problem.pair_weight * problem.sizes, problem.sizes)
    pulls = [sum_by(problem.who, rays * column, problem.n) for column in centred.T]
    found = np.stack([solver.solve(one) for one in pulls], axis=1)
    explained = ExplainedColumns(problem, columns, found, solver)
    explained.__dict__.update(centred=centred, rays=rays)  # they are at hand
    return explained


def explain_by(
    problem: Contests | Judgments, columns: TermColumns, solve: Callable[..., Floats]
) -> ExplainedColumns:
    """Find what ratings explain that a ridge pulls or anchors hold: ``solve`` fits scores."""
    found = [solve(problem.with_score(column)) for column in columns.z.T]
    return ExplainedColumns(problem, columns, np.stack(found, axis=1))


def list_confounded(explained: ExplainedColumns) -> dict[int, str]:
    """Say of each column that cannot be told from ratings, or from columns before it, why not.

    Examples
    --------
    >>> from qrja.terms import as_terms, columns_for
    >>> tall = {"tall": [1, 0, 1, 0], "home": [1, 0, 0, 1]}
    >>> games = Contests.from_arrays([1, 1, 2, 2], "xyxy", [3, 0, 2, 1], covariates=tall)
    >>> columns = columns_for(games, as_terms(["home", "tall"]))
    >>> [columns.names[k] for k in list_confounded(explain_columns(games, columns))]
    ['tall']
    """
    own = np.einsum("e,ej,ej->j", explained.rays, explained.centred, explained.centred)
    s, why = explained.bent, {}
    kept: list[int] = []
    for j, name in enumerate(explained.columns.names):
        size = float(s[j, j])
        if kept:
            shared = s[:, j][kept]
            size -= float(shared @ np.linalg.solve(s[np.ix_(kept, kept)], shared))
        if size > NOTHING * len(explained.problem.names) * own[j] and own[j] > 0:
            kept.append(j)
        elif own[j] == 0:
            why[j] = _say_equal(explained, name)
        elif float(s[j, j]) <= NOTHING * len(explained.problem.names) * own[j]:
            why[j] = (
                f"the covariate {name!r} cannot be told from the ratings, which explain it fully;"
                " leave it out, or give the ratings a ridge"
            )
        else:
            others = ", ".join(repr(explained.columns.names[k]) for k in kept)
            why[j] = (
                f"the covariate {name!r} cannot be told from {others} and the ratings; leave one of"
                " them out, or pull it toward 0 by a covariate ridge"
            )
    return why


def _say_equal(explained: ExplainedColumns, name: str) -> str:
    noun = explained.problem.noun
    said = f"the covariate {name!r} is the same for all entrants of each {noun}, and cancels"
    if name == HOME:
        return f"{said}: no {noun} has a home side; leave it out"
    plain = name.split("=")[0]
    differ = f", or let them differ by it, per={plain!r} (--per in the shell)" * ("=" in name)
    return f"{said}; give what it changes, such as '{plain}*{HOME}'{differ}"


def check_told_apart(explained: ExplainedColumns) -> None:
    """Raise if a term cannot be told from ratings or from others, naming it."""
    for why in list_confounded(explained).values():
        raise InputError(why)


def keep_told_apart(
    problem: Contests | Judgments, columns: TermColumns, *, patient: bool
) -> TermColumns:
    """Return the columns that ratings leave something of; others are an error, or left out."""
    explained = explain_columns(problem, columns)
    if not patient:
        check_told_apart(explained)
    lost = list_confounded(explained) if patient else {}
    return columns.only([k for k in range(len(columns)) if k not in lost])
