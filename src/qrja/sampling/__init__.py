"""Fewer judgments with about the same optimum.

Reading order: :mod:`lewis` (how much each judgment matters), :mod:`draws` (drawing by it).
"""

from qrja.sampling.draws import draw_by_shares, entries_of_pairs, entry_shares, subsample
from qrja.sampling.lewis import Points, lewis_points, lewis_weights

__all__ = [
    "Points",
    "draw_by_shares",
    "entries_of_pairs",
    "entry_shares",
    "lewis_points",
    "lewis_weights",
    "subsample",
]
