"""Least squares for many weightings of the same contests at once.

For weights ``w_c`` of the contests, one column each, solve

    (L_w + ridge I) d = g,      (L_w d)_i = sum_{c with i}  w_c (k_c d_i - sum_{j in c} d_j)

for the candidates that are free, the others staying at 0. The columns of an array lie side by side
in memory, so that one pass over the entries serves them all.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from qrja.data import Floats, Index, Mask, Offsets, graph
from qrja.laplacian.cg import ByColumn, conjugate_gradients
from qrja.laplacian.preconditioners import jacobi
from qrja.row_matrices import Matrix, by_rows, rows_first

NOT_DRAWN = 2.0**-10
"""What is left of the weight of a contest that a resample leaves out, so that nobody drops out."""
BITS = 64
ROUNDS = 60
"""Rounds after which contests are taken for a chain: each reaches the neighbours of the last."""


class Weightings:
    """Contests whose weights are yet to come, a column for each weighting.

    Parameters
    ----------
    n : int
        Number of candidates.
    start, who : array of int
        The entries of contest c are ``start[c]:start[c + 1]``, each of one candidate.

    Examples
    --------
    One contest of two, weighing 1 and then 2; its residuals are 1.5 and -1.5.

    >>> contest = Weightings(2, np.array([0, 2]), np.array([0, 1]))
    >>> weight = np.array([[1.0, 2.0]])
    >>> g = contest.pulls(weight, np.array([1.5, -1.5]))
    >>> free = np.array([True, False])
    >>> contest.solve(weight, g, ridge=0.0, free=free, tol=1e-9, rounding=0.0, limit=9)[0]
    array([[3., 3.],
           [0., 0.]])
    """

    def __init__(self, n: int, start: Offsets, who: Index) -> None:
        self.n, self.start, self.who = n, start, who
        self.sizes = np.diff(start)
        self._entrants = self._matrix(np.ones(len(who)))
        self._contests = rows_first(self._entrants.T)

    def _matrix(self, values: Floats) -> Matrix:
        """Lay a value of each entry out, a row per contest and a column per candidate."""
        return by_rows(values, self.who, self.start, self.n)

    def pulls(self, weight: Floats, residual: Floats) -> Floats:
        """Return ``sum_c w_c k_c residual``: the gradient, for residuals centred per contest."""
        scaled = self._matrix(np.repeat(self.sizes, self.sizes) * residual)
        return np.asarray(scaled.T @ weight)

    def solve(
        self,
        weight: Floats,
        g: Floats,
        *,
        ridge: float,
        free: Mask,
        tol: float,
        rounding: float,
        limit: int,
    ) -> tuple[Floats, int]:
        """Solve ``(L_w + ridge I) d = g`` for those who are free, a column for each weighting.

        A column has arrived when ``r . r / degree`` has fallen by ``tol^2``, or below ``rounding``:
        the rounding errors of g do not add up to 0 over a component, so they have no solution.

        Returns
        -------
        d, steps
            The solution, and the steps of the slowest column: ``limit`` if it is not there.
        """
        full = np.asarray(self._contests @ (weight * self.sizes[:, None])) + ridge
        degree = full - np.asarray(self._contests @ weight)
        # Whoever is held has no degree, so that the preconditioner gives 0.
        degree[~free] = 0.0

        def product(d: Floats) -> Floats:
            result = full * d
            result -= self._contests @ (weight * (self._entrants @ d))
            return result

        d, steps, _ = conjugate_gradients(
            product,
            np.where(free[:, None], g, 0.0),
            jacobi(degree),
            tol=tol,
            floor=rounding,
            limit=limit,
            systems=ByColumn(),
        )
        return d, steps

    def fall_apart(self, drawn: Mask) -> Mask:
        """Tell which columns of ``drawn`` lose somebody, or a link without which all are fewer.

        From a member of each component everybody is reached who can be, in all columns at once:
        each is a bit of a number. Where that takes many rounds, as along a chain, pieces are
        counted instead, column by column.

        Examples
        --------
        >>> three = Weightings(3, np.array([0, 2, 4, 6]), np.array([0, 1, 1, 2, 0, 2]))
        >>> three.fall_apart(np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1]], dtype=bool))
        array([False, False,  True])
        """
        apart = [self._some_apart(some) for some in np.array_split(drawn, _parts(drawn), axis=1)]
        return np.concatenate(apart) if apart else np.zeros(0, dtype=bool)

    def _some_apart(self, drawn: Mask) -> Mask:
        several = self.sizes > 1
        if not several.any():
            return np.zeros(drawn.shape[1], dtype=bool)
        who = self.who[np.repeat(several, self.sizes)]
        start = np.concatenate([[0], np.cumsum(self.sizes[several])[:-1]])
        place = np.uint64(1) << np.arange(drawn.shape[1], dtype=np.uint64)
        bits = np.bitwise_or.reduce(np.where(drawn[several], place, np.uint64(0)), axis=1)
        contest = np.repeat(np.arange(len(start), dtype=np.int32), self.sizes[several])
        order = np.argsort(who, kind="stable")
        candidate, first = np.unique(who[order], return_index=True)
        of = contest[order]
        full = np.bitwise_or.reduce(place)
        reached = np.zeros(self.n, dtype=np.uint64)
        reached[self._roots[np.isin(self._roots, candidate)]] = full
        for _ in range(ROUNDS):
            before = reached[candidate]
            met = np.bitwise_or.reduceat(reached[who], start) & bits
            reached[candidate] |= np.bitwise_or.reduceat(met[of], first)
            by_all = np.bitwise_and.reduce(reached[candidate])
            if by_all == full or (reached[candidate] == before).all():
                return np.asarray((by_all & place) == 0)
        whole = self.count_pieces(np.ones((len(self.sizes), 1), dtype=bool))[0]
        return np.asarray(self.count_pieces(drawn) > whole)

    @cached_property
    def _roots(self) -> Index:
        """One member of each component."""
        label = graph.components(self.n, self.start, self.who)
        return graph.first_of(label)

    def count_pieces(self, drawn: Mask) -> Index:
        """Count, for each column of ``drawn``, the components of the contests that were drawn."""
        of_entry = np.repeat(np.arange(len(self.sizes)), self.sizes)
        pieces = np.empty(drawn.shape[1], dtype=np.int32)
        for b, chosen in enumerate(drawn.T):
            who, sizes = self.who[chosen[of_entry]], self.sizes[chosen]
            start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
            pieces[b] = graph.count_components(self.n, start, who)
        return pieces


def _parts(drawn: Mask) -> int:
    """Return into how many parts columns are cut that have a bit of a number each."""
    return max(-(-int(drawn.shape[1]) // BITS), 1)
