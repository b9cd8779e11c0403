"""p = infinity with a ridge: an interior-point method on the scores and the largest error.

With d = x - prior, the residuals ``r = y - A d`` and span = 1/w of every row,

    minimise  t + ridge * sum d^2        over d, t,   with  -t span <= r <= t span
    maximise  f . y - sum (A^T f)^2 / (4 ridge)   over f,   with  sum |f| span <= 1

where ``A^T f = 0`` at the nodes of contests, which no ridge holds. There is one t for all
components, and one x: the objective is strictly convex. Prices ``up`` and ``down`` of the two
slacks ``t span - r`` and ``t span + r`` make the flow ``f = up - down``. Newton steps towards equal
products of slack and price need a Laplacian system with one more unknown, t: two systems, joined by

    (sum of up/slack (span + A u)^2 + down/slack (span - A u)^2 + 2 ridge u^2) dt = ...

for the u that answers a unit of t, a sum of squares in which nothing cancels.

The excess of x over the bound of f is a sum of terms that are at least 0, too:

    t (1 - sum |f| span)  +  sum (t span |f| - f r)  +  sum (A^T f - 2 ridge d)^2 / (4 ridge)

References
----------
Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2 (1992).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from qrja.data import Contests, Floats, Judgments, Offsets
from qrja.laplacian.network import Block, Groups
from qrja.laplacian.reweighted import Laplacian
from qrja.solvers.convex import balance
from qrja.solvers.demands import Demands
from qrja.solvers.linf.minimax import Found, largest_error
from qrja.solvers.linf.stars import Stars

PATIENCE = 10
"""Steps in a row without gain, after which rounding allows no more."""
SAFETY = 0.995
"""Share of the way to the boundary that a step goes."""
ACCURACY = 1e-13
"""Of the linear systems."""
LIGHTEST = 1e-30
"""Weights in a system below this are raised to it."""
SHORTEST = 1e-9
"""Steps shorter than this lead nowhere."""


def solve_with_ridge(
    problem: Contests | Judgments,
    demands: Demands,
    stars: Stars,
    tol: float,
    progress: Callable[[float], None] | None,
) -> Found:
    """Minimise the largest error plus the ridge."""
    goal, still = demands.goal, stars.constant.error
    rows = _around(stars, np.where(demands.free, goal, 0.0))
    top = float(np.max(np.abs(rows.residuals(np.zeros(stars.n))) / rows.span, initial=0.0))
    if top <= still:
        # The prior does as well as the anchors allow.
        share = 1.0 if still else 0.0
        return Found(goal, largest_error(problem, goal), 0.0, np.zeros(len(rows.y)), share, 0)
    loop = _Loop(rows, demands, top, still)
    with np.errstate(all="ignore"):
        loop.run(0.5 * tol, progress)
    x = goal + loop.best.d * loop.unit
    miss = (x - goal)[demands.free]
    objective = largest_error(problem, x) + demands.ridge * float(np.sum(miss**2))
    excess = loop.excess((x - goal) / loop.unit, loop.best.flow)
    flow, share = loop.best.flow[: len(rows.y)], 0.0
    if still:
        share = 2 * abs(float(loop.best.flow[len(rows.y)]))
    return Found(x, objective, excess * top, flow * loop.weight, share, loop.steps)


def _around(stars: Stars, prior: Floats) -> Stars:
    """Take the prior off the margins."""
    at = replace(stars, y=np.zeros_like(stars.y)).place(prior)
    return replace(stars, y=stars.y - at[stars.a] + at[stars.b])


class _Best(NamedTuple):
    """The scores and the flow, on all arcs, of the smallest excess so far."""

    d: Floats
    flow: Floats
    excess: float


class _Point(NamedTuple):
    """A point inside, or a step: scores of the nodes, t, slacks and prices."""

    d: Floats
    t: float
    over: Floats
    under: Floats
    up: Floats
    down: Floats

    def after(self, step: _Point, length: float) -> _Point:
        """Go ``length`` times a step."""
        return _Point(
            self.d + length * step.d,
            self.t + length * step.t,
            self.over + length * step.over,
            self.under + length * step.under,
            self.up + length * step.up,
            self.down + length * step.down,
        )

    def products(self) -> Floats:
        """Return the products of slack and price, added up per row."""
        return self.over * self.up + self.under * self.down

    def room(self, step: _Point, safety: float) -> float:
        """Return how far slacks and prices can go together and stay positive."""
        ways = zip(
            (self.over, self.under, self.up, self.down),
            (step.over, step.under, step.up, step.down),
            strict=True,
        )
        worst = max(float(np.max(-change / one)) for one, change in ways)
        if not np.isfinite(worst):
            return 0.0
        return min(safety / worst, 1.0) if worst > 0 else 1.0


class _Loop:
    """Steps in units in which the largest error at the prior and the largest weight are 1."""

    def __init__(self, rows: Stars, demands: Demands, top: float, still: float) -> None:
        self.rows, self.n = rows, rows.n
        self.weight = float(1 / rows.span.min())
        self.unit = top / self.weight
        self.span, self.y = rows.span * self.weight, rows.y / self.unit
        self.ridge = float(np.clip(demands.ridge * self.unit * self.unit / top, 1e-150, 1e150))
        a, b, size = rows.a, rows.b, len(rows.label)
        # All grounds are one.
        ground = size
        a, b = (np.where(np.isin(end, rows.grounds), ground, end) for end in (a, b))
        size += 1
        if still:
            # What anchored candidates disagree by: one more candidate, asked to be +c and -c.
            a, b = np.append(a, [size, size]), np.append(b, [ground, ground])
            self.y = np.append(self.y, [still / top, -still / top])
            self.span = np.append(self.span, [1.0, 1.0])
            size += 1
        self.held = np.flatnonzero(demands.free).astype(np.int64)
        self.block = _single_block(a, b, self.held, ground, size, self.ridge)
        self.laplacian = Laplacian(self.block)
        self.ground, self.steps = ground, 0
        self.best = _Best(np.zeros(self.n), np.zeros(len(self.block.a)), np.inf)

    def run(self, tol: float, progress: Callable[[float], None] | None) -> None:
        """Step until the relative excess is within the tolerance or nothing more is gained."""
        now, length, idle = self._begin(), 1.0, 0
        self._certify(now)
        while self._gap() > tol and length > SHORTEST and idle < PATIENCE:
            self.steps, before = self.steps + 1, self.best.excess
            step, length = self._direction(now)
            now = now.after(step, length)
            self._certify(now)
            idle = 0 if self.best.excess < 0.9 * before else idle + 1
            if progress is not None:
                progress(self._gap())

    def _begin(self) -> _Point:
        d = np.zeros(self.block.n)
        d[: len(self.rows.label)] = replace(self.rows, y=self.rows.y / self.unit).place(d[: self.n])
        d[self.ground] = 0.0
        r, t = self._residuals(d), 1.5
        over, under = t * self.span - r, t * self.span + r
        mu = 1 / float(np.sum(self.span / over + self.span / under))
        return _Point(d, t, over, under, mu / over, mu / under)

    def _residuals(self, d: Floats) -> Floats:
        return self.y - self.block.differences(d)[: len(self.y)]

    def _direction(self, now: _Point) -> tuple[_Point, float]:
        """Return the corrected step and how much of it to go."""
        total = float(now.products().sum())
        mu = total / (2 * len(self.y))
        system = _System(self, now)
        nothing = np.zeros_like(now.up)
        predictor = system.step(nothing, nothing)
        far = now.room(predictor, 1.0)
        ratio = float(now.after(predictor, far).products().sum()) / total
        target = mu * ratio**3
        step = system.step(
            target - predictor.over * predictor.up, target - predictor.under * predictor.down
        )
        length = now.room(step, SAFETY)
        left = float(now.after(step, length).products().sum()) / total
        if not (length > 0.1 * far and left < 1 - 0.1 * length):
            # Second-order terms mislead where the products differ too much: centre instead.
            goal = np.full_like(now.up, mu * max(ratio, 0.1))
            step = system.step(goal, goal)
            length = now.room(step, SAFETY)
        return step, length

    def _certify(self, now: _Point) -> None:
        """Keep the point if its flow, balanced and within its bound, proves more than before."""
        flow = np.concatenate([now.up - now.down, -2 * self.ridge * now.d[self.held]])
        curvature = now.up / now.over + now.down / now.under
        weight = np.append(curvature, np.full(len(self.held), 2 * self.ridge))
        if not (np.isfinite(flow).all() and np.isfinite(weight).all()):
            return
        flow = balance(self.laplacian, weight, flow)
        flow /= max(float(np.sum(np.abs(flow[: len(self.y)]) * self.span)), 1.0)
        # Anchored candidates are on no arc: a solve leaves anything there.
        d = np.zeros(self.n)
        d[self.held] = now.d[self.held]
        excess = self.excess(d, flow)
        if excess < self.best.excess:
            self.best = _Best(d, flow, excess)

    def excess(self, d: Floats, flow: Floats) -> float:
        """Return how far the objective at d exceeds the bound of a flow."""
        m, t = len(self.y), self._largest(d)
        f, held = flow[:m], d[self.held]
        r = self._residuals(self._settle(d))
        spent = np.abs(f) * self.span
        lost = np.maximum(t * spent - f * r, 0.0).sum()
        miss = (flow[m:] + 2 * self.ridge * held) ** 2 / (4 * self.ridge)
        return float(t * max(1 - float(spent.sum()), 0.0) + lost + miss.sum())

    def _settle(self, d: Floats) -> Floats:
        """Put the nodes of contests half-way between the extremes, all others at 0."""
        full = np.zeros(self.block.n)
        full[: len(self.rows.label)] = replace(self.rows, y=self.rows.y / self.unit).place(d)
        return full

    def _largest(self, d: Floats) -> float:
        return float(np.max(np.abs(self._residuals(self._settle(d))) / self.span))

    def _gap(self) -> float:
        d = self.best.d
        objective = self._largest(d) + self.ridge * float(np.sum(d[self.held] ** 2))
        return self.best.excess / max(objective, 1e-7)


class _System:
    """The Newton system at a point, for several right-hand sides."""

    def __init__(self, loop: _Loop, now: _Point) -> None:
        self.loop, self.now = loop, now
        self.up = np.maximum(now.up / now.over, LIGHTEST)
        self.down = np.maximum(now.down / now.under, LIGHTEST)
        held = len(loop.held)
        self.weight = np.append(self.up + self.down, np.full(held, 2 * loop.ridge))
        self.unit_answer = -self._solve(
            np.append((self.up - self.down) * loop.span, np.zeros(held))
        )
        self.turn = loop.block.differences(self.unit_answer)[: len(self.up)]
        self.stiffness = float(
            np.sum(self.up * (loop.span + self.turn) ** 2)
            + np.sum(self.down * (loop.span - self.turn) ** 2)
            + 2 * loop.ridge * np.sum(self.unit_answer[loop.held] ** 2)
        )

    def _solve(self, flow: Floats) -> Floats:
        loop = self.loop
        x = loop.laplacian.solve(self.weight, loop.block.imbalance(flow), ACCURACY)
        return np.asarray(x - x[loop.ground])

    def step(self, goal_up: Floats, goal_down: Floats) -> _Point:
        """Return the step towards products of slack and price of ``goal``."""
        loop, now = self.loop, self.now
        up, down, d = goal_up / now.over, goal_down / now.under, now.d[loop.held]
        change = self._solve(np.append(up - down, -2 * loop.ridge * d))
        pull = float(
            np.sum(up * (loop.span + self.turn))
            + np.sum(down * (loop.span - self.turn))
            - 1
            - 2 * loop.ridge * np.sum(d * self.unit_answer[loop.held])
        )
        t = pull / self.stiffness
        change = change + t * self.unit_answer
        difference = loop.block.differences(change)[: len(up)]
        over, under = t * loop.span + difference, t * loop.span - difference
        return _Point(
            change,
            t,
            over,
            under,
            up - now.up - self.up * over,
            down - now.down - self.down * under,
        )


def _single_block(
    a: Offsets, b: Offsets, held: Offsets, ground: int, size: int, ridge: float
) -> Block:
    """Return a graph of one component: rows, and a ridge from each held candidate to the ground."""
    m, ends = len(a), np.array([0, size])
    return Block(
        groups=Groups(np.array([0, m]), np.zeros(len(held), dtype=np.int64)),
        a=np.concatenate([a, held]).astype(np.int32),
        b=np.concatenate([b, np.full(len(held), ground)]).astype(np.int32),
        y=np.zeros(m + len(held)),
        w=np.append(np.ones(m), np.full(len(held), ridge)),
        m=m,
        start=ends,
        ground=np.array([ground]),
        anchored=np.array([True]),
        target=np.zeros(size),
        nodes=np.arange(size),
        arcs=np.arange(m),
    )
