"""What a solution tells of its proof: the one rule by which every solver makes its claims.

    lower_bound = objective - excess,      gap = excess / objective,      optimal if gap <= tol

where the excess is measured, and never flattered. Scores are floats: judgments that agree, say,
have a loss of 0 that floats seldom attain. What rounding may cost, ``rounding``, is measured too,
and an excess of no more than that is optimal, with a gap of up to 1e-9.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

Status = Literal["optimal", "inexact", "local"]
"""``optimal``: the gap is within the tolerance. ``inexact``: it is not, and ``gap`` says how far.
``local``: no nearby x is better (p < 1), which proves nothing about distant ones."""
ROUNDED = 1e-9
"""The gap that rounding counts as: the tolerance that solvers ask of themselves."""
UNIT = 2.0**-51
"""Scores, and what is computed from them, carry errors of up to this share of themselves."""


class Proved(NamedTuple):
    """What a solution tells of its proof, see :class:`Solution`."""

    objective: float
    lower_bound: float
    gap: float
    rounding: float
    status: Status


def prove(objective: float, excess: float, rounding: float, tol: float) -> Proved:
    """Turn what was measured at x into what a solution tells: no solver has another way.

    Parameters
    ----------
    objective : float
        The loss at x.
    excess : float
        A bound on how much of it could be saved; none is known if it is NaN.
    rounding : float
        What the loss may change by if scores and margins are rounded to floats.
    tol : float
        The gap that is small enough.

    Examples
    --------
    >>> prove(200.0, 1.0, 0.0, 1e-9)
    Proved(objective=200.0, lower_bound=199.0, gap=0.005, rounding=0.0, status='inexact')
    >>> prove(1e-30, 1e-30, 4e-30, 1e-9).status
    'optimal'
    """
    if not objective >= 0:
        return Proved(math.inf, 0.0, 1.0, 0.0, "inexact")
    # Losses are at least 0: whoever proves less proves nothing.
    excess = min(max(excess, 0.0), objective) if excess == excess else objective
    lower = objective - excess
    if lower == objective:  # to the last digit
        return Proved(objective, objective, 0.0, 0.0, "optimal")
    gap = (objective - lower) / objective
    if gap <= tol:
        return Proved(objective, lower, gap, 0.0, "optimal")
    if excess <= rounding < math.inf:
        return Proved(objective, lower, ROUNDED * (excess / rounding), rounding, "optimal")
    return Proved(objective, lower, gap, 0.0, "inexact")
