"""p = 2 by passes: conjugate gradients on ``L x = b``, a pass a step, with the degrees before it.

    (L d)_i  =  sum over contests of i of  w (k d_i - sum of d over the contest)

Contest graphs need some tens of steps, whatever their size; what rounding leaves is found by a
second round from residuals computed afresh. The proof is that of :mod:`~qrja.scale.pass_proofs`.
"""

from __future__ import annotations

from functools import partial

from qrja.data import Floats, centre
from qrja.laplacian import by_component, conjugate_gradients, jacobi
from qrja.losses import Power
from qrja.scale.kernels import squares
from qrja.scale.pass_proofs import excess_of
from qrja.scale.passes import Passes, add_up
from qrja.scale.search import Reached, Search
from qrja.scale.shards import Shard
from qrja.scale.spanning import Routes
from qrja.solution import UNIT

ROUNDS = 4
"""Restarts from a residual computed afresh."""
STEPS = 2_000
"""Steps of a round: graphs that are nearly lines need many."""
FINE = 1e-12
"""How far a residual is to fall: scores agree with those of other solvers to 1e-9 then."""


def add_degrees(shard: Shard, out: Floats) -> None:
    """Add what each candidate's pairs weigh."""
    squares.add_degrees(shard.start, shard.who, shard.weight, out)


def add_product(shard: Shard, out: Floats, d: Floats) -> None:
    """Add ``L d``."""
    squares.add_product(shard.start, shard.who, shard.weight, d, out)


def add_imbalance(shard: Shard, out: Floats, x: Floats) -> None:
    """Add ``b - L x`` and, behind it, the loss and what rounding may hide of it."""
    squares.add_imbalance(shard.start, shard.who, shard.score, shard.weight, x, out)


def degrees(passes: Passes) -> Floats:
    """Return what the pairs of each candidate weigh."""
    return add_up(passes, add_degrees, passes.n)


def solve_squares(
    passes: Passes,
    routes: Routes,
    degree: Floats,
    x: Floats,
    search: Search,
    fine: float = FINE,
) -> Reached:
    """Minimise ``sum w (x_a - x_b - y)^2`` from x on; ``fine`` is how far residuals are to fall."""
    n, label = passes.n, routes.label
    precondition, systems = jacobi(degree), by_component(label)
    # The goal is measured by the residual of 0, from wherever the search begins.
    first = add_up(passes, add_imbalance, n + 2, x * 0.0)
    out = add_up(passes, add_imbalance, n + 2, x) if x.any() else first
    if out[n] > first[n]:
        x, out = x * 0.0, first
    scale = centre(first[:n], label)
    floor = fine * fine * systems.dots(scale, precondition(scale))
    reached, search.goal = _prove(x, out, routes), fine * fine
    for _ in range(ROUNDS):
        origin, pull = reached.x, centre(out[:n], label)
        step, _, converged = conjugate_gradients(
            lambda d: add_up(passes, add_product, n, d),
            pull,
            precondition,
            tol=1e-15,
            floor=floor,
            limit=STEPS,
            systems=systems,
            seen=partial(_pass_by, search, routes, reached, pull),
        )
        x = centre(origin + step, label)
        out = add_up(passes, add_imbalance, n + 2, x)
        last, reached = reached, _prove(x, out, routes)
        search.arrive(passes, reached)
        if reached.gap <= search.tol and (converged or reached.gap > last.gap / 4):
            break
        if reached.excess >= last.excess / 4:  # no digits are left to be found
            return min(last, reached, key=lambda one: one.objective)
    return reached


def _pass_by(
    search: Search, routes: Routes, begin: Reached, pull: Floats, step: Floats, left: Floats
) -> None:
    """Tell of a step from where a round began, by what it leaves: ``L step = pull - left``."""
    x = begin.x + step

    def gap() -> float:
        loss = begin.objective - float(step @ (pull + left))
        return Reached(x, loss, excess_of(Power(2), 2 * left, x, routes)).gap

    search.pass_by(x, gap)


def _prove(x: Floats, out: Floats, routes: Routes) -> Reached:
    n = len(x)
    slip = UNIT * float(out[n + 1])
    excess = excess_of(Power(2), 2 * out[:n], x, routes) + slip
    return Reached(x, float(out[n]), excess, slip)
