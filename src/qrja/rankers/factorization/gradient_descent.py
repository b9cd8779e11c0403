"""Gradient descent on the squared error of a factorisation, over the observed entries only.

    minimise   sum over entries of  (value - count * fitted)^2,      fitted = U[c] . V[a],  or u + v

A fixed number of steps is taken from a fixed start: for the low-rank form the truncated singular
value decomposition of the matrix with 0 for what is missing, each side times the root of its
singular values; for the additive form the row and column means of that matrix.

The published step lengths overshoot on data larger and denser than the paper's. Where the error
has grown in the end, training begins again with half the step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from qrja.data import Floats
from qrja.rankers.factorization.score_matrix import Matrix
from qrja.rankers.factorization.singular_triplets import leading_triplets

Factors = tuple[Floats, Floats]
"""What describes the contests, and what describes the contestants."""


def train_low_rank(matrix: Matrix, rank: int, epochs: Sequence[int], step: float) -> list[Factors]:
    """Return U and V after each of the epochs."""
    from qrja.rankers.factorization.kernels import gradient_descent as kernels

    def fill_in(U: Floats, V: Floats) -> Floats:
        return np.asarray(np.einsum("ek,ek->e", U[matrix.row], V[matrix.who]))

    U, s, V = leading_triplets(matrix.zero_filled(), max(rank, 2))
    s[rank:] = 0  # rank 1 has a second column of zeros, for the faster kernel
    kernel = kernels.descend_two_columns if rank <= 2 else kernels.descend_low_rank
    start = np.ascontiguousarray(U * np.sqrt(s)), np.ascontiguousarray(V * np.sqrt(s))
    return train(matrix, kernel, fill_in, start, epochs, step)


def train_additive(
    matrix: Matrix, start: Factors, epochs: Sequence[int], step: float
) -> list[Factors]:
    """Return u and v after each of the epochs."""
    from qrja.rankers.factorization.kernels.gradient_descent import descend_additive

    def fill_in(u: Floats, v: Floats) -> Floats:
        return np.asarray(u[matrix.row] + v[matrix.who])

    return train(matrix, descend_additive, fill_in, start, epochs, step)


def train(
    matrix: Matrix,
    descend: Callable[..., None],
    fill_in: Callable[[Floats, Floats], Floats],
    start: Factors,
    epochs: Sequence[int],
    step: float,
) -> list[Factors]:
    """Descend from ``start``, with a shorter step where the error would grow."""
    entries = matrix.start, matrix.who, matrix.value, matrix.count
    rounding = 1e-12 * float(matrix.value @ matrix.value)
    allowed = matrix.squared_error(fill_in(*start)) + rounding
    while True:
        left, right = start[0].copy(), start[1].copy()
        trained = []
        for done, until in pairwise((0, *epochs)):
            descend(*entries, left, right, step, until - done)
            trained.append((left.copy(), right.copy()))
        if matrix.squared_error(fill_in(left, right)) <= allowed:
            return trained
        step /= 2
