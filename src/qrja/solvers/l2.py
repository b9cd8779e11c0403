"""p = 2: least squares on the comparison graph, by conjugate gradients.

The normal equations ``L x = b`` have the graph's Laplacian, known without writing out the pairs of
a contest. They are solved by conjugate gradients with a Jacobi preconditioner, all components at
once and each with step lengths of its own: a component's accuracy does not depend on its
neighbours' scale. Contest graphs need some tens of steps. Graphs that are nearly lines or grids
need thousands: there a sparse factorisation, or algebraic multigrid beyond ``FACTOR_NODES``
nodes, takes Jacobi's place.

The proof: ``f = 2 w (y - A x)`` misses conservation by the imbalance ``g = b - L x``; sending g
along a spanning tree makes it conserved and costs ``sum over tree edges (g below)^2 / w`` in the
lower bound, with no cancellation.

References
----------
M. R. Hestenes and E. Stiefel, Methods of conjugate gradients for solving linear systems, 1952.
K. Massey, Statistical models applied to the rating of sports teams, 1997.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, centre, dot, sum_by
from qrja.errors import QRJAWarning
from qrja.laplacian.operator import Quadratic, quadratic
from qrja.laplacian.preconditioners import Preconditioner, factor, jacobi, multigrid
from qrja.solution import Solution, relative_gap

EASY_STEPS = 200
"""Steps after which Jacobi has shown that the graph is hard."""
HARD_STEPS = 20_000
"""Steps allowed in all, where nothing better than Jacobi is at hand."""
FACTOR_NODES = 100_000
"""Largest graph that is factorised."""
ROUNDS = 6
"""Restarts from a freshly computed imbalance; each gains the digits that rounding allows."""


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
    q = quadratic(problem)
    x = np.zeros(q.n)
    nothing, scale = q.evaluate(None)
    imbalance = scale
    if start is not None:
        x[: len(start.x)] = start.x[: q.n]
        _, imbalance = q.evaluate(x)
    precondition, steps = jacobi(q), 0
    gap = np.inf
    for _ in range(ROUNDS):
        budget = EASY_STEPS if steps < EASY_STEPS else HARD_STEPS
        step, taken, converged = conjugate_gradients(q, imbalance, scale, precondition, budget)
        x, steps, last = centre(x + step, q.label), steps + taken, gap
        objective, imbalance = q.evaluate(x)
        excess, _ = q.route(imbalance)
        gap = relative_gap(objective, excess, nothing, 2)
        if progress is not None:
            progress(gap)
        if gap <= tol and (converged or gap > last / 4):
            break
        if not converged and steps >= EASY_STEPS:
            precondition = stronger(q, precondition)
    return Solution(
        x=x,
        names=problem.names,
        objective=objective,
        lower_bound=max(objective - excess, 0.0),
        gap=gap,
        components=q.label,
        status="optimal" if gap <= tol else "inexact",
        certificate="flow",
        optimum="unique",
        loss="|t|^2",
        iterations=steps,
        seconds=time.perf_counter() - begin,
        _flow=lambda: q.flow(x),
    )


def stronger(q: Quadratic, weaker: Preconditioner) -> Preconditioner:
    """Replace Jacobi on a hard graph by a factorisation or by multigrid, whichever fits."""
    laplacian = q.sparse_laplacian()
    if laplacian.shape[0] <= FACTOR_NODES:
        return factor(laplacian, q)
    try:
        return multigrid(laplacian, q)
    except ImportError as missing:
        warnings.warn(f"slow: {missing}", QRJAWarning, stacklevel=3)
        return weaker


def conjugate_gradients(
    q: Quadratic, b: Floats, scale: Floats, precondition: Preconditioner, budget: int
) -> tuple[Floats, int, bool]:
    """Solve ``L x = b``, each component with its own steps, to 14 digits of ``scale``.

    Returns
    -------
    x, steps, converged
        ``converged``: in every component the preconditioned residual is that small.
    """
    dots, ratio = by_component(q.label)
    # What rounding adds to b as a whole is no product of L: no step could remove it.
    x, r = np.zeros(q.n), centre(b, q.label)
    z = precondition(r)
    d = z.copy()
    rz = dots(r, z)
    # 15 digits of where it begins are all that there are: steps beyond would follow rounding.
    goal = np.maximum(dots(scale, precondition(scale)) * 1e-28, rz * 1e-30)
    for step in range(budget):
        if (rz <= goal).all():
            return x, step, True
        product = q.product(d)
        curvature = dots(d, product)
        # A component that is done, or has no edge, stays where it is: its step is 0.
        live = (rz > goal) & (curvature > 0)
        alpha = ratio(rz, curvature, live)
        x += alpha * d
        r -= alpha * product
        z = precondition(r)
        last, rz = rz, dots(r, z) * live
        d = z + ratio(rz, last, live) * d
    return x, budget, False


Sums = Any
"""A number for each component; a plain number, which is faster, where there is only one."""


def by_component(label: Index) -> tuple[Callable[..., Sums], Callable[..., Sums]]:
    """Return how to sum products over components, and how to spread a ratio of sums over them."""
    count = int(label.max(initial=-1)) + 1
    if count == 1:
        return (
            lambda u, v: np.float64(dot(u, v)),
            lambda top, bottom, live: top / bottom if live else 0.0,
        )

    def dots(u: Floats, v: Floats) -> Sums:
        return sum_by(label, u * v, count)

    def ratio(top: Sums, bottom: Sums, live: Sums) -> Sums:
        return np.divide(top, bottom, out=np.zeros_like(top), where=live)[label]

    return dots, ratio
