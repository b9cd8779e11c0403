"""Voting: what the records of members say about whose scores count, for order and for margins.

    order:    score_a = sum_m v_m x_ma          v from the pairs that each member put in order
    margins:  score_a = sum_m w_m b_m x_ma      w from the absolute errors of b_m x_m

b_m is 1 unless another scale, by which the member's margins erred less so far, is ahead by two
standard errors; of these, the one that erred least. One of the scales is 0.
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

    Examples
    --------
    >>> vote = Vote(2)
    >>> score, predicted = np.array([4.0, 0.0]), np.array([[4.0, 0.0], [0.0, 1.0]])
    >>> for _ in range(9):
    ...     vote.add(*judge(score, predicted))
    >>> vote.order().round(2), vote.margin().round(2)
    (array([1., 0.]), array([1., 0.]))
    """

    def __init__(self, members: int, eta: float = ETA, scales: Floats = SCALES) -> None:
        self._from = scales
        self.records = {"order": Record(members, eta), "margin": Record(members, eta)}
        self._saved = np.zeros((len(scales), members))
        self._squares = np.zeros((len(scales), members))
        self._chosen = np.zeros(members, dtype=np.int32)

    def add(self, right: Floats, losses: Floats) -> None:
        """Take in a contest as judged by :func:`judge`."""
        chosen = self._chosen
        self.records["order"].add(right)
        self.records["margin"].add(-losses[chosen, np.arange(len(chosen))])
        saved = losses[0] - losses[: len(self._from)]
        self._saved += saved
        self._squares += saved**2
        self._chosen = self._choose()

    def _choose(self) -> Index:
        sure = self._saved > SURE * np.sqrt(self._squares)
        return np.asarray(np.where(sure, self._saved, 0.0).argmax(axis=0), dtype=np.int32)

    @property
    def scales(self) -> Floats:
        """What the margins of each member are multiplied by."""
        return self._from[self._chosen]

    def order(self) -> Floats:
        """Return what each member's scores are multiplied by to predict the order."""
        return self.records["order"].weights()

    def margin(self) -> Floats:
        """Return what each member's scores are multiplied by to predict margins."""
        return self.records["margin"].weights() * self.scales


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
