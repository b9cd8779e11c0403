"""Drawing: contests once more, or fewer judgments, from data that are only read.

Reading order: :mod:`resampled` (whole contests drawn again, and least squares fitted to them),
:mod:`other_losses` (the same for p = 1, Huber and powers), :mod:`sampled` (Algorithm 1 of
the paper).
"""

from qrja.scale.drawing.other_losses import STEEPEST
from qrja.scale.drawing.resampled import (
    FarResamples,
    FarShares,
    columns_of,
    draw,
    find_shares,
    resample_passes,
)
from qrja.scale.drawing.sampled import (
    Sampled,
    SampleRequest,
    rate_by_sample,
    sample_passes,
    solve_sampled,
)

__all__ = [
    "STEEPEST",
    "FarResamples",
    "FarShares",
    "SampleRequest",
    "Sampled",
    "columns_of",
    "draw",
    "find_shares",
    "rate_by_sample",
    "resample_passes",
    "sample_passes",
    "solve_sampled",
]
