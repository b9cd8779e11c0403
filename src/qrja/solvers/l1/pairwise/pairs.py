"""l1 on judgments between pairs: from a :class:`qrja.Judgments` to its solution."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.data import Floats, Index, Judgments, centre, dot, graph
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
from qrja.solvers.l1.grid import (
    SCORE_BITS,
    WEIGHT_BITS,
    IntegerGrid,
    Integers,
    integer_weights,
    weight_scale,
)
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


@dataclass(frozen=True, eq=False)
class IntegerPairs:
    """Judgments in integers, sorted, of which problems take some and weigh them anew.

    Whoever solves many of them has the judgments laid out once.

    Parameters
    ----------
    low, high : array of int
        Whom they compare, ``low < high`` where they are taken; sorted by these and the margin.
    y : array of int
        The margins of ``low``, on the grid.
    grid : IntegerGrid
        What the margins stand for; nothing was rounded.

    Examples
    --------
    >>> j = Judgments.from_arrays("aab", "bbc", [0.0, 10.0, 1.0])
    >>> pairs = IntegerPairs.of(j.a, j.b, j.y)
    >>> pairs.solve(3, np.array([1, 2]), np.array([1, 1, 1]), np.zeros(3), "greatest")
    array([  0., -10., -11.])
    """

    low: Index
    high: Index
    y: Integers
    grid: IntegerGrid

    @classmethod
    def of(
        cls, low: Index, high: Index, margin: Floats, before: IntegerPairs | None = None
    ) -> IntegerPairs | None:
        """Return sorted judgments in integers, if that rounds nothing.

        The grid is that of ``before``, which had some of them, if it fits.
        """
        if before is not None and before.grid.holds(margin, ZERO):
            return cls(low, high, before.grid.integers(margin, ZERO), before.grid)
        grid = IntegerGrid.of(margin, ZERO)
        return cls(low, high, grid.integers(margin, ZERO), grid) if grid.is_exact else None

    def solve(
        self, n: int, rows: Index, weight: Integers, begin: Floats, optimum: Optimum
    ) -> Floats | None:
        """Return the optimum of the judgments ``rows``, proved in integers.

        It begins near the scores ``begin``. None if scores leave the range of the grid.
        """
        if int(weight[rows].astype(np.float64).sum()) >= 2**WEIGHT_BITS:
            return None
        ends, x = (self.low, self.high), on_grid(begin * self.grid.unit)
        try:
            simplex = PairSimplex.of_rows(n, rows, ends, self.y, weight, x)
            simplex.run()
        except OutOfRangeError:
            return None
        simplex.prove()
        label, unit = np.zeros(n, dtype=np.int32), self.grid.unit
        if optimum == "central":
            members = np.stack([self.low[rows], self.high[rows]], axis=1).ravel()
            label = graph.components(n, 2 * np.arange(len(rows) + 1), members)
        each, offset = np.arange(n, dtype=np.int32), np.zeros(n, dtype=np.int64)
        limits, rise = simplex.limits, simplex.rise
        face = Face(simplex.scores(), limits, each, offset, unit, label, rise=rise)
        if optimum == "greatest":
            return face.greatest() / unit
        return centre(face.central() / unit, label)


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
