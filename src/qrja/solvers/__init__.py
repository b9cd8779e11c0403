"""Solvers: each a function from data to proof.

:func:`solve` chooses one by the loss; whoever doubts the answer reads ``solution.gap``, or calls
``solution.check(problem)``.

Reading order: :mod:`arguments` (the numbers that solvers take) and :mod:`demands` (ridge, prior
and anchors as arrays); then a file or a room for each kind of loss: :mod:`l2` (p = 2), :mod:`l1`
(p = 1, exactly), :mod:`convex` (any convex loss), :mod:`linf` (the largest error),
:mod:`nonconvex` (p < 1); :mod:`shared` solves all but the last with terms that candidates share.
Whatever they find is measured by :mod:`weighing`, which trusts none of them, and tried again by
:mod:`second_try` where it falls short; margins whose squares vanish go to :mod:`far_units` first.
Small problems of which there are many are solved :mod:`side_by_side`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from qrja.data import Contests, Judgments, check_callable, whole_number
from qrja.errors import InputError
from qrja.solution import Solution
from qrja.solvers.arguments import check_power, check_ridge, check_tolerance
from qrja.solvers.demands import centre_where_relative, demands_on
from qrja.solvers.side_by_side import solve_each
from qrja.terms import TermColumns, as_terms, columns_for, pull_terms

if TYPE_CHECKING:
    from qrja.losses import Loss
    from qrja.solvers.l1 import Optimum

__all__ = [
    "centre_where_relative",
    "check_power",
    "check_ridge",
    "check_tolerance",
    "demands_on",
    "solve",
    "solve_checked",
    "solve_each",
]


def solve(
    problem: Contests | Judgments,
    p: float = 2,
    *,
    loss: Loss | None = None,
    ridge: float = 0.0,
    prior: ArrayLike | Mapping[Hashable, float] | None = None,
    anchors: Mapping[Hashable, float] | None = None,
    covariates: Iterable[str] | None = None,
    covariate_ridge: float | Mapping[str, float] | None = None,
    optimum: Optimum = "central",
    start: Solution | None = None,
    seed: int = 0,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Find the scores that disagree least with all judgments: minimise ``sum w |x_a - x_b - y|^p``.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    p : float
        The power of the loss: 2 (least squares), 1 (least absolute deviations, which outliers do
        not sway), any p > 1, or ``math.inf`` for the smallest largest error. Below 1 the problem
        is NP-hard and the result a local optimum.
    loss : Loss, optional
        Another loss than a power, such as ``qrja.losses.Huber(2.0)``; p is then not used.
    ridge : float
        Adds ``ridge * sum (x - prior)^2``, for finite p of 1 or more; scores are then absolute and
        components compare.
    prior : array or mapping, optional
        Where the ridge pulls: one number per candidate, or by name; 0 where not given.
    anchors : mapping, optional
        Candidates whose score is given, for p of 1 or more.
    covariates : list of str, optional
        Covariates of the problem whose worth is found beside the scores, see :mod:`qrja.terms`:
        minimises ``sum w |x_a - x_b + z . beta - y|^p``, and ``solution.terms`` has beta.
    covariate_ridge : float or mapping, optional
        Adds ``covariate_ridge * sum beta^2``, which pulls all of them toward 0, or some by name:
        what cannot be told apart shares its worth.
    optimum : {"central", "greatest"}
        Which optimum of p = 1, where there may be many: one in the middle of all, or the pointwise
        greatest x <= 0 (the paper's). ``solution.face()`` describes all of them.
    start : Solution, optional
        Begin from the solution of a similar problem (its first contests, say), which saves time.
        For p = 1 and p = 2 it changes nothing else; where an optimum is flat or not unique, as
        that of p = 20 or of Huber's loss, another one within the gap may be found.
    seed : int
        Of the random starts for p < 1.
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
    >>> solution = solve(races)
    >>> dict(zip(races.names, solution.x.tolist()))
    {'Alice': 10.0, 'Bob': -1.0, 'Charlie': -9.0}
    >>> solution.objective, solution.gap
    (0.0, 0.0)
    >>> solve(races, p=1, anchors={"Bob": 100}).x
    array([111., 100.,  92.])
    >>> games = Contests.from_arrays(
    ...     [1, 1, 2, 2], "abba", [3, 1, 2, 1], covariates={"home": [1, 0, 1, 0]}
    ... )
    >>> both = solve(games, covariates=["home"])
    >>> both.x.round(9), both.terms.beta.round(9)
    (array([ 0.25, -0.25]), array([1.5]))
    """
    if not isinstance(problem, Contests | Judgments):
        raise InputError(f"problem is a {type(problem).__name__}; give Contests or Judgments")
    p, ridge, tol = check_power(p), check_ridge(ridge), check_tolerance(tol)
    _check_start(start)
    if not isinstance(optimum, str):
        raise InputError(f"optimum is {optimum!r}; choose one of central, greatest")
    whole_number(seed, "seed", 0)
    check_callable(progress, "progress")
    return solve_checked(
        problem,
        p,
        loss=loss,
        ridge=ridge,
        prior=prior,
        anchors=anchors,
        terms=columns_for(problem, pull_terms(as_terms(covariates), covariate_ridge)),
        optimum=optimum,
        start=start,
        seed=seed,
        tol=tol,
        progress=progress,
    )


