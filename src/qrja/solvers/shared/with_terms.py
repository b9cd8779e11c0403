"""Ratings and shared terms together: which way leads there.

minimise over x, beta:  sum_i w_i f(y_i - (x_a - x_b) - z_i . beta)  +  sum ridge beta^2
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from qrja.data import Contests, Floats, Judgments, centre
from qrja.errors import InputError
from qrja.laplacian import LaplacianSolver
from qrja.losses import KnownLoss, Power, complete
from qrja.solution import Proved, Solution, prove
from qrja.solvers.shared.cutting_planes import search
from qrja.solvers.shared.explained import (
    ExplainedColumns,
    check_told_apart,
    explain_by,
    explain_columns,
    list_confounded,
)
from qrja.solvers.shared.inner_problem import InnerProblem
from qrja.solvers.shared.joint_squares import LEAST, solve_jointly
from qrja.solvers.shared.shared_squares import solve_squares
from qrja.solvers.shared.smooth_terms import descend
from qrja.terms import Estimates, TermColumns

Problem = Contests | Judgments
MOST_PAIRS = 10_000_000
"""Pairs that are written out for losses other than the square: 80 MB for each of some flows."""
NEAR = 3.0
"""Standard errors of least squares within which terms of another loss are looked for first."""


def solve_with_terms(
    problem: Problem,
    columns: TermColumns,
    p: float,
    solve: Callable[..., Solution],
    asked: dict[str, Any],
    *,
    tol: float,
    patient: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Solve a problem with shared terms; ``solve`` is what solves one without.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    columns : TermColumns
        The terms, a row for each entry.
    p : float
        The power of the loss.
    solve : callable
        Takes a problem, p and what is ``asked``: loss, ridge, prior and anchors.
    asked : dict
        The same, without what is at its default.
    patient : bool
        Whether terms that cannot be told apart are left out; else they are an error.
    tol, progress
        See :func:`qrja.solve`.
    """
    loss = _loss(p, asked.get("loss"))
    begin = time.perf_counter()
    solver = None
    if p == 2 and not asked and problem.entries >= LEAST:
        solver = LaplacianSolver(problem)
        at_once = solve_jointly(problem, solver, columns, tol=tol, progress=progress)
        if at_once is not None:
            return at_once
    held = {name: asked[name] for name in ("ridge", "anchors") if asked.get(name)}
    explained = _explain(problem, columns, solve, held, solver)
    if patient:
        lost = list_confounded(explained)
        columns = columns.only([k for k in range(len(columns)) if k not in lost])
        explained = replace(
            explained, columns=columns, ratings=np.delete(explained.ratings, list(lost), axis=1)
        )
    else:
        check_told_apart(explained)
    if not len(columns):
        found = solve(problem, p, tol=tol, **asked)
        return replace(found, terms=Estimates(columns, np.zeros(0)))
    if p != 2 and problem.m > MOST_PAIRS:
        raise InputError(
            f"{problem.m:,} pairs are too many to find covariates with this loss; p = 2 writes none"
            " of them out"
        )
    if p == 2 and not asked:
        return solve_squares(problem, explained, begin=begin, tol=tol, progress=progress)

    def inside(at_zero: Problem, start: Solution | None) -> Solution:
        return solve(at_zero, p, start=start, tol=0.1 * tol, **asked)

    spread = 1.0 / np.sqrt(np.diag(explained.bent))
    inner = InnerProblem(problem, columns, spread, inside)
    first = _squares(problem, explained, solve, asked) / spread
    seen = inner.look(first)
    near = NEAR * _usual_error(inner, seen.solution, first)
    if loss is None or loss.kinks:
        best, flow, excess = search(inner, seen, near, tol)
        proved = prove(best.total, excess, 0.0, tol)
    else:
        shape = np.asarray(np.linalg.inv(explained.bent * np.outer(spread, spread)), np.float64)
        best = descend(inner, seen, shape, near)
        flow = best.flow
        proved = Proved(best.total, 0.0, math.inf, 0.0, "inexact")  # it is weighed again
    found = best.solution
    if progress is not None:
        progress(found.gap)
    return replace(
        found,
        terms=inner.estimates(best.beta),
        iterations=inner.asked,
        seconds=time.perf_counter() - begin,
        optimum="unique" if found.optimum == "unique" else "any",
        norm=None,
        **proved._asdict(),
        _flow=lambda: flow,
        _face=None,
        _state=None,
    )


def _loss(p: float, given: Any) -> KnownLoss | None:
    """Return the loss of a residual, None for the largest error; or say why it will not do."""
    if given is None and p < 1:
        raise InputError(f"p is {p:g}; covariates need a p of 1 or more")
    loss = None if given is None and p == math.inf else Power(p) if given is None else given
    known = None if loss is None else complete(loss)
    if known is not None and not known.has_conjugate:
        raise InputError(
            f"covariates need a loss that names its conjugate, for the proof, and {known} does not"
        )
    return known


def _explain(
    problem: Problem,
    columns: TermColumns,
    solve: Callable[..., Solution],
    held: dict[str, Any],
    solver: LaplacianSolver | None,
) -> ExplainedColumns:
    if not held:
        return explain_columns(problem, columns, solver)
    if "anchors" in held:
        held = held | {"anchors": dict.fromkeys(held["anchors"], 0.0)}
    return explain_by(problem, columns, lambda one: solve(one, 2.0, **held).x)


def _squares(
    problem: Problem,
    explained: ExplainedColumns,
    solve: Callable[..., Solution],
    asked: dict[str, Any],
) -> Floats:
    """Return the terms of least squares, to begin with."""
    score = problem.score
    if asked.get("anchors"):
        demands = {name: value for name, value in asked.items() if name != "loss"}
        score = score - solve(problem, 2.0, **demands).x[problem.who]
    return explained.estimate(centre(score, problem.contest_of_entry))


def _usual_error(inner: InnerProblem, found: Solution, t: Floats) -> float:
    """Return the size of a usual residual: the standard error of a scaled term.

    Of entries that terms tell apart: others, such as ties of far weights, say nothing of them.
    """
    problem = inner.problem
    at_zero = inner.estimates(t).at_zero(problem)
    told = np.any(inner.columns.centred(problem) != 0, axis=1)
    left = centre(at_zero.score - found.x[problem.who], problem.contest_of_entry)[told]
    weight = problem.pair_weight[problem.contest_of_entry][told]
    squares = float((weight * left**2).sum()) / max(len(left), 1)
    return math.sqrt(squares) or 1.0
