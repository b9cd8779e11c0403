"""Followers: ratings that move by a fixed share of each surprise, as Elo's do.

    said_i = x_i,  relative to the mean of the field
    x_i   <- x_i + gain (g_i - said_i)

A contestant who comes back after more than a season's pause has ``carry`` of its rating left.
Nobody is more certain than anybody else, so there is nothing to be wrong about: where strengths
move in ways that no drift foresees, this does well.

References
----------
A. E. Elo, The Rating of Chessplayers, Past and Present, 1978.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from qrja.data import Floats, Index, grown

GAINS = (0.02, 0.04, 0.08, 0.16, 0.32)
CARRIES = (1.0, 0.75, 0.5)
"""Shares of a surprise, and of a rating that a pause leaves."""
PAUSE = 90.0
"""Days without a contest that end a season for a contestant."""


@dataclass(frozen=True)
class Pace:
    """How fast a rating follows.

    Parameters
    ----------
    gain : float
        The share of a surprise by which it moves.
    carry : float
        The share of it that a pause leaves.
    """

    gain: float
    carry: float = 1.0


PACES = tuple(Pace(gain, carry) for gain, carry in product(GAINS, CARRIES))
"""Those of ``qrja-auto``; without dates there are no pauses."""


class Followers:
    """Several paces, which learn contests one by one.

    Parameters
    ----------
    paces : sequence of Pace
        A setting each.
    readings : int
        How many readings of scores are learned side by side.

    Examples
    --------
    >>> follow = Followers([Pace(0.1), Pace(0.5)])
    >>> who = np.array([0, 1, 2])
    >>> follow.learn(who[:2], np.array([[9.0, 7.0]]), None)
    >>> follow.predict(who, None)[:, :, 0]
    array([[ 0.1,  0.5],
           [-0.1, -0.5],
           [ nan,  nan]])
    """

    def __init__(self, paces: Sequence[Pace], readings: int = 1) -> None:
        self.paces = tuple(paces)
        self._gain = np.array([it.gain for it in paces])[:, None]
        self._carry = np.array([it.carry for it in paces])[:, None]
        self._rating = np.zeros((0, len(paces), readings))
        self._seen, self._when = np.zeros(0, dtype=np.bool_), np.zeros(0)

    def _today(self, who: Index, day: float | None) -> Floats:
        """Return the ratings of a field today, of those never seen 0."""
        rows = int(who.max(initial=-1)) + 1
        self._rating, self._seen = grown(self._rating, rows), grown(self._seen, rows)
        self._when = grown(self._when, rows)
        rating = self._rating[who]
        if day is not None:
            paused = self._seen[who] & (day - self._when[who] > PAUSE)
            rating[paused] *= self._carry
        return rating

    def predict(self, who: Index, day: float | None) -> Floats:
        """Return ratings on a day, by setting and reading; NaN of those never seen."""
        rating = self._today(who, day)
        rating[~self._seen[who]] = np.nan
        return rating

    def learn(self, who: Index, g: Floats, day: float | None) -> None:
        """Take in a contest on a day: ``g`` are readings of its scores, a row each."""
        rating = self._today(who, day)
        surprise = g.T[:, None, :] - rating
        self._rating[who] = rating + self._gain * (surprise - surprise.mean(axis=0))
        self._seen[who] = True
        self._when[who] = np.nan if day is None else day


def without_pauses(paces: Sequence[Pace]) -> list[Pace]:
    """Return the paces that differ where nobody pauses.

    Examples
    --------
    >>> without_pauses([Pace(0.1), Pace(0.1, 0.5), Pace(0.2)])
    [Pace(gain=0.1, carry=1.0), Pace(gain=0.2, carry=1.0)]
    """
    return [pace for pace in paces if pace.carry == 1.0]
