"""Compiled: what a result says about states that hang together.

With P the covariance of the states, in variances of an error, and d what a margin y is made of,

    u = P d,     v = d . u + noise,     x <- x + u (y - d . x) / v,     P <- P - u u' / v

which is Kalman's update by one number. u / sqrt(v) is written down as one more row of U, and P
stays as it is until somebody takes U' U off. Several settings, each with a P of its own, are
updated by one call; the columns of x are several readings of the same margins, which share P.
"""

from __future__ import annotations

from typing import Any

from qrja.jit import kernel


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


@kernel
def learn_margin(
    P: Any, U: Any, q: int, x: Any, n: int, where: Any, d: Any, y: Any, noise: float
) -> None:
    """Take in a margin: ``d`` of each state in ``where``, ``y`` by reading; fills row q of U."""
    for s in range(len(P)):
        for j in range(n):
            U[s, q, j] = 0.0
        for k in range(len(where)):
            i, dk = where[k], d[k]
            for j in range(n):
                U[s, q, j] += dk * P[s, i, j]
        for c in range(q):
            share = 0.0
            for k in range(len(where)):
                share += d[k] * U[s, c, where[k]]
            for j in range(n):
                U[s, q, j] -= share * U[s, c, j]
        v = noise
        for k in range(len(where)):
            v += d[k] * U[s, q, where[k]]
        for r in range(x.shape[2]):
            said = 0.0
            for k in range(len(where)):
                said += d[k] * x[s, where[k], r]
            gain = (y[r] - said) / v
            for j in range(n):
                x[s, j, r] += gain * U[s, q, j]
        root = v**-0.5
        for j in range(n):
            U[s, q, j] *= root


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
