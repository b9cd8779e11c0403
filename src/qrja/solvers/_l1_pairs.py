"""l1 on judgments between pairs: from a :class:`qrja.Judgments` to its solution."""

from __future__ import annotations

import time

import numpy as np

from qrja._arrays import Floats
from qrja.judgments import Judgments
from qrja.solution import Solution
from qrja.solvers._contest_simplex import OutOfRange, Progress
from qrja.solvers._grid import SCORE_BITS, Grid, weight_scale
from qrja.solvers._l1_gap import pair_gap
from qrja.solvers._l1_solution import Found, Optimum, solution
from qrja.solvers._l1_start import on_grid
from qrja.solvers._l1_stream import COARSER
from qrja.solvers._pair_simplex import PairSimplex
from qrja.solvers.face import Face


def solve_judgments(
    problem: Judgments,
    start: Solution | None,
    optimum: Optimum,
    tol: float,
    progress: Progress | None,
) -> Solution:
    """Solve judgments; ``start`` lends its scores where it has as many candidates."""
    begin = time.perf_counter()
    bits = SCORE_BITS
    while True:
        grid = Grid.of(problem.y, np.zeros_like(problem.y), bits)
        scale, is_exact = weight_scale(problem.w, np.ones(problem.m))
        try:
            simplex = begin_pairs(problem, grid, scale, start)
            simplex.run(progress)
            break
        except OutOfRange:
            bits -= COARSER
    is_exact &= grid.is_exact
    factor = 1.0 if is_exact else float((simplex.weight / scale / problem.w).max(initial=1.0))
    pull = simplex.prove()

    def flow() -> Floats:
        return simplex.flow() / scale / factor

    def measure(x: Floats) -> tuple[float, float, float]:
        if is_exact:
            return simplex.loss(pull) / grid.unit / scale, 0.0, 0.0
        return *pair_gap(problem, x, flow(), 1.0), float(problem.w @ np.abs(problem.y))

    nobody = np.arange(problem.n, dtype=np.int32), np.zeros(problem.n, dtype=np.int64)
    face = Face(simplex.scores(), *simplex.limits(), *nobody, grid.unit, problem.components)
    found = Found(simplex.pivots, begin, tol, flow, lambda: face)
    return solution(problem.names, face, optimum, measure, found)


def begin_pairs(
    problem: Judgments, grid: Grid, scale: float, start: Solution | None
) -> PairSimplex:
    """Put judgments on the grid."""
    y = grid.integers(problem.y, np.zeros_like(problem.y))
    w = np.maximum(np.rint(problem.w * scale), 1.0).astype(np.int64)
    x = None
    if start is not None and len(start.x) == problem.n:
        x = on_grid(start.x * grid.unit)
    return PairSimplex(problem.n, problem.a, problem.b, y, w, x)
