"""What Kalman's filter should know: all states at all times at once, conditioned on all results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrja.adaptive import Drift
from qrja.data import Contest, Floats

FLAT = 1e7
"""The variance of the level of a contest: anything."""


def strengths_today(contests: Sequence[Contest], drift: Drift, n: int, home: float) -> Floats:
    """Return the strengths of n contestants when each was last seen, and what home is worth.

    The prior of every state at every contest is written out, the results are added as rows of one
    linear Gaussian model, and the posterior mean is that of a textbook. A contestant is a new state
    in each contest, tied to the earlier one as the drift says. ``home`` is the variance of home.
    """
    keys = [(i, c) for c, it in enumerate(contests) for i in it.who.tolist()]
    place = {key: at for at, key in enumerate(keys)}
    size = len(keys) + 1
    prior = np.zeros((size, size))
    prior[-1, -1] = home
    for (i, c), at in place.items():
        for (j, d), other in place.items():
            if i == j:
                prior[at, other] = _covariance(contests, drift, i, min(c, d), max(c, d))
    rows, y, noise, contest_of = [], [], [], []
    for c, it in enumerate(contests):
        z = it.fixture.column("home")
        for e, i in enumerate(it.who.tolist()):
            row = np.zeros(size)
            row[place[i, c]] = 1.0
            row[-1] = 0.0 if z is None else z[e] - z.mean()
            rows.append(row)
            y.append(it.score[e] - it.score.mean())
            noise.append(1 / it.weight)
            contest_of.append(c)
    H, same = np.array(rows), np.equal.outer(contest_of, contest_of)
    S = H @ prior @ H.T + np.diag(noise) + FLAT * same
    mean = prior @ H.T @ np.linalg.solve(S, np.array(y))
    last = {i: place[i, c] for i, c in keys}
    return np.array([*(mean[last[i]] for i in range(n)), mean[-1]])


def _covariance(contests: Sequence[Contest], drift: Drift, i: int, c: int, d: int) -> float:
    """Return the prior covariance of a contestant's strength in two of its contests."""
    own = [k for k, it in enumerate(contests) if i in it.who]
    variance, times = drift.prior, [own.index(c), own.index(d)]

    def between(a: int, b: int) -> float:
        if drift.clock == "own":
            return float(b - a)
        if drift.clock == "days":
            gap = contests[own[b]].date - contests[own[a]].date
            return float(gap / np.timedelta64(1, "D"))
        return 0.0

    since = between(0, times[0])
    if drift.pull:
        return variance * 2 ** (-between(*times) / drift.span)
    return variance + (0.0 if drift.clock == "never" else variance * since / drift.span)
