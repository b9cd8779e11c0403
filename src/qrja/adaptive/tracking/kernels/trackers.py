"""Compiled: what results say about states that hang together.

With P the covariance of the states, in variances of an error, and d what a number y is made of,

    u = P d,     v = d . u + noise,     x <- x + u (y - d . x) / v,     P <- P - u u' / v

which is Kalman's update by one number. u / sqrt(v) is written down as one more row of U, and P
stays as it is until somebody takes U' U off. Several settings, each with a P of its own, are
updated by one call; the columns of x are several readings of the same results, which share P.

A contest of k entries at a level that may be anything tells k - 1 such numbers, whose errors do not
hang together (Helmert's contrasts): by how much each is ahead of the mean of the e before it,

    y = sqrt(e / (e + 1)) (g_e - mean of g_0 ... g_(e - 1))
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from qrja.jit import in_arrays, kernel, numeric, tiny, tiny_vector

TOGETHER = 4
"""Rows taken off in one pass over the covariances."""


@numeric
def take_off(P: Any, U: Any, n: int, q: int) -> None:
    """Take U' U off the covariances of the first n states, by setting, with U of q rows.

    Libraries for matrices do the same on all processors, which wait for each other in a loop: of a
    machine that has other things to do, that took thirty times as long.
    """
    for s in range(len(P)):
        _take_rows(P[s], U[s], n, q)


@in_arrays(take_off, beyond=0)
def _take_off(P: Any, U: Any, n: int, q: int) -> None:
    for mine, rows in zip(P, U, strict=True):
        mine[:n, :n] -= rows[:q, :n].T @ rows[:q, :n]


@tiny
def _take_rows(P: Any, U: Any, n: Any, q: Any) -> None:
    for c in range(0, q - q % TOGETHER, TOGETHER):
        _take_four(P, U, n, c)
    for c in range(q - q % TOGETHER, q):
        for i in range(n):
            _add(P[i, :n], -U[c, i], U[c, :n])


@tiny_vector
def _take_four(P: Any, U: Any, n: int, c: int) -> None:
    for i in range(n):
        first, second, third, fourth = U[c, i], U[c + 1, i], U[c + 2, i], U[c + 3, i]
        for j in range(n):
            P[i, j] -= (
                first * U[c, j] + second * U[c + 1, j] + third * U[c + 2, j] + fourth * U[c + 3, j]
            )


@kernel
def move(P: Any, U: Any, q: int, x: Any, n: int, where: Any, shrink: Any, add: Any) -> None:
    """Let time pass for some states, a row of ``shrink`` and ``add`` each, a column per setting."""
    for s in range(len(P)):
        for k in range(len(where)):
            i, a = where[k], shrink[k, s]
            if a != 1.0:
                for j in range(n):
                    P[s, i, j] *= a
                for j in range(n):
                    P[s, j, i] *= a
                for c in range(q):
                    U[s, c, i] *= a
                for r in range(x.shape[2]):
                    x[s, i, r] *= a
            P[s, i, i] += add[k, s]


@in_arrays(move, beyond=0)
def _move(P: Any, U: Any, q: int, x: Any, n: int, where: Any, shrink: Any, add: Any) -> None:
    for i, a, more in zip(where.tolist(), shrink, add, strict=True):
        if (a != 1.0).any():
            P[:, i, :n] *= a[:, None]
            P[:, :n, i] *= a[:, None]
            U[:, :q, i] *= a[:, None]
            x[:, i] *= a[:, None]
        P[:, i, i] += more


@numeric
def learn_exactly(
    P: Any, U: Any, q: int, x: Any, n: int, start: Any, where: Any, h: Any, y: Any, noise: float
) -> int:
    """Take in a contest: entry e is made of ``h`` of the states ``where[start[e]:start[e + 1]]``.

    It came to ``y[e]``, by reading. U has q rows in use; how many then is returned.
    """
    row, base, total = np.empty(n), np.empty(n), np.empty(y.shape[1])
    used = q
    for s in range(len(P)):
        used = q
        base[:], total[:] = 0.0, 0.0
        for e in range(len(start) - 1):
            if e > 0:
                if used == U.shape[1]:
                    _take_rows(P[s], U[s], n, used)
                    used = 0
                    base[:] = 0.0
                    for k in range(start[e]):
                        _add(base, h[k], P[s, where[k]])
                _learn_one(
                    P[s], U[s], used, x[s], start[e], start[e + 1], where, h, y[e], total, e, noise,
                    row, base,
                )  # fmt: skip
                used += 1
            for k in range(start[e], start[e + 1]):
                _add(base, h[k], P[s, where[k]])
            for r in range(len(total)):
                total[r] += y[e, r]
    return used


@tiny_vector
def _learn_one(
    P: Any,
    U: Any,
    q: Any,
    x: Any,
    first: Any,
    last: Any,
    where: Any,
    h: Any,
    y: Any,
    total: Any,
    earlier: Any,
    noise: Any,
    row: Any,
    base: Any,
) -> None:
    """Learn by how much an entry is ahead of the mean of the earlier ones; fills row q of U."""
    n, mine = len(row), np.sqrt(earlier / (earlier + 1.0))
    theirs = -mine / earlier
    for j in range(n):
        row[j] = theirs * base[j]
    for k in range(first, last):
        _add(row, mine * h[k], P[where[k]])
    for c in range(q):
        share, rest = 0.0, 0.0
        for k in range(first):
            share += h[k] * U[c, where[k]]
        for k in range(first, last):
            rest += h[k] * U[c, where[k]]
        _add(row, -(theirs * share + mine * rest), U[c])
    v = noise
    for k in range(last):
        v += (theirs if k < first else mine) * h[k] * row[where[k]]
    for r in range(x.shape[1]):
        surprise = mine * y[r] + theirs * total[r]
        for k in range(last):
            surprise -= (theirs if k < first else mine) * h[k] * x[where[k], r]
        for j in range(n):
            x[j, r] += surprise / v * row[j]
    root = v**-0.5
    for j in range(n):
        U[q, j] = root * row[j]


@tiny_vector
def _add(row: Any, times: Any, more: Any) -> None:
    for j in range(len(row)):
        row[j] += times * more[j]


@in_arrays(learn_exactly, beyond=0)
def _learn_exactly(
    P: Any, U: Any, q: int, x: Any, n: int, start: Any, where: Any, h: Any, y: Any, noise: float
) -> int:
    H = np.zeros((len(start) - 1, n))
    np.add.at(H, (np.repeat(np.arange(len(H)), np.diff(start)), where), h)
    for e in range(1, len(H)):
        if q == U.shape[1]:
            _take_off(P, U, n, q)
            q = 0
        root = math.sqrt(e / (e + 1))
        d = root * (H[e] - H[:e].mean(axis=0))
        at = np.flatnonzero(d)
        rows = U[:, :q, :n]
        row = np.einsum("sjk,k->sj", P[:, :n, at], d[at])
        row -= np.einsum("scj,sck,k->sj", rows, rows[:, :, at], d[at])
        v = noise + row[:, at] @ d[at]
        surprise = root * (y[e] - y[:e].mean(axis=0)) - np.einsum("skr,k->sr", x[:, at], d[at])
        x[:, :n] += row[:, :, None] * (surprise / v[:, None])[:, None]
        U[:, q, :n] = row / np.sqrt(v)[:, None]
        q += 1
    return q


@kernel
def learn_field(
    mean: Any, variance: Any, start: Any, where: Any, h: Any, g: Any, noise: float
) -> None:
    """Take in entries one by one, as if states were independent and the level known.

    ``mean`` has a row per state, then settings and readings; entry e is made of ``h`` of the states
    ``where[start[e]:start[e+1]]``, and came to ``g[e, s, r]`` with the level taken off.
    """
    for e in range(len(start) - 1):
        for s in range(variance.shape[1]):
            v = noise
            for k in range(start[e], start[e + 1]):
                v += h[k] * h[k] * variance[where[k], s]
            for r in range(mean.shape[2]):
                said = 0.0
                for k in range(start[e], start[e + 1]):
                    said += h[k] * mean[where[k], s, r]
                gain = (g[e, s, r] - said) / v
                for k in range(start[e], start[e + 1]):
                    mean[where[k], s, r] += gain * h[k] * variance[where[k], s]
            for k in range(start[e], start[e + 1]):
                p = variance[where[k], s]
                variance[where[k], s] = p - h[k] * h[k] * p * p / v
