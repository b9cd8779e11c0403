"""QRJA that adapts: many members learn side by side, and their past predictions decide who speaks.

    order:    score_a  =   sum over members m of   v_m x_ma
    margins:  score_a  = b sum over members m of   w_m b_m x_ma

Each member is a QRJA fit with its own half-lives, ridge and reading of the scores, or tracks
strengths that move in its own way, or follows results (:mod:`qrja.adaptive`). What covariates add,
who is at home say, is learned beside strengths. Before a contest is learned, every member is judged
by what it would have predicted: v by the pairs it put in order and by its bets on them, w by the
absolute errors of its margins, each times a scale b, which is 1 unless another was surely better so
far. A scale may be 0, so margins that cannot be predicted are not.
Nothing looks ahead: what is learned from a contest is used from the next one on.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from qrja.adaptive import (
    DRIFTS,
    ETA,
    GRID,
    PACES,
    SWEEPS,
    AnyMember,
    Assembly,
    Chances,
    Drift,
    Grid,
    Pace,
    Vote,
    judge,
    judge_bets,
    mix,
    tell,
    tell_terms,
)
from qrja.data import Contest, Fixture, Floats, Index
from qrja.errors import InputError
from qrja.rankers.learned_contests import each_once
from qrja.rankers.protocol import Forecast

Objective = Literal["both", "order", "margin"]


@dataclass(frozen=True)
class Lead:
    """Which member led after a contest.

    Parameters
    ----------
    contest : hashable
        The label of the contest.
    member : Member, Tracked or Following
        The one that weighs most.
    weight : float
        Its share of the prediction of the next contest.
    scale : float
        What its margins were multiplied by.
    """

    contest: Hashable
    member: AnyMember
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
        The members that are fits.
    drifts : sequence of Drift
        Those that track strengths, each with every reading of scores.
    paces : sequence of Pace
        Those that follow results, likewise.
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
        drifts: Sequence[Drift] = DRIFTS,
        paces: Sequence[Pace] = PACES,
        eta: float = ETA,
        sweeps: int = SWEEPS,
    ) -> None:
        if objective not in get_args(Objective):
            raise InputError(
                f"objective is {objective!r}; choose one of {', '.join(get_args(Objective))}"
            )
        self.objective = objective
        self.choices: dict[str, list[Lead]] = {"order": [], "margin": []}
        self._make = partial(Assembly, grid, drifts, paces, sweeps=sweeps)
        self._eta = eta
        self._meet(dated=False)
        self._chances = Chances()
        self._dates: list[np.datetime64] = []
        self._terms: dict[str, None] = {}
        self._said: tuple[Fixture, Floats] | None = None

    def _meet(self, dated: bool) -> None:
        """Call the members in: those that count days only if there are dates."""
        self._members = self._make(dated=dated)
        self._vote = Vote(len(self._members), self._eta)
        self._weights = {"order": self._vote.order(), "margin": self._vote.margin()}

    def learn(self, contest: Contest) -> None:
        """Judge the members by a contest, then let them learn it."""
        contest = each_once(contest)
        if not len(contest):
            return
        if contest.date is not None and not self.choices["order"]:
            self._meet(dated=True)
        predicted = self._predict(contest.fixture)
        known = np.isfinite(predicted[:, 0])
        if known.sum() > 1:
            self._judge(contest.who[known], contest.score[known], predicted[known])
        self._members.learn(contest)
        self._said = None
        self._terms |= dict.fromkeys(one.name for one in contest.covariates if not one.levels)
        self._remember(contest)

    def _judge(self, who: Index, score: Floats, predicted: Floats) -> None:
        said, typical = mix(predicted, self._weights["order"]), self._members.spreads.typical
        self._chances.add(score, said, self._members.appearances(who), typical)
        self._vote.add_mixed(score, mix(predicted, self._weights["margin"]))
        bets = judge_bets(score, predicted, typical)
        self._vote.add(*judge(score, predicted), bets, others=len(who) - 1)
        self._weights = {"order": self._vote.order(), "margin": self._vote.margin()}

    def _predict(self, fixture: Fixture) -> Floats:
        """Return what members say of a contest; what was just said is not worked out again."""
        if self._said is None or not self._said[0].is_of(fixture):
            self._said = fixture, self._members.predict(fixture)
        return self._said[1]

    def _remember(self, contest: Contest) -> None:
        self._dates += [] if contest.date is None else [contest.date]
        weights = {
            "order": self._weights["order"],
            "margin": self._vote.records["margin"].weights(),
        }
        for goal, weight in weights.items():
            best = int(weight.argmax())
            scale = self._vote.scale * float(self._vote.scales[best])
            lead = Lead(contest.label, self._members.members[best], float(weight[best]), scale)
            self.choices[goal].append(lead)

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
        worth = {name: self._members.worth(name) for name in self._terms}
        typical = self._members.spreads.typical
        return tell_terms(worth) + tell(self.choices[goal][-1].member, days, typical=typical)

    def forecast(self, fixture: Fixture) -> Forecast:
        """Return all that is said of a contest: order, margins and probabilities."""
        predicted = self._predict(fixture)
        order = mix(predicted, self._weights["order"])
        margin = self._vote.scale * mix(predicted, self._weights["margin"])
        n = np.maximum(self._members.appearances(fixture.who), 1.0)
        chances = self._chances.beats(order, n, self._members.spreads.typical)
        return Forecast(
            [margin if self.objective == "margin" else order],
            order if self.objective == "order" else margin,
            chances=chances,
            ties=self._chances.ties(chances),
        )

    def scores(self, who: Index) -> Floats:
        """Return a score for each; NaN for those never seen."""
        return self.forecast(Fixture(np.asarray(who))).predictions[0]

    def margins(self, who: Index) -> Floats:
        """Return scores whose differences are the margins expected; NaN for those never seen."""
        margins = self.forecast(Fixture(np.asarray(who))).margins
        assert margins is not None
        return margins

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
        chances = self.forecast(Fixture(np.asarray(who))).chances
        assert chances is not None
        return chances

    def ties(self, who: Index) -> Floats:
        """Return the probability of each to tie with each other; 0 with oneself, NaN unseen.

        Each beats each other with (1 - ties) times :meth:`probabilities`.

        Examples
        --------
        >>> ranker = Auto()
        >>> for c in range(60):
        ...     ranker.learn(Contest(c, np.array([0, 1]), np.array([c % 3, c % 2])))
        >>> bool(0.2 < ranker.ties(np.array([0, 1]))[0, 1] < 0.5)  # of three, one ties
        True
        """
        ties = self.forecast(Fixture(np.asarray(who))).ties
        assert ties is not None
        return ties
