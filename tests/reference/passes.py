"""Slow and obvious: pulls, losses and bounds of all pairs of a problem, each written out."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Problem


def residuals(problem: Problem, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return both ends, the weight and the residual of every pair."""
    i, j = problem.pair_entries()
    e = problem.score - x[problem.who]
    weight = problem.pair_weight[problem.contest_of_entry[i]]
    return problem.who[i], problem.who[j], weight, e[i] - e[j]


def pulls(problem: Problem, x: Floats, slope) -> Floats:  # type: ignore[no-untyped-def]
    """Return what the pairs pull at each candidate, for a slope of the loss."""
    a, b, w, r = residuals(problem, x)
    out = np.zeros(problem.n)
    np.add.at(out, a, w * slope(r))
    np.add.at(out, b, -w * slope(r))
    return out


def products(problem: Problem, x: Floats, d: Floats, curvature) -> Floats:  # type: ignore[no-untyped-def]
    """Return the product of the curvature at x with d."""
    a, b, w, r = residuals(problem, x)
    out = np.zeros(problem.n)
    force = w * curvature(r) * (d[a] - d[b])
    np.add.at(out, a, force)
    np.add.at(out, b, -force)
    return out
