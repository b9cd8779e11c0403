"""Fewer judgments with about the same optimum.

Reading order: :mod:`lewis` (how much each judgment matters), :mod:`draws` (drawing by it).
"""

from qrja.sampling.draws import subsample
from qrja.sampling.lewis import lewis_points, lewis_weights

__all__ = ["lewis_points", "lewis_weights", "subsample"]
