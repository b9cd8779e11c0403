"""A Laplacian factorised once: many columns solved, and its determinant.

    log det L = log det (L with a node for each contest) - sum of log degrees of these nodes

with one node of each component held at 0, or all that are anchored. The factors are sparse: for
graphs that fall apart when few nodes are taken out, such as those of strengths that move, where a
season is held to the next by one tie for each contestant.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Contests, Floats, Judgments, Mask
from qrja.laplacian.operator import quadratic


class FactoredLaplacian:
    """The factors of ``L(w)``, candidates that are not free held at 0, else one of each component.

    Parameters
    ----------
    problem : Contests or Judgments
        Whose graph.
    free : array of bool
        Who is not anchored.

    Examples
    --------
    >>> chain = Judgments.from_arrays("ab", "bc", [1, 1], [2, 3])
    >>> factored = FactoredLaplacian(chain, np.ones(3, dtype=bool))
    >>> v = factored.solve(np.array([[1.0], [0.0], [-1.0]]))[:, 0]
    >>> round(float(v[0] - v[2]), 9), round(float(np.exp(factored.log_determinant)), 9)
    (0.833333333, 6.0)
    """

    def __init__(self, problem: Contests | Judgments, free: Mask) -> None:
        from scipy.sparse.linalg import splu  # takes a while to load

        self.n = problem.n
        matrix = quadratic(problem).sparse_laplacian()
        held = ~free
        floats = np.setdiff1d(problem.components, problem.components[held])
        # The first of each component that nothing holds.
        _, first = np.unique(problem.components, return_index=True)
        held = held.copy()
        held[first[floats]] = True
        diagonal = matrix.diagonal()
        keep = np.concatenate([~held, diagonal[self.n :] > 0])
        self._inside = np.flatnonzero(keep)
        self._size = matrix.shape[0]
        self._lu = None
        self.log_determinant = 0.0
        if not len(self._inside):
            return
        inside = matrix[self._inside][:, self._inside].tocsc()
        self._lu = splu(
            inside,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True, "Equil": False},
        )
        pivots = np.abs(self._lu.U.diagonal())
        stars = diagonal[self.n :]
        self.log_determinant = float(np.log(pivots).sum() - np.log(stars[stars > 0]).sum())

    def solve(self, columns: Floats) -> Floats:
        """Return v with ``L v = columns``, 0 at nodes that are held; columns sum to 0 elsewhere."""
        full = np.zeros((self._size, columns.shape[1]))
        full[: self.n] = columns
        found = np.zeros_like(full)
        if self._lu is not None:
            found[self._inside] = self._lu.solve(full[self._inside])
        return found[: self.n]
