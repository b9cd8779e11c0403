"""Evidence: an explanation by currents, exact for p = 2.

The current from a to b gives every contest its share and its part of the difference; the chains
take the current apart; the resistance between a and b says what would make them level. See
:mod:`qrja.ratings.explain.currents`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from qrja.data import Contests, Problem, largest_margin, sum_by, usual_weight
from qrja.ratings.explain.chains import Path, strongest_paths
from qrja.ratings.explain.currents import Current, current_between
from qrja.ratings.explain.explanation import Explanation
from qrja.ratings.explain.least_squares import as_least_squares
from qrja.ratings.explain.parts import Chain, Contributions, Link, Turn
from qrja.ratings.fitted import Fit
from qrja.ties import Paths

WEAKEST = 0.01
"""Chains with a smaller share of the evidence are not listed."""
ROUNDING = 1e-6
"""A rest below this share of the contributions is rounding."""


def explain_by_current(ratings: Fit, i: int, j: int, chains: int) -> Explanation:
    """Explain the difference of two ratings by the current between them."""
    problem, solution = ratings.problem, ratings.solution
    exact = solution.power == 2
    network = problem if exact else as_least_squares(problem.to_judgments(), solution)
    difference = float(solution.x[i] - solution.x[j])
    contributions = Contributions()
    paths: list[Path] = []
    resistance = np.inf
    # With a prior or anchors two candidates may compare without any chain between them.
    if problem.components[i] == problem.components[j]:
        known = exact and ratings.covariance.is_plain
        v = ratings.covariance.potentials(i, j) if known else None
        current = current_between(network, i, j, v)
        if not exact and isinstance(problem, Contests):
            current = _by_contest(current, problem)
        whole = (
            _moving_current(ratings, ratings.moved, i, j) if exact and ratings.moved else current
        )
        contributions = _contributions(problem, whole)
        found = strongest_paths(current, problem.n, i, j, most=chains, least=WEAKEST)
        paths, resistance = list(found), whole.resistance
    rest = difference - float(contributions.amounts.sum())
    scale = float(np.abs(contributions.amounts).sum())
    # Of the weight that it would have today: those of ``problem`` are older.
    turn = _turn(difference, resistance, ratings.data)
    return Explanation(
        a=problem.names[i],
        b=problem.names[j],
        difference=difference,
        low=difference,
        high=difference,
        loss=solution.loss,
        method="exact" if exact else "linearised",
        contributions=contributions,
        rest=rest if abs(rest) > ROUNDING * scale else 0.0,
        chains=tuple(chain_of(problem, path) for path in paths),
        turn=turn if exact and abs(rest) <= ROUNDING * scale else None,
        reason="",
        units=ratings.units,
        nouns=problem.nouns,
    )


def _moving_current(ratings: Fit, moved: Paths, i: int, j: int) -> Current:
    """Send the current through periods: ties carry it from one to the next, and say nothing.

    What a result counts today is then exact, old ones less; chains take moves as known.
    """
    problem, last = ratings.problem, moved.periods.last
    tied = moved.tie(problem)
    current = current_between(tied, int(last[i]), int(last[j]))
    own = slice(problem.entries)
    parts = problem.who, problem.contest_of_entry, current.score[own], current.q[own]
    return Current(*parts, len(problem), current.resistance)


def _by_contest(current: Current, contests: Contests) -> Current:
    """Add up the currents of pairs that one contestant has in one contest."""
    first, second = contests.pair_entries()
    entry = np.stack([first, second], axis=1).ravel()
    q = sum_by(entry, current.q, contests.entries)
    hub, hubs = contests.contest_of_entry, len(contests)
    return Current(contests.who, hub, contests.score, q, hubs, current.resistance)


def _contributions(problem: Problem, current: Current) -> Contributions:
    shares, amounts = current.shares(), current.amounts()
    order = np.argsort(-np.abs(amounts), kind="stable")
    order = order[shares[order] > np.finfo(float).eps]
    return Contributions(problem.labels, order, amounts[order], shares[order])


def chain_of(
    problem: Problem,
    path: Path,
    role: Literal["evidence", "at least", "at most"] = "evidence",
) -> Chain:
    """Give the candidates and contests of a path their names."""
    links = tuple(
        Link(
            problem.names[step.a],
            problem.names[step.b],
            step.margin,
            step.mean,
            tuple(problem.labels[hub] for hub in step.hubs),
        )
        for step in path.steps
    )
    return Chain(role, min(path.share, 1.0), path.total, links)


def _turn(difference: float, resistance: float, data: Problem) -> Turn | None:
    """Return the margin of one more judgment of usual weight that would make the two level."""
    weight = usual_weight(data)
    if difference == 0 or not 0 < resistance * weight < np.inf:
        return None
    # With k of them the difference is (d - k R w m) / (1 + k R w).
    return Turn(abs(difference) / (resistance * weight), weight, largest_margin(data))
