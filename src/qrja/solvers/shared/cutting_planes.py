"""Terms for losses of lines, and for the largest error: cutting planes with a trust region.

h is piecewise linear, and every look at it gives a plane below it:

    h(beta) >= h_k + h'_k . (beta - beta_k)       for all k

The lowest point of all planes within a box around the best beta is looked at next; the box grows
where planes were right and shrinks where they were not. When the lowest point of the planes without
the box is as high as h itself, the weights lambda of the planes that meet there (the dual) combine
flows into one that carries nothing of the columns: ``sum lambda h'_k = 0``, which is the proof.
The bound of that flow is no less than ``sum lambda (bound_k - h'_k . beta_k)``, by concavity.

A ridge on beta is added to the planes, as the tangents of ``ridge d^2`` for steps d from the best,
as many as it takes; then ``sum lambda h'_k = -2 ridge beta``, and what is missing costs
``miss^2 / (4 ridge)``.

References
----------
J. E. Kelley, The cutting-plane method for solving convex programs, 1960.
A. Marsten, W. Hogan, J. Blankenship, The boxstep method for large-scale optimization, 1975.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Mask, Offsets
from qrja.solvers.shared.inner_problem import InnerProblem, Looked
from qrja.solvers.shared.ridge_tangents import RidgeTangents

MOST = 400
"""Looks at h: one term takes some ten of them, ten take a hundred."""
LEAST = 1e-12
"""Size of the box, as a share of the first, below which rounding decides."""
ROUGH = 1e-9
"""Heights, as a share of h, that are of no size."""
PRESENT = 1e-9
"""Weight of a plane that is none."""
FLAT = 1e-12
"""Slope of a column, as a share of the steepest, that is rounding."""
TANGENTS, CLOSE = 60, 1e-13
"""Times that tangents are added to a ridge, and the share of what is minimised that it may be above
them: each time halves how far the nearest is away."""


class Planes:
    """What was looked at, and the flows that prove it."""

    def __init__(self, first: Looked, ridge: Floats) -> None:
        self.best = first
        self.seen = [first]
        self.bowls = RidgeTangents(ridge)

    def add(self, one: Looked) -> None:
        """Remember one more."""
        self.seen.append(one)
        if one.total < self.best.total:
            self.best = one

    def lowest(self, reach: float | None) -> tuple[Floats, float, Floats]:
        """Return the lowest point of all planes in the box, its height below the best, and lambda.

        Without a box that a plane may be infinitely low: then the height is minus infinity.
        """
        from scipy.optimize import linprog

        best, k, tiny = self.best, len(self.best.beta), np.finfo(np.float64).tiny
        slope = np.stack([one.slope for one in self.seen])
        if not best.total > 0:  # nothing is lower
            return best.beta, 0.0, np.array([float(one is best) for one in self.seen])
        behind = np.array(
            [one.value - best.value - one.slope @ (one.beta - best.beta) for one in self.seen]
        )
        # The program has digits for numbers of one size only: heights and slopes are made so.
        unit = max(float(np.abs(behind).max()), ROUGH * best.total, tiny)
        slope = (slope + best.pull) / unit
        size = np.abs(slope).max(axis=0)
        size = np.where(size > 0, size, max(float(size.max()), tiny) if len(self.bowls) else tiny)
        # What ratings explain has slopes of rounding alone, too far from 1 for the program.
        size = np.maximum(size, FLAT * float(size.max()))
        box = [(None, None)] * k if reach is None else [(-reach * s, reach * s) for s in size]
        many = len(self.bowls)
        planes = np.column_stack([slope / size, -np.ones(len(slope)), np.zeros((len(slope), many))])
        for _ in range(TANGENTS if many else 1):
            rows, above = self.bowls.rows(best.beta, size * unit)
            rows = np.insert(rows / unit / np.append(size, np.full(many, 1 / unit)), k, 0.0, axis=1)
            found = linprog(
                np.append(np.zeros(k), np.ones(1 + many)),
                A_ub=np.vstack([planes, rows]),
                b_ub=np.append(-behind, above) / unit,
                bounds=[*box, (None, None), *[(0, None)] * many],
                method="highs-ds",
                options={
                    "primal_feasibility_tolerance": 1e-10,
                    "dual_feasibility_tolerance": 1e-10,
                },
            )
            if found.status != 0 or found.x is None:
                return best.beta, -np.inf, np.zeros(len(slope))
            step, low = found.x[:k] / size, float(found.x[k:].sum()) * unit
            missing = self.bowls.missing(step, found.x[k + 1 :] * unit)
            if not missing > CLOSE * best.total:
                break
            self.bowls.add(best.beta + step)
        weight = -found.ineqlin.marginals[: len(slope)]
        return best.beta + step, low / max(best.total, tiny), weight

    def proof(self) -> tuple[Floats, float]:
        """Return the flow of the planes that meet at the lowest point of all, and its excess."""
        _, height, weight = self.lowest(None)
        if not height > -np.inf:
            return self.best.flow, self.best.total
        chosen = np.flatnonzero(weight > PRESENT)
        ridge = self.bowls.ridge
        shares = [self._share(chosen, weight, np.full(len(ridge), fill_value=True))]
        if ridge.any():  # what a ridge pulls may pay for what is missing instead
            shares.append(self._share(chosen, weight, ridge == 0))
        excess, share = min(((self._excess(chosen, it), it) for it in shares), key=lambda it: it[0])
        flows = (self.seen[k].flow for k in chosen)
        flow = np.asarray(sum(s * flow for s, flow in zip(share, flows, strict=True)))
        return flow, excess

    def _share(self, chosen: Offsets, weight: Floats, exact: Mask) -> Floats:
        """Return the weights of planes, by which some columns carry exactly what they should.

        What the program leaves of its digits is taken off; weights stay above 0.
        """
        slopes = np.stack([self.seen[k].slope for k in chosen])
        size = max(float(np.abs(slopes).max(initial=0.0)), np.finfo(np.float64).tiny)
        asked = np.vstack([slopes[:, exact].T / size, np.ones(len(chosen))])
        goal = np.append(-self.best.pull[exact] / size, 1.0)
        start = weight[chosen]
        share = start + np.linalg.lstsq(asked, goal - asked @ start, rcond=None)[0]
        share = np.maximum(share, 0.0)
        return np.asarray(share / share.sum())

    def _excess(self, chosen: Offsets, share: Floats) -> float:
        """Return what the best exceeds the bound of combined flows by.

        What they still carry, in the last digits, counts over the range that was looked at.
        """
        bound, carried = 0.0, np.zeros_like(self.best.beta)
        for k, part in zip(chosen.tolist(), share.tolist(), strict=True):
            one = self.seen[k]
            away = float(one.slope @ (one.beta - self.best.beta))
            bound += part * (one.solution.lower_bound - away)
            carried += part * one.slope
        reach = np.max([np.abs(one.beta - self.best.beta) for one in self.seen], axis=0)
        ridge, pulled = self.bowls.ridge, self.bowls.pulled
        miss = (carried + self.best.pull)[pulled]
        lost = float(np.sum(miss**2 / (4 * ridge[pulled])))
        return self.best.value - bound + lost + float(np.abs(carried) @ np.where(ridge, 0.0, reach))


def search(
    inner: InnerProblem, begin: Looked, reach: float, tol: float
) -> tuple[Looked, Floats, float]:
    """Return the best point, the flow that proves it and its excess.

    Looks go from ``begin``, within ``reach`` first.
    """
    planes, first = Planes(begin, inner.ridge), reach
    while inner.asked < MOST:
        best = planes.best
        free, height, _ = planes.lowest(None)
        if height >= -0.1 * tol:
            break
        near, promised, _ = planes.lowest(reach)
        if np.abs(free - best.beta).max() <= reach and height > -np.inf:
            near, promised = free, height
        there = inner.look(near, best.solution)
        planes.add(there)
        brought = (there.total - best.total) / best.total if best.total else 0.0
        if brought <= 0.5 * promised:
            reach *= 2.0
        elif brought >= 0.0:
            reach = max(0.5 * min(reach, float(np.abs(near - best.beta).max())), LEAST * first)
    return planes.best, *planes.proof()
