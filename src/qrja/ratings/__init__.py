"""Ratings: scores per candidate, and what can be said of them.

``fit`` reads the data, solves ``min_x sum w |x_a - x_b - y|^p`` and returns :class:`Ratings`.
"""

from qrja.ratings.explanations import Explanation
from qrja.ratings.fitting import Ratings, Row, fit
from qrja.ratings.ranks import rank_within
from qrja.ratings.suggestions import Suggestions
from qrja.ratings.trust import TrustReport

__all__ = ["Explanation", "Ratings", "Row", "Suggestions", "TrustReport", "fit", "rank_within"]
