"""QRJA that adapts: many fits learn side by side, and their past predictions decide who speaks.

    order:    score_a  = sum over members m of   v_m x_ma
    margins:  score_a  = sum over members m of   w_m b_m x_ma

Each member is a QRJA fit with its own half-lives, ridge and reading of the scores, and a loss of
its own where the grid has several (:mod:`qrja.adaptive`). Before a contest is learned, every
member is judged by what it would have predicted: v by the pairs it put in order, w by the absolute
errors of its margins, each times a scale b, which is 1 unless another was surely better so far. A
scale may be 0, so margins that cannot be predicted are not.
Nothing looks ahead: what is learned from a contest is used from the next one on.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from qrja.adaptive import (
    ETA,
    GRID,
    SWEEPS,
    Chances,
    Fits,
    Grid,
    Member,
    Vote,
    judge,
    mix,
    tell,
)
from qrja.data import Contest, Floats, Index, best_rows
from qrja.errors import InputError

Objective = Literal["both", "order", "margin"]


@dataclass(frozen=True)
class Lead:
    """Which member led after a contest.

    Parameters
    ----------
    contest : hashable
        The label of the contest.
    member : Member
        The one with the best record.
    weight : float
        Its share of the prediction of the next contest.
    scale : float
        What its margins were multiplied by.
    """

    contest: Hashable
    member: Member
    weight: float
    scale: float


class Auto:
    """Predict by the QRJA fits that have predicted best so far.

    Parameters
    ----------
    objective : {"both", "order", "margin"}
        What members are judged by: pairs put in order, absolute errors of margins, or each for its
        own purpose.
    grid : Grid
        The members.
    eta : float
        How quickly the weight of a member falls with the standard errors it is behind.
    sweeps : int
        Of every member after every contest.

    Attributes
    ----------
    choices : dict
        ``"order"`` and ``"margin"`` -> a :class:`Lead` after every contest.

    Examples
    --------
    >>> from qrja import datasets
    >>> ranker = Auto()
    >>> for contest in datasets.classifiers()[:20]:
    ...     ranker.learn(contest)
    >>> scores = ranker.scores(np.array([0, 1, 10**6]))
    >>> bool(np.isfinite(scores[:2]).all()), bool(np.isnan(scores[2]))
    (True, True)
    """

    name = "qrja-auto"
    quantitative = True
    absolute = False

    def __init__(
        self,
        objective: Objective = "both",
        *,
        grid: Grid = GRID,
        eta: float = ETA,
        sweeps: int = SWEEPS,
    ) -> None:
        if objective not in get_args(Objective):
            raise InputError(
                f"objective is {objective!r}; choose one of {', '.join(get_args(Objective))}"
            )
        self.objective = objective
        self.choices: dict[str, list[Lead]] = {"order": [], "margin": []}
        self._fits = Fits(grid, sweeps)
        self._vote, self._chances = Vote(len(grid), eta), Chances()
        self._dates: list[np.datetime64] = []

    def learn(self, contest: Contest) -> None:
        """Judge the members by a contest, then let them learn it."""
        kept = best_rows(contest.who, contest.score)
        if not len(kept):
            return
        who, score = contest.who[kept], np.asarray(contest.score[kept], dtype=np.float64)
        predicted = self._fits.predict(who)
        known = np.isfinite(predicted[:, 0])
        if known.sum() > 1:
            self._judge(who[known], score[known], predicted[known])
        self._fits.learn(contest)
        self._remember(contest)

    def _judge(self, who: Index, score: Floats, predicted: Floats) -> None:
        said, typical = mix(predicted, self._vote.order()), self._fits.spreads.typical
        self._chances.add(score, said, self._fits.appearances(who), typical)
        self._vote.add(*judge(score, predicted))

    def _remember(self, contest: Contest) -> None:
        self._dates += [] if contest.date is None else [contest.date]
        for goal, record in self._vote.records.items():
            best = record.leader
            weight, scale = float(record.weights()[best]), float(self._vote.scales[best])
            member = self._fits.grid.members[best]
            self.choices[goal].append(Lead(contest.label, member, weight, scale))

    def tell(self, goal: str) -> str:
        """Say in a sentence how the member that leads for a goal, order or margin, reads the past.

        Examples
        --------
        >>> ranker = Auto()
        >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
        >>> ranker.tell("order").split("; ")[0]
        "Results count half after 10 of one's own"
        """
        if goal not in self.choices:
            raise InputError(f"no choice {goal!r}; choose {' or '.join(self.choices)}")
        if not self.choices[goal]:
            raise InputError("nothing was learned yet; learn a contest first")
        days = None
        if len(self._dates) > 1:
            days = float((self._dates[-1] - self._dates[0]) / np.timedelta64(1, "D"))
            days /= len(self._dates) - 1
        return tell(self.choices[goal][-1].member, days)

    def scores(self, who: Index) -> Floats:
        """Return a score for each; NaN for those never seen."""
        if self.objective == "margin":
            return self.margins(who)
        return mix(self._fits.predict(who), self._vote.order())

    def margins(self, who: Index) -> Floats:
        """Return scores whose differences are the margins expected; NaN for those never seen."""
        if self.objective == "order":
            return self.scores(who)
        return mix(self._fits.predict(who), self._vote.margin())

    def probabilities(self, who: Index) -> Floats:
        """Return the probability of each (row) to beat each other (column).

        Where one of the two was never seen it is NaN, and 1/2 for oneself.

        Examples
        --------
        >>> ranker = Auto()
        >>> for c in range(9):
        ...     ranker.learn(Contest(c, np.array([0, 1]), np.array([9.0, 7.0 + c % 3])))
        >>> bool(ranker.probabilities(np.array([0, 1]))[0, 1] > 0.8)
        True
        """
        who = np.asarray(who)
        x = mix(self._fits.predict(who), self._vote.order())
        n = np.maximum(self._fits.appearances(who), 1.0)
        return self._chances.beats(x, n, self._fits.spreads.typical)
