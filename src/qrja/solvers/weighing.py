"""Weigh a solution again: what the x and the flow that are returned prove, rounding counted.

For residuals r of the returned x and any flow f, with ``g = A^T f`` what leaves the candidates,

    objective - bound  =  sum_i [ w_i h(r_i) + w_i h*(f_i / w_i) - f_i r_i ]          h the loss
                          + sum over free v of (g_v - 2 r_v d_v)^2 / (4 r_v)          d = x - goal

where every term is at least 0 (Fenchel and Young), with r_v the ridge and the pin of v. Without
either g must be 0 at every free candidate: a flow of floats leaks, and what it leaks is sent over a
tree of the heaviest judgments. For p = infinity it is ``t - (f . r) / sum |f| / w`` with
``t = max w |r|``. Shared terms ask that the flow carry nothing of their columns z, or
``2 ridge beta`` where a ridge pulls them, margins being those without what the terms add. Members
of parts are pulled, too, and take ``2 pull u`` of the flow.

Whatever the solver believed, this is what its solution tells: residuals are rounded once, leaks
are summed without loss, and to each term the most that rounding can have hidden in it is added
(:meth:`qrja.losses.KnownLoss.shortfall`). It needs the judgments written out, so problems that
stand for more than ``MOST_PAIRS`` keep the solver's own account, which follows the same rule
(:func:`qrja.solution.prove`).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qrja.data import (
    LARGEST,
    Floats,
    Index,
    Offsets,
    Problem,
    distinct_pairs,
    graph,
    sum_by,
)
from qrja.errors import InputError
from qrja.laplacian import (
    Neighbours,
    exact_residuals,
    path_sums,
    search_tree,
    subtree_sums,
    sum_exactly,
    two_sum,
)
from qrja.losses import HIDDEN, KnownLoss
from qrja.parts import PartScores
from qrja.solution import ROUNDED, UNIT, Demands, Proved, Solution, prove
from qrja.terms import Estimates

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEW_PAIRS, MOST_PAIRS = 2_000, 50_000
"""Judgments up to which they are written out: always, and where weights are far apart or a solver
fell short. Of 2,000 that takes a millisecond."""
TINY = 1e-290
"""Losses below this, as of p = 20 and margins that agree to 1e-15, have lost digits; the solver
has weighed them in units of the largest residual."""
FAR = 1e4
"""Ratio of weights from which the light ones may have lost digits."""


def weigh_again(problem: Problem, solution: Solution, tol: float) -> Solution:
    """Return the solution with objective, bound, gap and status as its x and its flow prove them.

    Examples
    --------
    >>> from qrja import Judgments
    >>> from qrja.solvers.l2 import solve_l2
    >>> j = Judgments.from_arrays("abc", "bca", [1, 1, 1])
    >>> boast = replace(solve_l2(j), objective=1.0, lower_bound=1.0)
    >>> told = weigh_again(j, boast, 1e-9)
    >>> told.objective, told.lower_bound > 2.999, told.status
    (3.0, True, 'optimal')
    """
    minimised = solution.minimised
    if (
        minimised is None
        or solution.status == "local"
        or (problem.m > _most_pairs(problem, solution) and not _is_unproved(solution))
    ):
        return solution
    terms = solution.terms
    try:
        flow = solution.flow() if solution.certificate == "flow" else None
        parts = solution.parts
        at_zero = problem if parts is None else parts.of_contestants(problem)
        at_zero = at_zero if terms is None else terms.at_zero(at_zero)
        pairs = _pairs_of(at_zero)
    except InputError:  # of parts and terms: beyond the floats
        return solution
    if pairs is None:
        return solution
    if not np.isfinite(solution.x).all():
        raise RuntimeError(f"the scores of {solution!r} are not finite")
    case = _Case(pairs, solution.x, minimised.demands_on(problem.n))
    if parts is not None:
        case.parts, case.members = parts, parts.columns.pairs(problem)
    if terms is not None and flow is not None:
        case.terms, case.z = terms, terms.pairs(problem)
    with np.errstate(all="ignore"):
        if flow is None:
            assert minimised.loss is not None
            objective = case.objective(minimised.loss)
            return replace(solution, objective=objective)
        found: list[tuple[Proved, Floats | None]] = []
        for mended in case.mend(flow):
            if minimised.power == math.inf:
                found.append((_largest(case, mended, tol), None))
            else:
                assert minimised.loss is not None
                found.append(_sum(case, minimised.loss, mended, tol))
        proved, proving = max(found, key=lambda one: one[0].lower_bound)
    if solution.norm == 0 and proved.objective == math.inf:
        # Judgments agree, and what rounding leaves of large numbers is beyond the floats.
        return replace(solution, objective=math.inf, gap=ROUNDED, rounding=math.inf)
    if solution.norm and not TINY < proved.objective < math.inf:
        return solution  # beyond the floats on the way, if not at the end
    if _confirms(proved, solution):
        return solution
    return _told(solution, proved, problem.m, proving)


class _WrittenPairs(NamedTuple):
    """Judgments without names: who, by how much, and what they weigh."""

    n: int
    a: Index
    b: Index
    y: Floats
    w: Floats


def _pairs_of(problem: Problem) -> _WrittenPairs | None:
    """Write the pairs out; None if some are beyond the floats, or somebody meets himself.

    Rankers allow that somebody is listed twice.
    """
    if problem.directed:
        written = problem.to_judgments()
        return _WrittenPairs(written.n, written.a, written.b, written.y, written.w)
    first, second = problem.pair_entries()
    a, b = problem.who[first], problem.who[second]
    y = problem.score[first] - problem.score[second]
    w = problem.pair_weight[problem.contest_of_entry[first]]
    sound = (np.abs(y) <= LARGEST).all() and (w > 0).all() and (a != b).all()
    return _WrittenPairs(problem.n, a, b, y, w) if sound else None


def _is_unproved(solution: Solution) -> bool:
    """Tell whether a solution with terms or parts leaves its proof to the weighing."""
    return math.isinf(solution.gap) and (solution.terms, solution.parts) != (None, None)


def _most_pairs(problem: Problem, solution: Solution) -> int:
    """Return up to how many judgments to look: further where floats may not have been enough."""
    weight = problem.pair_weight[problem.sizes > 1]
    far = weight.max(initial=0.0) > FAR * weight.min(initial=math.inf)
    return MOST_PAIRS if far or solution.status == "inexact" else FEW_PAIRS


def _confirms(proved: Proved, solution: Solution) -> bool:
    """Tell whether integers have proved x optimal, and rounding it to floats is all that differs.

    Then the loss is that of the optimum before it was rounded.
    """
    if solution.gap != 0 or solution.power != 1 or proved.status != "optimal":
        return False
    slack = max(proved.rounding, 1e-14 * proved.objective)
    return abs(solution.objective - proved.objective) <= slack


def _told(solution: Solution, proved: Proved, m: int, proving: Floats | None) -> Solution:
    told = replace(solution, **proved._asdict())
    if solution.terms is not None or solution.parts is not None:
        return told
    if proved.lower_bound > 0:
        return told if proving is None else replace(told, _flow=lambda: proving)
    # That a loss is at least 0 is proved by no flow; one of rounding errors proves less.
    return replace(told, _flow=lambda: np.zeros(m))


class _Case:
    """The judgments and the x to be weighed."""

    def __init__(self, pairs: _WrittenPairs, x: Floats, demands: Demands) -> None:
        self.problem, self.x, self.demands = pairs, x, demands
        _, a, b, y, self.w = pairs
        self.residual = exact_residuals(y, x[a], x[b])
        self.slip = UNIT * (np.abs(x[a]) + np.abs(x[b]) + np.abs(y))
        self.away = np.where(demands.free, x - demands.goal, 0.0)
        self.stays = False
        self.parts: PartScores | None = None
        self.members: csr_array | None = None
        self.terms: Estimates | None = None
        self.z: Floats | None = None

    @property
    def cost_beside(self) -> float:
        """What pulls parts and terms costs."""
        if self.parts is None and self.terms is None:
            return 0.0
        return sum(it.cost for it in (self.parts, self.terms) if it is not None)

    @property
    def is_pulled(self) -> bool:
        """Whether anything is pulled but candidates."""
        return self.parts is not None or (
            self.terms is not None and bool(self.terms.columns.ridge.any())
        )

    def objective(self, loss: KnownLoss) -> float:
        """Return the loss at x."""
        value = float((self.w * loss.value(self.residual)).sum())
        ridge = float((self.demands.pull * self.away**2).sum())
        return value + ridge + self.cost_beside

    def left_beside(self, flow: Floats) -> float:
        """Return what a flow falls short by of what pulls the members of parts, and terms."""
        left = 0.0
        if self.parts is not None and self.members is not None:
            left += self.parts.left_by(np.asarray(self.members.T @ flow))
        if self.terms is not None and self.z is not None:
            carried = [math.fsum(column * flow) for column in self.z.T]
            left += self.terms.left_by(np.array(carried))
        return left

    def rounding(self, loss: KnownLoss) -> float:
        """Return what the loss may change by if scores and margins are rounded."""
        r, slip = self.residual, self.slip
        most = np.maximum(loss.value(r + slip), loss.value(r - slip)) - loss.value(r)
        more = UNIT * (np.abs(self.x) + np.abs(self.demands.goal))
        pulled = self.demands.pull * (2 * np.abs(self.away) + more) * more
        return float(np.sum(self.w * np.maximum(most, 0.0))) + float(np.sum(pulled))

    def leak(self, flow: Floats, rest: Floats | None = None) -> Floats:
        """Return what leaves each candidate; 0 at those that are anchored."""
        a, b, n = self.problem.a, self.problem.b, self.problem.n
        ends = np.concatenate([a, b])
        leaving = sum_exactly(ends, np.concatenate([flow, -flow]), n)
        if rest is not None:
            leaving = leaving + sum_exactly(ends, np.concatenate([rest, -rest]), n)
        return np.where(self.demands.free, leaving, 0.0)

    def leak_at_most(self, flow: Floats) -> float:
        """Bound all that leaks together, by sums that may be off by their last digits."""
        a, b, n = self.problem.a, self.problem.b, self.problem.n
        leaving = sum_by(a, flow, n) - sum_by(b, flow, n)
        degree = np.bincount(a, minlength=n) + np.bincount(b, minlength=n)
        digits = 2.0**-52 * float(degree.max(initial=0))
        astray = float(np.abs(leaving[self.demands.free]).sum())
        return astray + digits * 2 * float(np.abs(flow).sum())

    def conserve(self, flow: Floats, miss: Floats) -> tuple[Floats, Floats]:
        """Send ``miss``, what leaves candidates though it should not, over the heaviest tree.

        Return the flow, and what it still leaks in digits that the flow itself does not have.
        """
        tree, rest = _heavy_tree(self.problem, self.demands), np.zeros(len(flow))
        pull = self.leak(flow) - miss
        # Once for the leak, once for the rounding of the first time.
        for _ in range(2):
            below = subtree_sums(np.append(0.0, miss), tree.parent)[tree.child]
            rest[tree.arc] += np.where(tree.up, -below, below)
            flow, rest = two_sum(flow, rest)
            miss = self.leak(flow, rest) - pull
        return flow, miss

    def mend(self, flow: Floats) -> list[Floats]:
        """Return flows that carry what terms want; one leaves those alone that a ridge pulls.

        They pay for what is missing, which is less where few judgments may carry more.
        """
        if self.terms is None or self.z is None:
            return [flow]
        ridge, wanted = self.terms.columns.ridge, self.terms.wanted
        mended = [self.carry_wanted(flow, self.z, wanted)]
        if ridge.any():
            mended.append(self.carry_wanted(flow, self.z[:, ridge == 0], wanted[ridge == 0]))
        return mended

    def carry_wanted(self, flow: Floats, z: Floats, wanted: Floats) -> Floats:
        """Mend a flow that carries other than is wanted; see :mod:`qrja.solution.verification`.

        Along the tree potentials v explain z, so that what is left of it, gamma, is 0 there.
        """
        tree, n = _heavy_tree(self.problem, self.demands), self.problem.n
        node = np.where(self.demands.free, np.arange(1, n + 1), 0)
        a, b = node[self.problem.a], node[self.problem.b]
        gamma = np.empty_like(z)
        for k, column in enumerate(z.T):
            above = np.zeros(n + 1)
            above[tree.child] = np.where(tree.up, column[tree.arc], -column[tree.arc])
            v = path_sums(above, tree.parent)
            gamma[:, k] = column - v[a] + v[b]
        across = (self.w[:, None] * gamma).T @ gamma
        # What a ridge takes up stays where it is: sent home, it would carry some of z.
        stays = np.where(self.demands.pull > 0, self.leak(flow), 0.0)
        self.stays = bool(self.demands.pull.any())
        for _ in range(2):
            miss = self.leak(flow) - stays
            flow, _ = self.conserve(flow, miss) if miss.any() else (flow, miss)
            part = np.array([math.fsum(column * flow) for column in z.T]) - wanted
            flow = flow - self.w * (gamma @ np.linalg.lstsq(across, part, rcond=None)[0])
        return flow


class _Tree(NamedTuple):
    """Arcs from children up to parents; node 0 is the ground, candidate v is node v + 1."""

    parent: Index
    child: Offsets
    arc: Offsets
    up: Floats


def _heavy_tree(problem: _WrittenPairs, demands: Demands) -> _Tree:
    """Span the candidates by the heaviest judgments; all that are anchored are the ground."""
    node = np.where(demands.free, np.arange(1, problem.n + 1), 0).astype(np.int32)
    a, b, size = node[problem.a], node[problem.b], problem.n + 1
    joins = np.flatnonzero(a != b)
    pairs = distinct_pairs(size, a[joins], b[joins])
    heavy = joins[np.lexsort((-problem.w[joins], pairs.of))]
    first = np.flatnonzero(np.diff(np.sort(pairs.of), prepend=-1))
    arc = heavy[first]
    ends = np.stack([a[arc], b[arc]])
    label = graph.components(size, np.arange(0, 2 * len(arc) + 1, 2), ends.T.ravel())
    edges = Neighbours.of(size, ends.max(axis=0), ends.min(axis=0), problem.w[arc])
    parent = search_tree(edges, label)
    used = (parent[a[arc]] == b[arc]) | (parent[b[arc]] == a[arc])
    arc = arc[used]
    up = parent[a[arc]] == b[arc]
    return _Tree(parent, np.where(up, a[arc], b[arc]), arc, up)


def _sum(case: _Case, loss: KnownLoss, flow: Floats, tol: float) -> tuple[Proved, Floats | None]:
    """Weigh a sum of losses; return the mended flow, too, if a ridge has less to pay for it.

    Without a ridge whoever doubts a flow mends it first, as is done here.
    """
    proving = None
    low, high = loss.slopes
    if math.isfinite(low) or math.isfinite(high):
        flow = _between(low * case.w, flow, high * case.w)
    objective, pull = case.objective(loss), 2 * case.demands.pull * case.away
    if not pull.any() and not case.is_pulled:
        excess = _roughly(case, loss, flow)
        if excess <= tol * objective:
            return prove(objective, excess, 0.0, tol), None
    miss = case.leak(flow) - pull
    # What leaks flows through the ridge, unless that is so weak that judgments do better.
    excess = _excess(case, loss, flow, miss)
    if case.stays:
        used = _overshoot(case, loss, flow)
        if used > 1:
            excess = _excess(case, loss, flow / used, (miss + pull) / used - pull)
    elif not excess <= tol * objective and miss.any():
        flow, left = case.conserve(flow, miss)
        used = _overshoot(case, loss, flow)
        # What is left where nothing pulls is rounding of rounding.
        left = np.where(case.demands.pull > 0, (left + pull) / used - pull, 0.0)
        mended = _excess(case, loss, flow / used, left)
        if case.demands.pull.any() and not excess <= mended:
            proving = flow / used
        excess = min(excess, mended) if excess == excess else mended
    return prove(objective, excess, case.rounding(loss), tol), proving


def _roughly(case: _Case, loss: KnownLoss, flow: Floats) -> float:
    """Bound the excess without looking for the way that a leak takes.

    Whatever tree takes it home, no judgment carries more of it than there is altogether.
    """
    most = case.leak_at_most(flow) / case.w
    slope, (low, high) = flow / case.w, loss.slopes
    sides = np.concatenate([slope + most, slope - most])
    if math.isfinite(low) or math.isfinite(high):
        used = float(np.maximum(sides / high, sides / low).max(initial=1.0))
        sides = _between(low, sides / (used * (1 + HIDDEN)) if used > 1 else sides, high)
    # The shortfall is convex in the slope: it is largest at one of the ends.
    both = loss.shortfall(np.concatenate([case.residual, case.residual]), sides)
    return float((case.w * np.maximum(*both.reshape(2, -1))).sum())


def _between(low: Floats | float, values: Floats, high: Floats | float) -> Floats:
    """Clip in a fifth of the time that ``np.clip`` takes of few."""
    return np.asarray(np.minimum(np.maximum(values, low), high))


def _overshoot(case: _Case, loss: KnownLoss, flow: Floats) -> float:
    """Return by how much a flow is to be divided to respect the slopes of the loss."""
    low, high = loss.slopes
    slope = flow / case.w
    used = float(np.max(np.maximum(slope / high, slope / low), initial=0.0))
    return used * (1 + HIDDEN) if used > 1 else 1.0


def _excess(case: _Case, loss: KnownLoss, flow: Floats, miss: Floats) -> float:
    """Return what the loss at x exceeds the bound of a flow by, at most."""
    strength = case.demands.pull
    if miss[strength == 0].any():
        return math.inf
    held = strength > 0
    left = float(np.sum(miss[held] ** 2 / (4 * strength[held])))
    low, high = loss.slopes
    slope = _between(low, flow / case.w, high)
    excess = float(np.sum(case.w * loss.shortfall(case.residual, slope)))
    return excess + left + case.left_beside(slope * case.w)


def _largest(case: _Case, flow: Floats, tol: float) -> Proved:
    """Weigh a largest error."""
    objective = float(np.max(case.w * np.abs(case.residual), initial=0.0))
    miss = case.leak(flow)
    if miss.any():
        flow, _ = case.conserve(flow, miss)
    whole, carrying = flow, np.flatnonzero(flow)
    flow, residual = flow[carrying], case.residual[carrying]
    used = math.fsum((np.abs(flow) / case.w[carrying]).tolist())
    gain = math.fsum((flow * residual).tolist()) - HIDDEN * float(np.abs(flow * residual).sum())
    bound = gain / used if used > 0 else 0.0
    moved = float(np.max(case.w * (np.abs(case.residual) + case.slip), initial=0.0))
    excess = objective - bound + (case.left_beside(whole / used) if used > 0 else 0.0)
    return prove(objective + case.cost_beside, excess, moved - objective, tol)
