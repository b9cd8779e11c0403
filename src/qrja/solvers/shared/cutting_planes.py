"""Terms for losses of lines, and for the largest error: cutting planes with a trust region.

h is piecewise linear, and every look at it gives a plane below it:

    h(beta) >= h_k + h'_k . (beta - beta_k)       for all k

The lowest point of all planes within a box around the best beta is looked at next; the box grows
where planes were right and shrinks where they were not. When the lowest point of the planes without
the box is as high as h itself, the weights lambda of the planes that meet there (the dual) combine
flows into one that carries nothing of the columns: ``sum lambda h'_k = 0``, which is the proof.

References
----------
J. E. Kelley, The cutting-plane method for solving convex programs, 1960.
A. Marsten, W. Hogan, J. Blankenship, The boxstep method for large-scale optimization, 1975.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats
from qrja.solvers.shared.inner_problem import InnerProblem, Looked

MOST = 400
"""Looks at h: one term takes some ten of them, ten take a hundred."""
LEAST = 1e-12
"""Size of the box, as a share of the first, below which rounding decides."""
PRESENT = 1e-9
"""Weight of a plane that is none."""


class Planes:
    """What was looked at, and the flows that prove it."""

    def __init__(self, first: Looked) -> None:
        self.best = first
        self.seen = [first]

    def add(self, one: Looked) -> None:
        """Remember one more."""
        self.seen.append(one)
        if one.value < self.best.value:
            self.best = one

    def lowest(self, reach: float | None) -> tuple[Floats, float, Floats]:
        """Return the lowest point of all planes in the box, its height below the best, and lambda.

        Without a box that a plane may be infinitely low: then the height is minus infinity.
        """
        from scipy.optimize import linprog

        best, k = self.best, len(self.best.beta)
        unit = max(best.value, np.finfo(np.float64).tiny)
        slope = np.stack([one.slope for one in self.seen]) / unit
        behind = [one.value - best.value - one.slope @ (one.beta - best.beta) for one in self.seen]
        found = linprog(
            np.append(np.zeros(k), 1.0),
            A_ub=np.column_stack([slope, -np.ones(len(slope))]),
            b_ub=-np.array(behind) / unit,
            bounds=[(None, None) if reach is None else (-reach, reach)] * k + [(None, None)],
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.status != 0 or found.x is None:
            return best.beta, -np.inf, np.zeros(len(slope))
        return best.beta + found.x[:k], float(found.x[k]), -found.ineqlin.marginals

    def proof(self) -> Floats | None:
        """Return the flow of the planes that meet at the lowest point of all."""
        _, height, weight = self.lowest(None)
        if not height > -np.inf:
            return None
        chosen = np.flatnonzero(weight > PRESENT)
        slopes = np.stack([self.seen[k].slope for k in chosen])
        size = max(float(np.abs(slopes).max(initial=0.0)), np.finfo(np.float64).tiny)
        asked = np.vstack([slopes.T / size, np.ones(len(chosen))])
        goal = np.append(np.zeros(slopes.shape[1]), 1.0)
        start = weight[chosen]
        # What the program leaves of its digits is taken off; weights stay above 0.
        share = start + np.linalg.lstsq(asked, goal - asked @ start, rcond=None)[0]
        share = np.maximum(share, 0.0)
        share /= share.sum()
        flows = (self.seen[k].flow for k in chosen)
        return np.asarray(sum(s * flow for s, flow in zip(share, flows, strict=True)))


def search(inner: InnerProblem, begin: Floats, reach: float, tol: float) -> tuple[Looked, Floats]:
    """Return the best point and the flow that proves it, from ``begin`` within ``reach`` first."""
    planes, first = Planes(inner.look(begin)), reach
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
        brought = (there.value - best.value) / best.value if best.value else 0.0
        if brought <= 0.5 * promised:
            reach *= 2.0
        elif brought >= 0.0:
            reach = max(0.5 * min(reach, float(np.abs(near - best.beta).max())), LEAST * first)
    flow = planes.proof()
    return planes.best, planes.best.flow if flow is None else flow
