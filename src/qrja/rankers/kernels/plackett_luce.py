"""Compiled: the Plackett-Luce likelihood, its slope, and products with its curvature.

Entries are grouped by contest and sorted by falling score within it: those of contest c are
``start[c]:start[c + 1]``. The entry at ``e`` was chosen from those at ``first[e]`` and after it,
where ``first[e]`` is the first entry of the same score. With v = exp(theta),

    log-likelihood = sum over e of  theta_e - log S_e,      S_e = sum of v over first[e] and after

Sums run from the last entry of a contest to its first, and v is taken relative to the largest of
its contest, so that nothing overflows and no digits are lost by subtraction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.jit import compiled


@compiled
def add_up(start: Any, strength: Any, tail: Any) -> None:
    """Fill ``tail[e]`` with the sum of ``strength`` over e and the entries after it."""
    for c in range(len(start) - 1):
        total = 0.0
        for e in range(start[c + 1] - 1, start[c] - 1, -1):
            total += strength[e]
            tail[e] = total


@compiled
def evaluate(
    start: Any, first: Any, who: Any, weight: Any, theta: Any, slope: Any
) -> tuple[float, Any, Any]:
    """Return the log-likelihood, add its slope to ``slope``, and keep what products need.

    Returns
    -------
    value, strength, tail
        The log-likelihood; v of each entry and the sums S, both relative to the largest v of the
        contest.
    """
    strength, tail = np.empty(len(who)), np.empty(len(who))
    for c in range(len(start) - 1):
        largest = -np.inf
        for e in range(start[c], start[c + 1]):
            largest = max(largest, theta[who[e]])
        for e in range(start[c], start[c + 1]):
            strength[e] = np.exp(theta[who[e]] - largest)
    add_up(start, strength, tail)
    value = 0.0
    for c in range(len(start) - 1):
        chances = 0.0
        for e in range(start[c], start[c + 1]):
            if first[e] == e:
                # Entries of one score were all chosen from the same rest.
                same = e
                while same < start[c + 1] and first[same] == e:
                    value += weight[c] * np.log(strength[same] / tail[e])
                    chances += 1.0 / tail[e]
                    same += 1
            slope[who[e]] += weight[c] * (1.0 - strength[e] * chances)
    return value, strength, tail


@compiled
def multiply(
    start: Any, first: Any, who: Any, weight: Any, strength: Any, tail: Any, d: Any, product: Any
) -> None:
    """Add to ``product`` the negative curvature of the log-likelihood times d."""
    moved, tail_moved = np.empty(len(who)), np.empty(len(who))
    for e in range(len(who)):
        moved[e] = strength[e] * d[who[e]]
    add_up(start, moved, tail_moved)
    for c in range(len(start) - 1):
        chances, pulled = 0.0, 0.0
        for e in range(start[c], start[c + 1]):
            if first[e] == e:
                same = e
                while same < start[c + 1] and first[same] == e:
                    chances += 1.0 / tail[e]
                    pulled += tail_moved[e] / tail[e] / tail[e]
                    same += 1
            product[who[e]] += weight[c] * (moved[e] * chances - strength[e] * pulled)


@compiled
def diagonal(
    start: Any, first: Any, who: Any, weight: Any, strength: Any, tail: Any, found: Any
) -> None:
    """Add to ``found`` the diagonal of the negative curvature."""
    for c in range(len(start) - 1):
        chances, squares = 0.0, 0.0
        for e in range(start[c], start[c + 1]):
            if first[e] == e:
                same = e
                while same < start[c + 1] and first[same] == e:
                    chances += 1.0 / tail[e]
                    squares += 1.0 / tail[e] / tail[e]
                    same += 1
            v = strength[e]
            found[who[e]] += weight[c] * (v * chances - v * v * squares)
