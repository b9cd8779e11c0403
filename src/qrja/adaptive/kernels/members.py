"""Compiled: sweeps of many fits at once over the contests so far.

A panel is one transform of scores, one loss and one pair of half-lives; its members differ by the
ridge L alone and are kept side by side, WIDTH of them. With a the weight of an entry, u its share
of the contestant's weight and r = g - x - t its residual, a sweep solves for every contest, then
for every contestant,

    t_c = sum_i (w_ic (g_ic - x_i) - F u_ic x_i) / sum_i (w_ic + F u_ic)
    x_i = sum_c (w_ic (g_ic - t_c) - F u_ic t_c) / (sum_c w_ic + F + Z)

with w = a min(1, delta / |r|), F = field L and Z = zero L. For least squares (delta infinite) each
is the minimiser of :mod:`qrja.adaptive.objective` in its block; for Huber's loss that of a parabola
which lies above it and touches it. So no sweep ever raises the objective.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.jit import compiled, in_arrays, kernel, tiny

WIDTH = 8
"""Ridges of a panel: a constant, so that the compiler may lay them side by side in registers."""
LEAST = 2.0**-20
"""However many contests of one's own followed, an entry keeps this share of its weight."""


@kernel
def weigh(
    first: int,
    start: Any,
    who: Any,
    ordinal: Any,
    count: Any,
    contest_weight: Any,
    age: Any,
    halve: float,
    own: float,
    a: Any,
) -> None:
    """Write the weights of the entries of the contests from ``first`` on.

    ``halve`` and ``own`` are one over the half-life in units of ``age``, and in a contestant's own
    contests.
    """
    contests = len(start) - 1
    for c in range(first, contests):
        fresh = contest_weight[c] * 2.0 ** (-age[c] * halve)
        for e in range(start[c], start[c + 1]):
            later = count[who[e]] - 1 - ordinal[e]
            a[e] = fresh * max(2.0 ** (-later * own), LEAST)


@in_arrays(weigh, beyond=100)
def _weigh(
    first: int,
    start: Any,
    who: Any,
    ordinal: Any,
    count: Any,
    contest_weight: Any,
    age: Any,
    halve: float,
    own: float,
    a: Any,
) -> None:
    begin, sizes = start[first], np.diff(start[first:])
    fresh = contest_weight[first:] * 2.0 ** (-age[first:] * halve)
    later = count[who[begin:]] - 1 - ordinal[begin:]
    kept = np.maximum(2.0 ** (-later * own), LEAST)
    a[begin : start[-1]] = np.repeat(fresh[: len(sizes)], sizes) * kept[: start[-1] - begin]


@kernel
def welcome(
    start: Any, who: Any, ordinal: Any, g: Any, reading: Any, field: Any, zero: Any, x: Any, t: Any
) -> None:
    """Begin the newest contest at what is known of its field, and newcomers by their one result.

    For all panels, of which each has its reading of the scores, a row of g.
    """
    c = len(start) - 2
    for p in range(len(reading)):
        r = reading[p]
        for l in range(WIDTH):
            level, known = 0.0, 0
            for e in range(start[c], start[c + 1]):
                if ordinal[e] > 0:
                    level += g[r, e] - x[p, who[e], l]
                    known += 1
            level /= max(known, 1)
            t[p, c, l] = level
            own = 1.0 + field[l] + zero[l]
            for e in range(start[c], start[c + 1]):
                if ordinal[e] == 0:
                    x[p, who[e], l] = (g[r, e] - (1.0 + field[l]) * level) / own


@in_arrays(welcome, beyond=0)
def _welcome(
    start: Any, who: Any, ordinal: Any, g: Any, reading: Any, field: Any, zero: Any, x: Any, t: Any
) -> None:
    entries = slice(start[-2], start[-1])
    who, known = who[entries], ordinal[entries] > 0
    g = g[reading, entries, None]
    level = (g[:, known] - x[:, who[known]]).sum(axis=1) / max(int(known.sum()), 1)
    t[:, len(start) - 2] = level
    own = (g[:, ~known] - (1.0 + field) * level[:, None]) / (1.0 + field + zero)
    x[:, who[~known]] = own


