"""Parallel judgments, those between the same two candidates, as one pair.

For least squares the judgments of a pair are as good as one: of their total weight, at their
weighted mean. What they differ by among themselves no score explains.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data.arrays import Floats, Index, Offsets, order_by, sum_by
from qrja.data.judgments import Judgments


class DistinctPairs(NamedTuple):
    """The pairs that occur, sorted: ``low < high``, the pair of each judgment, and their order."""

    low: Index
    high: Index
    of: Offsets
    order: Offsets
    """The judgments sorted by pair; those of one pair stay as they are."""


def distinct_pairs(n: int, a: Index, b: Index) -> DistinctPairs:
    """Find the distinct pairs among judgments (a, b) between n candidates.

    Examples
    --------
    >>> pairs = distinct_pairs(3, np.array([2, 0, 0]), np.array([1, 1, 2]))
    >>> pairs.low, pairs.high, pairs.of
    (array([0, 0, 1], dtype=int32), array([1, 2, 2], dtype=int32), array([2, 0, 1]))
    """
    low, high = np.minimum(a, b), np.maximum(a, b)
    if n * n <= 2**31:
        order = order_by(low.astype(np.int64) * n + high)
    else:
        order = order_by(high)
        order = order[order_by(low[order])]
    low, high = low[order], high[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (np.diff(low) != 0) | (np.diff(high) != 0)
    of = np.empty(len(order), dtype=np.int64)
    of[order] = np.cumsum(is_new) - 1
    return DistinctPairs(low[is_new].astype(np.int32), high[is_new].astype(np.int32), of, order)


class MergedJudgments(NamedTuple):
    """Judgments added up: ``low < high``, the margin of low over high, the weight, and ``of``.

    ``of`` is the pair of each judgment, ``sign`` is -1 where it names the higher number first.
    """

    low: Index
    high: Index
    margin: Floats
    weight: Floats
    of: Offsets
    sign: Floats


def merge_parallel(judgments: Judgments) -> MergedJudgments:
    """Average the judgments of each pair of candidates.

    Examples
    --------
    >>> merged = merge_parallel(Judgments.from_arrays("abb", "bac", [1, -3, 5]))
    >>> merged.margin, merged.weight
    (array([2., 5.]), array([2., 1.]))
    """
    low, high, of, _ = distinct_pairs(judgments.n, judgments.a, judgments.b)
    weight = sum_by(of, judgments.w, len(low))
    sign = np.where(judgments.a < judgments.b, 1.0, -1.0)
    margin = mean_margins(judgments, of, sign, weight)
    return MergedJudgments(low, high, margin, weight, of, sign)


def mean_margins(judgments: Judgments, of: Offsets, sign: Floats, weight: Floats) -> Floats:
    """Return the mean margin of each pair, for judgments ``of`` pairs that are known.

    ``sign`` is -1 for a judgment that names its pair the other way round, ``weight`` what all
    judgments of a pair weigh together.
    """
    # The weighted mean as an offset from the first margin: exact when all margins agree.
    first = np.empty(len(weight))
    first[of[::-1]] = (sign * judgments.y)[::-1]
    offset = sign * judgments.y - first[of]
    return np.asarray(first + sum_by(of, judgments.w * offset, len(weight)) / weight)
