"""Ranks: a place for each score within its component, ties sharing the better one."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets

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
    order = np.lexsort((-x, component))
    sorted_x, sorted_component = x[order], component[order]
    new_component = np.diff(sorted_component, prepend=-1) != 0
    below = -np.diff(sorted_x, prepend=np.inf) > tie_width(x, component)[sorted_component]
    place = np.arange(len(x))
    first = np.maximum.accumulate(np.where(new_component, place, 0))
    leader = np.maximum.accumulate(np.where(new_component | below, place, 0))
    rank = np.empty(len(x), dtype=np.int32)
    rank[order] = leader - first + 1
    return rank


def tie_width(x: Floats, component: Index) -> Floats:
    """Return, for each component, how far apart scores are that still share a rank."""
    count = int(component.max(initial=-1)) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, component, x)
    np.maximum.at(high, component, x)
    return np.asarray(SAME * (high - low))


def rank_draws(draws: Floats, component: Index, width: Floats) -> tuple[Index, Index]:
    """Rank many draws of the scores, one per row, within each component.

    Returns
    -------
    best, worst
        The ranks if a candidate were first among those it ties with, and if it were last.

    Examples
    --------
    >>> best, worst = rank_draws(np.array([[5.0, 7.0, 5.0]]), np.zeros(3, int), np.array([1e-9]))
    >>> best.tolist(), worst.tolist()
    ([[2, 1, 2]], [[3, 1, 3]])
    """
    # By falling draws, equal ones in any order as they share a rank, and then, which a stable sort
    # leaves in order, by component.
    order = np.argsort(-draws, axis=1)
    if len(width) > 1:
        within = np.argsort(component[order], axis=1, kind="stable")
        order = np.take_along_axis(order, within, axis=1)
    size = np.bincount(component, minlength=len(width))
    label = np.repeat(np.arange(len(width)), size)
    place = np.arange(1, len(component) + 1, dtype=np.int32)
    place -= np.repeat(np.cumsum(size) - size, size).astype(np.int32)
    ordered = np.take_along_axis(draws, order, axis=1)
    apart = ordered[:, :-1] - ordered[:, 1:] > width[label[1:]]
    apart |= label[1:] != label[:-1]
    if apart.all():
        ranks = _put_back(order, np.broadcast_to(place, order.shape))
        return ranks, ranks
    # The first of a run of ties is the largest place so far that begins one; so backwards.
    begin, end = (np.ones(order.shape, dtype=bool) for _ in range(2))
    begin[:, 1:] = end[:, :-1] = apart
    position = np.arange(len(component), dtype=np.int32)
    first = np.maximum.accumulate(np.where(begin, position, 0), axis=1)
    last = np.where(end, position, len(component) - 1)
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    return _put_back(order, place[first]), _put_back(order, place[last])


def _put_back(order: Offsets, ranks: Index) -> Index:
    """Undo the sorting of each row."""
    placed = np.empty(order.shape, dtype=np.int32)
    np.put_along_axis(placed, order, ranks, 1)
    return placed
