"""Voting: what the records of members say about whose scores count, for order and for margins.

    order:    score_a = sum_m v_m x_ma          v from the pairs that each member put in order, and
                                                from the Brier score of its bets
    margins:  score_a = b sum_m w_m b_m x_ma    w from the absolute errors of b_m x_m

A bet is a probability to win, 1 / (1 + exp(-s_m (x_ma - x_mb) / G)) with the steepness s_m that was
best so far: pairs in order alone say little about members that hardly differ. In a match they say
nothing but who won, which a bet says better; in a large field both say as much, so with j others to
meet on average, pairs in order count for (1 - 1 / j) / 2, and bets for the rest. b_m is 1 unless
another scale, by which the member's margins erred less so far, is ahead by two standard errors; of
these, the one that erred least. One of the scales is 0, and where that erred less than 1, the one
that erred least is taken without further proof. b is the same of the sum, with proof always.
"""

from __future__ import annotations

import numpy as np

from qrja.adaptive.record import ETA, Record
from qrja.data import Floats, Index

SCALES = np.array(
    [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, 1.15, 1.3, 1.5, 1.75, 2], dtype=np.float64
)
"""What margins may be multiplied by; the first is taken unless another is surely better."""
SURE = 2.0
"""Standard errors by which a scale has to be ahead of the first: of five rules tried on five data
sets, the best."""
STEEPS = 0.15 * 2.0 ** (np.arange(18) / 2)
"""Of the bets of members: those that are pulled hard toward the mean need steep ones."""
USUAL = 1.7
"""A steepness that suits scores whose errors are of a typical spread, taken at first."""


class MarginScales:
    """What the margins of members are multiplied by.

    Parameters
    ----------
    members : int
        How many.
    scales : array of float
        To choose from, of those judged the first ones.
    proof : bool
        Whether a scale has to be surely better even if margins so far were worse than none.
    """

    def __init__(self, members: int, scales: Floats = SCALES, *, proof: bool = False) -> None:
        self._from, self._proof = scales, proof
        self._saved = np.zeros((len(scales), members))
        self._squares = np.zeros((len(scales), members))
        self.chosen: Index = np.zeros(members, dtype=np.int32)

    def add(self, losses: Floats) -> None:
        """Take in what margins cost in a contest, a row per scale and a column per member."""
        saved = losses[0] - losses[: len(self._from)]
        self._saved += saved
        self._squares += saved**2
        sure = self._saved > SURE * np.sqrt(self._squares)
        if not self._proof and 0.0 in self._from:
            sure |= self._saved[self._from == 0.0] > 0
        self.chosen = np.where(sure, self._saved, 0.0).argmax(axis=0).astype(np.int32)

    @property
    def values(self) -> Floats:
        """The scales that are taken."""
        return self._from[self.chosen]


class Steeps:
    """The steepness of the bets of members: that which was best so far."""

    def __init__(self, members: int) -> None:
        # As if a few pairs had been foretold best by the usual steepness.
        self._briers = 0.06 * np.log(STEEPS / USUAL)[:, None] ** 2 + np.zeros(members)

    def add(self, briers: Floats) -> Floats:
        """Take in a contest by :func:`judge_bets`; return what the best so far came to in it."""
        came = at_best(self._briers, briers)
        self._briers += briers
        return came


