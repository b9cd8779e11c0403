"""Predictions: what a start list will do.

Reading order: :mod:`noise` (how far results strayed from what earlier ones foretold),
:mod:`prediction` (what that makes of a start list).
"""

from qrja.ratings.predict.noise import Noise, learn_noise
from qrja.ratings.predict.prediction import Prediction, predict

__all__ = ["Noise", "Prediction", "learn_noise", "predict"]
