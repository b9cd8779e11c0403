"""A solution found in another unit, where the numbers of the problem itself would vanish.

With scores in the unit u and a loss of degree d, losses are ``u^d`` times, flows ``u^(d-1)`` times
those of the solution that was found. Below the floats they are told as 0, beyond them as infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """The way back from another unit.

    Parameters
    ----------
    unit : float
        A power of two.
    degree : float
        Of the loss.

    Examples
    --------
    >>> Elsewhere(2.0**-300, 2.0).enlarge(3.0) == 3.0 * 2.0**-600
    True
    >>> Elsewhere(2.0**-600, 2.0).enlarge(3.0)
    0.0
    """

    unit: float
    degree: float

    def enlarge(self, loss: float) -> float:
        """Return a loss in the unit of the problem."""
        return float(_times_power(np.array(loss), self.unit, self.degree))

    def carry(self, flow: Floats) -> Floats:
        """Return a flow in the unit of the problem."""
        flow = _times_power(flow, self.unit, self.degree - 1)
        if not np.isfinite(flow).all():
            raise InputError(
                "the flow is too large for a float at this power; divide the margins by"
                f" {self.unit:.0e} and solve again"
            )
        return flow


def _times_power(values: Floats, unit: float, exponent: float) -> Floats:
    """Return ``values unit^exponent``, 0 where that is below the floats, infinite beyond them."""
    whole, rest = divmod(math.log2(unit) * exponent, 1)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(values * 2.0**rest, int(whole)))
