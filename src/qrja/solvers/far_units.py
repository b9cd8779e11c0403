"""Margins so small that their powers vanish: solved in a unit in which they do not.

For a loss with ``f(u t) = u^d g(t)``, scores and margins in the unit u, a power of two,

    sum w f(y - A x) + ridge |x - q|^2  =  u^d ( sum w g(y' - A x') + ridge u^(2-d) |x' - q'|^2 )

so the problem of g, whose largest number is about 1, has the same optima and the same gap. It keeps
its digits where f has none: margins of 1e-200 have squares of 1e-400. Only numbers that are told,
such as the objective, vanish then. A ridge is of degree 2: far from 1 it is nothing beside a loss
of another degree, or everything, and is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import Contests, Judgments, in_unit, largest_margin
from qrja.errors import InputError
from qrja.losses import InUnit, KnownLoss, Loss, Power, complete
from qrja.solution import Elsewhere, Minimised, Solution
from qrja.solvers.demands import demands_on

FAR = 1e60
"""Numbers all below its inverse are solved in another unit: above, squares of their last digits are
floats. Larger ones need none: solvers count powers in units of the largest residual."""

Problem = Contests | Judgments


def solve_far(
    problem: Problem,
    p: float,
    loss: Loss | None,
    ridge: float,
    prior: ArrayLike | Mapping[Hashable, float] | None,
    anchors: Mapping[Hashable, float] | None,
    solve: Callable[..., Solution],
) -> Solution | None:
    """Solve a problem whose numbers are all tiny, in their unit; None if they are not.

    Examples
    --------
    >>> from qrja import solve
    >>> far = Judgments.from_arrays("aab", "bcc", [1e-200, 1e-200, 3e-200])
    >>> solution = solve(far)
    >>> (solution.x / 1e-200).round(9), solution.status, solution.check(far).holds
    (array([ 0.66666667,  0.66666667, -1.33333333]), 'optimal', True)
    """
    if loss is None and p == 1 and ridge == 0:
        return None  # solved in whole numbers, for which any unit will do
    margin = largest_margin(problem)
    if 1 / FAR <= margin <= FAR:
        return None
    demands = demands_on(problem, ridge, prior, anchors)
    largest = max(margin, float(np.abs(demands.goal).max(initial=0.0)))
    if largest == 0 or 1 / FAR <= largest <= FAR:
        return None
    unit = 2.0 ** (math.frexp(largest)[1] - 1)
    known = _known(p, loss)
    near = InUnit(None, min(p, 1.0)) if known is None else known.in_unit(unit)
    if known is not None and ridge > 0 and (near is None or near.degree != 2):
        raise InputError(
            f"the largest number is {largest:g}, where a ridge, which counts squares, is nothing"
            f" beside {known}, or everything; give numbers in another unit"
        )
    if near is None or largest > FAR:
        return None
    goal = demands.goal / unit
    asked: dict[str, object] = {"loss": near.loss} if loss is not None else {}
    if prior is not None:
        asked["prior"] = goal
    if anchors:
        asked["anchors"] = {name: float(goal[problem.number[name]]) for name in anchors}
    found = solve(in_unit(problem, unit), p, ridge=ridge, **asked)
    assert found.minimised is not None
    minimised = replace(found.minimised, other=known, demands=demands)
    return _back(found, Elsewhere(unit, near.degree), minimised)


def _known(p: float, loss: Loss | None) -> KnownLoss | None:
    """Return the loss of one residual; p < 1 and infinity have none, and are of degree p and 1."""
    if loss is not None:
        return complete(loss)
    return Power(p) if 1 <= p < math.inf else None


def _back(found: Solution, elsewhere: Elsewhere, minimised: Minimised) -> Solution:
    """Return what was found elsewhere, in the unit of the problem."""
    return replace(
        found,
        x=found.x * elsewhere.unit,
        objective=elsewhere.enlarge(found.objective),
        lower_bound=elsewhere.enlarge(found.lower_bound),
        rounding=elsewhere.enlarge(found.rounding),
        norm=None if found.norm is None else found.norm * elsewhere.unit,
        loss=found.loss if minimised.other is None else str(minimised.other),
        minimised=minimised,
        _flow=None if found.certificate == "none" else lambda: elsewhere.carry(found.flow()),
        _found=(found, elsewhere),
    )
