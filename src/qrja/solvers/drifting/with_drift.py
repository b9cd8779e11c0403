"""Strengths that move, with proof: the problem with its ties is solved as any other.

The flow of the ties is conserved along each path, so what flows in results alone is conserved at
contestants as a whole: it proves the ratings of the latest period too, for results that have the
moves taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments
from qrja.solution import Solution
from qrja.solvers.demands import demands_on
from qrja.solvers.drifting.learning import Learned, learn
from qrja.terms import Estimates, TermColumns
from qrja.ties import Context, Paths, Speed, contestant_of, tie, tie_columns, weigh_ties

NODES = 200_000
"""Periods that are solved for; stretches are lengthened where there would be more."""


def solve_with_drift(
    problem: Contests | Judgments,
    speed: Speed | Context,
    p: float,
    solve: Callable[..., Solution],
    *,
    anchors: Mapping[Hashable, float] | None = None,
    columns: TermColumns | None = None,
    learned: Learned | None = None,
) -> Solution:
    """Find the path of each contestant; the solution is that of the latest period.

    Parameters
    ----------
    problem : Contests or Judgments
        The results.
    speed : Speed or Context
        How fast strengths move, or that it is to be learned; or in what they differ.
    p : float
        The power of the loss, of results and of ties.
    solve : callable
        Solves a problem with ``anchors`` and ``terms``.
    anchors : mapping, optional
        Contestants who are held, at all times.
    columns : TermColumns, optional
        Shared terms.
    learned : Learned, optional
        What was learned before, which spares the learning.
    """
    demands = demands_on(problem, anchors=anchors)
    found = learned or learn(problem, speed, demands, columns)
    time = speed.times(problem)
    width = found.width
    periods = speed.cut(problem, time, width)
    while speed.is_of_time and len(periods) > max(NODES, problem.n):
        width = 2 * max(width, np.ptp(time) / len(time))
        periods = speed.cut(problem, time, width)
    ties = len(periods.earlier)
    usual = float(np.median(problem.pair_weight)) if len(problem) else 1.0
    weight = weigh_ties(periods, p, found.tau, found.noise, usual) if ties else np.zeros(0)
    tied = tie(problem, periods, weight)
    held = anchors or {}
    solved = solve(
        tied,
        anchors=hold_periods(tied, held),
        terms=None if columns is None else tie_columns(columns, ties),
    )
    x = _centre(solved.x, periods.last, periods.who, problem.components, held, problem.names)
    solved = replace(solved, x=x)
    terms = solved.terms
    if terms is not None and columns is not None:
        kept = [columns.names.index(name) for name in terms.names]
        terms = Estimates(columns.only(kept), terms.beta)
    paths = Paths(
        periods,
        x,
        weight,
        found.tau,
        found.noise,
        speed.unit_for(problem),
        learned=speed.tau is None,
    )
    return replace(
        solved,
        x=paths.latest,
        names=problem.names,
        components=problem.components if not held else solved.components[periods.last],
        terms=terms,
        moved=paths,
        tied=solved,
        _flow=None if solved._flow is None else lambda: solved.flow()[: problem.m],
        _face=None,
        _state=None,
        _found=None,
        norm=None,
    )


def hold_periods(
    tied: Contests | Judgments, held: Mapping[Hashable, float] | None
) -> dict[Hashable, float] | None:
    """Return the anchors of periods: who is anchored is so at all times."""
    if not held:
        return None
    whose = {name: contestant_of(name) for name in tied.names}
    return {name: held[who] for name, who in whose.items() if who in held} or None


def _centre(
    x: Floats,
    last: Index,
    who: Index,
    components: Index,
    held: Mapping[Hashable, float],
    names: tuple[Hashable, ...],
) -> Floats:
    """Give the latest ratings of each component that nothing holds the mean 0."""
    size = int(components.max(initial=-1)) + 1
    mean = np.bincount(components, x[last], size) / np.maximum(np.bincount(components), 1)
    for number, name in enumerate(names):
        if name in held:
            mean[components[number]] = 0.0
    return np.asarray(x - mean[components[who]])
