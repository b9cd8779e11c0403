"""QRJA that adapts: many fits learn side by side, and their past predictions decide who speaks.

    order:    score_a  = sum over members m of   v_m x_ma
    margins:  score_a  = sum over members m of   w_m b_m x_ma

Each member is a QRJA fit with its own loss, half-lives, ridge and reading of the scores
(:mod:`qrja.adaptive`). Before a contest is learned, every member is judged by what it would have
predicted: v by the pairs it put in order, w by the absolute errors of its margins, each times the
scale b that was best so far. A scale may be 0, so margins that cannot be predicted are not.
Nothing looks ahead: what is learned from a contest is used from the next one on.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from qrja._arrays import Floats, Index
from qrja.adaptive.fits import SWEEPS, Fits, best_rows
from qrja.adaptive.members import GRID, Grid, Member
from qrja.adaptive.record import ETA, Record
from qrja.adaptive.telling import tell
from qrja.contest import Contest
from qrja.errors import InputError

Objective = Literal["both", "order", "margin"]

SCALES = np.array(
    [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, 1.15, 1.3, 1.5, 1.75, 2], dtype=np.float64
)
"""What margins may be multiplied by; the first is taken as long as nothing is known."""


@dataclass(frozen=True)
class Choice:
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
        ``"order"`` and ``"margin"`` -> a :class:`Choice` after every contest.

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
        self.choices: dict[str, list[Choice]] = {"order": [], "margin": []}
        self._fits = Fits(grid, sweeps)
        self._order, self._margin = Record(len(grid), eta), Record(len(grid), eta)
        self._losses = np.zeros((len(SCALES), len(grid)))
        self._dates: list[np.datetime64] = []

    def learn(self, contest: Contest) -> None:
        """Judge the members by a contest, then let them learn it."""
        who, score = best_rows(contest.who, np.asarray(contest.score, dtype=np.float64))
        if not len(who):
            return
        predicted = self._fits.predict(who)
        known = np.isfinite(predicted[:, 0])
        if known.sum() > 1:
            self._judge(score[known], np.ascontiguousarray(predicted[known]))
        self._fits.learn(contest)
        self._remember(contest)

    def _judge(self, score: Floats, predicted: Floats) -> None:
        from qrja.adaptive import _kernels_record as kernels

        right, losses = np.zeros(predicted.shape[1]), np.zeros_like(self._losses)
        kernels.count_right(score, predicted, right)
        kernels.add_losses(score, predicted, SCALES, losses)
        chosen = self._losses.argmin(axis=0)
        self._order.add(right)
        self._margin.add(-losses[chosen, np.arange(len(chosen))])
        self._losses += losses

    def _remember(self, contest: Contest) -> None:
        self._dates += [] if contest.date is None else [contest.date]
        for goal, record in ("order", self._order), ("margin", self._margin):
            best = record.leader
            member, weight = self._fits.grid.members[best], float(record.weights()[best])
            self.choices[goal].append(
                Choice(contest.label, member, weight, float(self._scales[best]))
            )

    def tell(self, goal: str) -> str:
        """Say in a sentence how the member that leads for a goal, order or margin, reads the past.

        Examples
        --------
        >>> ranker = Auto()
        >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
        >>> ranker.tell("order").split("; ")[0]
        "Results count half after 5 contests and after 3 of one's own"
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

    @property
    def _scales(self) -> Floats:
        return np.asarray(SCALES[self._losses.argmin(axis=0)])

    def scores(self, who: Index) -> Floats:
        """Return a score for each; NaN for those never seen."""
        if self.objective == "margin":
            return self.margins(who)
        return self._fits.predict(who) @ self._order.weights()

    def margins(self, who: Index) -> Floats:
        """Return scores whose differences are the margins expected; NaN for those never seen."""
        if self.objective == "order":
            return self.scores(who)
        return self._fits.predict(who) @ (self._margin.weights() * self._scales)
