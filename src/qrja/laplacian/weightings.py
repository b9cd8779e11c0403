"""Least squares for many weightings of the same contests at once, by sparse matrices.

It does what :mod:`qrja.laplacian.kernels.weightings` does, with the same names, some half as fast
again but without the compiler: importing that alone takes longer than the intervals of a usual
table.
"""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from qrja.data import Floats, Index, Offsets

COMPILED = 50_000
"""Entries from which on compiled loops are worth their start."""


def weightings_of(entries: int) -> ModuleType:
    """Return the module that is quicker for so many entries, this one or the compiled one."""
    if entries < COMPILED:
        return sys.modules[__name__]
    from qrja.laplacian.kernels import weightings as _kernels_weights

    return _kernels_weights


class Stars:
    """Contests: the entries of contest c are ``start[c]:start[c + 1]``."""

    def __init__(self, n: int, start: Offsets, who: Index) -> None:
        self.n, self.start, self.who = n, start, who
        self.sizes = np.diff(start)
        self.entrants = self.matrix(np.ones(len(who)))
        self.contests = self.entrants.T.tocsr()

    def matrix(self, values: Floats) -> csr_array:
        """Lay a value of each entry out, a row per contest and a column per candidate."""
        return csr_array((values, self.who, self.start), shape=(len(self.sizes), self.n))


def pulls(stars: Stars, weight: Floats, residual: Floats) -> Floats:
    """Return ``sum_c w_c k_c residual``, the gradient of residuals that are centred per contest."""
    scaled = stars.matrix(np.repeat(stars.sizes, stars.sizes) * residual)
    return np.asarray(scaled.T @ weight)


def descend(
    stars: Stars,
    weight: Floats,
    ridge: float,
    free: NDArray[np.bool_],
    g: Floats,
    tol: float,
    rounding: float,
    limit: int,
) -> tuple[Floats, int]:
    """Solve ``(L_w + ridge I) d = g`` for those who are free, a column for each weighting.

    See the compiled :func:`qrja.laplacian.kernels.weightings.descend`.
    """
    full = np.asarray(stars.contests @ (weight * stars.sizes[:, None])) + ridge
    degree = full - np.asarray(stars.contests @ weight)
    inverse = 1.0 / np.where(degree > 0, degree, 1.0)
    inverse[~free] = 0.0
    d, r = np.zeros_like(g), np.where(free[:, None], g, 0.0)
    direction = inverse * r
    rz = _dots(r, direction)
    goal = np.maximum(tol * tol * rz, rounding)
    for step in range(limit):
        live = rz > goal
        if not live.any():
            return d, step
        product = full * direction
        product -= stars.contests @ (weight * (stars.entrants @ direction))
        # A column that has arrived stays where it is.
        alpha = _ratio(rz, _dots(direction, product), live)
        d += alpha * direction
        r -= alpha * product
        z = inverse * r
        last, rz = rz, np.where(alpha > 0, _dots(r, z), 0.0)
        direction *= _ratio(rz, last, live)
        direction += z
    return d, limit


def _dots(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.einsum("ib,ib->b", a, b))


def _ratio(top: Floats, bottom: Floats, live: NDArray[np.bool_]) -> Floats:
    return np.divide(top, bottom, out=np.zeros_like(top), where=live & (bottom > 0))


def count_pieces(stars: Stars, drawn: NDArray[np.bool_], pieces: Index) -> None:
    """Count, for each column of ``drawn``, the components of the contests that were drawn."""
    of_entry = np.repeat(np.arange(len(stars.sizes)), stars.sizes)
    for b, chosen in enumerate(drawn.T):
        who = stars.who[chosen[of_entry]]
        ends = np.concatenate([np.zeros(stars.n + 1, np.int64), np.cumsum(stars.sizes[chosen])])
        size = len(ends) - 1
        joined = csr_array((np.ones(len(who)), who, ends), shape=(size, size))
        count, _ = connected_components(joined, directed=False)
        pieces[b] = count - int((stars.sizes[chosen] == 0).sum())
