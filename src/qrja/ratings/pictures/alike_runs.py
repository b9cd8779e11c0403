"""Runs of candidates who cannot be told apart: the longest ones, best first.

In an order from best to worst, the run from i to j is kept if the interval on the difference of i
and j holds 0, and no longer run that is kept holds it.
"""

from __future__ import annotations

from collections.abc import Callable

Bounds = Callable[[int, int], tuple[float, float]]
"""The interval on the difference of two, by their places in the order."""


def find_runs(count: int, bounds: Bounds) -> list[tuple[int, int]]:
    """Return the runs as pairs (first, last); who stands alone is in none.

    Examples
    --------
    >>> x = [9.0, 8.5, 5.0, 4.5, 4.0]
    >>> find_runs(5, lambda i, j: (x[i] - x[j] - 1, x[i] - x[j] + 1))
    [(0, 1), (2, 4)]
    """
    runs: list[tuple[int, int]] = []
    for first in range(count):
        last = first
        while last + 1 < count and bounds(first, last + 1)[0] <= 0:
            last += 1
        if last > first and (not runs or last > runs[-1][1]):
            runs.append((first, last))
    return runs
