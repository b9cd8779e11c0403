"""Explanations for p = 1: the judgments that fix a difference, and what would turn it.

All optima share limits ``x_a - x_b <= c``, each the margin of some judgment (see
:mod:`qrja.solvers.l1.face`). A chain of them from b to a limits the difference of its ends, and the
shortest chain is the largest difference of any optimum: "not more, because". The shortest chain
the other way is the smallest: "not less, because". Where both agree, all optima give one number.

To turn the order, judgments that say otherwise must outweigh what holds it. With
``g(z) = min {loss(x) : x_a - x_b = z}``, convex and piecewise linear, a judgment "level" of weight
W moves the optimum to z = 0 as soon as ``W > |g'(0+)|``. That slope is the flow through a judgment
heavy enough to force ``x_a - x_b = z`` for a z just above 0.
"""

from __future__ import annotations

from itertools import pairwise
from math import floor, log10

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from qrja.data import Contests, Floats, Index, Judgments, Offsets, Problem
from qrja.ratings.explain.chains import Path, Step
from qrja.ratings.explain.evidence import chain_of
from qrja.ratings.explain.explanation import Explanation
from qrja.ratings.explain.parts import Chain, Contributions, Turn
from qrja.ratings.fitted import Fit
from qrja.solution import Solution
from qrja.solvers.l1 import Face, solve_l1

NEAR = 1e-9
"""Margins this close, relative to their size, are the same."""
MOST_PAIRS = 60_000
"""Pairs up to which contests are written out."""
JUST_ABOVE = 1e-6
"""Share of a difference that is taken for just above 0."""


def explain_tight(ratings: Fit, i: int, j: int) -> Explanation:
    """Explain the difference of two ratings of least absolute deviations."""
    problem, solution = ratings.problem, ratings.solution
    face = solution.face().numbered
    assert isinstance(face, Face)
    low, high = face.difference(i, j)
    difference = float(solution.x[i] - solution.x[j])
    return Explanation(
        a=problem.names[i],
        b=problem.names[j],
        difference=difference,
        low=low,
        high=high,
        loss=solution.loss,
        method="tight",
        contributions=Contributions(),
        rest=0.0,
        chains=_limits(problem, face, i, j),
        turn=Turn(0.0, turning_weight(problem, (low, high), i, j, solution)),
        reason="",
        units=ratings.units,
        nouns=problem.nouns,
    )


def _limits(problem: Problem, face: Face, i: int, j: int) -> tuple[Chain, ...]:
    """Return the chains that hold the difference from below and from above."""
    lower = [Step(a, b, -c, -c, hubs) for a, b, c, hubs in _walk(problem, face, i, j)]
    upper = [Step(a, b, c, c, hubs) for b, a, c, hubs in _walk(problem, face, j, i)][::-1]
    return (
        chain_of(problem, Path(1.0, tuple(lower)), "at least"),
        chain_of(problem, Path(1.0, tuple(upper)), "at most"),
    )


def _walk(
    problem: Problem, face: Face, begin: int, end: int
) -> list[tuple[int, int, float, tuple[int, ...]]]:
    """Return the shortest chain of limits ``x_next - x_this <= c``, with where each comes from."""
    nodes = _shortest(face, int(face.node_of[begin]), int(face.node_of[end]))
    people = [begin, *(_someone(face, node) for node in nodes[1:-1]), end]
    x = face.scores(np.zeros_like(face.x)) / face.unit
    gaps = _gaps(face, nodes)
    if len(nodes) == 1:  # one node stands for both: they move together
        gaps = [0.0]
    links = []
    for (this, other), gap in zip(pairwise(people), gaps, strict=True):
        margin = float(x[other] - x[this]) + gap
        links.append((this, other, margin, _where(problem, other, this, margin)))
    return links


def _edges(face: Face) -> tuple[Index, Index, Floats]:
    """Return the limits, the tightest of each two nodes: the second rises by at most so much more.

    A small toll is added to every length, which is a whole number: it prefers short chains.
    """
    other, this, gap = face.limits
    apart = other != this
    this, other, gap = this[apart], other[apart], gap[apart]
    order = np.lexsort((gap, other, this))
    this, other, gap = this[order], other[order], gap[order]
    tightest = np.ones(len(this), dtype=bool)
    tightest[1:] = (np.diff(this) != 0) | (np.diff(other) != 0)
    toll = 0.5 / max(len(face.x), 1)
    return this[tightest], other[tightest], gap[tightest] + toll


