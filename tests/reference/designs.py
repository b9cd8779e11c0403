"""What one more comparison would add, by trying each: the trace of an inverse before and after."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def total_variance(n: int, pairs: Iterable[tuple[int, int]], known: float) -> float:
    """Return the trace of ``(L + known I)^{-1}`` for comparisons of weight 1."""
    matrix = known * np.eye(n)
    for i, j in pairs:
        d = np.zeros(n)
        d[i], d[j] = 1.0, -1.0
        matrix += np.outer(d, d)
    return float(np.trace(np.linalg.inv(matrix)))


def gains_by_trial(n: int, pairs: list[tuple[int, int]], known: float) -> np.ndarray:
    """Return by how much the trace falls with one more comparison of each two."""
    before = total_variance(n, pairs, known)
    gain = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                gain[i, j] = before - total_variance(n, [*pairs, (i, j)], known)
    return gain
