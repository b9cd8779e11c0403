"""Intervals: how far ratings, differences and ranks may be from the truth.

Reading order: :mod:`request` (what is asked), :mod:`clusters` (what is independent, and the noise
that a fit hides from itself), :mod:`resampling` (the bootstrap, by :mod:`term_deviations` where
terms are shared), :mod:`tails` (how far results stray), :mod:`drawn_anew` (results with such noise,
fitted again) by :mod:`at_once` (any loss by steps of least squares), :mod:`calibration` (levels
that hold in these), :mod:`moderation` (what all candidates show of each other's noise),
:mod:`sandwich` (the closed form of p = 2), :mod:`bounds` (what all make of it: intervals); beside
them :mod:`classical` (the covariance that weights imply) and :mod:`from_passes` (data that are not
in memory), and on top :mod:`choosing` (which of them is taken, and what updates keep of it).
"""

from qrja.ratings.intervals.bounds import Intervals
from qrja.ratings.intervals.choosing import (
    are_possible,
    choose_method,
    find_intervals,
    share_squares,
)
from qrja.ratings.intervals.classical import (
    ClassicalIntervals,
    StandardErrors,
    find_standard_errors,
)
from qrja.ratings.intervals.clusters import Clusters, find_clusters
from qrja.ratings.intervals.request import Errors, IntervalRequest, Method

__all__ = [
    "ClassicalIntervals",
    "Clusters",
    "Errors",
    "IntervalRequest",
    "Intervals",
    "Method",
    "StandardErrors",
    "are_possible",
    "choose_method",
    "find_clusters",
    "find_intervals",
    "find_standard_errors",
    "share_squares",
]