def _shortest(face: Face, begin: int, end: int) -> list[int]:
    this, other, length = _edges(face)
    size = len(face.x)
    start = np.searchsorted(this, np.arange(size + 1))
    graph = csr_array((length, other, start), shape=(size, size))
    _, before = dijkstra(graph, indices=np.array([begin]), return_predecessors=True)
    nodes = [end]
    while nodes[-1] != begin:
        nodes.append(int(before[0, nodes[-1]]))
    return nodes[::-1]


def _gaps(face: Face, nodes: list[int]) -> list[float]:
    """Return by how much more each node can rise than the one before it."""
    found = []
    low, high, gap = face.limits
    for this, other in pairwise(nodes):
        least = gap[(high == this) & (low == other)].min()
        found.append(float(least) / face.unit)
    return found


def _someone(face: Face, node: int) -> int:
    """Return a candidate for whom a node stands."""
    return int(np.flatnonzero(face.node_of == node)[0])


def _where(problem: Problem, a: int, b: int, margin: float) -> tuple[int, ...]:
    """Return the contests or judgments in which a was better than b by that margin."""
    hubs, margins = _meetings(problem, a, b)
    if not len(hubs):
        return ()
    missed = np.abs(margins - margin)
    close = missed <= missed.min() + NEAR * (1 + abs(margin))
    return tuple(hubs[close].tolist())


def _meetings(problem: Problem, a: int, b: int) -> tuple[Offsets, Floats]:
    """Return where two candidates met, and by how much a was better."""
    of_a, of_b = (np.flatnonzero(problem.who == who) for who in (a, b))
    contest = problem.contest_of_entry
    shared, at_a, at_b = np.intersect1d(contest[of_a], contest[of_b], return_indices=True)
    return shared.astype(np.int64), problem.score[of_a[at_a]] - problem.score[of_b[at_b]]


def turning_weight(
    problem: Contests | Judgments,
    bounds: tuple[float, float],
    i: int,
    j: int,
    start: Solution | None = None,
) -> float:
    """Return the weight beyond which judgments "level" would turn the order of two candidates.

    Parameters
    ----------
    problem : Contests or Judgments
        What was aggregated.
    bounds : tuple of float
        The smallest and the largest ``x_i - x_j`` of all optima.
    i, j : int
        The candidates.
    start : Solution, optional
        Of the problem. Few pairs are written out, as judgments can begin there.

    Returns
    -------
    float
        0 where some optimum already has them level.

    Examples
    --------
    >>> j = Judgments.from_arrays("aaa", "bbb", [2, 3, 4], [1, 1, 1])
    >>> turning_weight(j, (3.0, 3.0), 0, 1)
    3.0
    """
    low, high = bounds
    if low <= 0 <= high:
        return 0.0
    ahead, behind = (i, j) if low > 0 else (j, i)
    least = JUST_ABOVE * min(abs(low), abs(high))
    # A power of ten keeps decimal data on the exact solver's grid.
    level = 10.0 ** floor(log10(least))
    weight = 1.0 + _pull(problem, ahead)
    few = start is not None and problem.m <= MOST_PAIRS
    written = problem.to_judgments() if few else problem
    forced = _with_judgment(written, ahead, behind, level, weight)
    return abs(float(solve_l1(forced, start=start if few else None).flow()[-1]))


def _pull(problem: Problem, who: int) -> float:
    """Return the weight of all judgments of a candidate: more than this forces anything."""
    contest = problem.contest_of_entry[problem.who == who]
    return float((problem.pair_weight * (problem.sizes - 1))[contest].sum())


def _with_judgment(
    problem: Contests | Judgments, a: int, b: int, y: float, w: float
) -> Contests | Judgments:
    """Append one judgment, for contests as a contest of two."""
    if isinstance(problem, Judgments):
        return Judgments(
            np.append(problem.a, np.int32(a)),
            np.append(problem.b, np.int32(b)),
            np.append(problem.y, y),
            np.append(problem.w, w),
            problem.names,
        )
    return Contests.from_numbers(
        np.append(problem.contest_of_entry, np.full(2, len(problem), dtype=np.int32)),
        np.append(problem.who, np.array([a, b], dtype=np.int32)),
        np.append(problem.score, [y, 0.0]),
        names=problem.names,
        labels=(*problem.labels, object()),
        weight=np.append(problem.weight, w),
        pairs=problem.pairs,
    )
