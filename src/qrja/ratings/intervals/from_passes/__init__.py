"""Intervals of ratings whose data are read in passes.

Reading order: :mod:`far_intervals`, which draws whole contests again where they are.
"""

from qrja.ratings.intervals.from_passes.far_intervals import can_resample, find_far_intervals

__all__ = ["can_resample", "find_far_intervals"]
