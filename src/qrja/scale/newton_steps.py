"""Newton's method by passes: each product with the curvature is one, and so is each look around.

    H d = g        g_i = sum_j f_ij, what the residuals pull at candidate i; x moves by t d

solved by conjugate gradients, roughly; t is 1, or what the slope that is left says. Components have
steps of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Index, centre
from qrja.laplacian import by_component, conjugate_gradients, jacobi

PRODUCTS = 30
"""Products a step may take: what is missing after so many the next step finds from nearer."""
TRIES = 8
"""NewtonStep lengths that are tried."""
TOO_FAR = -0.25
"""A step that ends where the slope is this part of the first one, downward, is too long."""


class Spot(NamedTuple):
    """What a pass finds at x: pulls, the diagonal of the curvature, and totals over all pairs."""

    pull: Floats
    diagonal: Floats
    totals: Floats

    @classmethod
    def of(cls, out: Floats, n: int) -> Spot:
        """Take a sum apart."""
        return cls(out[:n], out[n : 2 * n], out[2 * n :])


class NewtonStep(NamedTuple):
    """Where a step ends, what is found there, how far it was, and how it went."""

    x: Floats
    spot: Spot
    moved: Floats
    tries: int
    left: float
    """The largest part of the slope that is left along the step, of all components."""


def newton_step(
    x: Floats,
    spot: Spot,
    label: Index,
    look: Callable[[Floats], Spot],
    product: Callable[[Floats], Floats],
    diagonal: Floats,
    tol: float,
) -> NewtonStep:
    """Make one step from x, where ``spot`` was found, and look around at its end.

    Parameters
    ----------
    x, spot, label : arrays
        Where to begin, what was found there, and the component of each candidate.
    look, product : callable
        Find the pulls at some x; multiply by the curvature at this one.
    diagonal : array
        Of the curvature, the preconditioner.
    tol : float
        How far conjugate gradients go.
    """
    systems = by_component(label)
    d, _, _ = conjugate_gradients(
        product,
        centre(spot.pull, label),
        jacobi(diagonal),
        tol=tol,
        limit=PRODUCTS,
        systems=systems,
    )
    parts = int(label.max(initial=-1)) + 1
    slope = np.bincount(label, spot.pull * d, minlength=parts)
    length, tries = np.ones(parts), 0
    while True:
        tries += 1
        moved = length[label] * d
        # Looked at as it is returned: far out, centring moves scores by more than their last digit.
        end = centre(x + moved, label)
        there = look(end)
        ahead = np.bincount(label, there.pull * d, minlength=parts)
        left = np.divide(ahead, slope, out=np.zeros(parts), where=slope > 0)
        far = left < TOO_FAR
        if tries == TRIES or not far.any():
            break
        length[far] *= np.clip(1 / (1 - left[far]), 0.1, 0.8)
    return NewtonStep(end, there, moved, tries, float(np.abs(left).max(initial=0)))
