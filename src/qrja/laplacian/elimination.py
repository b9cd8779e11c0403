"""Elimination: nodes of low degree taken out of a Laplacian, many at once, exactly.

With I nodes of which no two are joined, D their diagonal, B their entries to the others C,

    A = [D  B; B^T  A_C],     S = A_C - B^T D^-1 B,
    b^T A^-1 b = y_I^T D^-1 y_I + y_C^T S^-1 y_C,     y_I = b_I,   y_C = b_C - B^T D^-1 b_I

Each round takes such a set of nodes of low degree, as minimum degree does one at a time, and goes
on with S. Chains, trees, stars and contests that few enter vanish; what is left, the core, is small
or so full that elimination pays no longer. Of a Laplacian, S is one too.

References
----------
J. W. H. Liu, Modification of the minimum-degree algorithm by multiple elimination, 1985.
M. Luby, A simple parallel algorithm for the maximal independent set problem, 1986.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from qrja.data import Floats, Index, Mask, Offsets

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEW = 400
"""Nodes that a dense factorisation takes at once, whatever their degrees."""
FULL = 0.2
"""Share of entries from which a matrix is taken as dense: sparse products then cost more."""
ALWAYS, SOME = 4, 0.08
"""Entries of a row that is always taken out, and the share of lowest rows that are in each round.
Shares of 0.03 to 0.15 make the same core of Codeforces, the smaller in more rounds."""


class Round(NamedTuple):
    """Nodes taken out together, of those that were left: numbers, diagonal and ``D^-1 B``."""

    inside: Offsets
    outside: Offsets
    pivot: Floats
    shares: csr_array


class Elimination:
    """A matrix with its nodes of low degree taken out.

    Parameters
    ----------
    matrix : sparse array
        A Laplacian, or the Laplacian and something positive on its diagonal.
    kept : array of bool
        Nodes that stay: at least one of each component where the matrix is singular.
    dense : int
        The largest core that is worth any fill.
    growth : float
        By which factor entries may grow while the core is larger.

    Examples
    --------
    >>> from qrja.laplacian.operator import laplacian_matrix
    >>> chain = laplacian_matrix(3, np.array([0, 1]), np.array([1, 2]), np.array([1.0, 1.0]))
    >>> Elimination(chain, np.array([True, False, True])).core.shape  # few nodes stay
    (3, 3)
    """

    def __init__(
        self,
        matrix: csr_array,
        kept: Mask,
        *,
        dense: int = 3000,
        growth: float = 5.0,
    ) -> None:
        self.rounds: list[Round] = []
        self.core, self.kept = matrix, kept
        allowed, least = growth * matrix.nnz, (matrix.nnz, 0, matrix, kept)
        rng = np.random.default_rng(0)
        while self.core.shape[0] > FEW and self.core.nnz < FULL * self.core.shape[0] ** 2:
            if self.core.shape[0] > dense and self.core.nnz > allowed:
                break
            chosen = _independent(self.core, self.kept, rng)
            if not chosen.any():
                break
            self._take(chosen)
            if self.core.nnz <= least[0]:
                least = self.core.nnz, len(self.rounds), self.core, self.kept
        self.is_small = self.core.shape[0] <= dense
        if not self.is_small:
            # Nothing to be gained by fill: go back to where there was least of it.
            _, count, self.core, self.kept = least
            del self.rounds[count:]

    def _take(self, chosen: Mask) -> None:
        inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
        rows = self.core[inside]
        pivot = self.core.diagonal()[inside]
        beside = rows[:, outside]
        from scipy.sparse import csr_array, diags_array

        shares = csr_array(diags_array(1.0 / pivot) @ beside)
        self.core = csr_array(self.core[outside][:, outside] - beside.T @ shares)
        self.kept = self.kept[outside]
        self.rounds.append(Round(inside, outside, pivot, shares))

    def forward(self, columns: Any) -> Iterator[tuple[Any, Floats | None]]:
        """Take columns, sparse or not, through the rounds.

        Yields what they are at the nodes of each round, with the pivots of these; at last what
        they are at the core, without.
        """
        for one in self.rounds:
            here = columns[one.inside]
            yield here, one.pivot
            columns = columns[one.outside] - one.shares.T @ here
        yield columns, None

    def solve(self, columns: Floats, core: Any) -> Floats:
        """Solve for columns; ``core`` is asked to solve what is left of them at the core."""
        met = list(self.forward(columns))
        solved = np.asarray(core(met[-1][0]))
        for one, (here, pivot) in zip(reversed(self.rounds), reversed(met[:-1]), strict=True):
            whole = np.empty((len(one.inside) + len(one.outside), columns.shape[1]))
            whole[one.outside] = solved
            whole[one.inside] = here / pivot[:, None] - one.shares @ solved
            solved = whole
        return solved


def _independent(matrix: csr_array, kept: Mask, rng: np.random.Generator) -> Mask:
    """Choose nodes of low degree, no two of them joined."""
    degree = np.diff(matrix.indptr)
    free = degree[~kept]
    if not len(free):
        return np.zeros(len(kept), dtype=bool)
    low = max(float(np.quantile(free, SOME)), float(ALWAYS))
    wanted = ~kept & (degree <= low)
    # A draw for each: who is below all wanted neighbours is chosen.
    draw = np.where(wanted, degree + rng.random(len(degree)), np.inf)
    beside = draw[matrix.indices]
    beside[matrix.indices == _rows(matrix)] = np.inf
    least = np.minimum.reduceat(beside, matrix.indptr[:-1].astype(np.int64))
    return np.asarray(wanted & (draw < least))


def _rows(matrix: csr_array) -> Index:
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
