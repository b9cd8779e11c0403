"""Ratings: scores per candidate, and what can be said of them.

``fit`` reads the data, solves ``min_x sum w |x_a - x_b - y|^p`` and returns :class:`Ratings`.
"""

from qrja.ratings.explanations import Explanation
from qrja.ratings.fitting import fit
from qrja.ratings.intervals import Intervals
from qrja.ratings.leaderboard import Row
from qrja.ratings.noise import Noise
from qrja.ratings.predictions import Prediction
from qrja.ratings.ranks import rank_within
from qrja.ratings.result import Ratings
from qrja.ratings.saving import load
from qrja.ratings.suggestions import Suggestions
from qrja.ratings.trust import TrustReport

__all__ = [
    "Explanation",
    "Intervals",
    "Noise",
    "Prediction",
    "Ratings",
    "Row",
    "Suggestions",
    "TrustReport",
    "fit",
    "load",
    "rank_within",
]
