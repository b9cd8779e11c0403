"""Contestants, members and shared terms together: how hard parts are pulled, and which way leads.

    pull = k / tau^2,      k = s^2 sum_i w_i f'(r_i) r_i / (2 sum_i w_i r_i^2)

for the residuals r of least squares: s^2 for squares, and for another loss what makes it as dear as
squares are where residuals are usual.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import Contests, Floats, Judgments
from qrja.errors import InputError
from qrja.losses import KnownLoss, Loss, Power, complete
from qrja.parts import PartColumns, PartScores
from qrja.solution import Solution
from qrja.solvers.composed.composed_squares import solve_composed_squares
from qrja.solvers.composed.composition import Composition
from qrja.solvers.composed.variances import LearnedParts, learn_parts
from qrja.solvers.demands import demands_on
from qrja.solvers.shared import keep_told_apart
from qrja.solvers.weighing import weigh_again
from qrja.terms import TermColumns

MOST_PAIRS = 5_000_000
"""Pairs that are written out for losses other than the square."""


def solve_with_parts(
    problem: Contests | Judgments,
    columns: PartColumns,
    p: float,
    *,
    loss: Loss | None = None,
    ridge: float = 0.0,
    prior: ArrayLike | Mapping[Hashable, float] | None = None,
    anchors: Mapping[Hashable, float] | None = None,
    terms: TermColumns | None = None,
    learned: LearnedParts | None = None,
    patient: bool = False,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Find contestants and members; ``solution.parts`` has the scores of members.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    columns : PartColumns
        Who is in which entry.
    p, loss, ridge, prior, anchors, tol, progress
        See :func:`qrja.solve`; the ridge is that of contestants.
    terms : TermColumns, optional
        Shared terms.
    learned : LearnedParts, optional
        By how much members differ, which spares the learning.
    patient : bool
        Whether terms that cannot be told apart are left out; else they are an error.
    """
    begin, known = time.perf_counter(), _loss(p, loss)
    demands = demands_on(problem, ridge, prior, anchors)
    if terms is not None and len(terms):
        terms = keep_told_apart(problem, terms, patient=patient)
    terms = terms if terms is not None and len(terms) else None
    found = learned or learn_parts(problem, columns, demands, terms)
    nothing = np.zeros(len(columns))
    pull = np.divide(
        found.noise**2, found.tau**2, out=np.full(len(found.tau), np.inf), where=found.tau > 0
    )
    scores = PartScores(columns, nothing, pull, found.tau, found.noise)
    composition = Composition(problem, columns, demands, terms, scores)
    solved = solve_composed_squares(composition, tol=tol)
    if known.power != 2:
        from qrja.solvers.composed.composed_newton import solve_composed_newton  # loads the loops

        if problem.m > MOST_PAIRS:
            raise InputError(
                f"{problem.m:,} pairs are too many to find parts with this loss; p = 2 writes none"
                " of them out"
            )
        assert solved.parts is not None
        dear = _price(solved, composition, known)
        composition = replace(composition, scores=replace(scores, pull=pull * dear))
        solved = solve_composed_newton(
            composition, known, _joined(composition, solved), tol=tol, progress=progress
        )
    solved = weigh_again(problem, replace(solved, seconds=time.perf_counter() - begin), tol)
    if progress is not None:
        progress(solved.gap)
    return solved


def _loss(p: float, given: Loss | None) -> KnownLoss:
    """Return the loss of a residual, or say why it will not do."""
    if given is None and not 1 <= p < math.inf:
        raise InputError(f"p is {p:g}; parts need a finite p of 1 or more")
    known = complete(Power(p) if given is None else given)
    if not known.has_conjugate or (known.kinks and known.power != 1):
        raise InputError(
            f"the loss is {known}; parts need a power, or a smooth loss that names its conjugate,"
            " such as huber"
        )
    return known


def _joined(composition: Composition, solved: Solution) -> Floats:
    """Return the unknowns of a solution in one vector."""
    assert solved.parts is not None
    beta = np.zeros(0) if solved.terms is None else solved.terms.beta
    x = solved.x - composition.demands.goal
    return np.concatenate([x, solved.parts.u[composition.live], beta])


def _price(solved: Solution, composition: Composition, loss: KnownLoss) -> float:
    """Return what the loss costs beside squares, at the residuals of least squares."""
    assert solved.parts is not None
    judgments = composition.at_zero(solved.parts, solved.terms).to_judgments()
    r = judgments.y - solved.x[judgments.a] + solved.x[judgments.b]
    squares = float(np.sum(judgments.w * r**2))
    price = float(np.sum(judgments.w * loss.slope(r) * r))
    return 0.5 * price / squares if squares > 0 and price > 0 else 1.0
