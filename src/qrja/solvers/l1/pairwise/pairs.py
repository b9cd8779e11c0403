"""l1 on judgments between pairs: from a :class:`qrja.Judgments` to its solution."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.data import Floats, Judgments, dot
from qrja.jit import is_ready
from qrja.solution import UNIT, Solution
from qrja.solvers.l1.driver import (
    COARSER,
    Account,
    Optimum,
    OutOfRangeError,
    Progress,
    snapped_first,
    solution,
)
from qrja.solvers.l1.face import Face
from qrja.solvers.l1.grid import SCORE_BITS, IntegerGrid, Integers, integer_weights, weight_scale
from qrja.solvers.l1.near_l2 import on_grid
from qrja.solvers.l1.pairwise.pair_simplex import FEW, PairSimplex
from qrja.solvers.l1.pairwise.twins import Twins, find_twins, no_twins
from qrja.solvers.l1.rounding_gap import pair_gap
from qrja.solvers.l1.written import WrittenPairs, written_fits

AnySimplex = PairSimplex | WrittenPairs

ZERO = np.zeros(1)
"""The origin of margins."""


def solve_judgments(
    problem: Judgments,
    start: Solution | None,
    optimum: Optimum,
    tol: float,
    progress: Progress | None,
) -> Solution:
    """Solve judgments; ``start`` lends its scores where it has as many candidates."""
    begin = time.perf_counter()
    scale, is_exact = weight_scale(problem.w, np.ones(problem.m))
    weight = integer_weights(problem.w, scale, is_exact)
    factor = 1.0 if is_exact else float((weight / scale / problem.w).max(initial=1.0))

    def attempt(snap: bool) -> tuple[Solution, IntegerGrid]:
        grid, twins, simplex = run_pairs(problem, weight, start, progress, snap=snap)
        units = GridUnits(grid, scale, factor, is_exact and grid.is_exact)
        return describe(problem, units, twins, simplex, optimum, tol, begin), grid

    return snapped_first(attempt)


@dataclass(frozen=True)
class GridUnits:
    """What the integers of margins and weights stand for."""

    grid: IntegerGrid
    weight: float
    """What stands for the weight 1."""
    factor: float
    """By how much a flow within the integer weights can pass the true ones."""
    is_exact: bool
    """Whether nothing was rounded."""


def run_pairs(
    problem: Judgments,
    weight: Integers,
    start: Solution | None,
    progress: Progress | None,
    *,
    snap: bool,
) -> tuple[IntegerGrid, Twins, AnySimplex]:
    """Pivot to the optimum, on a grid that is as fine as the range of scores allows."""
    for bits in range(SCORE_BITS, 0, -COARSER):
        grid = IntegerGrid.of(problem.y, ZERO, bits, snap=snap)
        x = None
        if start is not None and len(start.x) == problem.n:
            x = on_grid(start.x * grid.unit)
        y = grid.integers(problem.y, ZERO)
        try:
            twins, simplex = enter(problem, y, weight, x)
            simplex.run(progress)
        except OutOfRangeError:
            continue
        return grid, twins, simplex
    raise RuntimeError("the margins of the judgments add up to more than int64 can hold")


def enter(
    problem: Judgments, y: Integers, weight: Integers, x: Integers | None
) -> tuple[Twins, AnySimplex]:
    """Return the simplex where it begins, and whom its nodes stand for.

    Whoever knows where to begin is likely to solve often: few in arrays, while loops must wait.
    """
    from qrja.solvers.l1.kernels.pairs import run

    judgments = problem.n, problem.a, problem.b, y, weight
    if (
        x is not None
        and not is_ready(run)
        and written_fits(problem.n, np.full(problem.m, 2), weight)
    ):
        return no_twins(*judgments), WrittenPairs(*judgments, x)
    twins = find_twins(*judgments) if problem.m > FEW else no_twins(*judgments)
    if twins.count < problem.n:
        begin = None if x is None else x[twins.first]
        simplex = PairSimplex(twins.count, twins.a, twins.b, twins.y, twins.w, begin)
        if twins.are_proved(simplex.margin_of):
            return twins, simplex
    return no_twins(*judgments), PairSimplex(*judgments, x)


def describe(
    problem: Judgments,
    units: GridUnits,
    twins: Twins,
    simplex: AnySimplex,
    optimum: Optimum,
    tol: float,
    begin: float,
) -> Solution:
    """Choose an optimum and measure it against the true judgments."""
    grid = units.grid
    pull: Any = simplex.prove()  # in integers or floats, as the simplex counts

    def flow() -> Floats:
        return twins.flow(simplex.judged_flow()) / units.weight / units.factor

    def measure(x: Integers) -> tuple[float, float, float]:
        if units.is_exact:
            return simplex.loss(pull) / grid.unit / units.weight, 0.0, 0.0
        y = grid.integers(problem.y, ZERO)
        residual = y - (x[problem.a] - x[problem.b])
        loss, excess = pair_gap(residual, grid.errors(problem.y), problem.w, flow())
        size = np.abs(x[problem.a]) + np.abs(x[problem.b]) + np.abs(y)
        rounding = UNIT * dot(problem.w, size.astype(np.float64))
        return loss / grid.unit, excess / grid.unit, rounding / grid.unit

    face = Face(
        simplex.scores(),
        simplex.limits,
        twins.node_of,
        twins.offset,
        grid.unit,
        problem.components,
        grid.slack,
        simplex.rise if isinstance(simplex, PairSimplex) else None,
    )
    account = Account(simplex.pivots, begin, tol, flow, lambda: face)
    return solution(problem.names, face, optimum, measure, account)
