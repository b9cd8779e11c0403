"""Currents: how evidence flows from one candidate to another, exactly.

Least squares is an electrical network: a judgment is a wire of conductance w. Send one unit of
current in at a and out at b; with the potentials ``L v = e_a - e_b`` the current through judgment
i is ``w_i (v_a - v_b)`` and

    x_a - x_b  =  sum_i  w_i (v_a - v_b) y_i

so the current through a judgment is its share of the evidence and current times margin is what it
contributes to the difference. A contest of k entrants needs no pairs: entrant i takes in the
current ``q_i = w k (v_i - mean v)`` and the contest contributes ``sum_i q_i s_i``.

References
----------
P. G. Doyle and J. L. Snell, Random Walks and Electric Networks, 1984.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, centre, sum_by
from qrja.laplacian import LaplacianSolver


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


def current_between(
    problem: Contests | Judgments, a: int, b: int, potentials: Floats | None = None
) -> Current:
    """Send one unit of current from a to b; by these potentials, if they are known.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abbc", [9, 7, 5, 4])
    >>> current = current_between(races, 0, 2)
    >>> current.amounts().round(9)
    array([2., 1.])
    """
    v = LaplacianSolver(problem).between(a, b) if potentials is None else potentials
    hub = problem.contest_of_entry
    q = (problem.pair_weight * problem.sizes)[hub] * centre(v[problem.who], hub)
    # A contest's common shift is in every score of it and cancels: take it out first.
    score = centre(problem.score, hub)
    return Current(problem.who, hub, score, q, len(problem), float(v[a] - v[b]))
