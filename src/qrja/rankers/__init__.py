"""Rankers: learn contests one by one, and score contestants for the next.

:func:`make_ranker` makes one from its name and a rule set; :data:`RANKERS` lists the names. A
ranker that is not among them needs the three members of :class:`Ranker` and nothing else.

Reading order: :mod:`protocol` (what a ranker is), :mod:`roster` (which there are); then the
rankers, the simple ones first: :mod:`averages`, :mod:`borda` and :mod:`elo`, which keep a
:mod:`tally`; :mod:`least_absolute`, :mod:`refitted` (QRJA with p = 1, and with other losses) and
:mod:`plackett_luce`, which fit all :mod:`learned_contests` again; :mod:`bradley_terry`;
:mod:`auto` (the past chooses); :mod:`openskill`. Kemeny and Young's rule is
:mod:`qrja.rankers.kemeny`, matrix factorisation is :mod:`qrja.rankers.factorization`,
ratings of strengths that move are :mod:`qrja.rankers.moving`. The classes
are imported when first used.
"""

from typing import TYPE_CHECKING

from qrja.lazy import lazily
from qrja.rankers.protocol import (
    Batched,
    Betting,
    Consensual,
    Forecast,
    Informed,
    Levelled,
    Ranker,
    Several,
    TwoScaled,
    ask,
    predicts_levels,
)
from qrja.rankers.roster import KINDS, RANKERS, check_judged, make_ranker

if TYPE_CHECKING:
    from qrja.rankers.auto import Auto
    from qrja.rankers.averages import Mean, MeanMargin, Median, Zero
    from qrja.rankers.borda import Borda
    from qrja.rankers.bradley_terry import BradleyTerry
    from qrja.rankers.elo import Elo
    from qrja.rankers.factorization import Additive, LowRank
    from qrja.rankers.kemeny import KemenyYoung
    from qrja.rankers.learned_contests import LearnedContests, each_once
    from qrja.rankers.least_absolute import LeastAbsolute
    from qrja.rankers.moving import Glicko, Kalman, MarginElo
    from qrja.rankers.openskill import OpenSkill
    from qrja.rankers.plackett_luce import PlackettLuce
    from qrja.rankers.refitted import HuberQRJA, PowerQRJA

__all__ = [
    "RANKERS",
    "Additive",
    "Auto",
    "Batched",
    "Betting",
    "Borda",
    "BradleyTerry",
    "Consensual",
    "Elo",
    "Forecast",
    "Glicko",
    "HuberQRJA",
    "Informed",
    "Kalman",
    "KemenyYoung",
    "LearnedContests",
    "LeastAbsolute",
    "Levelled",
    "LowRank",
    "MarginElo",
    "Mean",
    "MeanMargin",
    "Median",
    "OpenSkill",
    "PlackettLuce",
    "PowerQRJA",
    "Ranker",
    "Several",
    "TwoScaled",
    "Zero",
    "ask",
    "check_judged",
    "each_once",
    "make_ranker",
    "predicts_levels",
]

_WHERE = {kind.maker: f"{__name__}.{kind.module}" for kind in KINDS}
_WHERE |= dict.fromkeys(["LearnedContests", "each_once"], f"{__name__}.learned_contests")
__getattr__ = lazily(__name__, _WHERE)
