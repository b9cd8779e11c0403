"""The proof by passes: what no x can do better than, from the pulls at one and a spanning forest.

The pulls ``f_ij = w f'(e_i - e_j)`` are a flow that misses conservation by g, what the candidates
are pulled by. A flow h on the forest takes g away; ``f - h`` is conserved, and differs from f on
n - 1 pairs only. So the distance to the bound is a sum over these, each at least 0:

    excess  =  sum over forest edges of   w (f(r) + f*(s) - s r),      s = f'(r) - h / w

For losses whose slopes are bounded (p = 1, Huber) the flow is then scaled until it keeps within the
weights, which costs its share of the bound. There g is evened out before, where that is quick
(:mod:`~qrja.scale.evening_out`).
"""

from __future__ import annotations

from typing import NamedTuple

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


class Evening(NamedTuple):
    """Flows ``w (d_i - d_j)``, what they take from the candidates, and ``sum w (d_i - d_j) r``.

    ``slip`` is what rounding may hide of that sum, in units of it.
    """

    d: Floats
    pull: Floats
    line: float
    slip: float

    @classmethod
    def nothing(cls, n: int) -> Evening:
        """Return no flow at all."""
        return cls(np.zeros(n), np.zeros(n), 0.0, 0.0)

    @property
    def most(self) -> float:
        """The largest part of its weight that any pair may get."""
        return 2.0 * float(np.abs(self.d).max(initial=0.0))


def window_bounds(
    spot: Spot,
    x: Floats,
    width: float,
    routes: Routes,
    degree: Floats,
    evening: Evening | None = None,
) -> tuple[float, float]:
    """Return lower bounds for p = 1 and for Huber's loss of this width, from the same pulls.

    ``spot`` is what :func:`~qrja.scale.kernels.windows.add_windows` adds up to, and ``degree`` what
    the pairs of each candidate weigh. Rounding proves nothing: whatever it may hide is taken off.
    ``evening`` is a flow that is taken off as well.
    """
    even = Evening.nothing(len(x)) if evening is None else evening
    r, (a, b, w, _) = routes.residuals(x), routes.edges
    h = routes.carry(spot.pull - even.pull)
    _, along, both, _, every, along_slip, both_slip, steep = spot.totals
    # Residuals lose digits to large scores, and flows to what is added up on the way to them; what
    # different candidates lose has nothing to do with each other, so that squares add up.
    size, over = routes.slips(x), even.most
    astray = UNIT * (1 + 2 * over) * np.sqrt(routes.gather(degree * degree))
    off = even.d[a] - even.d[b]
    low, high = (w * (np.clip((r + slip) / width, -1.0, 1.0) - off) for slip in (-size, size))
    rest = np.maximum(np.abs(low - h), np.abs(high - h)) + astray
    keep = 1.0 / (max(float((rest / w).max(initial=0.0)), 1.0 + over) + UNIT * float(steep))
    line = float(along - even.line - h @ r)
    # (f - h)^2 - f^2, for the f within reach for which it is largest.
    taken = float(even.d @ even.pull - 2 * even.d @ spot.pull)
    squares = float(both + taken + np.sum((h * h - 2 * np.minimum(low * h, high * h)) / w))
    # Far from the optimum both are differences of large numbers, whose last digits prove nothing.
    line -= DIGITS * float(abs(along) + abs(even.line) + np.abs(h) @ np.abs(r))
    squares += DIGITS * float(both + np.sum((rest * rest + h * h) / w))
    squares += DIGITS * over * (1 + over) * float(every)
    line -= UNIT * float(along_slip + even.slip)
    line -= float(np.abs(h) @ size + astray @ (np.abs(r) + size))
    squares += UNIT * float(both_slip + steep * every) + float(
        np.sum(astray * (2 * rest + astray) / w)
    )
    huber = keep * width * line - 0.5 * keep * keep * width * width * squares
    return keep * line, huber


def window_losses(spot: Spot, width: float) -> tuple[float, float]:
    """Return ``sum w |r|`` and Huber's loss ``sum w h(r)`` at the same x."""
    absolute, line, squares = spot.totals[:3]
    return float(absolute), float(width * line - 0.5 * width * width * squares)
