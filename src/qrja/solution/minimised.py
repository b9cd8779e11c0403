"""What was minimised: the loss, the ridge and the anchors.

    sum_i w_i f(y_i - (x_a - x_b))  +  sum over free v of (ridge + pin_v) (x_v - goal_v)^2

with ``x_v = goal_v`` for those v that are not free; or ``max_i w_i |y_i - (x_a - x_b)|``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, frozen

if TYPE_CHECKING:
    from qrja.losses import KnownLoss

ROUNDED_TO = 2.0**-48
"""Residuals of up to this share of the two scores and the margin are rounding. For p < 1 they count
as 0: the power would make them look large."""


@dataclass(frozen=True, eq=False)
class Demands:
    """A checked ridge, and per candidate the anchored or prior score and whether it is free.

    Uncertain anchors pull by ``pins``, one over the square of their standard errors.
    """

    ridge: float
    goal: Floats
    free: NDArray[np.bool_]
    pins: Floats | None = None

    @cached_property
    def pull(self) -> Floats:
        """What pulls each candidate to its goal: the ridge, and its pin."""
        pins = 0.0 if self.pins is None else self.pins
        return frozen(np.where(self.free, self.ridge + pins, 0.0))


@dataclass(frozen=True, eq=False)
class Minimised:
    """What a solution is an optimum of.

    Parameters
    ----------
    power : float or None
        p of the loss ``|t|^p``, infinity for the largest error, None for any other loss.
    other : KnownLoss, optional
        That other loss.
    demands : Demands, optional
        Ridge, prior and anchors, if there are any.

    Examples
    --------
    >>> Minimised(1.5).loss
    Power(p=1.5)
    """

    power: float | None
    other: KnownLoss | None = None
    demands: Demands | None = None

    @cached_property
    def loss(self) -> KnownLoss | None:
        """The convex loss of one residual; None for p < 1 and for p = infinity."""
        from qrja.losses import Power

        if self.power is None:
            return self.other
        return Power(self.power) if 1 <= self.power < np.inf else None

    def demands_on(self, n: int) -> Demands:
        """Return the demands on n candidates, who are free where nothing is said."""
        return self.demands or Demands(0.0, np.zeros(n), np.ones(n, dtype=bool))
