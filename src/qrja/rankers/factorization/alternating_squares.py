"""Alternating least squares: a low-rank fit carried on until the error falls no more.

    U_c <- argmin over t of   sum of (value - t . V_a)^2 over the entries of c  +  h |t - U_c|^2

for every contest c, then V_a likewise for every contestant a, and again. Each half is a small
linear system per row. The pull h toward the last value keeps rows with fewer entries than factors
in place; it vanishes at a fixed point, so the limit is stationary for the squared error itself.

References
----------
L. Grippo and M. Sciandrone, On the convergence of the block nonlinear Gauss-Seidel method under
convex constraints, 2000 (the proximal variant).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, sum_by
from qrja.rankers.factorization.score_matrix import Matrix

STILL = 1e-7
"""Relative fall of the squared error in a sweep at which the sweeps end."""
SWEEPS = 500
"""Sweeps after which they end anyhow."""
PULL = 1e-3


def alternate(matrix: Matrix, U: Floats, V: Floats) -> tuple[Floats, Floats]:
    """Return U and V after as many sweeps as lower the error.

    Examples
    --------
    >>> matrix = Matrix(np.array([0, 2]), np.array([0, 1]), np.array([1.0, 0.5]), np.ones(2), 1, 2)
    >>> U, V = alternate(matrix, np.ones((1, 1)), np.ones((2, 1)))
    >>> (U @ V.T).round(3)
    array([[1. , 0.5]])
    """
    error = np.inf
    for _ in range(SWEEPS):
        U = solve_rows(matrix, matrix.row, U, V[matrix.who])
        V = solve_rows(matrix, matrix.who, V, U[matrix.row])
        last = error
        error = matrix.squared_error(np.einsum("ek,ek->e", U[matrix.row], V[matrix.who]))
        if error >= (1 - STILL) * last:
            break
    return U, V


def solve_rows(
    matrix: Matrix, group: NDArray[np.integer[Any]], rows: Floats, others: Floats
) -> Floats:
    """Solve for each row, given the other side's row of each entry."""
    n, rank = rows.shape
    scaled = others * matrix.count[:, None]
    normal = np.empty((n, rank, rank))
    right = np.empty((n, rank))
    for k in range(rank):
        right[:, k] = sum_by(group, scaled[:, k] * matrix.value, n)
        for l in range(k + 1):
            normal[:, k, l] = normal[:, l, k] = sum_by(group, scaled[:, k] * scaled[:, l], n)
    normal += PULL * np.eye(rank)
    solved = np.linalg.solve(normal, (right + PULL * rows)[:, :, None])
    return np.asarray(solved[:, :, 0], dtype=np.float64)
