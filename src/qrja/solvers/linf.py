"""p = infinity: the smallest largest error, min over x of max_i w_i |x_a - x_b - y_i|.

For a given t, ``|x_a - x_b - y| <= t / w`` for all judgments is a system of difference
constraints: it has a solution exactly when no cycle of judgments has margins, added up along it,
of more than t times the sum of its 1/w. So the optimum is the largest ratio of a cycle,

    t* = max over cycles  sum +-y / sum 1/w,

and the cycle that attains it is the proof: as a flow of ``+-1 / sum 1/w`` on its judgments it is
conserved, has ``sum |f| / w = 1`` and reaches ``f . y = t*``. Howard's policy iteration finds it.

A contest of k entrants needs no pairs. With ``r_i = x_i - s_i``, all its errors are within t / w
exactly when some z lies within t / (2 w) of every r_i: one extra candidate z and k judgments of
weight 2 w.

Many x attain the optimum. Returned is one near the least-squares scores x2: of the optima whose
largest difference to x2, up to a shift, is smallest, there is a greatest and a least one, and x is
half-way between. It does not depend on the order of candidates or judgments, and turning all
judgments around turns it around. Every component is solved with its own t, so that none is left
sloppy because another one disagrees more; the objective is the largest t.

References
----------
R. A. Howard, Dynamic programming and Markov processes, 1960.
J. Cochet-Terrasson, G. Cohen, S. Gaubert, M. McGettrick and J.-P. Quadrat, Numerical computation
of spectral elements in max-plus algebra, 1998.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qrja._arrays import Floats, Index, Offsets
from qrja.contests import Contests
from qrja.graph import centre
from qrja.judgments import Judgments
from qrja.solution import Solution, relative_gap
from qrja.solvers.l2 import solve_l2

if TYPE_CHECKING:
    from qrja.solvers._kernels_linf import Arcs

EPSILON = float(np.finfo(np.float64).eps)
TINY = float(np.finfo(np.float64).tiny)
ROUNDS = 100_000
"""Policy iterations allowed; tens are needed in practice."""


def solve_linf(
    problem: Contests | Judgments,
    *,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Minimise ``max w |x_a - x_b - y|``, in every component; each component has mean 0.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    tol : float
        Relative gap to reach, rounding of the scores apart.
    progress : callable, optional
        Told the gap reached after each round.

    Returns
    -------
    Solution
        ``optimum`` is ``"nearest least squares"``: see the module for which optimum that is. The
        flow is the cycle of judgments that disagree most.

    Examples
    --------
    >>> j = Judgments.from_arrays(["A", "B", "A"], ["B", "C", "C"], [1, 1, 5])
    >>> solution = solve_linf(j)
    >>> solution.x, solution.objective
    (array([ 2.,  0., -2.]), 1.0)
    >>> solution.flow() * 3
    array([-1., -1.,  1.])
    """
    begin = time.perf_counter()
    stars = _stars(problem)
    least_squares = solve_l2(problem).x
    net = _network(stars, stars.residuals(least_squares))
    t, h, cycle, rounds = _policy_iteration(net, progress)
    # Contests' nodes are no candidates: only these are compared with least squares.
    ceiling = np.full(len(h), np.inf)
    ceiling[net.place[: problem.n]] = 0.0
    shift = _half_way(net, t, h, ceiling)[net.place[: problem.n]]
    x = centre(least_squares + shift, problem.components)
    objective = largest_error(problem, x)
    lower, flow = _cycle_flow(stars, net.row[cycle], net.sign[cycle])
    nothing = largest_error(problem, np.zeros(problem.n))
    gap = relative_gap(objective, objective - lower - _rounding(stars, x), nothing, 1)
    return Solution(
        x=x,
        names=problem.names,
        objective=objective,
        lower_bound=min(lower, objective),
        gap=gap,
        components=problem.components,
        status="optimal" if gap <= tol else "inexact",
        certificate="flow",
        optimum="nearest least squares",
        loss="max |t|",
        iterations=rounds,
        seconds=time.perf_counter() - begin,
        _flow=lambda: _on_judgments(problem, flow),
    )


