"""How pairs pull at their entrants, one pair after the other."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Problem
from qrja.losses import KnownLoss


def slow_pulls(problem: Problem, loss: KnownLoss, noise: Floats, deviations: Floats) -> Floats:
    result = np.zeros_like(deviations)
    for c, (first, last) in enumerate(zip(problem.start[:-1], problem.start[1:], strict=True)):
        for i in range(first, last):
            for j in range(i + 1, last):
                a, b = problem.who[i], problem.who[j]
                left = noise[i] - deviations[a] - noise[j] + deviations[b]
                slope = problem.pair_weight[c] * loss.slope(left)
                result[a] += slope
                result[b] -= slope
    return result
