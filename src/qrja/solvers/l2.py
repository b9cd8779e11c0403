"""p = 2: least squares on the comparison graph, by conjugate gradients.

The normal equations ``L x = b`` have the graph's Laplacian, known without writing out the pairs of
a contest. They are solved in rounds (:class:`qrja.laplacian.LaplacianSolver`), each from the
imbalance that is left, computed afresh from residuals.

The proof: ``f = 2 w (y - A x)`` misses conservation by the imbalance ``g = b - L x``; sending g
along a spanning tree makes it conserved and costs ``sum over tree edges (g below)^2 / w`` in the
lower bound, with no cancellation.

References
----------
K. Massey, Statistical models applied to the rating of sports teams, 1997.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from qrja.data import Contests, Floats, Judgments, centre
from qrja.laplacian import ROUNDS, LaplacianSolver, Quadratic
from qrja.solution import Minimised, Solution, prove


def solve_l2(
    problem: Contests | Judgments,
    *,
    start: Solution | None = None,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Minimise ``sum w (x_a - x_b - y)^2``; each component has mean 0.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    start : Solution, optional
        Of a problem whose candidates are the first ones of this problem: begin from its x.
    tol : float
        Relative gap to reach.
    progress : callable, optional
        Told the gap reached after each round.

    Examples
    --------
    >>> j = Judgments.from_arrays(["A", "B", "A"], ["B", "C", "C"], [1, 1, 5])
    >>> solution = solve_l2(j)
    >>> solution.x
    array([ 2.,  0., -2.])
    >>> solution.objective, solution.status
    (3.0, 'optimal')
    """
    begin = time.perf_counter()
    solver = LaplacianSolver(problem)
    x = _begin(solver.q, start)
    return approach_l2(problem, solver, x, begin=begin, tol=tol, progress=progress)


def approach_l2(
    problem: Contests | Judgments,
    solver: LaplacianSolver,
    x: Floats | None,
    *,
    begin: float,
    tol: float,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Do the same from scores ``x``, by a solver that others have used since the time ``begin``."""
    q = solver.q
    steps, gap = 0, np.inf
    at_zero, scale = q.evaluate(None)
    loss, imbalance = (at_zero, scale) if x is None else q.evaluate(x)
    # Zero is a better start than one from afar, of which digits would stay: margins may all be 0.
    if x is None or not loss <= at_zero:
        x, imbalance = np.zeros(q.n), scale
    for _ in range(ROUNDS):
        step, taken, converged = solver.approach(imbalance, scale)
        x, steps, last = centre(x + step, q.label), steps + taken, gap
        objective, imbalance = q.evaluate(x)
        excess, below = q.route(imbalance)
        rounding = 0.0 if excess <= tol * objective else q.rounding(x)
        proved = prove(objective, excess, rounding, tol)
        gap = proved.gap
        if progress is not None:
            progress(gap)
        if proved.status == "optimal" and (converged or gap > last / 4):
            break
        if converged and proved.status != "optimal":
            solver.insist()
    return Solution(
        x=x,
        names=problem.names,
        components=q.label,
        certificate="flow",
        optimum="unique",
        loss="|t|^2",
        iterations=steps,
        seconds=time.perf_counter() - begin,
        minimised=Minimised(2.0),
        _flow=lambda: q.flow(x, below),
        **proved._asdict(),
    )


def _begin(q: Quadratic, start: Solution | None) -> Floats | None:
    """Return scores to begin from: those that are known, or those of a similar problem."""
    known = q.begin()
    if known is not None:
        return centre(known, q.label)
    if start is None:
        return None
    x = np.zeros(q.n)
    x[: len(start.x)] = start.x[: q.n]
    return x