def largest_error(problem: Contests | Judgments, x: Floats) -> float:
    """Return ``max w |x_a - x_b - y|``; in a contest, the range of ``x - s`` times w.

    Examples
    --------
    >>> races = Contests.from_arrays(["Rome"] * 3, ["Ada", "Bo", "Cy"], [9, 7, 4])
    >>> largest_error(races, np.array([1.0, 1.0, 0.0]))
    4.0
    """
    if isinstance(problem, Judgments):
        error = np.abs(x[problem.a] - x[problem.b] - problem.y)
        return float(np.max(problem.w * error, initial=0.0))
    some = problem.sizes > 0
    begin = problem.start[:-1][some]
    r = x[problem.who] - problem.score
    if not len(begin):
        return 0.0
    spread = np.maximum.reduceat(r, begin) - np.minimum.reduceat(r, begin)
    return float(np.max(problem.pair_weight[some] * spread))


@dataclass(frozen=True)
class _Stars:
    """Judgments over the candidates and, after them, one node per contest; ``span`` is 1/w."""

    n: int
    a: Offsets
    b: Offsets
    y: Floats
    span: Floats
    label: Index

    def residuals(self, x: Floats) -> Floats:
        """Return ``y - (x_a - x_b)``, each contest's node half-way between its extremes."""
        away = self.y - x[self.a]
        at = np.concatenate([x, np.zeros(len(self.label) - self.n)])
        if len(at) > self.n:
            begin = np.flatnonzero(np.diff(self.b, prepend=-1))
            extremes = np.maximum.reduceat(away, begin), np.minimum.reduceat(away, begin)
            at[self.n :] = -(extremes[0] + extremes[1]) / 2
        return np.asarray(away + at[self.b])


def _stars(problem: Contests | Judgments) -> _Stars:
    if isinstance(problem, Judgments):
        a, b = problem.a.astype(np.int64), problem.b.astype(np.int64)
        return _Stars(problem.n, a, b, problem.y, 1 / problem.w, problem.components)
    some = problem.sizes > 0
    begin, of = problem.start[:-1][some], (np.cumsum(some) - 1)[problem.contest_of_entry]
    # The best score of a contest becomes 0: its node takes up any shift, and digits are saved.
    best = np.maximum.reduceat(problem.score, begin) if len(begin) else problem.score
    return _Stars(
        n=problem.n,
        a=problem.who.astype(np.int64),
        b=problem.n + of,
        y=problem.score - best[of],
        span=0.5 / problem.pair_weight[problem.contest_of_entry],
        label=np.concatenate([problem.components, problem.components[problem.who[begin]]]),
    )


@dataclass(frozen=True)
class _Network:
    """Two arcs per row of the stars, the nodes of a component numbered one after the other."""

    arcs: Arcs
    tail: Offsets
    row: Offsets
    sign: Floats
    place: Offsets
    first: Offsets
    component: Index


