"""The order of listing as the truth, and as the predicted order of a tie.

    right = pairs i < j with s_i != s_j  whose places after a stable sort by falling prediction rise

A stable sort leaves ties in the order of listing, which is taken for the true one; so a predicted
tie counts as predicted correctly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.metrics import FEW, PairMarks, Sums, count_rises, pairs_of, score_contest


def score_as_listed(
    truth: Floats,
    prediction: Floats,
    *,
    who: Index | None = None,
    open_pairs: PairMarks | None = None,
    **how: Any,
) -> Sums:
    """Compare the scores of a contest with those predicted, as the paper's experiments did.

    Parameters
    ----------
    truth, prediction : array of float
        One number per contestant seen before, in the order of listing.
    who : array of int, optional
        The contestant of each entry, if one may be listed twice: then the last of the two in the
        predicted order stands for both.
    open_pairs : square array of bool, optional
        Pairs whose order the ranker leaves open: half a point.
    **how
        See :func:`qrja.metrics.score_contest`.

    Examples
    --------
    >>> truth, prediction = np.array([9.0, 7.0, 4.0]), np.array([2.0, 2.0, 0.0])
    >>> score_as_listed(truth, prediction).value("ordinal_accuracy")
    1.0
    """
    place, prediction = stable_places(prediction, who)
    sums = score_contest(truth, prediction, open_pairs=open_pairs, **how)
    if open_pairs is None and len(truth) > FEW:
        return replace(sums, right=_rises_by_merging(truth, place))
    return replace(sums, right=_rises_pair_by_pair(truth, place, open_pairs))


def stable_places(prediction: Floats, who: Index | None) -> tuple[Offsets, Floats]:
    """Return the place of each entry after a stable sort, and the prediction of that place.

    Examples
    --------
    >>> stable_places(np.array([1.0, 2.0, 1.0]), who=None)[0]
    array([1, 0, 2])
    >>> stable_places(np.array([1.0, 2.0, 3.0]), who=np.array([0, 1, 0]))
    (array([2, 1, 2]), array([1., 2., 1.]))
    """
    order = np.argsort(-prediction, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    if who is None or not len(who):
        return place, prediction
    last = np.zeros(int(who.max()) + 1, dtype=np.int64)
    np.maximum.at(last, who, place)
    return last[who], prediction[order[last[who]]]


def _rises_pair_by_pair(truth: Floats, place: Offsets, open_pairs: PairMarks | None) -> float:
    first, second = pairs_of(len(truth))
    unequal = truth[first] != truth[second]
    first, second = first[unequal], second[unequal]
    right = place[first] < place[second]
    if open_pairs is None:
        return float(right.sum())
    opened = open_pairs[first, second]
    return float((right & ~opened).sum() + opened.sum() / 2)


def _rises_by_merging(truth: Floats, place: Offsets) -> float:
    _, level = np.unique(truth, return_inverse=True)
    by_level = np.argsort(level, kind="stable")
    # Lower every level below all of the one before, so that only rises within a level remain.
    within = place[by_level] - level[by_level] * (int(place.max(initial=0)) + 1)
    return float(count_rises(place) - count_rises(within))
