"""Terms for losses without kinks: quasi-Newton steps on h, which is smooth, and the ridge.

    beta <- beta - t B h'(beta),      B from the slopes seen so far, at first that of least squares

Half of the digits of beta are enough for all digits of h, and the flow of the last step, which
carries next to nothing of the columns, is mended where it is weighed
(:mod:`qrja.solvers.weighing`).

References
----------
J. Nocedal and S. J. Wright, Numerical Optimization, 2006, chapter 6 (BFGS).
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats
from qrja.solvers.shared.inner_problem import InnerProblem, Looked

STEPS, HALVINGS = 60, 12
STEEP = 1e-11
"""Slope, as a share of what flows, that is none."""
GROWTH = 10.0
"""A step goes no further than so many times the last: where the loss is a line, slopes differ by
rounding alone, which promises steps that never end."""
FALL = 1e-4
"""Share of what the slope promises that a step must bring (Armijo)."""


def descend(inner: InnerProblem, here: Looked, inverse: Floats, reach: float) -> Looked:
    """Return the best point found from ``here``, ``inverse`` being about that of h''.

    The first step goes as far as ``reach``: of the inverse only the shape is known, and slopes of
    a large power may be of any size.
    """
    through = float(np.abs(here.flow) @ np.abs(inner.pairs).max(axis=1))
    scaled = False
    for _ in range(STEPS):
        if not np.abs(here.steepness).max() > STEEP * through:
            break
        way = -inverse @ here.steepness
        there = _step(inner, here, way * min(1.0, reach / np.abs(way).max()))
        if there is None:
            break
        moved, bent = there.beta - here.beta, there.steepness - here.steepness
        reach = GROWTH * float(np.abs(moved).max())
        curved = float(moved @ bent)
        if curved > 0:
            if not scaled:  # squares know the shape, and not the size
                inverse, scaled = inverse * (curved / float(bent @ inverse @ bent)), True
            inverse = _update(inverse, moved, bent, curved)
        here = there
    return here


def _step(inner: InnerProblem, here: Looked, way: Floats) -> Looked | None:
    """Go as far as it falls, or nowhere if rounding is all that is left."""
    promised = float(here.steepness @ way)
    length = 1.0
    for _ in range(HALVINGS):
        there = inner.look(here.beta + length * way, here.solution)
        ahead = float(there.steepness @ way)
        if there.total <= here.total + FALL * length * promised or (
            # Where values agree to the last digit, slopes still tell.
            there.total <= here.total * (1 + 1e-12) and abs(ahead) < abs(promised) * 0.9
        ):
            return there
        # The slopes at both ends say where the lowest point between them is.
        turn = promised / (promised - ahead) if ahead > promised else 0.5
        length *= min(max(turn, 0.1), 0.7)
    return None


def _update(inverse: Floats, moved: Floats, bent: Floats, curved: float) -> Floats:
    """Learn how h bends from how its slope changed."""
    keep = np.eye(len(moved)) - np.outer(moved, bent) / curved
    return np.asarray(keep @ inverse @ keep.T + np.outer(moved, moved) / curved)
