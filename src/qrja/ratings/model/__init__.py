"""The model: what is minimised, besides the results, and what may be asked of it.

Reading order: :mod:`model` (which loss, and what is known) with :mod:`decay` (half-lives) and
:mod:`measured` (uncertain anchors), :mod:`asked_model` (what people ask for, checked).
"""

from qrja.ratings.model.asked_model import Anchors, check_measured, check_model
from qrja.ratings.model.decay import HalfLife
from qrja.ratings.model.model import Known, Model, ModelChoice

__all__ = [
    "Anchors",
    "HalfLife",
    "Known",
    "Model",
    "ModelChoice",
    "check_measured",
    "check_model",
]
