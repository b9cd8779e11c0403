"""A second try, where floats were not enough: in fractions.

A solver that ends short of its tolerance says so. On a small problem that need not be the last
word: margins, weights or priors are then so far apart that they do not fit the digits of a float,
and what is slow and exact takes a moment only.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from qrja.data import Floats, Judgments, Problem
from qrja.losses import KnownLoss
from qrja.solution import Minimised, Solution
from qrja.solvers.weighing import weigh_again

MOST_JUDGMENTS = 400
"""Judgments up to which it is tried: some tenths of a second."""


def try_again(problem: Problem, solution: Solution, tol: float) -> Solution:
    """Return a better solution than an inexact one, if one is found.

    Examples
    --------
    >>> from qrja import Judgments
    >>> from qrja.solvers.l1 import solve_l1
    >>> j = Judgments.from_arrays("ac", "bd", [1e9, 7 / 30], [1, 1e12])
    >>> first = weigh_again(j, solve_l1(j), 1e-9)
    >>> first.status, try_again(j, first, 1e-9).status
    ('inexact', 'optimal')
    """
    minimised = solution.minimised
    if solution.status != "inexact" or minimised is None or problem.m > MOST_JUDGMENTS:
        return solution
    if minimised.power != math.inf and not _has_lines(minimised.loss):
        return solution
    found = _in_fractions(problem.to_judgments(), minimised, solution.x)
    if found is None:
        return solution
    x, flow = found
    tried = (
        # Of a smooth loss the first scores may be the better ones, and only their proof failed.
        replace(solution, x=scores, optimum="any", gap=1.0, _flow=lambda: flow)
        for scores in (x, solution.x)
    )
    better = min((weigh_again(problem, told, tol) for told in tried), key=lambda told: told.gap)
    return better if better.gap < solution.gap else solution


def _has_lines(loss: KnownLoss | None) -> bool:
    """Tell whether a loss consists of lines, near by or seen from afar."""
    return loss is not None and loss.has_conjugate and bool(np.isfinite(loss.slopes).all())


def _in_fractions(
    problem: Judgments, minimised: Minimised, start: Floats
) -> tuple[Floats, Floats] | None:
    """Return scores and their flow."""
    demands = minimised.demands_on(problem.n)
    if minimised.power == math.inf:
        from qrja.solvers.linf import solve_exactly

        return solve_exactly(problem, demands, start)
    from qrja.solvers.convex import ActiveSet

    assert minimised.loss is not None
    return ActiveSet(problem, minimised.loss, demands, start).solve()
