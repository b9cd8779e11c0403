"""Compiled: what a result says about states that hang together.

With P the covariance of the states, in variances of an error, and d what a margin y is made of,

    u = P d,     v = d . u + noise,     x <- x + u (y - d . x) / v,     P <- P - u u' / v

which is Kalman's update by one number. Several settings, each with a P of its own, are updated by
one call; the columns of x are several readings of the same margins, which share P.
"""

from __future__ import annotations

from typing import Any

from qrja.jit import kernel


@kernel
def move(P: Any, x: Any, n: int, where: Any, shrink: Any, add: Any) -> None:
    """Let time pass for some states, a row of ``shrink`` and ``add`` each, a column per setting."""
    for s in range(len(P)):
        for k in range(len(where)):
            i, a = where[k], shrink[k, s]
            if a != 1.0:
                for j in range(n):
                    P[s, i, j] *= a
                for j in range(n):
                    P[s, j, i] *= a
                for r in range(x.shape[2]):
                    x[s, i, r] *= a
            P[s, i, i] += add[k, s]


@kernel
def learn_margin(P: Any, x: Any, n: int, where: Any, d: Any, y: Any, noise: float, u: Any) -> None:
    """Take in a margin: ``d`` of each state in ``where``, ``y`` by reading, ``u`` is scratch."""
    for s in range(len(P)):
        for j in range(n):
            u[j] = 0.0
        for k in range(len(where)):
            i, dk = where[k], d[k]
            for j in range(n):
                u[j] += dk * P[s, i, j]
        v = noise
        for k in range(len(where)):
            v += d[k] * u[where[k]]
        for r in range(x.shape[2]):
            said = 0.0
            for k in range(len(where)):
                said += d[k] * x[s, where[k], r]
            gain = (y[r] - said) / v
            for j in range(n):
                x[s, j, r] += gain * u[j]
        share = 1.0 / v
        for i in range(n):
            ui = u[i]
            if ui != 0.0:
                # Multiplied in this order, P stays symmetric to the last bit.
                for j in range(n):
                    P[s, i, j] -= (ui * u[j]) * share


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
