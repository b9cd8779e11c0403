"""Ratings: scores per candidate, and what can be said of them.

``fit`` reads the data, solves ``min_x sum w |x_a - x_b - y|^p`` and returns :class:`Ratings`.
"""

from qrja.ratings.board.leaderboard import Row
from qrja.ratings.door import Ratings
from qrja.ratings.entrance import fit
from qrja.ratings.explain.explanation import Explanation
from qrja.ratings.intervals.bounds import Intervals
from qrja.ratings.predict.noise import Noise
from qrja.ratings.predict.prediction import Prediction
from qrja.ratings.ranks import rank_within
from qrja.ratings.saving import load
from qrja.ratings.suggest.suggestions import Suggestions
from qrja.ratings.trust.findings import TrustReport
from qrja.ratings.words import number_of

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
    "number_of",
    "rank_within",
]
