"""Kalman's filter as a rating: strengths that move, and what else is known of entries.

    score = strength + (home, other terms and parts) + level of the contest + error

Strengths are followed exactly under squared errors, with all covariances
(:mod:`qrja.adaptive.tracking`), by several drifts side by side. Before each contest that one speaks
whose margins had the least squared error so far.

References
----------
R. E. Kalman, A new approach to linear filtering and prediction problems, 1960.
M. E. Glickman and H. S. Stern, A state-space model for National Football League scores, 1998.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrja.adaptive import DRIFTS, FIELD, Chances, Drift, Spreads, Trackers
from qrja.data import Contest, Fixture, Floats, Index
from qrja.rankers.learned_contests import each_once
from qrja.rankers.protocol import Forecast
from qrja.rankers.tally import Tally

ROOM = 2000
"""Contestants, and whatever else moves, whose covariances are kept."""


class Kalman:
    """Predict by strengths that move, with covariances.

    Parameters
    ----------
    drifts : sequence of Drift
        How strengths may move, of which the past chooses; those by days need dates.
    room : int
        Of how many states, those seen last, covariances are kept.
    field : int
        Entrants up to which a contest is learned exactly; of more the level of the contest is known
        so well that each is learned by itself.

    Examples
    --------
    >>> ranker = Kalman([Drift(0.5)])
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.scores(np.array([0, 1, 2])).round(2)
    array([ 0.33, -0.33,   nan])
    """

    name = "kalman"
    quantitative = True
    absolute = False

    def __init__(
        self, drifts: Sequence[Drift] = DRIFTS, room: int = ROOM, field: int = FIELD
    ) -> None:
        self._given, self._room, self._field = tuple(drifts), room, field
        self._meet(dated=False)
        self._chances, self._spreads, self._seen = Chances(), Spreads(), Tally()

    def _meet(self, dated: bool) -> None:
        drifts = [drift for drift in self._given if dated or drift.clock != "days"]
        self._trackers = Trackers(drifts, room=self._room, field=self._field)
        self._errors = np.zeros(len(drifts))
        self._contests = 0

    @property
    def drift(self) -> Drift:
        """The one whose margins erred least so far."""
        return self._trackers.drifts[int(self._errors.argmin())]

    def learn(self, contest: Contest) -> None:
        """Judge the drifts by a contest, then let them learn it."""
        contest = each_once(contest)
        if not len(contest):
            return
        if contest.date is not None and not self._contests:
            self._meet(dated=True)
        said = self._trackers.predict(contest.fixture)[0][:, :, 0]
        known = np.isfinite(said[:, 0])
        if known.sum() > 1:
            score, mine = contest.score[known], said[known]
            n = self._seen.counts(contest.who[known])
            self._chances.add(score, mine[:, self._errors.argmin()], n, self._spreads.typical)
            left = score[:, None] - mine
            self._errors += ((left - left.mean(axis=0)) ** 2).sum(axis=0)
        self._spreads.add(contest.score)
        self._trackers.learn(contest)
        self._seen.add(contest.who, 0.0)
        self._contests += 1

    def forecast(self, fixture: Fixture) -> Forecast:
        """Return what is expected, and the probabilities that follow."""
        x = self._trackers.predict(fixture)[0][:, int(self._errors.argmin()), 0]
        n = np.maximum(self._seen.counts(fixture.who), 1.0)
        chances = self._chances.beats(x, n, self._spreads.typical)
        return Forecast([x], chances=chances, ties=self._chances.ties(chances))

    def scores(self, who: Index) -> Floats:
        """Return a strength for each; NaN for those never seen."""
        return self.forecast(Fixture(np.asarray(who))).predictions[0]