@compiled
def sweep(
    first: int,
    start: Any,
    who: Any,
    g: Any,
    a: Any,
    delta: float,
    field: Any,
    zero: Any,
    x: Any,
    t: Any,
    sweeps: int,
) -> None:
    """Lower the objectives of a panel, in place.

    x has a row per contestant and t one per contest, both a column per ridge; contests before
    ``first`` are left out. ``field`` and ``zero`` are what each ridge pulls toward the fields met
    and toward 0.
    """
    n, contests, begin = len(x), len(start) - 1, start[first]
    weight = np.zeros(n)
    u = np.empty(len(who))
    longest = 0
    for c in range(first, contests):
        longest = max(longest, start[c + 1] - start[c])
    for e in range(begin, len(who)):
        weight[who[e]] += a[e]
    for e in range(begin, len(who)):
        u[e] = a[e] / weight[who[e]]
    above, below = np.empty((n, WIDTH)), np.empty((n, WIDTH))
    top, bottom, w = np.empty(WIDTH), np.empty(WIDTH), np.empty((longest, WIDTH))
    for _ in range(sweeps):
        for i in range(n):
            for l in range(WIDTH):
                above[i, l] = 0.0
                below[i, l] = field[l] + zero[l]
        for c in range(first, contests):
            _weigh_residuals(start[c], start[c + 1], who, g, a, delta, x, t[c], w)
            _level(start[c], start[c + 1], who, g, u, field, zero, x, w, top, bottom)
            for l in range(WIDTH):
                t[c, l] = top[l] / bottom[l]
            for e in range(start[c], start[c + 1]):
                j, k, ue, ge = np.uintp(who[e]), e - start[c], u[e], g[e]
                for l in range(WIDTH):
                    above[j, l] += w[k, l] * (ge - t[c, l]) - field[l] * ue * t[c, l]
                    below[j, l] += w[k, l]
        for i in range(n):
            if weight[i] > 0.0:
                for l in range(WIDTH):
                    x[i, l] = above[i, l] / below[i, l]
        _centre(first, weight, x, t, top)


@in_arrays(sweep, beyond=0)
def _sweep(
    first: int,
    start: Any,
    who: Any,
    g: Any,
    a: Any,
    delta: float,
    field: Any,
    zero: Any,
    x: Any,
    t: Any,
    sweeps: int,
) -> None:
    begin, sizes = start[first], np.diff(start[first:])
    places = start[first:-1] - begin
    who, g, a = who[begin:], g[begin : start[-1], None], a[begin:]
    contest = np.repeat(np.arange(len(sizes)), sizes)
    weight = np.bincount(who, a, minlength=len(x))
    u = (a / weight[who])[:, None]
    alone, there = u == 1.0, weight > 0.0
    slot = (who[:, None] * WIDTH + np.arange(WIDTH)).ravel()
    t = t[first:]
    for _ in range(sweeps):
        at = x[who]
        w = np.broadcast_to(a[:, None], at.shape)
        if delta != np.inf:
            w = w * delta / np.maximum(delta, np.abs(g - at - t[contest]))
        minds = zero / (w + field + zero)
        above = np.where(alone, minds * w * g, w * (g - at) - field * u * at)
        below = np.where(alone, minds * (w + field), w + field * u)
        t[:] = np.add.reduceat(above, places) / np.add.reduceat(below, places)
        level = t[contest]
        above = w * (g - level) - field * u * level
        above, below = (
            np.bincount(slot, values.ravel(), minlength=x.size).reshape(x.shape)
            for values in (above, w)
        )
        x[there] = (above / (below + (field + zero)))[there]
        mean = x[there].sum(axis=0) / max(int(there.sum()), 1)
        x[there] -= mean
        t += mean


@tiny
def _centre(first: Any, weight: Any, x: Any, t: Any, mean: Any) -> None:
    """Move scores to mean 0 and levels with them: only Z minds, and sweeps are slow at it."""
    count = 0
    for l in range(WIDTH):
        mean[l] = 0.0
    for i in range(len(x)):
        if weight[i] > 0.0:
            count += 1
            for l in range(WIDTH):
                mean[l] += x[i, l]
    for l in range(WIDTH):
        mean[l] /= max(count, 1)
    for i in range(len(x)):
        if weight[i] > 0.0:
            for l in range(WIDTH):
                x[i, l] -= mean[l]
    for c in range(first, len(t)):
        for l in range(WIDTH):
            t[c, l] += mean[l]


@tiny
def _weigh_residuals(
    begin: Any, end: Any, who: Any, g: Any, a: Any, delta: Any, x: Any, t: Any, w: Any
) -> None:
    """Write the weights of the entries of a contest, those of large residuals reduced."""
    if delta == np.inf:
        for e in range(begin, end):
            for l in range(WIDTH):
                w[e - begin, l] = a[e]
        return
    for e in range(begin, end):
        i = np.uintp(who[e])
        for l in range(WIDTH):
            w[e - begin, l] = a[e] * delta / max(delta, abs(g[e] - x[i, l] - t[l]))


@tiny
def _level(
    begin: Any,
    end: Any,
    who: Any,
    g: Any,
    u: Any,
    field: Any,
    zero: Any,
    x: Any,
    w: Any,
    top: Any,
    bottom: Any,
) -> None:
    """Add up numerator and denominator of a contest's level.

    Whoever has no other entry follows the level wherever it goes, and is solved for along with it:
    what is left of such an entry is how much Z minds.
    """
    for l in range(WIDTH):
        top[l] = 0.0
        bottom[l] = 0.0
    for e in range(begin, end):
        i, k, ue, ge = np.uintp(who[e]), e - begin, u[e], g[e]
        if ue == 1.0:
            for l in range(WIDTH):
                minds = zero[l] / (w[k, l] + field[l] + zero[l])
                top[l] += minds * w[k, l] * ge
                bottom[l] += minds * (w[k, l] + field[l])
            continue
        for l in range(WIDTH):
            top[l] += w[k, l] * (ge - x[i, l]) - field[l] * ue * x[i, l]
            bottom[l] += w[k, l] + field[l] * ue