def solve_checked(
    problem: Contests | Judgments,
    p: float,
    *,
    loss: Loss | None = None,
    ridge: float = 0.0,
    prior: ArrayLike | Mapping[Hashable, float] | None = None,
    anchors: Mapping[Hashable, float] | None = None,
    terms: TermColumns | None = None,
    patient: bool = False,
    optimum: Optimum = "central",
    start: Solution | None = None,
    seed: int = 0,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Choose the solver, as :func:`solve` does, for numbers that were checked before.

    To be ``patient`` is to leave out terms that cannot be told apart, where others raise.
    """
    from qrja.solvers.far_units import solve_far
    from qrja.solvers.second_try import try_again
    from qrja.solvers.weighing import weigh_again

    plain = problem.without_lone_numbers() if isinstance(problem, Contests) else problem
    if terms is not None and len(terms):
        from qrja.solvers.shared import solve_with_terms

        demands = {"loss": loss, "ridge": ridge, "prior": prior, "anchors": anchors}
        asked = {name: it for name, it in demands.items() if it is not None and it != 0}
        solved = solve_with_terms(
            plain, terms, p, _solve_plainly, asked, patient=patient, tol=tol, progress=progress
        )
        return weigh_again(problem, solved, tol)
    if optimum == "central":
        again = partial(solve_checked, tol=tol, progress=progress)
        far = solve_far(plain, p, loss, ridge, prior, anchors, again)
        if far is not None:
            return far
    found = _solve_by(
        plain,
        p,
        loss=loss,
        ridge=ridge,
        prior=prior,
        anchors=anchors,
        optimum=optimum,
        start=start,
        seed=seed,
        tol=tol,
        progress=progress,
    )
    return try_again(problem, weigh_again(problem, found, tol), tol)


def _solve_plainly(
    problem: Contests | Judgments,
    p: float,
    *,
    loss: Loss | None = None,
    ridge: float = 0.0,
    prior: ArrayLike | Mapping[Hashable, float] | None = None,
    anchors: Mapping[Hashable, float] | None = None,
    start: Solution | None = None,
    tol: float = 1e-9,
) -> Solution:
    """Solve a problem without terms, as a step on the way."""
    return _solve_by(
        problem,
        p,
        loss=loss,
        ridge=ridge,
        prior=prior,
        anchors=anchors,
        optimum="central",
        start=start,
        seed=0,
        tol=tol,
        progress=None,
    )


def _solve_by(
    problem: Contests | Judgments,
    p: float,
    *,
    loss: Loss | None,
    ridge: float,
    prior: ArrayLike | Mapping[Hashable, float] | None,
    anchors: Mapping[Hashable, float] | None,
    optimum: Optimum,
    start: Solution | None,
    seed: int,
    tol: float,
    progress: Callable[[float], None] | None,
) -> Solution:
    plain = loss is None and ridge == 0 and prior is None and anchors is None
    if plain and p == 1:
        from qrja.solvers.l1 import solve_l1

        return solve_l1(problem, start=start, optimum=optimum, tol=tol, progress=progress)
    if optimum != "central":
        raise InputError(
            f"optimum is {optimum!r}; choose one for p = 1 only, without ridge, prior and anchors"
        )
    if plain and p == 2:
        from qrja.solvers.l2 import solve_l2

        return solve_l2(problem, start=start, tol=tol, progress=progress)
    if loss is None and p < 1:
        from qrja.solvers.nonconvex import solve_nonconvex

        if not plain:
            raise InputError(f"p is {p:g}; ridge, prior and anchors need a p of 1 or more")
        return solve_nonconvex(problem, p, seed=seed, start=start, tol=tol, progress=progress)
    if loss is None and p == math.inf:
        from qrja.solvers.linf import solve_linf

        if ridge > 0 or prior is not None:
            given = f"ridge is {ridge:g}" if ridge > 0 else "a prior is given"
            raise InputError(f"{given}; p = inf takes none: give a large p such as 50, or anchors")
        return solve_linf(problem, anchors=anchors, tol=tol, progress=progress)
    from qrja.losses import Power
    from qrja.solvers.convex import solve_newton

    return solve_newton(
        problem,
        Power(p) if loss is None else loss,
        ridge=ridge,
        prior=prior,
        anchors=anchors,
        start=start,
        tol=tol,
        progress=progress,
    )


def _check_start(start: Solution | None) -> None:
    if start is not None and not isinstance(start, Solution):
        raise InputError(f"start is a {type(start).__name__}; give what solve returned before")
