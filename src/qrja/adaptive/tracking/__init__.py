"""Tracking: strengths that move, followed by Kalman's filter from contest to contest.

Reading order: :mod:`drifts` (how strengths may move), :mod:`entry_parts` (what else an entry is
made of), :mod:`states` (means and covariances of both), :mod:`trackers` (what a contest says about
them). ``kernels/``: ``trackers`` (one contest of many filters).
"""

from qrja.adaptive.tracking.drifts import DRIFTS, Drift
from qrja.adaptive.tracking.trackers import FIELD, Trackers, as_day

__all__ = ["DRIFTS", "FIELD", "Drift", "Trackers", "as_day"]
