"""Intervals: how far ratings, differences and ranks may be from the truth.

Reading order: :mod:`request` (what is asked), :mod:`clusters` (what is independent, and the noise
that a fit hides from itself), :mod:`resampling` (the bootstrap), :mod:`sandwich` (the closed form
of p = 2), :mod:`bounds` (what both make of it: intervals).
"""

from qrja.ratings.intervals.bounds import Intervals, find_intervals
from qrja.ratings.intervals.clusters import Clusters, find_clusters
from qrja.ratings.intervals.request import IntervalRequest, Method

__all__ = [
    "Clusters",
    "IntervalRequest",
    "Intervals",
    "Method",
    "find_clusters",
    "find_intervals",
]
