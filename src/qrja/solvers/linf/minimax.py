"""p = infinity: the smallest largest error, min over x of max_i w_i |x_a - x_b - y_i|.

For a given t, ``|x_a - x_b - y| <= t / w`` for all judgments is a system of difference
constraints: it has a solution exactly when no cycle of judgments has margins, added up along it,
of more than t times the sum of its 1/w. So the optimum is the largest ratio of a cycle,

    t* = max over cycles  sum +-y / sum 1/w,

and the cycle that attains it is the proof: as a flow of ``+-1 / sum 1/w`` on its judgments it is
conserved, has ``sum |f| / w = 1`` and reaches ``f . y = t*``. Howard's policy iteration finds it.

Contests need no pairs, and anchored candidates become one of score 0:
:mod:`~qrja.solvers.linf.stars`.

Many x attain the optimum. Returned is one near the least-squares scores x2: of the optima whose
largest difference to x2, up to a shift, is smallest, there is a greatest and a least one, and x is
half-way between. It does not depend on the order of candidates or judgments, and turning all
judgments around turns it around. Every component is solved with its own t, so that none is left
sloppy because another one disagrees more; the objective is the largest t. Anchors cut components,
as they do for every p, and count as one candidate of each that they are joined to.

References
----------
R. A. Howard, Dynamic programming and Markov processes, 1960.
J. Cochet-Terrasson, G. Cohen, S. Gaubert, M. McGettrick and J.-P. Quadrat, Numerical computation
of spectral elements in max-plus algebra, 1998.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qrja.data import Contests, Floats, Judgments, Mask, Offsets, order_by
from qrja.solution import UNIT, Demands, Minimised, Solution, prove
from qrja.solvers.demands import centre_where_relative, comparable, demands_on
from qrja.solvers.l2 import solve_l2
from qrja.solvers.linf.stars import Stars, build_stars, flow_of_judgments, squares_of_stars

if TYPE_CHECKING:
    from qrja.solvers.linf.kernels.ratio_cycles import Arcs

TINY = float(np.finfo(np.float64).tiny)
LOOK, CLOSE = 8, 1e-12
"""How often to look whether values are within a share of t, which grows by this with each look, and
up to 5e-10: that is enough."""
ROUNDS = 100_000
"""Policy iterations allowed; tens are needed in practice."""


def solve_linf(
    problem: Contests | Judgments,
    *,
    anchors: Mapping[Hashable, float] | None = None,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Minimise ``max w |x_a - x_b - y|`` in every component; those without an anchor have mean 0.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    anchors : mapping, optional
        Candidates whose score is given.
    tol : float
        Relative gap to reach, rounding of the scores apart.
    progress : callable, optional
        Told the gap reached after each round.

    Returns
    -------
    Solution
        ``optimum`` is ``"nearest least squares"``: see the module for which optimum that is. The
        flow is the cycle of judgments that disagree most, or the path from anchor to anchor.

    Examples
    --------
    >>> j = Judgments.from_arrays(["A", "B", "A"], ["B", "C", "C"], [1, 1, 5])
    >>> solution = solve_linf(j)
    >>> solution.x, solution.objective
    (array([ 2.,  0., -2.]), 1.0)
    >>> solution.flow() * 3
    array([-1., -1.,  1.])
    >>> solve_linf(j, anchors={"C": 10, "B": 10}).x
    array([13., 10., 10.])
    """
    begin = time.perf_counter()
    demands = demands_on(problem, anchors=anchors)
    stars = build_stars(problem, demands)
    found = _solve_by_cycles(problem, demands, stars, progress)
    rounding = _rounding(stars, found.x, found.objective)
    proved = prove(found.objective, found.excess, rounding, tol)
    return Solution(
        x=found.x,
        names=problem.names,
        components=comparable(problem, demands),
        certificate="flow",
        optimum="nearest least squares",
        loss="max |t|",
        iterations=found.rounds,
        seconds=time.perf_counter() - begin,
        minimised=Minimised(math.inf, demands=demands),
        _flow=lambda: flow_of_judgments(problem, stars, found.flow, found.share),
        **proved._asdict(),
    )


class CycleOptimum(NamedTuple):
    """Scores, their objective and what it exceeds the bound by; the flow and its constant share."""

    x: Floats
    objective: float
    excess: float
    flow: Floats
    share: float
    rounds: int


def _solve_by_cycles(
    problem: Contests | Judgments,
    demands: Demands,
    stars: Stars,
    progress: Callable[[float], None] | None,
) -> CycleOptimum:
    """Solve every component by the cycle that disagrees most."""
    least_squares = _least_squares(problem, demands, stars)
    net = _network(stars, stars.residuals(least_squares))
    t, h, cycle, rounds = _policy_iteration(net, progress)
    # Contests' nodes are no candidates: only these are compared with least squares.
    ceiling = np.full(len(h), np.inf)
    ceiling[net.place[: problem.n]] = ceiling[net.place[stars.grounds]] = 0.0
    shift = _half_way(net, t, h, ceiling)[net.place]
    level = np.where(stars.ground >= 0, shift[stars.ground], 0.0)
    x = least_squares + (shift - level[stars.label])[: problem.n]
    x = centre_where_relative(problem, demands, np.where(demands.free, x, demands.goal))
    objective = largest_error(problem, x)
    lower, flow = _cycle_flow(stars, net.row[cycle], net.sign[cycle])
    if stars.constant.error > lower:
        return CycleOptimum(x, objective, objective - stars.constant.error, 0 * flow, 1.0, rounds)
    return CycleOptimum(x, objective, objective - lower, flow, 0.0, rounds)


