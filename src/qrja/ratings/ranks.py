"""Ranks: a place for each score within its component, ties sharing the better one."""

from __future__ import annotations

import numpy as np

from qrja._arrays import Floats, Index

SAME = 1e-9
"""Ratings closer than this share of their component's range are one rank: the solver's rounding
does not decide who is ahead."""


def rank_within(x: Floats, component: Index) -> Index:
    """Rank scores within each component, 1 for the largest; near-equal scores share a rank.

    Examples
    --------
    >>> rank_within(np.array([1.0, 3.0, 3.0, 0.0, 9.0]), np.array([0, 0, 0, 0, 1]))
    array([3, 1, 1, 4, 1], dtype=int32)
    """
    count = int(component.max(initial=-1)) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, component, x)
    np.maximum.at(high, component, x)
    order = np.lexsort((-x, component))
    sorted_x, sorted_component = x[order], component[order]
    new_component = np.diff(sorted_component, prepend=-1) != 0
    below = -np.diff(sorted_x, prepend=np.inf) > SAME * (high - low)[sorted_component]
    place = np.arange(len(x))
    first = np.maximum.accumulate(np.where(new_component, place, 0))
    leader = np.maximum.accumulate(np.where(new_component | below, place, 0))
    rank = np.empty(len(x), dtype=np.int32)
    rank[order] = leader - first + 1
    return rank