def _network(stars: _Stars, gain: Floats) -> _Network:
    from qrja.solvers._kernels_linf import Arcs

    order = np.argsort(stars.label, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    a, b, m = place[stars.a], place[stars.b], len(gain)
    tail, head = np.concatenate([a, b]), np.concatenate([b, a])
    by_tail = np.argsort(tail, kind="stable")
    row, sign = by_tail % max(m, 1), np.where(by_tail < m, 1.0, -1.0)
    return _Network(
        arcs=Arcs(
            start=np.append(0, np.cumsum(np.bincount(tail, minlength=len(order)))),
            head=head[by_tail],
            gain=sign * gain[row],
            span=stars.span[row],
        ),
        tail=tail[by_tail],
        row=row,
        sign=sign,
        place=place,
        first=np.append(0, np.cumsum(np.bincount(stars.label))),
        component=stars.label[order],
    )


def _policy_iteration(
    net: _Network, progress: Callable[[float], None] | None
) -> tuple[Floats, Floats, Offsets, int]:
    """Find each component's t, values h of every node, and the arcs of the worst cycle."""
    from qrja.solvers import _kernels_linf as kernels

    h, t = np.zeros(len(net.place)), np.zeros(len(net.first) - 1)
    policy = kernels.steepest_arcs(net.arcs)
    cycle, mark = np.full(len(h), -1), np.empty(len(h), dtype=np.int64)
    active = np.unique(net.component[net.tail]).astype(np.int64)
    rounds = 0
    while len(active) and rounds < ROUNDS:
        forward = rounds % 2 == 0
        active = kernels.howard_round(
            active, net.first, net.arcs, policy, h, t, cycle, mark, forward
        )
        rounds += 1
        if progress is not None:
            progress(1 - t.max() / max(_needed(net, h).max(), t.max(), TINY))
    worst = int(t.argmax()) if len(t) else 0
    arcs = cycle[net.first[worst] : net.first[worst + 1]] if len(t) else cycle
    return t, h, arcs[arcs >= 0], rounds


def _needed(net: _Network, h: Floats) -> Floats:
    """Return the t that the values h need on each arc."""
    return np.asarray((net.arcs.gain - h[net.tail] + h[net.arcs.head]) / net.arcs.span)


def _half_way(net: _Network, t: Floats, h: Floats, ceiling: Floats) -> Floats:
    """Return the mean of the greatest values <= ceiling and the least >= -ceiling, given t."""
    from qrja.solvers._kernels_linf import greatest_below

    # Rounding may leave an arc violated in its last digit: t grows by as much.
    t = t.copy()
    np.maximum.at(t, net.component[net.tail], _needed(net, h))
    reach = t[net.component[net.tail]] * net.arcs.span
    used = net.arcs.gain - h[net.tail] + h[net.arcs.head]
    greatest = greatest_below(ceiling - h, net.arcs, np.maximum(reach - used, 0.0))
    least = -greatest_below(ceiling + h, net.arcs, np.maximum(reach + used, 0.0))
    return np.asarray(h + (greatest + least) / 2)


def _cycle_flow(stars: _Stars, rows: Offsets, sign: Floats) -> tuple[float, Floats]:
    """Send one unit of ``sum |f| / w`` around a cycle; return ``f . y`` and f, 0 if it is < 0."""
    flow = np.zeros(len(stars.y))
    total = math.fsum(sign * stars.y[rows])
    if total <= 0:
        return 0.0, flow
    flow[rows] = sign / math.fsum(stars.span[rows])
    return total / math.fsum(stars.span[rows]), flow


def _rounding(stars: _Stars, x: Floats) -> float:
    """Return how much of the largest error may be rounding: scores and margins have 53 bits."""
    size = np.abs(np.append(x, np.zeros(len(stars.label) - stars.n)))
    digits = (size[stars.a] + size[stars.b] + np.abs(stars.y)) / stars.span
    return 4 * EPSILON * float(np.max(digits, initial=0.0))


def _on_judgments(problem: Contests | Judgments, flow: Floats) -> Floats:
    """Turn a flow on the stars into one on the judgments, in the order of ``to_judgments()``."""
    if isinstance(problem, Judgments):
        return flow
    # A cycle enters a contest's node by one entry and leaves it by another: together, a pair.
    entry = np.flatnonzero(flow)
    one, other = entry[::2], entry[1::2]
    contest = problem.contest_of_entry[one]
    k, i, j = problem.sizes[contest], one - problem.start[contest], other - problem.start[contest]
    pairs = problem.sizes * (problem.sizes - 1) // 2
    on_pairs = np.zeros(problem.m)
    before = np.cumsum(pairs) - pairs
    on_pairs[before[contest] + i * k - i * (i + 1) // 2 + j - i - 1] = flow[one]
    return on_pairs
