"""Other losses with parts: Newton's method on the smoothed loss, all pairs written out.

    minimise over v:   sum_i w_i f(y_i - J_i v)  +  sum pull v^2
    (J^T D J + 2 pull) dv = J^T g - 2 pull v,        flow = g + D J (-dv)

with slope g and curvature D of a loss that is smoothed less and less
(:mod:`qrja.solvers.convex`), p = 1 included. A full step makes the flow conserved at contestants
and sends ``2 pull u`` to members: that is the proof, which :mod:`qrja.solvers.weighing` weighs.
Residuals are in units of the largest, weights in units of the heaviest.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack

from qrja.data import Floats, Offsets
from qrja.errors import InputError
from qrja.laplacian import conjugate_gradients
from qrja.laplacian.network import Groups
from qrja.losses import KnownLoss
from qrja.solution import Minimised, Proved, Solution
from qrja.solvers.composed.composition import Composition
from qrja.solvers.convex import cost_of, scale, search, shrinkage, smooth
from qrja.solvers.demands import centre_where_relative, comparable

STEPS = 200
DENSE = 2000
"""Unknowns whose matrix is written out at each step,"""
STEEP_DENSE = 6000
"""or for p near 1, whose weights are too far apart for conjugate gradients: 290 MB."""
FINE, LIMIT = 1e-10, 3000
"""Accuracy of a step beyond that, by conjugate gradients, and the steps these may take."""
MOST_SPENT = 30_000
"""Steps of conjugate gradients in all; what is reached then is told as it is."""
LEAST_EPS = 1e-13
PATIENCE, SHARPER = 25, 0.1
"""Steps that gain nothing before the search is given up; a loss so much sharper is a gain."""


class ComposedDescent:
    """The loop: :meth:`run` gives the unknowns and the flow of the best step."""

    def __init__(self, composition: Composition, loss: KnownLoss, begin: Floats) -> None:
        problem = composition.problem.to_judgments()
        self.loss, self.v = loss, begin
        goal, n, m = composition.demands.goal, problem.n, problem.m
        self.y = problem.y - goal[problem.a] + goal[problem.b]
        ends = np.concatenate([problem.a, problem.b])
        sign = np.repeat([1.0, -1.0], m)
        own = csr_array((sign, (np.tile(np.arange(m), 2), ends)), shape=(m, n))
        first, second = composition.problem.pair_entries()
        border = composition.border
        self.design = csr_array(hstack([own, border[first] - border[second]], format="csr"))
        self.inside = self._solved_for(composition)
        self.narrow = csr_array(self.design[:, self.inside])
        self.turned = csr_array(self.narrow.T)
        self.squares = csr_array(self.turned.multiply(self.turned))
        self.top = float(problem.w.max(initial=1.0))
        self.w, self.pull = problem.w / self.top, composition.pull[self.inside] / self.top
        self.groups = Groups(np.array([0, m]), np.zeros(0, dtype=np.int64))
        self.best = (math.inf, begin, np.zeros(m))
        steep = loss.power is not None and loss.power < 1.2
        self.dense, self.spent = STEEP_DENSE if steep else DENSE, 0

    @staticmethod
    def _solved_for(composition: Composition) -> Offsets:
        """Return the unknowns that are solved for: one of each component that floats is not."""
        return composition.system().inside

    def _residual(self, v: Floats) -> Floats:
        return np.asarray(self.y - self.design @ v)

    def run(self, tol: float, report: Callable[[float], None] | None) -> tuple[Floats, Floats]:
        """Iterate until the flow proves the unknowns, or nothing more is gained."""
        unit = float(np.abs(self._residual(self.v)).max(initial=0.0))
        if not unit > 0:
            return self.v, np.zeros(len(self.y))
        eps, flow, worse = np.ones(1), None, 0
        reached = float(eps[0])
        for _ in range(STEPS):
            if self.loss.power is not None and self.loss.power > 2:
                last = unit
                unit = max(float(np.abs(self._residual(self.v)).max()), 1e-12 * unit)
                eps = np.minimum(eps * last / unit, 1.0)
                flow = None
            before = self.best[0]
            eps, flow = self._step(unit, eps, flow)
            if report is not None and math.isfinite(self.best[0]):
                report(self.best[0])
            # The proof of p = 1 stands still for many steps while the loss becomes sharper.
            if self.best[0] < 0.9 * before or eps[0] < SHARPER * reached:
                worse, reached = 0, float(eps[0])
            else:
                worse += 1
            idle = worse > PATIENCE and eps[0] < 1e-4
            if self.best[0] <= tol or eps[0] < LEAST_EPS or idle or self.spent > MOST_SPENT:
                break
        return self.best[1], self.best[2]

    def _step(self, unit: float, eps: Floats, flow: Floats | None) -> tuple[Floats, Floats | None]:
        groups, inside = self.groups, self.inside
        units = np.array([unit])
        smoothing = smooth(self.loss, groups, units)
        pull = self.pull * self._price(unit)
        u, v = self._residual(self.v) / unit, self.v[inside] / unit
        model = smoothing.model(u, eps, self.w, flow)
        ridge = float(pull @ v**2)
        value = model.value + ridge
        floor = (1e-14 if smoothing.growth > 2 else 1e-20) * float(value[0])
        curvature = np.maximum(model.curvature, floor)
        gradient = self.turned @ model.slope - 2 * pull * v
        change = self._solve(curvature, 2 * pull, gradient)
        turn = -(self.narrow @ change)
        flow = np.asarray(model.slope + curvature * turn)
        decrement = np.array([float(gradient @ change)])
        stuck = ~((decrement > 1e-15 * value) & np.isfinite(decrement))

        def look(t: Floats) -> tuple[Floats, Floats]:
            total, along = smoothing.along(u, turn, t, eps, self.w)
            there = v + t[0] * change
            return total + pull @ there**2, along + 2 * (pull * there) @ change

        growth = max(smoothing.growth, 2.0)  # below, squares are searched
        length, fit = search(look, growth, value, np.array([ridge]), decrement, stuck)
        moved = self.v.copy()
        moved[inside] += length[0] * unit * change
        self.v = moved
        self._prove(unit, pull, flow)
        return eps * np.where(stuck, 0.1, shrinkage(fit)), smoothing.follow(flow)

    def _price(self, unit: float) -> float:
        """Return what a squared unit costs in the units of the loss."""
        if self.loss.power is not None:
            with np.errstate(all="ignore"):
                price = float(np.float64(unit) ** (2 - self.loss.power))
            if not 0 < price < math.inf:
                raise InputError(
                    f"p is {self.loss.power:g}, at which what pulls members is beyond the floats;"
                    " give a smaller p, such as 20"
                )
            return price
        return unit**2 / float(cost_of(self.loss, np.array([unit]))[0])

    def _prove(self, unit: float, pull: Floats, flow: Floats) -> None:
        """Keep unknowns and flow if they prove more than those before."""
        scaled = scale(self.loss, self.groups, np.array([unit]))
        u, v = self._residual(self.v) / unit, self.v[self.inside] / unit
        low, high = scaled.slopes
        slope = flow / self.w
        # A flow made smaller stays conserved; one cut off where it is steep would not.
        slope = slope / float(np.max(np.maximum(slope / high, slope / low), initial=1.0))
        value = self.w * scaled.value(u)
        terms = value + self.w * (scaled.conjugate(slope) - slope * u)
        held = pull > 0
        miss = (self.turned @ (self.w * slope) - 2 * pull * v)[held]
        excess = float(np.maximum(terms, 0.0).sum()) + float(np.sum(miss**2 / (4 * pull[held])))
        cost = float(value.sum()) + float(pull @ v**2)
        gap = excess / cost if cost > 0 else 0.0
        if gap < self.best[0]:
            lift = self.top / self._price(unit) * unit
            self.best = gap, self.v, self.w * slope * lift

    def _solve(self, curvature: Floats, pull: Floats, right: Floats) -> Floats:
        """Solve ``(J^T D J + pull) dv = right``."""
        if len(right) <= self.dense:
            matrix = csr_array(self.turned @ (diags_array(curvature) @ self.narrow))
            from scipy.linalg import cho_factor, cho_solve

            dense = matrix.toarray()
            diagonal = np.diag_indices_from(dense)
            dense[diagonal] += pull
            dense[diagonal] += 1e-15 * dense[diagonal] + np.finfo(np.float64).tiny
            try:
                factors = cho_factor(dense, lower=True)
            except np.linalg.LinAlgError:
                dense[diagonal] += 1e-12 * dense[diagonal]
                factors = cho_factor(dense, lower=True)
            found = cho_solve(factors, right)
            product = matrix @ found + pull * found
            return np.asarray(found + cho_solve(factors, right - product))
        return self._solve_by_steps(curvature, pull, right)

    def _solve_by_steps(self, curvature: Floats, pull: Floats, right: Floats) -> Floats:
        squares = self.squares @ curvature
        scale = np.maximum(squares + pull, np.finfo(np.float64).tiny)
        found, steps, _ = conjugate_gradients(
            lambda v: np.asarray(self.turned @ (curvature * (self.narrow @ v)) + pull * v),
            right,
            lambda r: r / scale,
            tol=FINE,
            limit=LIMIT,
        )
        self.spent += steps
        return found


def solve_composed_newton(
    composition: Composition,
    loss: KnownLoss,
    begin: Floats,
    *,
    tol: float,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Minimise a convex loss of the residuals and the pulls, from the unknowns of squares."""
    start = time.perf_counter()
    problem, demands = composition.problem, composition.demands
    with np.errstate(all="ignore"):
        v, flow = ComposedDescent(composition, loss, begin).run(0.3 * tol, progress)
    x, parts, terms = composition.split(v)
    return Solution(
        x=centre_where_relative(problem, demands, x),
        names=problem.names,
        components=comparable(problem, demands),
        certificate="flow",
        optimum="unique" if loss.is_strict or demands.ridge > 0 else "any",
        loss=str(loss),
        iterations=1,
        seconds=time.perf_counter() - start,
        minimised=Minimised(loss.power, loss, demands),
        terms=terms,
        parts=parts,
        _flow=lambda: flow,
        **Proved(math.inf, 0.0, math.inf, 0.0, "inexact")._asdict(),  # it is weighed again
    )