class Vote:
    """The records of members for both goals, and the weights that follow.

    Parameters
    ----------
    members : int
        How many.
    eta : float
        See :class:`qrja.adaptive.Record`.
    scales : array of float
        The scales to choose from, of those judged the first ones.
    proof : bool
        See :class:`MarginScales`.

    Examples
    --------
    >>> vote = Vote(2)
    >>> score, predicted = np.array([4.0, 0.0]), np.array([[4.0, 0.0], [0.0, 1.0]])
    >>> for _ in range(9):
    ...     vote.add(*judge(score, predicted))
    >>> vote.order().round(2), vote.margin().round(2)
    (array([1., 0.]), array([1., 0.]))
    """

    def __init__(
        self, members: int, eta: float = ETA, scales: Floats = SCALES, *, proof: bool = False
    ) -> None:
        self.eta = eta
        self.records = {goal: Record(members, eta) for goal in ("order", "margin", "bet")}
        self._scales = MarginScales(members, scales, proof=proof)
        self._whole = MarginScales(1, scales, proof=True)
        self._others = 0
        self._steeps = Steeps(members)

    def add(
        self, right: Floats, losses: Floats, briers: Floats | None = None, others: int = 1
    ) -> None:
        """Take in a contest as judged by :func:`judge`, with bets by :func:`judge_bets` or not.

        ``others`` is how many others each entrant met.
        """
        each = np.arange(len(right))
        self.records["order"].add(right)
        self.records["margin"].add(-losses[self._scales.chosen, each])
        self._scales.add(losses)
        if briers is not None:
            self.records["bet"].add(-self._steeps.add(briers))
            self._others += others

    def add_mixed(self, score: Floats, margins: Floats) -> None:
        """Take in what came of margins that were mixed, before they were scaled together."""
        self._whole.add(judge(score, margins[:, None])[1])

    @property
    def scales(self) -> Floats:
        """What the margins of each member are multiplied by."""
        return self._scales.values

    @property
    def scale(self) -> float:
        """What the margins of all together are multiplied by."""
        return float(self._whole.values[0])

    def order(self) -> Floats:
        """Return what each member's scores are multiplied by to predict the order."""
        order, bet = self.records["order"], self.records["bet"]
        if not bet.contests:
            return order.weights()
        by_pairs = (1 - bet.contests / self._others) / 2
        behind = by_pairs * order.behind() + (1 - by_pairs) * bet.behind()
        w = np.exp(-self.eta * (behind - behind.min()))
        return np.asarray(w / w.sum())

    def margin(self) -> Floats:
        """Return what each member's scores are multiplied by to predict margins."""
        return self.records["margin"].weights() * self.scales


def at_best(past: Floats, today: Floats) -> Floats:
    """Return the values of today, a column each, where those of the past are least.

    Between rows both go along the parabola through the three rows next to the least: else a member
    whose best steepness is one of the list would look better than one between two of them.

    Examples
    --------
    >>> past = np.array([4.0, 1.0, 0.0, 1.0, 4.0])[:, None]  # least in the middle
    >>> at_best(past, np.array([7.0, 5.0, 3.0, 1.0, -1.0])[:, None])
    array([3.])
    >>> at_best(past + np.arange(5)[:, None], np.array([7.0, 5.0, 3.0, 1.0, -1.0])[:, None])
    array([4.])
    """
    k, each = np.clip(past.argmin(axis=0), 1, len(past) - 2), np.arange(past.shape[1])
    below, here, above = past[k - 1, each], past[k, each], past[k + 1, each]
    bend = np.maximum(below - 2 * here + above, 1e-300)
    step = np.clip((below - above) / (2 * bend), -1.0, 1.0)
    below, here, above = today[k - 1, each], today[k, each], today[k + 1, each]
    slope, bend = (above - below) / 2, below - 2 * here + above
    return np.asarray(here + step * slope + step**2 * bend / 2)


def mix(predicted: Floats, weights: Floats) -> Floats:
    """Return the weighted sum of the members' scores, a row of ``predicted`` per contestant.

    Equal rows give equal sums. A matrix product may round them differently, and so break a tie.

    Examples
    --------
    >>> mix(np.array([[4.0, 0.0], [0.0, 1.0]]), np.array([0.5, 0.5]))
    array([2. , 0.5])
    """
    return np.asarray(np.ascontiguousarray(predicted * weights).sum(axis=1))


def judge(score: Floats, predicted: Floats) -> tuple[Floats, Floats]:
    """Return how many pairs each member put in order, and what its margins cost by scale.

    Parameters
    ----------
    score : array of float
        The results of a contest.
    predicted : array of float, (entrants, members)
        What was said before it.
    """
    from qrja.adaptive.kernels import record as kernels

    predicted = np.ascontiguousarray(predicted)
    right, losses = np.zeros(predicted.shape[1]), np.zeros((len(SCALES), predicted.shape[1]))
    kernels.count_right(score, predicted, right)
    kernels.add_losses(score, predicted, SCALES, losses)
    return right, losses


def judge_bets(score: Floats, predicted: Floats, typical: float) -> Floats:
    """Return the sums of squared errors of each member's chances, by :data:`STEEPS`.

    ``typical`` is the spread of a contest that differences are measured in.

    Examples
    --------
    >>> found = judge_bets(np.array([4.0, 0.0]), np.array([[4.0, 0.0], [0.0, 1.0]]), 2.0)
    >>> found.shape, bool((found[:, 0] < 0.25).all()), bool((found[:, 1] > 0.25).all())
    ((18, 2), True, True)
    """
    from qrja.adaptive.kernels import record as kernels

    briers = np.zeros((len(STEEPS), predicted.shape[1]))
    scaled = np.ascontiguousarray(predicted / (typical if typical > 0 else 1.0))
    kernels.add_briers(score, scaled, float(STEEPS[0]), briers)
    return briers
