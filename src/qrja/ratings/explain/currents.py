"""Currents: how evidence flows from one candidate to another, exactly.

Least squares is an electrical network: a judgment is a wire of conductance w. Send one unit of
current in at a and out at b; with the potentials ``L v = e_a - e_b`` the current through judgment
i is ``w_i (v_a - v_b)`` and

    x_a - x_b  =  sum_i  w_i (v_a - v_b) y_i

so the current through a judgment is its share of the evidence and current times margin is what it
contributes to the difference. A contest of k entrants needs no pairs: entrant i takes in the
current ``q_i = w k (v_i - mean v)`` and the contest contributes ``sum_i q_i s_i``.

A loss other than the square is least squares with other weights, ``w f'(r) / r`` at the residuals
r of the optimum: x minimises both.

References
----------
P. G. Doyle and J. L. Snell, Random Walks and Electric Networks, 1984.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets, sum_by
from qrja.errors import InputError
from qrja.laplacian import LaplacianSolver
from qrja.solution import Solution

FLOOR = 1e-6
"""Residuals below this share of the largest margin count as it: the weight of a residual of 0
would be infinite for p < 2, and 0 for p > 2."""

LEAST = 1e-13
"""Weights below this share of the largest one count as it: the graph must hold together."""


@dataclass(frozen=True, eq=False)
class Current:
    """One unit of current through hubs: contests, or judgments as contests of two.

    Parameters
    ----------
    who, hub : array of int
        The candidate and the hub of each entry.
    score : array of float
        The score of each entry; margins are differences of scores in one hub.
    q : array of float
        The current from the candidate into the hub; negative where it leaves the hub.
    hubs : int
        How many hubs there are.
    resistance : float
        The potential between the two ends: how uncertain their difference is.
    """

    who: Index
    hub: Index
    score: Floats
    q: Floats
    hubs: int
    resistance: float

    def shares(self) -> Floats:
        """Return the current through each hub, between 0 and 1."""
        return sum_by(self.hub, np.maximum(self.q, 0.0), self.hubs)

    def amounts(self) -> Floats:
        """Return what each hub contributes to the difference; they add up to it."""
        return sum_by(self.hub, self.q * self.score, self.hubs)


def current_between(problem: Contests | Judgments, a: int, b: int) -> Current:
    """Send one unit of current from a to b.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abbc", [9, 7, 5, 4])
    >>> current = current_between(races, 0, 2)
    >>> current.amounts().round(9)
    array([2., 1.])
    """
    v = LaplacianSolver(problem).between(a, b)
    resistance = float(v[a] - v[b])
    if isinstance(problem, Contests):
        hub, hubs = problem.contest_of_entry, len(problem)
        weight = problem.pair_weight * problem.sizes
        q = weight[hub] * centre_by(hub, v[problem.who], hubs)
        # A contest's common shift is in every score of it and cancels: take it out first.
        score = centre_by(hub, problem.score, hubs)
        return Current(problem.who, hub, score, q, hubs, resistance)
    flow = problem.w * (v[problem.a] - v[problem.b])
    hub = np.repeat(np.arange(problem.m, dtype=np.int32), 2)
    who = np.stack([problem.a, problem.b], axis=1).ravel()
    q = np.stack([flow, -flow], axis=1).ravel()
    score = np.stack([problem.y / 2, -problem.y / 2], axis=1).ravel()
    return Current(who, hub, score, q, problem.m, resistance)


def centre_by(group: Index | Offsets, values: Floats, count: int) -> Floats:
    """Subtract from each value the mean of its group.

    Examples
    --------
    >>> centre_by(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0]), 2)
    array([-1.,  1.,  0.])
    """
    size = np.maximum(np.bincount(group, minlength=count), 1)
    return np.asarray(values - (sum_by(group, values, count) / size)[group])


def as_least_squares(judgments: Judgments, solution: Solution) -> Judgments:
    """Return the judgments with the weights for which the same x is the least-squares optimum.

    Examples
    --------
    >>> from qrja import solve
    >>> j = Judgments.from_arrays("abac", "bccb", [1, 1, 5, 2])
    >>> x = solve(j, p=1.5).x
    >>> bool(np.allclose(solve(as_least_squares(j, solve(j, p=1.5)), p=2).x, x, atol=1e-5))
    True
    """
    r = judgments.y - solution.x[judgments.a] + solution.x[judgments.b]
    small = FLOOR * max(float(np.abs(judgments.y).max(initial=0.0)), np.finfo(float).tiny)
    size = np.maximum(np.abs(r), small)
    p = solution.power
    if p == np.inf:
        raise InputError(
            "p = inf is decided by the worst judgments alone; fit with a finite p to explain"
        )
    if p is not None:
        # Relative to the largest residual, so that no power overflows.
        weight = judgments.w * (size / size.max(initial=small)) ** (p - 2)
    else:
        weight = _slopes(solution) / size
    if not weight.any() and len(weight):
        raise InputError(
            f"the loss {solution.loss} forgives every error here, so nothing fixes the difference;"
            " fit with p = 2 to explain"
        )
    weight = np.maximum(weight, LEAST * float(weight.max(initial=0.0)))
    return Judgments(judgments.a, judgments.b, judgments.y, weight, judgments.names)


def _slopes(solution: Solution) -> Floats:
    """Return ``|w f'(r)|``, which is the certifying flow of any loss."""
    try:
        return np.abs(solution.flow())
    except ValueError:
        raise InputError(
            f"the loss {solution.loss} has no flow to explain; fit with p = 2 or another power"
        ) from None
