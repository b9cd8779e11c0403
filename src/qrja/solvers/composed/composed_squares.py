"""p = 2 with parts: least squares with more unknowns, no pair of a contest written out.

The proof: ``f = 2 w r`` misses conservation at contestants by g, which is sent along a tree at the
price t^2, and what members are pulled by, by h; the tree moves that by no more than
``2 m sum |g below|``, m the root of the most members an entry has. So the loss exceeds its bound by
no more than

    t^2 + (|h / pull^1/2| + 2 m sum |g below| / least pull^1/2)^2  =  T^2,
    (2 T + |S^-1/2 R^T W r|)^2      with shared terms, see :mod:`qrja.solvers.shared.shared_squares`

A ridge on contestants takes what they miss, without a tree.
"""

from __future__ import annotations

import math
import time
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from qrja.data import Contests, Floats, Judgments
from qrja.laplacian import BorderedLaplacian, LaplacianSolver, Quadratic
from qrja.solution import Minimised, Proved, Solution, prove
from qrja.solvers.composed.composition import Composition
from qrja.solvers.demands import centre_where_relative, comparable


def solve_composed_squares(composition: Composition, *, tol: float) -> Solution:
    """Minimise the sum of squares and the pulls."""
    begin = time.perf_counter()
    problem, demands = composition.problem, composition.demands
    system = composition.system()
    v = system.fit(composition.score)
    x, parts, terms = composition.split(v)
    x = centre_where_relative(problem, demands, x)
    at_zero = composition.at_zero(parts, terms)
    q = LaplacianSolver(at_zero).q
    loss, imbalance = q.evaluate(x)
    held = demands.pull * (x - demands.goal)
    objective = loss + float(held @ (x - demands.goal)) + parts.cost
    if demands.free.all():
        excess = _excess(composition, system, q, v, imbalance - held)
        rounding = 0.0 if excess <= tol * objective else q.rounding(x)
        proved = prove(objective, excess, rounding, tol)
    else:  # it is weighed again
        proved = Proved(objective, 0.0, math.inf, 0.0, "inexact")
    # A ridge, or an anchor, takes what no tree has to.
    held_flow = demands.ridge > 0 or not demands.free.all()
    return Solution(
        x=x,
        names=problem.names,
        components=comparable(problem, demands),
        certificate="flow",
        optimum="unique",
        loss="|t|^2",
        iterations=1,
        seconds=time.perf_counter() - begin,
        minimised=Minimised(2.0, None, demands),
        terms=terms,
        parts=parts,
        _flow=partial(_slopes, at_zero, x) if held_flow else partial(q.flow, x),
        **proved._asdict(),
    )


def _slopes(at_zero: Contests | Judgments, x: Floats) -> Floats:
    """Return the flow of residuals, as it is."""
    judgments = at_zero.to_judgments()
    return np.asarray(2 * judgments.w * (judgments.y - x[judgments.a] + x[judgments.b]))


def _excess(
    composition: Composition,
    system: BorderedLaplacian,
    q: Quadratic,
    v: Floats,
    imbalance: Floats,
) -> float:
    """Return what the loss exceeds its bound by, at most."""
    n, many = composition.problem.n, len(composition.live)
    gradient = system.gradient(system.residual(composition.score, v), v)
    pulls = composition.scores.pulls
    missed = math.sqrt(float(np.sum(gradient[n : n + many] ** 2 / pulls)))
    if composition.demands.ridge > 0:
        price = float(np.sum(imbalance**2)) / composition.demands.ridge
    else:
        price, below = q.route(imbalance)
        if many:
            rows = composition.columns.entries
            most = math.sqrt(float(np.asarray(rows.multiply(rows).sum(axis=1)).max(initial=0.0)))
            missed += 2 * most * float(np.abs(below).sum()) / math.sqrt(float(pulls.min()))
    total = math.sqrt(price + missed**2)
    if composition.terms is None:
        return total**2
    return (2 * total + _carried(composition, system, gradient)) ** 2


def _carried(composition: Composition, system: BorderedLaplacian, gradient: Floats) -> float:
    """Return the size of what residuals carry of the columns of terms: ``|S^-1/2 R^T W r|``."""
    assert composition.terms is not None
    first = composition.problem.n + len(composition.live)
    columns = system.columns_of(np.arange(first, system.size))
    others = BorderedLaplacian(
        composition.problem,
        csr_array(composition.columns.entries[:, composition.live]),
        composition.pull[:first],
        composition.demands.free,
    )
    explaining = others.solve(columns[:first])
    schur = columns[first:] - columns[:first].T @ explaining
    left = gradient[first:] - explaining.T @ gradient[:first]
    return math.sqrt(max(float(left @ np.linalg.solve(0.5 * (schur + schur.T), left)), 0.0))
