"""Slow twins of strengths that move: the smoother of Rauch, Tung and Striebel, and a likelihood.

Everything is dense and by the book: a state of one number for each contestant, a Kalman filter
forward, a smoother backward; and the restricted likelihood from the covariance of all margins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data import Contests, Floats

DIFFUSE = 1e7
"""Variance of a first strength of which nothing is known."""


class Smoothed(NamedTuple):
    """Means and covariances of all strengths at each distinct time."""

    times: Floats
    mean: list[Floats]
    covariance: list[Floats]


def contrasts(contests: Contests, c: int) -> tuple[Floats, Floats, Floats]:
    """Return margins of a contest to its last entrant, their design and their covariance."""
    here = slice(int(contests.start[c]), int(contests.start[c + 1]))
    who, score = contests.who[here], contests.score[here]
    k = len(who)
    apart = np.hstack([np.eye(k - 1), -np.ones((k - 1, 1))])
    design = np.zeros((k - 1, contests.n))
    for column, i in enumerate(who):
        design[:, i] += apart[:, column]
    return apart @ score, design, apart @ apart.T / (k * contests.pair_weight[c])


def smooth(contests: Contests, time: Floats, tau: float, noise: float) -> Smoothed:
    """Filter forward and smooth backward, results of one time together."""
    n, times = contests.n, np.unique(time)
    mean, spread = np.zeros(n), DIFFUSE * np.eye(n)
    filtered, predicted = [], []
    for at, now in enumerate(times):
        if at:
            spread = spread + tau**2 * (now - times[at - 1]) * np.eye(n)
        predicted.append((mean.copy(), spread.copy()))
        for c in np.flatnonzero(time == now):
            y, design, error = contrasts(contests, int(c))
            if not len(y):
                continue
            gain = spread @ design.T @ np.linalg.inv(design @ spread @ design.T + noise**2 * error)
            mean = mean + gain @ (y - design @ mean)
            keep = np.eye(n) - gain @ design
            spread = keep @ spread @ keep.T + gain @ (noise**2 * error) @ gain.T
        filtered.append((mean.copy(), spread.copy()))
    means, covariances = [filtered[-1][0]], [filtered[-1][1]]
    for at in range(len(times) - 2, -1, -1):
        m, p = filtered[at]
        ahead_m, ahead_p = predicted[at + 1]
        back = np.linalg.solve(ahead_p.T, p.T).T
        means.insert(0, m + back @ (means[0] - ahead_m))
        covariances.insert(0, p + back @ (covariances[0] - ahead_p) @ back.T)
    return Smoothed(times, means, covariances)


def restricted_deviance(
    contests: Contests, time: Floats, rho: float, columns: Floats | None = None
) -> float:
    """Return -2 log of the restricted likelihood, up to a constant, from covariances of margins.

    Strengths are constants and walks that begin at 0; constants and terms are projected out.
    """
    n, times = contests.n, np.unique(time)
    place = np.searchsorted(times, time)
    walk = np.minimum(times[:, None], times[None, :]) - times[0]
    parts = [contrasts(contests, c) for c in range(len(contests))]
    y = np.concatenate([part[0] for part in parts])
    design = np.vstack([part[1] for part in parts])
    sizes = [len(part[0]) for part in parts]
    where = np.repeat(place, sizes)
    error = np.zeros((len(y), len(y)))
    at = 0
    for part, size in zip(parts, sizes, strict=True):
        error[at : at + size, at : at + size] = part[2]
        at += size
    covariance = error + rho * (design @ design.T) * walk[np.ix_(where, where)]
    fixed = design
    if columns is not None:
        rows = []
        for c in range(len(contests)):
            here = slice(int(contests.start[c]), int(contests.start[c + 1]))
            z = columns[here]
            rows.append(z[:-1] - z[-1:])
        fixed = np.hstack([design, np.vstack(rows)])
    u, s, _ = np.linalg.svd(fixed)
    rank = int((s > 1e-9 * s[0]).sum())
    assert rank >= n - 1 - (n // 2)
    rest = u[:, rank:]
    inside = rest.T @ covariance @ rest
    left = rest.T @ y
    loss = float(left @ np.linalg.solve(inside, left))
    return float(len(left) * np.log(loss) + np.linalg.slogdet(inside)[1])
