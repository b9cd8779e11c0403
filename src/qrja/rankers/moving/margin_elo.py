"""Elo by margins: ratings in points, which move by a share of the surprise.

    said    = R_a + home z_a,  relative to the mean of the field
    R_a    <- R_a + K (margin over the field - said)
    home   <- home + HOME K z (the same surprise)

z is 1/2 for the side at home, -1/2 for the other. A contestant who comes back after more than a
season's pause has ``carry`` of its rating left. K and carry are those with the least absolute
error so far, of a small grid.

References
----------
A. E. Elo, The Rating of Chessplayers, Past and Present, 1978.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from qrja.adaptive import CARRIES, GAINS, PAUSE, Chances, Spreads, as_day
from qrja.data import Contest, Fixture, Floats, Index, grown
from qrja.rankers.learned_contests import each_once
from qrja.rankers.protocol import Forecast
from qrja.terms import HOME

SLOWER = 0.05
"""What all share moves that much slower than a rating, for everybody teaches it."""


class MarginElo:
    """Predict by ratings that move with margins.

    Parameters
    ----------
    gains, carries : sequence of float
        Of which the past chooses a pair.

    Examples
    --------
    >>> ranker = MarginElo(gains=[0.1], carries=[1.0])
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.scores(np.array([0, 1, 2]))
    array([ 0.1, -0.1,  nan])
    """

    name = "margin-elo"
    quantitative = True
    absolute = False

    def __init__(
        self, gains: tuple[float, ...] = GAINS, carries: tuple[float, ...] = CARRIES
    ) -> None:
        self._gain, self._carry = np.array(list(product(gains, carries))).T
        self._rating = np.zeros((0, len(self._gain)))
        self._count, self._when = np.zeros(0), np.full(0, np.nan)
        self._home = np.zeros(len(self._gain))
        self._errors = np.zeros(len(self._gain))
        self._chances, self._spreads = Chances(), Spreads()

    def _said(self, fixture: Fixture) -> tuple[Floats, Floats, Floats]:
        """Return the ratings of a field today, what is said of it, and who is at home."""
        who, today = fixture.who, as_day(fixture.date)
        rows = int(who.max(initial=-1)) + 1
        self._rating, self._count = grown(self._rating, rows), grown(self._count, rows)
        self._when = grown(self._when, rows)
        rating = self._rating[who]
        if today is not None:
            paused = (self._count[who] > 0) & (today - self._when[who] > PAUSE)
            rating = np.where(paused[:, None], rating * self._carry, rating)
        home = fixture.column(HOME)
        z = np.zeros(len(who)) if home is None or not len(who) else home - home.mean()
        return rating, rating + z[:, None] * self._home, z

    def learn(self, contest: Contest) -> None:
        """Judge the constants by a contest, then move the ratings."""
        contest = each_once(contest)
        if not len(contest):
            return
        rating, said, z = self._said(contest.fixture)
        known = self._count[contest.who] > 0
        self._judge(contest.score[known], said[known], self._count[contest.who[known]])
        self._spreads.add(contest.score)
        surprise = contest.score[:, None] - said
        surprise -= surprise.mean(axis=0)
        self._rating[contest.who] = rating + self._gain * surprise
        if z.any():
            step = (z[:, None] * surprise).sum(axis=0) / (z @ z)
            self._home += SLOWER * self._gain * step
        self._count[contest.who] += 1
        today = as_day(contest.date)
        self._when[contest.who] = np.nan if today is None else today

    def _judge(self, score: Floats, said: Floats, count: Floats) -> None:
        if len(score) < 2:
            return
        self._chances.add(score, said[:, self._errors.argmin()], count, self._spreads.typical)
        left = np.sort(score[:, None] - said, axis=0)
        k = len(score)
        self._errors += ((2 * np.arange(k) - k + 1)[:, None] * left).sum(axis=0)

    def forecast(self, fixture: Fixture) -> Forecast:
        """Return what is expected, and the probabilities that follow."""
        _, said, _ = self._said(fixture)
        n = self._count[fixture.who]
        x = np.where(n > 0, said[:, int(self._errors.argmin())], np.nan)
        chances = self._chances.beats(x, np.maximum(n, 1.0), self._spreads.typical)
        return Forecast([x], chances=chances, ties=self._chances.ties(chances))

    def scores(self, who: Index) -> Floats:
        """Return the rating of each; NaN for those never seen."""
        return self.forecast(Fixture(np.asarray(who))).predictions[0]
