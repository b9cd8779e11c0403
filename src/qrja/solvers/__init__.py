"""Solvers: each a function from data to proof.

:func:`solve` chooses one by the power p; whoever doubts the answer reads ``solution.gap``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from qrja.contests import Contests
from qrja.errors import InputError
from qrja.judgments import Judgments
from qrja.solution import Solution


def solve(
    problem: Contests | Judgments,
    p: float = 2,
    *,
    start: Solution | None = None,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Find the scores that disagree least with all judgments: minimise ``sum w |x_a - x_b - y|^p``.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    p : float
        The power of the loss; 2 for now.
    start : Solution, optional
        Begin from the solution of a part of the problem (its first contests, say).
    tol : float
        Relative gap to reach.
    progress : callable, optional
        Told the gap reached, now and then.

    Returns
    -------
    Solution
        Scores, objective, lower bound and gap.

    Examples
    --------
    >>> from qrja import Contests, solve
    >>> races = Contests.from_arrays(
    ...     ["Boston", "Boston", "Chicago", "Chicago"],
    ...     ["Alice", "Bob", "Bob", "Charlie"],
    ...     [-240, -251, -241, -249],
    ... )
    >>> solution = solve(races, p=2)
    >>> dict(zip(races.names, solution.x.tolist()))
    {'Alice': 10.0, 'Bob': -1.0, 'Charlie': -9.0}
    """
    if not isinstance(problem, Contests | Judgments):
        raise InputError(f"problem is a {type(problem).__name__}; give Contests or Judgments")
    if isinstance(p, bool) or not isinstance(p, int | float) or math.isnan(p) or p <= 0:
        raise InputError(f"p is {p!r}; give a positive number such as 1, 1.5 or 2")
    if p == 2:
        from qrja.solvers.l2 import solve_l2

        return solve_l2(problem, start=start, tol=tol, progress=progress)
    raise InputError(f"p is {p:g}; only p = 2 is solved so far")
