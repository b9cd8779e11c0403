"""Adaptive: many QRJA fits side by side, and the past chooses among them.

Reading order: :mod:`members` (what may differ), :mod:`transforms` (how scores are read),
:mod:`objective` (what each member minimises), :mod:`fits` (all of them, kept up to date),
:mod:`record` (how well each has predicted), :mod:`voting` (who speaks), :mod:`chances` (the
probability to win), :mod:`sentence` (a member in words). ``kernels/``: ``members`` (sweeps of many
fits at once), ``record`` (how good their predictions are). The ranker ``qrja-auto`` puts them
together.
"""

from qrja.adaptive.chances import Chances
from qrja.adaptive.fits import SWEEPS, Fits
from qrja.adaptive.members import GRID, HUBER, Grid, Member
from qrja.adaptive.record import ETA, Record
from qrja.adaptive.sentence import tell
from qrja.adaptive.voting import SCALES, Vote, judge, mix

__all__ = [
    "ETA",
    "GRID",
    "HUBER",
    "SCALES",
    "SWEEPS",
    "Chances",
    "Fits",
    "Grid",
    "Member",
    "Record",
    "Vote",
    "judge",
    "mix",
    "tell",
]
