"""Slow and obvious: pulls, losses and bounds of all pairs of a problem, each written out."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

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


def exact_loss(problem: Problem, x: Floats, width: float | None) -> Fraction:
    """Return the loss at x in rational numbers: of p = 1, or of Huber's of some width."""
    total, start = Fraction(0), problem.start.tolist()
    for c, w in enumerate(problem.pair_weight.tolist()):
        held = slice(start[c], start[c + 1])
        e = [
            Fraction(score) - Fraction(float(x[who]))
            for who, score in zip(problem.who[held], problem.score[held].tolist(), strict=True)
        ]
        for one, other in combinations(e, 2):
            r, d = abs(one - other), Fraction(width or 0)
            total += Fraction(w) * (r * r / 2 if r < d else d * (r - d / 2) if width else r)
    return total
