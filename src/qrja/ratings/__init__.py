"""Ratings: scores per candidate, and what can be said of them.

``fit`` reads the data, solves ``min_x sum w |x_a - x_b - y|^p`` and returns :class:`Ratings`.
"""

from qrja.ratings.fitting import Ratings, fit
from qrja.ratings.leaderboard import Row
from qrja.ratings.ranks import rank_within

__all__ = ["Ratings", "Row", "fit", "rank_within"]
