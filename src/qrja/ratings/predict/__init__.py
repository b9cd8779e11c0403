"""Predictions: what a start list will do.

Reading order: :mod:`past_errors` (contests foretold by earlier ones) and :mod:`undated` (judgments
foretold by all others), :mod:`winning` (who is ahead, how probably), :mod:`past_ties` (how often
nobody was), :mod:`noise` (how far results strayed from all that), :mod:`start_list` (who is
known, who is new), :mod:`entrant_conditions` (who is at home), :mod:`entrant_contexts` (before
whom), :mod:`entrant_parts` (with which jockey), :mod:`usual_level` (what contests usually score),
:mod:`prediction` (what all that makes of a start list), :mod:`track_record` (what became of
forecasts).
"""

from qrja.ratings.predict.noise import (
    Noise,
    keep_noise,
    learn_noise,
    rating_shares,
    recall_noise,
)
from qrja.ratings.predict.prediction import Prediction, predict
from qrja.ratings.predict.track_record import Forecasts, forecast_past
from qrja.ratings.predict.usual_level import find_level

__all__ = [
    "Forecasts",
    "Noise",
    "Prediction",
    "find_level",
    "forecast_past",
    "keep_noise",
    "learn_noise",
    "predict",
    "rating_shares",
    "recall_noise",
]
