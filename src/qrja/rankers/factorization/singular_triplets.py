"""The leading singular triplets of a sparse matrix: A ~ U diag(s) V^T.

The smaller of ``A A^T`` and ``A^T A`` is symmetric and its leading eigenvectors are one side of
the triplets. Up to ``DENSE`` rows it is written out. Beyond, the Lanczos process builds a basis Q
in which it is tridiagonal, kept orthogonal in full, until the leading eigenvalues stand still to
rounding. It starts from fixed numbers, so that equal matrices give equal answers.

References
----------
C. Lanczos, An iteration method for the solution of the eigenvalue problem, 1950.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.sparse import csr_array

from qrja.data import Floats

DENSE = 100
"""Rows up to which the symmetric matrix is written out."""
CHECK_EVERY = 10
"""Lanczos steps between two looks at the eigenvalues."""
NEGLIGIBLE = 1e-7
"""Singular values below this part of the largest are rounding: squaring costs half the digits."""


def leading_triplets(A: csr_array, rank: int) -> tuple[Floats, Floats, Floats]:
    """Return U, s, V with ``rank`` columns each, the largest first; missing ones are 0.

    Examples
    --------
    >>> U, s, V = leading_triplets(csr_array(np.diag([3.0, 5.0])), 1)
    >>> s, np.round(np.outer(U, V) * s, 9)
    (array([5.]), array([[0., 0.],
                         [0., 5.]]))
    """
    if A.shape[0] > A.shape[1]:
        V, s, U = leading_triplets(csr_array(A.T), rank)
        return U, s, V
    if A.shape[0] <= DENSE:
        values, vectors = np.linalg.eigh((A @ A.T).toarray())
    else:
        values, vectors = leading_eigenpairs(lambda q: A @ (A.T @ q), A.shape[0], rank)
    found = min(rank, len(values))
    s, U, V = np.zeros(rank), np.zeros((A.shape[0], rank)), np.zeros((A.shape[1], rank))
    s[:found] = np.sqrt(np.maximum(values[::-1][:found], 0))
    s[s <= NEGLIGIBLE * s.max(initial=0)] = 0
    U[:, :found] = vectors[:, ::-1][:, :found]
    U[:, s == 0] = 0
    V[:, s > 0] = (A.T @ U[:, s > 0]) / s[s > 0]
    return U, s, V


def leading_eigenpairs(
    product: Callable[[Floats], Floats], n: int, rank: int
) -> tuple[Floats, Floats]:
    """Return the ``rank`` largest eigenvalues, rising, and their vectors, by Lanczos.

    Of an eigenvalue that occurs several times, to the last digit, one vector is found.
    """
    random = np.random.default_rng(0)
    basis = np.empty((CHECK_EVERY, n))
    diagonal, beside = np.empty(n), np.empty(n)
    q = random.standard_normal(n)
    for k in range(n):
        if k == len(basis):
            basis = np.concatenate([basis, np.empty_like(basis)])[:n]
        q = orthogonal_to(basis[:k], q)
        basis[k] = q / np.linalg.norm(q)
        q = product(basis[k])
        diagonal[k] = basis[k] @ q
        q = orthogonal_to(basis[: k + 1], q)
        beside[k] = np.linalg.norm(q)
        rounding = 1e-14 * np.abs(diagonal[: k + 1]).max()
        closed = beside[k] <= rounding
        if k + 1 < n and not closed and (k + 1) % CHECK_EVERY:
            continue
        values, weights = eigh_tridiagonal(diagonal[: k + 1], beside[:k])
        wrong = beside[k] * np.abs(weights[-1, -rank:])
        if k + 1 >= rank and (wrong <= rounding).all():
            break
        if closed:  # the basis spans all that q can reach: go on outside of it
            q, beside[k] = random.standard_normal(n), 0.0
    vectors: Floats = basis[: k + 1].T @ weights[:, -rank:]
    return np.asarray(values[-rank:], dtype=np.float64), vectors


def orthogonal_to(basis: Floats, q: Floats) -> Floats:
    """Remove from q its part in the rows of ``basis``, twice: once leaves rounding behind."""
    for _ in range(2):
        q = q - basis.T @ (basis @ q)
    return q
