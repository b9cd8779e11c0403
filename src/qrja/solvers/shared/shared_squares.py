"""p = 2 with shared terms: one more Laplacian system for each column.

With what the ratings leave of the columns, R, and ``S = R^T W R`` (:mod:`explained`),

    beta = S^-1 R^T W y,      x = the ratings of  y - Z beta

which are found as always (:mod:`qrja.solvers.l2`); a ridge on beta is added to S. The proof: a flow
``f = 2 W r`` that is conserved up to an imbalance, sent along a tree at the price t^2, and carries
``R^T f`` of the columns, taken off as a multiple of R: both together cost no more than

    (2 t + |S^-1/2 (R^T W r - ridge beta)|)^2

in the bound (the tree itself may carry some of the columns, no more than t).

References
----------
R. Frisch and F. V. Waugh, Partial time regressions as compared with individual trends, 1933.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from qrja.data import Contests, Floats, Judgments, centre
from qrja.solution import Solution, prove
from qrja.solvers.l2 import approach_l2
from qrja.solvers.shared.explained import ExplainedColumns
from qrja.terms import Estimates

ROUNDS = 10
"""Times that beta is found at most; the second corrects the rounding of the first, and further ones
what is left where weights are far apart."""
ENOUGH = 1e-13
"""Change of beta, as a share of itself, that is none."""


def solve_squares(
    problem: Contests | Judgments,
    explained: ExplainedColumns,
    *,
    begin: float,
    tol: float,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Minimise ``sum w (x_a - x_b + z . beta - y)^2``; each component has mean 0."""
    columns, solver = explained.columns, explained.solver
    assert solver is not None
    beta = explained.estimate(centre(problem.score, problem.contest_of_entry))
    x: Floats | None = None
    last = math.inf
    for _ in range(ROUNDS):
        at_zero = Estimates(columns, beta).at_zero(problem)
        solver = solver.with_score(at_zero)
        found = approach_l2(at_zero, solver, x, begin=begin, tol=tol, progress=progress)
        left = centre(at_zero.score - found.x[problem.who], problem.contest_of_entry)
        lacking = explained.estimate(left, beta)
        told = _tell(problem, found, explained, Estimates(columns, beta), left, tol)
        change = float(np.abs(lacking * columns.sizes).max())
        settled = not change > ENOUGH * float(np.abs(beta * columns.sizes).max())
        excess = told.objective - told.lower_bound
        if (settled and told.status == "optimal") or change == 0.0 or excess > last / 4:
            break
        last = excess
        beta, x = beta + lacking, found.x - explained.ratings @ lacking
    return told


def _tell(
    problem: Contests | Judgments,
    found: Solution,
    explained: ExplainedColumns,
    estimates: Estimates,
    left: Floats,
    tol: float,
) -> Solution:
    """Return the solution with what the terms add to its proof."""
    part = explained.part_of(left) - 0.5 * estimates.wanted
    share = np.asarray(np.linalg.solve(explained.bent, part), dtype=np.float64)
    cost = math.sqrt(max(found.objective - found.lower_bound, 0.0))
    excess = (2 * cost + math.sqrt(max(float(part @ share), 0.0))) ** 2

    def flow() -> Floats:
        judgments = Estimates(replace(explained.columns, z=explained.left), share).pairs(problem)
        weight = problem.to_judgments().w
        return found.flow() - 2 * weight * (judgments @ share)

    return replace(
        found,
        terms=estimates,
        _flow=flow,
        **prove(found.objective + estimates.cost, excess, found.rounding, tol)._asdict(),
    )
