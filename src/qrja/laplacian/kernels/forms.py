"""Compiled: quadratic forms with an inverse, of many sparse columns or of many at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Floats, Offsets
from qrja.jit import compiled, kernel, numeric


@kernel
def add_forms(inverse: Floats, start: Offsets, row: Any, value: Floats, out: Floats) -> None:
    """Add ``y^T Z y`` of each sparse column y: its entries are ``start[k]:start[k + 1]``."""
    for k in range(len(out)):
        total = 0.0
        for e in range(start[k], start[k + 1]):
            beside = inverse[row[e]]
            inner = 0.5 * value[e] * beside[row[e]]
            for f in range(start[k], e):
                inner += value[f] * beside[row[f]]
            total += 2.0 * value[e] * inner
        out[k] += total


@compiled
def _multiply(start: Any, neighbour: Any, share: Any, p: Any, q: Any, sums: Floats) -> None:
    """Write ``(I - N) p`` to q, and add up ``p . q`` and ``p . p`` of each column.

    Four neighbours at a time, so that a row of q is read and written once for four of p.
    """
    columns = p.shape[1]
    for i in range(p.shape[0]):
        own = q[i]
        for k in range(columns):
            own[k] = p[i, k]
        e, end = start[i], start[i + 1]
        while e + 4 <= end:
            p0, p1 = p[neighbour[e]], p[neighbour[e + 1]]
            p2, p3 = p[neighbour[e + 2]], p[neighbour[e + 3]]
            v0, v1, v2, v3 = share[e], share[e + 1], share[e + 2], share[e + 3]
            for k in range(columns):
                own[k] -= v0 * p0[k] + v1 * p1[k] + v2 * p2[k] + v3 * p3[k]
            e += 4
        while e < end:
            p0, v0 = p[neighbour[e]], share[e]
            for k in range(columns):
                own[k] -= v0 * p0[k]
            e += 1
        for k in range(columns):
            sums[0, k] += p[i, k] * own[k]
            sums[1, k] += p[i, k] * p[i, k]


@compiled
def _descend(r: Any, q: Any, alpha: Any, squares: Floats) -> None:
    """Subtract alpha q from r, and add up the squares of each column."""
    for i in range(r.shape[0]):
        for k in range(r.shape[1]):
            left = r[i, k] - alpha[k] * q[i, k]
            r[i, k] = left
            squares[k] += left * left


@numeric
def estimate_forms(
    start: Any, neighbour: Any, share: Any, r: Any, tol: float, limit: int, gentlest: float
) -> tuple[Floats, Any]:
    """Return ``b^T (I - N)^+ b`` of each column b of r, and which of them arrived.

    What conjugate gradients add to the form at each step, ``alpha r . r``, is positive and ends at
    it: no solution is kept. What is still to come is ``r . r`` over the least curvature at the
    most, and the least one seen stands for that. The loop ends where one below ``gentlest`` is
    seen, with nobody arrived. r is overwritten.
    """
    n, columns = r.shape
    p, q = r.copy(), np.empty_like(r)
    form, arrived = np.zeros(columns), np.zeros(columns, np.bool_)
    squares, sums, least = np.zeros(columns), np.zeros((2, columns)), np.ones(columns)
    alpha, beta = np.zeros(columns, r.dtype), np.zeros(columns, r.dtype)
    for i in range(n):
        for k in range(columns):
            squares[k] += r[i, k] * r[i, k]
    last = squares.copy()
    for _ in range(limit):
        sums[:] = 0.0
        _multiply(start, neighbour, share, p, q, sums)
        for k in range(columns):
            going = last[k] > 0 and sums[0, k] > 0
            alpha[k] = last[k] / sums[0, k] if going else 0.0
            form[k] += alpha[k] * last[k]
            least[k] = min(least[k], sums[0, k] / sums[1, k]) if going else least[k]
        squares[:] = 0.0
        _descend(r, q, alpha, squares)
        for k in range(columns):
            beta[k] = squares[k] / last[k] if last[k] > 0 else 0.0
            last[k] = squares[k]
            arrived[k] = squares[k] <= tol * form[k] * least[k]
        if least.min() < gentlest:
            arrived[:] = False
            break
        if arrived.all():
            break
        for i in range(n):
            for k in range(columns):
                p[i, k] = r[i, k] + beta[k] * p[i, k]
    return form, arrived
