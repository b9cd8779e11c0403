"""What a log says now: its state, and the ratings of it.

    state = fold(log),     ratings = fit(state)

Reading order: :mod:`undoing` (which events count), :mod:`rated` (ratings of a state, and ratings
that follow it), :mod:`follower` (both as of now, while others write), :mod:`trial` (what events
would make of it, before they are written).
"""

from qrja.league.following.follower import Follower, check_chain
from qrja.league.following.rated import collect, follow, judgments_of, rate
from qrja.league.following.trial import Trial, try_out
from qrja.league.following.undoing import check_undoing, find_undone, fold, target

__all__ = [
    "Follower",
    "Trial",
    "check_chain",
    "check_undoing",
    "collect",
    "find_undone",
    "fold",
    "follow",
    "judgments_of",
    "rate",
    "target",
    "try_out",
]
