"""OpenSkill: a Bayesian rating with mean and uncertainty for every contestant.

    skill of a ~ Normal(mu_a, sigma_a^2);   predicted is mu_a

A contest is an order of teams of one; the package ``openskill`` updates mu and sigma by its
Plackett-Luce model with its own default settings (mu = 25, sigma = 25/3). Equal scores are ties.
Comes with ``pip install 'qrja[rivals]'``.

References
----------
R. C. Weng and C.-J. Lin, A Bayesian approximation method for online ranking, 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Contest, Floats, Index, best_rows
from qrja.errors import MissingExtraError


class OpenSkill:
    """Predict by the mean skill that the package ``openskill`` estimates.

    Examples
    --------
    >>> ranker = OpenSkill()
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ranker.scores(np.array([0, 1, 2])).round(1)
    array([27.6, 22.4,  nan])
    """

    name = "openskill"
    quantitative = False
    absolute = False

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise MissingExtraError.of("openskill", "rivals", "OpenSkill ratings") from None
        self._model = PlackettLuce()
        self._rating: dict[int, Any] = {}

    def learn(self, contest: Contest) -> None:
        """Update the skills of a contest's field; of two entries of one contestant the better."""
        kept = best_rows(contest.who, contest.score)
        field = contest.who[kept].tolist()
        teams = [[self._rating.get(who) or self._model.rating()] for who in field]
        if len(teams) > 1:
            teams = self._model.rate(teams, scores=contest.score[kept].tolist())
        self._rating.update(zip(field, (team[0] for team in teams), strict=True))

    def scores(self, who: Index) -> Floats:
        """Return the mean skill of each; NaN for those never seen."""
        found = (self._rating.get(number) for number in who.tolist())
        return np.array([np.nan if one is None else one.mu for one in found], dtype=np.float64)
