"""Ratings: scores per candidate, and what can be said of them.

``fit`` reads the data, solves ``min_x sum w |x_a - x_b - y|^p`` and returns :class:`Ratings`.

Reading order: :mod:`model` (what is minimised) with :mod:`precision` (errors in, errors out),
:mod:`fitted` (the model solved on data) with :mod:`ranks`, and :mod:`words` (how results are spoken
of). Then a room for each question about a fit: :mod:`intervals`, :mod:`board`, :mod:`consistency`,
:mod:`predict`, :mod:`explain`, :mod:`trust`, :mod:`suggest`, :mod:`judges`, :mod:`members`,
:mod:`pictures`; beside them :mod:`past` (the ratings of earlier days), :mod:`updates` (new
results), :mod:`saving`. :mod:`questions` makes all of these methods, and :mod:`door` one class;
:mod:`entrance` leads there, by way of :mod:`choice` if the past is to choose the model
(:mod:`judged_choice` if judgments are), and of :mod:`spacing` if the data are to say what verdicts
count; data that do not fit in memory go by way of :mod:`far`.
"""

from typing import TYPE_CHECKING

from qrja.lazy import lazily
from qrja.ratings.board import Changes, Row
from qrja.ratings.door import Ratings
from qrja.ratings.entrance import fit, load
from qrja.ratings.intervals import ClassicalIntervals, Intervals
from qrja.ratings.model import Model, ModelChoice, check_measured, check_model
from qrja.ratings.past import cut_evenly, trace, walk
from qrja.ratings.ranks import rank_within
from qrja.ratings.spacing import fit_grades, wants_fitted_grades
from qrja.ratings.words import Wording, chance, number_in, number_of, similar, spoken

if TYPE_CHECKING:
    from qrja.ratings.explain import Explanation
    from qrja.ratings.predict import Noise, Prediction
    from qrja.ratings.suggest import Suggestions
    from qrja.ratings.trust import TrustReport

__all__ = [
    "Changes",
    "ClassicalIntervals",
    "Explanation",
    "Intervals",
    "Model",
    "ModelChoice",
    "Noise",
    "Prediction",
    "Ratings",
    "Row",
    "Suggestions",
    "TrustReport",
    "Wording",
    "chance",
    "check_measured",
    "check_model",
    "cut_evenly",
    "fit",
    "fit_grades",
    "load",
    "number_in",
    "number_of",
    "rank_within",
    "similar",
    "spoken",
    "trace",
    "walk",
    "wants_fitted_grades",
]

_LATER = {
    "Explanation": "qrja.ratings.explain",
    "Noise": "qrja.ratings.predict",
    "Prediction": "qrja.ratings.predict",
    "Suggestions": "qrja.ratings.suggest",
    "TrustReport": "qrja.ratings.trust",
}
"""Rooms that a leaderboard goes without: they are loaded when asked for."""

__getattr__ = lazily(__name__, _LATER)
