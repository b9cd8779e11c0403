"""Compiled least squares for many weightings of the same contests at once.

For weights ``w_c`` of the contests, one column each, solve

    (L_w + ridge I) d = g,      (L_w d)_i = sum_{c with i}  w_c (k_c d_i - sum_{j in c} d_j)

for the candidates that are free, the others staying at 0. The columns of an array lie side by side
in memory, so that one pass over the entries serves them all; each has step lengths of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Offsets
from qrja.jit import numeric


class Stars(NamedTuple):
    """Contests as the kernels see them: the entries of contest c are ``start[c]:start[c + 1]``."""

    n: int
    start: Offsets
    who: Index


@numeric
def multiply(stars: Stars, weight: Floats, ridge: float, d: Floats, out: Floats) -> None:
    """Set ``out`` to ``(L_w + ridge I) d``; weight, d and out have a column per weighting."""
    columns = d.shape[1]
    total = np.empty(columns)
    for i in range(stars.n):
        for b in range(columns):
            out[i, b] = ridge * d[i, b]
    for c in range(len(stars.start) - 1):
        first, last = stars.start[c], stars.start[c + 1]
        k = last - first
        if k == 2:
            one, other = stars.who[first], stars.who[first + 1]
            for b in range(columns):
                pull = weight[c, b] * (d[one, b] - d[other, b])
                out[one, b] += pull
                out[other, b] -= pull
            continue
        for b in range(columns):
            total[b] = 0.0
        for e in range(first, last):
            i = stars.who[e]
            for b in range(columns):
                total[b] += d[i, b]
        for e in range(first, last):
            i = stars.who[e]
            for b in range(columns):
                out[i, b] += weight[c, b] * (k * d[i, b] - total[b])


@numeric
def degrees(stars: Stars, weight: Floats, ridge: float) -> Any:
    """Return the diagonal of ``L_w + ridge I``, 1 where it is 0."""
    degree = np.full((stars.n, weight.shape[1]), ridge)
    for c in range(len(stars.start) - 1):
        first, last = stars.start[c], stars.start[c + 1]
        for e in range(first, last):
            for b in range(weight.shape[1]):
                degree[stars.who[e], b] += weight[c, b] * (last - first - 1)
    for i in range(stars.n):
        for b in range(weight.shape[1]):
            if degree[i, b] == 0.0:
                degree[i, b] = 1.0
    return degree


@numeric
def pulls(stars: Stars, weight: Floats, residual: Floats) -> Any:
    """Return ``sum_c w_c k_c residual``, the gradient of residuals that are centred per contest."""
    pull = np.zeros((stars.n, weight.shape[1]))
    for c in range(len(stars.start) - 1):
        first, last = stars.start[c], stars.start[c + 1]
        for e in range(first, last):
            scaled = (last - first) * residual[e]
            for b in range(weight.shape[1]):
                pull[stars.who[e], b] += weight[c, b] * scaled
    return pull


@numeric
def descend(
    stars: Stars,
    weight: Floats,
    ridge: float,
    free: NDArray[np.bool_],
    g: Floats,
    tol: float,
    rounding: float,
    limit: int,
) -> Any:
    """Solve by conjugate gradients with a Jacobi preconditioner.

    A column has arrived when ``r . r / degree`` has fallen by ``tol^2``, or below ``rounding``: the
    rounding errors of g do not add up to 0 over a component, so they have no solution.

    Returns
    -------
    d, steps
        The solution, and how many steps the slowest column took: ``limit`` if it is not there.
    """
    n, columns = g.shape
    inverse = 1.0 / degrees(stars, weight, ridge)
    d, r, product = np.zeros((n, columns)), g.copy(), np.empty((n, columns))
    direction = np.empty((n, columns))
    rz, goal, alpha = np.zeros(columns), np.zeros(columns), np.empty(columns)
    for i in range(n):
        for b in range(columns):
            if not free[i]:
                r[i, b] = 0.0
            direction[i, b] = inverse[i, b] * r[i, b]
            rz[b] += r[i, b] * direction[i, b]
    for b in range(columns):
        goal[b] = max(tol * tol * rz[b], rounding)
    for step in range(limit):
        going = False
        for b in range(columns):
            going |= rz[b] > goal[b]
        if not going:
            return d, step
        multiply(stars, weight, ridge, direction, product)
        alpha[:] = 0.0
        for i in range(n):
            if free[i]:
                for b in range(columns):
                    alpha[b] += direction[i, b] * product[i, b]
        for b in range(columns):
            # A column that has arrived stays where it is.
            alpha[b] = rz[b] / alpha[b] if rz[b] > goal[b] and alpha[b] > 0 else 0.0
        last = rz.copy()
        rz[:] = 0.0
        for i in range(n):
            if free[i]:
                for b in range(columns):
                    d[i, b] += alpha[b] * direction[i, b]
                    r[i, b] -= alpha[b] * product[i, b]
                    rz[b] += r[i, b] * r[i, b] * inverse[i, b]
        for b in range(columns):
            if alpha[b] == 0.0:
                rz[b] = 0.0
            alpha[b] = rz[b] / last[b] if last[b] > 0 else 0.0
        for i in range(n):
            if free[i]:
                for b in range(columns):
                    direction[i, b] = inverse[i, b] * r[i, b] + alpha[b] * direction[i, b]
    return d, limit


@numeric
def count_pieces(stars: Stars, drawn: NDArray[np.bool_], pieces: Index) -> None:
    """Count, for each column of ``drawn``, the components of the contests that were drawn."""
    parent = np.empty(stars.n, np.int32)
    for b in range(drawn.shape[1]):
        for i in range(stars.n):
            parent[i] = i
        count = stars.n
        for c in range(len(stars.start) - 1):
            if drawn[c, b]:
                for e in range(stars.start[c] + 1, stars.start[c + 1]):
                    one, other = stars.who[e - 1], stars.who[e]
                    while parent[one] != one:
                        parent[one] = parent[parent[one]]
                        one = parent[one]
                    while parent[other] != other:
                        parent[other] = parent[parent[other]]
                        other = parent[other]
                    if one != other:
                        parent[other] = one
                        count -= 1
        pieces[b] = count
