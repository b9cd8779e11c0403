"""Metrics: how good a prediction of one contest is, as sums that add up over contests.

With true scores s and predicted scores q of the contestants seen before, over pairs i < j:

- **order**: of the pairs with ``s_i != s_j``, how many does q put in the right order;
- **margin**: ``|(s_i - s_j) - (q_i - q_j)|`` and its square, over all pairs;
- **level**: ``|s_i - q_i|`` and its square, over the entries;
- **chance**: of the pairs with ``s_i != s_j``, ``(probability - outcome)^2``, and probability minus
  outcome by how probable the likelier of the two was, from which calibration follows;
- **tie**: over all pairs, half the squared errors of the probabilities of win, tie and loss: where
  nothing ties and no tie is foretold, that of chances; and how many ties were foretold, and came.

A judgment is a pair by itself, whose margin is s_i - s_j.

A metric is one sum divided by another, taken over all contests together. In large contests no pair
is written out: ``sum |e_i - e_j|`` follows from the sorted e, and pairs in the wrong order are
counted by merging, so a contest of k costs O(k log k).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Offsets
from qrja.errors import InputError, nearest

PairMarks = NDArray[np.bool_]
"""A square table with a truth value for every pair of entries of a contest."""

METRICS = {
    "ordinal_accuracy": ("right", "ordered"),
    "ties": ("tied", "ordered"),
    "quantitative_l1": ("margin_l1", "margins"),
    "quantitative_l2": ("margin_l2", "margins"),
    "entrywise_l1": ("level_l1", "levels"),
    "entrywise_l2": ("level_l2", "levels"),
    "brier": ("brier", "chances"),
    "brier_with_ties": ("tie_brier", "outcomes"),
}
"""The metrics, each a sum over another: fields of :class:`Sums`."""

LOSSES = tuple(name for name in METRICS if name.endswith(("_l1", "_l2")))
"""The metrics of which less is better; they are compared with predicting zero everywhere."""

FEW = 200
"""Up to so many entries, looking at every pair is faster than counting by merging: measured, 15
against 90 microseconds for 10 entries, the same for about 300."""

NOTHING = (0, 0.0, 0.0)


@dataclass(frozen=True)
class Sums:
    """What was counted and summed over one contest or many; ``+`` joins them.

    Parameters
    ----------
    ordered : int
        Pairs with different true scores.
    right : float
        Points for their order: one each, or half.
    tied : int
        Those of them that the prediction leaves tied, or open.
    open : int
        Those of them that the ranker says its optimum leaves open.
    margins : int
        Pairs whose margin was predicted; none by a ranker that only orders.
    margin_l1, margin_l2 : float
        Absolute and squared errors of the margins.
    levels : int
        Entries whose score was predicted; none by a ranker whose scores are relative.
    level_l1, level_l2 : float
        Absolute and squared errors of the scores.
    chances : int
        Pairs with different true scores whose outcome was given a probability.
    brier : float
        Squared errors of the probabilities.
    gap_50, gap_60, gap_70, gap_80, gap_90 : float
        Probabilities minus outcomes, of the likelier of two, by tenths from 50 % on.
    outcomes : int
        Pairs whose win, tie and loss were given probabilities.
    tie_brier : float
        Half the squared errors of these.
    ties_told, ties_came : float
        Of these pairs the sum of the probabilities of a tie, and those that tied.

    Examples
    --------
    >>> total = Sums(ordered=3, right=2) + Sums(ordered=1, right=0.5)
    >>> total.value("ordinal_accuracy")
    0.625
    >>> print(total.value("quantitative_l1"))
    None
    """

    ordered: int = 0
    right: float = 0.0
    tied: int = 0
    open: int = 0
    margins: int = 0
    margin_l1: float = 0.0
    margin_l2: float = 0.0
    levels: int = 0
    level_l1: float = 0.0
    level_l2: float = 0.0
    chances: int = 0
    brier: float = 0.0
    gap_50: float = 0.0
    gap_60: float = 0.0
    gap_70: float = 0.0
    gap_80: float = 0.0
    gap_90: float = 0.0
    outcomes: int = 0
    tie_brier: float = 0.0
    ties_told: float = 0.0
    ties_came: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*map(add, vars(self).values(), vars(other).values()))

    def value(self, metric: str) -> float | None:
        """Return one of :data:`METRICS`, or None where nothing was predicted."""
        above, below = METRICS[metric]
        count = getattr(self, below)
        return float(getattr(self, above) / count) if count else None

    def calibration_error(self) -> float | None:
        """Return how far probabilities are from frequencies, the mean over pairs.

        Of pairs with probabilities alike, to a tenth, the mean probability is compared with the
        share that came true; each pair is looked at from both of its sides.

        Examples
        --------
        >>> Sums(chances=10, gap_60=0.5, gap_70=-0.3).calibration_error()
        0.08
        """
        if not self.chances:
            return None
        gaps = (self.gap_50, self.gap_60, self.gap_70, self.gap_80, self.gap_90)
        return sum(map(abs, gaps)) / self.chances

    def tie_shares(self) -> tuple[float, float] | None:
        """Return the share of pairs that ties were foretold of, and that of those that tied.

        Examples
        --------
        >>> Sums(outcomes=10, ties_told=2.5, ties_came=2).tie_shares()
        (0.25, 0.2)
        """
        if not self.outcomes:
            return None
        return self.ties_told / self.outcomes, self.ties_came / self.outcomes

    def accuracy_range(self) -> tuple[float, float] | None:
        """Return the accuracy with every open pair wrong, and with every open pair right."""
        if not self.ordered:
            return None
        middle, half = self.right / self.ordered, self.open / (2 * self.ordered)
        return middle - half, middle + half


def check_metric(metric: str) -> str:
    """Return the name of a metric, or say which there are.

    Examples
    --------
    >>> check_metric("tie")
    Traceback (most recent call last):
    qrja.errors.InputError: no metric 'tie'; did you mean 'ties'?
    """
    if not isinstance(metric, str) or metric not in METRICS:
        hint = nearest(str(metric), METRICS) or f"; choose from {', '.join(METRICS)}"
        raise InputError(f"no metric {metric!r}{hint}")
    return metric


def total(sums: Iterable[Sums]) -> Sums:
    """Add up sums, of the contests of a data set, say.

    Examples
    --------
    >>> total([Sums(ordered=3, right=2), Sums(ordered=1, right=0.5)]).right
    2.5
    """
    return reduce(add, sums, Sums())


def score_contest(
    truth: Floats,
    prediction: Floats,
    *,
    open_pairs: PairMarks | None = None,
    apart: Floats | None = None,
    margins: bool = True,
    levels: bool = True,
    chances: Floats | None = None,
    ties: Floats | None = None,
) -> Sums:
    """Compare the scores of a contest with those predicted; a predicted tie earns half a point.

    Parameters
    ----------
    truth, prediction : array of float
        One number per contestant seen before.
    open_pairs : square array of bool, optional
        Pairs whose order the ranker leaves open: half a point.
    apart : array of float, optional
        Predictions whose differences are the margins, where those that give the order are others.
    margins, levels : bool
        Whether differences of predictions mean anything, and whether predictions themselves do.
    chances : square array of float, optional
        The probability of each to beat each other, if they do not tie.
    ties : square array of float, optional
        The probability of each to tie with each other, beside ``chances``.

    Examples
    --------
    >>> truth, prediction = np.array([9.0, 7.0, 4.0]), np.array([2.0, 2.0, 0.0])
    >>> score_contest(truth, prediction).value("ordinal_accuracy")  # (1/2 + 1 + 1) / 3
    0.8333333333333334
    >>> score_contest(truth, prediction).value("quantitative_l1")  # (2 + 3 + 1) / 3
    2.0
    """
    ordered, right, tied, opened = (
        _order_pair_by_pair(truth, prediction, open_pairs)
        if open_pairs is not None or len(truth) <= FEW
        else _order_by_merging(truth, prediction)
    )
    error = truth - (prediction if apart is None else apart)
    return Sums(
        ordered,
        right,
        tied,
        opened,
        *(_sum_margins(error) if margins else NOTHING),
        *(_sum_levels(error) if levels else NOTHING),
        *(() if chances is None else _sum_chances(truth, chances)),
        *(() if chances is None or ties is None else _sum_outcomes(truth, chances, ties)),
    )


def score_judgments(
    truth: Floats,
    prediction: Floats,
    unit: Offsets,
    *,
    apart: Floats | None = None,
    margins: bool = True,
) -> tuple[Sums, ...]:
    """Compare margins with those predicted, unit by unit; a judged tie has no order to predict.

    Parameters
    ----------
    truth, prediction : array of float
        One margin per judgment between two seen before; NaN where one of the two was not.
    unit : array of int
        Which sums each is counted in, from 0.
    apart : array of float, optional
        Predictions of the margins, where those that give the order are others.
    margins : bool
        Whether predictions of margins mean anything.

    Examples
    --------
    >>> right, wrong = score_judgments(
    ...     np.array([3.0, -1.0, 0.0]), np.array([2.0, 2.0, 5.0]), np.array([0, 1, 1])
    ... )
    >>> right.value("ordinal_accuracy"), wrong.value("ordinal_accuracy")
    (1.0, 0.0)
    >>> wrong.value("quantitative_l1")  # (3 + 5) / 2
    4.0
    """
    known, count = np.isfinite(prediction), int(unit.max(initial=-1)) + 1
    ordered = known & (truth != 0)
    tied = ordered & (prediction == 0)
    right = np.where(tied, 0.5, ordered & (np.sign(prediction) == np.sign(truth)))
    error = np.where(known, truth - (prediction if apart is None else apart), 0.0)
    asked = known & margins

    def add_up(values: Floats | PairMarks) -> list[float]:
        return np.bincount(unit, values, minlength=count).tolist()  # type: ignore[no-any-return]

    columns = map(add_up, (ordered, right, tied, asked, asked * np.abs(error), asked * error**2))
    return tuple(
        Sums(int(pairs), points, int(ties), 0, int(told), l1, l2)
        for pairs, points, ties, told, l1, l2 in zip(*columns, strict=True)
    )


def _order_pair_by_pair(
    truth: Floats, prediction: Floats, open_pairs: PairMarks | None
) -> tuple[int, float, int, int]:
    first, second = pairs_of(len(truth))
    unequal = truth[first] != truth[second]
    first, second = first[unequal], second[unequal]
    ahead = prediction[first] > prediction[second]
    tied = prediction[first] == prediction[second]
    right = ahead == (truth[first] > truth[second])
    opened = np.zeros_like(tied) if open_pairs is None else open_pairs[first, second]
    half = tied | opened
    points = float((right & ~half).sum() + half.sum() / 2)
    return len(first), points, int(half.sum()), int(opened.sum())


@lru_cache(maxsize=64)
def pairs_of(k: int) -> tuple[Offsets, Offsets]:
    """Return the pairs i < j of k entries, as all i and all j."""
    return np.triu_indices(k, 1)


def _order_by_merging(truth: Floats, prediction: Floats) -> tuple[int, float, int, int]:
    ordered, tied = _count_ordered(truth, prediction)
    # Falling truth, and falling prediction among equals: every rise is a pair turned round.
    wrong = count_rises(prediction[np.lexsort((-prediction, -truth))])
    return ordered, ordered - wrong - tied / 2, tied, 0


def _count_ordered(truth: Floats, prediction: Floats) -> tuple[int, int]:
    """Count the pairs with different truths, and those of them that are predicted equal."""
    _, level = np.unique(truth, return_inverse=True)
    _, predicted = np.unique(prediction, return_inverse=True)
    both = level * (int(predicted.max(initial=0)) + 1) + predicted
    pairs = len(truth) * (len(truth) - 1) // 2
    return pairs - _equal_pairs(level), _equal_pairs(predicted) - _equal_pairs(both)


def _equal_pairs(values: Offsets) -> int:
    _, counts = np.unique(values, return_counts=True)
    return int((counts * (counts - 1) // 2).sum())


def _sum_margins(error: Floats) -> tuple[int, float, float]:
    k = len(error)
    if k < 2:
        return NOTHING
    # Centred first: errors may be huge and alike, and their differences small.
    ranked = np.sort(error)
    ranked -= ranked[k // 2]
    l1 = float(((2 * np.arange(k) - k + 1) * ranked).sum())
    l2 = float(k * (ranked**2).sum() - ranked.sum() ** 2)
    return k * (k - 1) // 2, l1, max(l2, 0.0)


def _sum_chances(truth: Floats, chances: Floats) -> tuple[int, float, *tuple[float, ...]]:
    first, second = pairs_of(len(truth))
    unequal = truth[first] != truth[second]
    first, second = first[unequal], second[unequal]
    chance, won = chances[first, second], truth[first] > truth[second]
    brier = float(((chance - won) ** 2).sum())
    # The likelier of the two: of equal chances either, which adds 1/2 - 1/2 on average over sides.
    turned = chance < 0.5
    likely, came = np.where(turned, 1 - chance, chance), won != turned
    surplus = np.where(chance == 0.5, 0.0, likely - came)
    tenth = np.clip(((likely - 0.5) * 10).astype(np.int64), 0, 4)
    return len(first), brier, *np.bincount(tenth, surplus, minlength=5).tolist()


def _sum_outcomes(truth: Floats, chances: Floats, ties: Floats) -> tuple[int, float, float, int]:
    first, second = pairs_of(len(truth))
    came = np.sign(truth[first] - truth[second])
    tie = ties[first, second]
    win = (1 - tie) * chances[first, second]
    wrong = (win - (came > 0)) ** 2 + (tie - (came == 0)) ** 2 + (1 - tie - win - (came < 0)) ** 2
    return len(first), float(wrong.sum()) / 2, float(tie.sum()), int((came == 0).sum())


def _sum_levels(error: Floats) -> tuple[int, float, float]:
    return len(error), float(np.abs(error).sum()), float((error**2).sum())


def count_rises(values: NDArray[np.generic]) -> int:
    """Count the pairs i < j with ``values[i] < values[j]``, by merging ever longer runs.

    Examples
    --------
    >>> count_rises(np.array([2, 1, 3, 3]))
    4
    """
    _, rank = np.unique(values, return_inverse=True)
    position, top = np.arange(len(rank)), int(rank.max(initial=0)) + 1
    count, width = 0, 1
    while width < len(rank):
        pair_of_runs, second = position // (2 * width), position // width % 2 == 1
        key = pair_of_runs * top + rank
        earlier = key[~second]
        smaller = np.searchsorted(earlier, key[second])
        before = np.searchsorted(earlier, pair_of_runs[second] * top)
        count += int((smaller - before).sum())
        rank = rank[np.argsort(key, kind="stable")]
        width *= 2
    return count
