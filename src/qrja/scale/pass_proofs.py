"""The proof by passes: what no x can do better than, from the pulls at one and a spanning forest.

The pulls ``f_ij = w f'(e_i - e_j)`` are a flow that misses conservation by g, what the candidates
are pulled by. A flow h on the forest takes g away; ``f - h`` is conserved, and differs from f on
n - 1 pairs only. So the distance to the bound is a sum over these, each at least 0:

    excess  =  sum over forest edges of   w (f(r) + f*(s) - s r),      s = f'(r) - h / w

For losses whose slopes are bounded (p = 1, Huber) the flow is then scaled until it keeps within the
weights, which costs its share of the bound.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats
from qrja.losses import KnownLoss
from qrja.scale.newton_steps import Spot
from qrja.scale.spanning import Routes
from qrja.solution import UNIT

DIGITS = 1e-12
"""What sums over all pairs may be off by, as a share of what they sum."""


def excess_of(loss: KnownLoss, pull: Floats, x: Floats, routes: Routes) -> float:
    """Return by how much the loss at x may exceed the least, for a loss without bounded slopes.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> from qrja.scale.spanning import Edges
    >>> one = Edges(np.array([0]), np.array([1]), np.ones(1), np.array([3.0]))
    >>> excess_of(Power(2), np.array([6.0, -6.0]), np.zeros(2), Routes(2, one))
    9.0
    """
    r, w = routes.residuals(x), routes.edges.w
    h = routes.carry(pull)
    with np.errstate(over="ignore", invalid="ignore"):
        missing = w * loss.shortfall(r, loss.slope(r) - h / w)
    total = float(missing.sum())
    return total if total == total else np.inf


def window_bounds(
    spot: Spot, x: Floats, width: float, routes: Routes, degree: Floats
) -> tuple[float, float]:
    """Return lower bounds for p = 1 and for Huber's loss of this width, from the same pulls.

    ``spot`` is what :func:`~qrja.scale.kernels.windows.add_windows` adds up to, and ``degree`` what
    the pairs of each candidate weigh. Rounding proves nothing: whatever it may hide is taken off.
    """
    r, w = routes.residuals(x), routes.edges.w
    h = routes.carry(spot.pull)
    _, along, both, _, every, along_slip, both_slip, steep = spot.totals
    # Residuals lose digits to large scores, and flows to what is added up on the way to them; what
    # different candidates lose has nothing to do with each other, so that squares add up.
    size = routes.slips(x)
    astray = UNIT * np.sqrt(routes.gather(degree * degree))
    low, high = (w * np.clip((r + slip) / width, -1.0, 1.0) for slip in (-size, size))
    rest = np.maximum(np.abs(low - h), np.abs(high - h)) + astray
    keep = 1.0 / (max(float((rest / w).max(initial=0.0)), 1.0) + UNIT * float(steep))
    line = float(along - h @ r)
    # (f - h)^2 - f^2, for the f within reach for which it is largest.
    squares = float(both + np.sum((h * h - 2 * np.minimum(low * h, high * h)) / w))
    # Far from the optimum both are differences of large numbers, whose last digits prove nothing.
    line -= DIGITS * float(abs(along) + np.abs(h) @ np.abs(r))
    squares += DIGITS * float(both + np.sum((rest * rest + h * h) / w))
    line -= UNIT * float(along_slip) + float(np.abs(h) @ size + astray @ (np.abs(r) + size))
    squares += UNIT * float(both_slip + steep * every) + float(
        np.sum(astray * (2 * rest + astray) / w)
    )
    huber = keep * width * line - 0.5 * keep * keep * width * width * squares
    return keep * line, huber


def window_losses(spot: Spot, width: float) -> tuple[float, float]:
    """Return ``sum w |r|`` and Huber's loss ``sum w h(r)`` at the same x."""
    absolute, line, squares = spot.totals[:3]
    return float(absolute), float(width * line - 0.5 * width * width * squares)
