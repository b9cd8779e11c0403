"""p = 2 on many draws of the same pairs: a column for each, and every pass serves all of them.

Pairs of the same two contestants are as good as one with their weight and their mean margin, an
edge, and all draws have the same edges, of which some weigh nothing. So the normal equations of all
draws are solved by one run of conjugate gradients with a system in each column, and proved as any
least squares are: what conservation lacks is sent along a spanning forest of each draw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Mask
from qrja.laplacian import ByColumn, conjugate_gradients, jacobi
from qrja.paper.subsampling.pair_pool import Counts, SortedPairs
from qrja.solution import prove

STEPS = 200
"""Steps after which a graph is hard, and left to a solver that has more than one way."""
FINE = 1e-13
"""Part of what was missing that may be left, in the norm of the preconditioner."""


@dataclass(frozen=True)
class DrawnSquares:
    """Scores of all draws, a column for each."""

    x: Floats
    is_proved: Mask
    """Which columns are proved optimal."""


def solve_squares(pairs: SortedPairs, times: Counts, n: int, tol: float) -> DrawnSquares:
    """Minimise ``sum times weight (x_low - x_high - margin)^2``, each component with mean 0.

    Parameters
    ----------
    pairs : SortedPairs
        Of ``n`` contestants.
    times : array of int
        How often each pair was drawn, sorted as they are: a row for each draw.
    n : int
        The number of contestants.
    tol : float
        Relative gap from which a column is proved.
    """
    from qrja.paper.subsampling.kernels.many_draws import (
        add_degrees,
        add_up_edges,
        multiply,
        span_and_centre,
    )

    edges, columns = len(pairs.first), len(times)
    low, high = pairs.low[pairs.first], pairs.high[pairs.first]
    heavy, squares = np.empty((edges, columns)), np.zeros(columns)
    pull, degree = np.zeros((2, n, columns))
    drawn = pairs.first, (pairs.low, pairs.high), pairs.margin, pairs.weight, times
    add_up_edges(*drawn, heavy, pull, squares)
    add_degrees(low, high, heavy, degree)

    def product(x: Floats) -> Floats:
        out = np.zeros_like(x)
        multiply(low, high, heavy, x, out)
        return out

    x, _, _ = conjugate_gradients(
        product, pull, jacobi(degree), tol=FINE, limit=STEPS, systems=ByColumn()
    )
    imbalance, excess = pull - product(x), np.zeros(columns)
    loss = squares - np.einsum("ij,ij->j", x, pull) - np.einsum("ij,ij->j", x, imbalance)
    span_and_centre(low, high, heavy, x, imbalance, excess)
    proved = [prove(*both, 0.0, tol).status == "optimal" for both in zip(loss, excess, strict=True)]
    return DrawnSquares(x, np.array(proved))
