"""Adaptive: many QRJA fits side by side, and the past chooses among them.

Reading order: :mod:`members` (what may differ), :mod:`transforms` (how scores are read),
:mod:`objective` (what each member minimises), :mod:`fits` (all of them, kept up to date);
``tracking/`` (strengths that move, by Kalman's filter); :mod:`followers` (ratings that move by a
share of each surprise); :mod:`assembly` (all of them together), :mod:`record` (how well each has
predicted), :mod:`voting` (who speaks), :mod:`chances` (the probability to win), :mod:`tie_odds`
(and to tie), :mod:`sentence` (a member in words). ``kernels/``: ``members`` (sweeps of many fits at
once), ``record`` (how good predictions are). The ranker ``qrja-auto`` puts them together.
"""

from qrja.adaptive.assembly import AnyMember, Assembly, Following, Tracked
from qrja.adaptive.chances import Chances
from qrja.adaptive.fits import SWEEPS, Fits
from qrja.adaptive.followers import CARRIES, GAINS, PACES, PAUSE, Pace
from qrja.adaptive.members import GRID, HUBER, Grid, Member
from qrja.adaptive.record import ETA, Record
from qrja.adaptive.sentence import tell, tell_terms
from qrja.adaptive.tie_odds import TieOdds, tie_chances
from qrja.adaptive.tracking import DRIFTS, FIELD, Drift, Trackers, as_day
from qrja.adaptive.transforms import Spreads
from qrja.adaptive.voting import SCALES, STEEPS, MarginScales, Steeps, Vote, judge, judge_bets, mix

__all__ = [
    "CARRIES",
    "DRIFTS",
    "ETA",
    "FIELD",
    "GAINS",
    "GRID",
    "HUBER",
    "PACES",
    "PAUSE",
    "SCALES",
    "STEEPS",
    "SWEEPS",
    "AnyMember",
    "Assembly",
    "Chances",
    "Drift",
    "Fits",
    "Following",
    "Grid",
    "MarginScales",
    "Member",
    "Pace",
    "Record",
    "Spreads",
    "Steeps",
    "TieOdds",
    "Tracked",
    "Trackers",
    "Vote",
    "as_day",
    "judge",
    "judge_bets",
    "mix",
    "tell",
    "tell_terms",
    "tie_chances",
]
