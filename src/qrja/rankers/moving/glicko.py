"""Glicko-2: ratings with an uncertainty and a volatility, by wins alone.

With g(phi) = 1 / sqrt(1 + 3 phi^2 / pi^2) and E = 1 / (1 + exp(-g(phi_j) (mu - mu_j + home))), a
contest of k is k - 1 games of each, which together weigh one:

    v = 1 / mean g^2 E (1 - E),     delta = v mean g (outcome - E)
    sigma' from delta and v,        phi*^2 = phi^2 + sigma'^2
    phi' = 1 / sqrt(1 / phi*^2 + 1 / v),     mu' = mu + phi'^2 mean g (outcome - E)

tau, which says how volatile volatility is, and what home is worth are those with the least Brier
score so far, of a small grid.

References
----------
M. E. Glickman, Example of the Glicko-2 system, 2013; and: Dynamic paired comparison models with
stochastic variances, 2001.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from qrja.data import Contest, Fixture, Floats, Index, grown
from qrja.rankers.learned_contests import each_once
from qrja.rankers.protocol import Forecast
from qrja.terms import HOME

UNIT = 400 / math.log(10)
"""Points of a rating in one of mu."""
START, PHI, SIGMA = 1500.0, 350 / UNIT, 0.06
TAUS = (0.3, 1.0)
HOMES = (0.0, 40.0, 80.0, 120.0)
"""The grid: how volatile volatility is, and points that home is worth."""
STEPS = 60
"""Halvings by which a volatility is found, to fifteen digits."""


class Glicko:
    """Predict by Glicko-2 ratings.

    Parameters
    ----------
    taus, homes : sequence of float
        Of which the past chooses a pair; homes in points.

    Examples
    --------
    >>> ranker = Glicko(taus=(0.5,), homes=(0.0,))
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.scores(np.array([0, 1, 2])).round(1)
    array([1662.3, 1337.7,    nan])
    """

    name = "glicko"
    quantitative = False
    absolute = False

    def __init__(self, taus: tuple[float, ...] = TAUS, homes: tuple[float, ...] = HOMES) -> None:
        self._tau, home = np.array(list(product(taus, homes))).T
        self._home = home / UNIT
        settings = len(home)
        self._mu, self._phi = np.zeros((0, settings)), np.zeros((0, settings))
        self._sigma = np.zeros((0, settings))
        self._seen = np.zeros(0, dtype=np.bool_)
        self._briers = np.zeros(settings)

    def _expect(self, fixture: Fixture) -> tuple[Floats, Floats]:
        """Return the mu of each with home, and the odds g of each, for those yet unseen too."""
        who, before = fixture.who, len(self._seen)
        rows = int(who.max(initial=-1)) + 1
        if rows > before:
            self._mu, self._phi = grown(self._mu, rows), grown(self._phi, rows)
            self._sigma, self._seen = grown(self._sigma, rows), grown(self._seen, rows)
            self._phi[before:], self._sigma[before:] = PHI, SIGMA
        home = fixture.column(HOME)
        z = np.zeros(len(who)) if home is None or not len(who) else home - home.mean()
        return self._mu[who] + z[:, None] * self._home, _weight(self._phi[who])

    def learn(self, contest: Contest) -> None:
        """Judge the constants by a contest, then play it."""
        contest = each_once(contest)
        k = len(contest)
        if k < 2:
            if k:
                self._expect(contest.fixture)
                self._seen[contest.who] = True
            return
        mu, g = self._expect(contest.fixture)
        who, known = contest.who, self._seen[contest.who]
        outcome = np.sign(contest.score[:, None] - contest.score)[:, :, None] / 2 + 0.5
        expected = 1 / (1 + np.exp(-g * (mu[:, None] - mu)))
        both = known[:, None] & known & (outcome[:, :, 0] != 0.5)
        self._briers += ((outcome - expected) ** 2)[both].sum(axis=0)
        others = ~np.eye(k, dtype=np.bool_)[:, :, None]
        share = 1 / (k - 1)
        v = 1 / (share * np.where(others, g**2 * expected * (1 - expected), 0.0).sum(axis=1))
        gain = share * np.where(others, g * (outcome - expected), 0.0).sum(axis=1)
        phi, sigma = self._phi[who], self._sigma[who]
        sigma = _volatility(phi, sigma, v, v * gain, self._tau)
        phi = 1 / np.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
        self._mu[who] += phi**2 * gain
        self._phi[who], self._sigma[who] = phi, sigma
        self._seen[who] = True

    def forecast(self, fixture: Fixture) -> Forecast:
        """Return ratings with what home is worth, and the probabilities that follow."""
        best = int(self._briers.argmin())
        mu = self._expect(fixture)[0][:, best]
        x = np.where(self._seen[fixture.who], mu, np.nan)
        phi = self._phi[fixture.who, best]
        g = _weight(np.sqrt(phi[:, None] ** 2 + phi**2))
        return Forecast([START + UNIT * x], chances=1 / (1 + np.exp(-g * (x[:, None] - x))))

    def scores(self, who: Index) -> Floats:
        """Return the rating of each; NaN for those never seen."""
        return self.forecast(Fixture(np.asarray(who))).predictions[0]


def _weight(phi: Floats) -> Floats:
    """Return how much a result against a rating of that uncertainty says."""
    return np.asarray(1 / np.sqrt(1 + 3 * phi**2 / math.pi**2))


def _volatility(phi: Floats, sigma: Floats, v: Floats, delta: Floats, tau: Floats) -> Floats:
    """Return the volatility that results make likeliest, by halving: the slope falls in it."""
    a = np.log(sigma**2)
    low, high = a - 8.0, a + 8.0
    for _ in range(STEPS):
        x = (low + high) / 2
        spread = phi**2 + v + np.exp(x)
        rises = np.exp(x) * (delta**2 - spread) / (2 * spread**2) > (x - a) / tau**2
        low, high = np.where(rises, x, low), np.where(rises, high, x)
    return np.asarray(np.exp(low / 2))