def _least_squares(problem: Contests | Judgments, demands: Demands, stars: Stars) -> Floats:
    """Return the least-squares scores of the candidates, given the anchored ones."""
    if demands.free.all():
        return solve_l2(problem).x
    x = solve_l2(squares_of_stars(problem, demands, stars)).x
    level = np.where(stars.ground >= 0, x[stars.ground], 0.0)
    return np.where(demands.free, (x - level[stars.label])[: problem.n], demands.goal)


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
    if not len(begin):
        return 0.0
    # A contest's level carries no information: without it no digits are wasted.
    level = np.repeat(problem.score[begin], problem.sizes[some])
    r = x[problem.who] - (problem.score - level)
    spread = np.maximum.reduceat(r, begin) - np.minimum.reduceat(r, begin)
    return float(np.max(problem.pair_weight[some] * spread))


@dataclass(frozen=True)
class _Network:
    """Two arcs per row of the stars; nodes of a component, and their arcs, stand together."""

    arcs: Arcs
    tail: Offsets
    row: Offsets
    sign: Floats
    place: Offsets
    first: Offsets

    @property
    def first_arcs(self) -> Offsets:
        """Where the arcs of each component begin, and where the last ones end."""
        return np.asarray(self.arcs.start[self.first])

    def on_arcs(self, of_components: Floats) -> Floats:
        """Spread a number of each component over its arcs."""
        return np.repeat(of_components, np.diff(self.first_arcs))

    def largest(self, of_arcs: Floats) -> Floats:
        """Return the largest number of the arcs of each component, and 0 where there is none."""
        begin, found = self.first_arcs, np.zeros(len(self.first) - 1)
        some = np.flatnonzero(np.diff(begin))
        if len(some):
            found[some] = np.maximum.reduceat(of_arcs, begin[some])
        return found


def _network(stars: Stars, gain: Floats) -> _Network:
    from qrja.solvers.linf.kernels.ratio_cycles import Arcs

    order = order_by(stars.label)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    a, b, m = place[stars.a], place[stars.b], len(gain)
    tail, head = np.concatenate([a, b]), np.concatenate([b, a])
    by_tail = order_by(tail)
    is_back = by_tail >= m
    row, sign = by_tail - m * is_back, np.where(is_back, -1.0, 1.0)
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
    )


def _policy_iteration(
    net: _Network, progress: Callable[[float], None] | None
) -> tuple[Floats, Floats, Offsets, int]:
    """Find each component's t, values h of every node, and the arcs of the worst cycle."""
    from qrja.solvers.linf.kernels import ratio_cycles as kernels

    h, t = np.zeros(len(net.place)), np.zeros(len(net.first) - 1)
    policy = kernels.steepest_arcs(net.arcs)
    cycle, mark = np.full(len(h), -1), np.empty(len(h), dtype=np.int64)
    active = np.flatnonzero(np.diff(net.first_arcs))
    rounds = 0
    while len(active) and rounds < ROUNDS:
        forward = rounds % 2 == 0
        active = kernels.howard_round(
            active, net.first, net.arcs, policy, h, t, cycle, mark, forward
        )
        rounds += 1
        if rounds % LOOK == 0:
            active = active[_unsettled(net, h, t, min(CLOSE * rounds / LOOK, 5e-10))[active]]
        if progress is not None:
            progress(1 - t.max() / max(_needed(net, h).max(), t.max(), TINY))
    worst = int(t.argmax()) if len(t) else 0
    arcs = cycle[net.first[worst] : net.first[worst + 1]] if len(t) else cycle
    return t, h, arcs[arcs >= 0], rounds


def _unsettled(net: _Network, h: Floats, t: Floats, close: float) -> Mask:
    """Tell which components have arcs that still need more than their t, rounding apart.

    Along a cycle of thousands the last digits of values go round for ever.
    """
    missing = net.largest(_needed(net, h)) - t
    return np.asarray(missing > close * t)


def _needed(net: _Network, h: Floats) -> Floats:
    """Return the t that the values h need on each arc."""
    return np.asarray((net.arcs.gain - h[net.tail] + h[net.arcs.head]) / net.arcs.span)


def _half_way(net: _Network, t: Floats, h: Floats, ceiling: Floats) -> Floats:
    """Return the mean of the greatest values <= ceiling and the least >= -ceiling, given t."""
    from qrja.solvers.linf.kernels.ratio_cycles import greatest_below

    # Rounding may leave an arc violated in its last digit: t grows by as much.
    used = net.arcs.gain - h[net.tail] + h[net.arcs.head]
    t = np.maximum(t, net.largest(used / net.arcs.span))
    reach = net.on_arcs(t) * net.arcs.span
    greatest = greatest_below(ceiling - h, net.arcs, np.maximum(reach - used, 0.0))
    least = -greatest_below(ceiling + h, net.arcs, np.maximum(reach + used, 0.0))
    return np.asarray(h + (greatest + least) / 2)


def _cycle_flow(stars: Stars, rows: Offsets, sign: Floats) -> tuple[float, Floats]:
    """Send one unit of ``sum |f| / w`` around a cycle; return ``f . y`` and f, 0 if it is < 0."""
    flow = np.zeros(len(stars.y))
    total = math.fsum(sign * stars.y[rows])
    if total <= 0:
        return 0.0, flow
    flow[rows] = sign / math.fsum(stars.span[rows])
    return total / math.fsum(stars.span[rows]), flow


def _rounding(stars: Stars, x: Floats, objective: float) -> float:
    """Return what the largest error may change by if scores and margins are rounded to floats."""
    error = np.abs(stars.residuals(x))
    size = np.abs(np.append(x, np.zeros(len(stars.label) - stars.n)))
    slip = UNIT * (size[stars.a] + size[stars.b] + np.abs(stars.y))
    return float(np.max((error + slip) / stars.span, initial=0.0)) - objective
