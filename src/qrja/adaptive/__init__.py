"""Adaptive: many QRJA fits side by side, and the past chooses among them.

Reading order: :mod:`members` (what may differ), :mod:`transforms` (how scores are read),
:mod:`objective` (what each member minimises), :mod:`fits` (all of them, kept up to date);
:mod:`drifts` (how strengths may move), :mod:`entry_parts` (what else an entry is made of),
:mod:`states` and :mod:`trackers` (what is known of both, by Kalman's filter); :mod:`assembly` (fits
and trackers together), :mod:`record` (how well each has predicted), :mod:`voting` (who speaks),
:mod:`chances` (the probability to win), :mod:`sentence` (a member in words). ``kernels/``:
``members`` (sweeps of many fits at once), ``tracking`` (one contest of many filters), ``record``
(how good predictions are). The ranker ``qrja-auto`` puts them together.
"""

from qrja.adaptive.assembly import Assembly, Tracked
from qrja.adaptive.chances import Chances
from qrja.adaptive.drifts import DRIFTS, Drift
from qrja.adaptive.fits import SWEEPS, Fits
from qrja.adaptive.members import GRID, HUBER, Grid, Member
from qrja.adaptive.record import ETA, Record
from qrja.adaptive.sentence import tell, tell_terms
from qrja.adaptive.trackers import Trackers, as_day
from qrja.adaptive.transforms import Spreads
from qrja.adaptive.voting import SCALES, Vote, judge, mix

__all__ = [
    "DRIFTS",
    "ETA",
    "GRID",
    "HUBER",
    "SCALES",
    "SWEEPS",
    "Assembly",
    "Chances",
    "Drift",
    "Fits",
    "Grid",
    "Member",
    "Record",
    "Spreads",
    "Tracked",
    "Trackers",
    "Vote",
    "as_day",
    "judge",
    "mix",
    "tell",
    "tell_terms",
]
