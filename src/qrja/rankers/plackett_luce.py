"""Plackett and Luce: an order is a sequence of choices, the best first, each from those left over.

    P(a is chosen from a set S) = exp(theta_a) / sum over b in S of exp(theta_b)

    maximise over theta   sum over contests, over entries e,  theta_e - log sum of exp(theta) over
                          e and all that score no better    -  ridge/2 sum_a theta_a^2

Entries of equal score are each chosen from the same rest (Breslow's rule), so the order of listing
does not matter. Without the ridge, somebody who won every contest would have an infinite theta;
ridge = 0.1 is a normal prior with standard deviation 3.2: between two contestants of whom nothing
is known, odds of 20 to 1 surprise nobody.

The objective is strictly concave and its one maximum is found by Newton's method: conjugate
gradients for the steps, each product one pass over the entries, beginning from the last maximum.

References
----------
R. L. Plackett, The analysis of permutations, 1975.
D. R. Hunter, MM algorithms for generalized Bradley-Terry models, 2004.
N. E. Breslow, Covariance analysis of censored survival data, 1974.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qrja.data import Contest, Contests, Floats, Index, Offsets
from qrja.errors import InputError
from qrja.laplacian import conjugate_gradients, jacobi
from qrja.rankers.learned_contests import LearnedContests

RIDGE = 0.1
STILL = 1e-9
"""The largest slope, in choices, at which theta is taken for the maximum."""
MOST_STEPS = 100
FORCING = 0.1
"""How far, at most, the residual of a Newton step is reduced; less near the maximum."""


class PlackettLuce:
    """Predict by the strengths that make the orders seen most likely.

    Parameters
    ----------
    ridge : float
        Weight of the prior, see the top of this module.

    Examples
    --------
    >>> ranker = PlackettLuce()
    >>> ranker.learn(Contest("May", np.array([0, 1, 2]), np.array([9.0, 7.0, 5.0])))
    >>> ranker.scores(np.array([0, 1, 2, 3])).round(2)
    array([ 1.73,  0.01, -1.74,   nan])
    """

    name = "plackett-luce"
    quantitative = False
    absolute = False

    def __init__(self, ridge: float = RIDGE) -> None:
        self.ridge = positive_ridge(ridge)
        self._learned = LearnedContests()
        self._theta = np.zeros(0)

    def learn(self, contest: Contest) -> None:
        """Add the order of a contest and find the maximum again."""
        if len(self._learned.add(contest)):
            choices = Choices.of(self._learned.contests())
            start = np.zeros(choices.n)
            start[: len(self._theta)] = self._theta
            self._theta = maximise(choices, self.ridge, start)

    def scores(self, who: Index) -> Floats:
        """Return theta of each; NaN for those never seen."""
        return self._learned.spread(self._theta, who)


def positive_ridge(ridge: float) -> float:
    """Return the weight of the prior, without which a winner of everything has no maximum.

    Examples
    --------
    >>> positive_ridge(0)
    Traceback (most recent call last):
    qrja.errors.InputError: the ridge is 0; give a positive number, such as 0.1
    """
    if not 0 < ridge < np.inf:
        raise InputError(f"the ridge is {ridge!r}; give a positive number, such as {RIDGE}")
    return float(ridge)


@dataclass(frozen=True, eq=False)
class Choices:
    """The orders of contests: entries sorted by falling score within each contest.

    ``first[e]`` is the first entry of the same contest and score as e.
    """

    start: Offsets
    first: Offsets
    who: Index
    weight: Floats
    n: int

    @classmethod
    def of(cls, contests: Contests) -> Choices:
        """Sort the entries of contests.

        Examples
        --------
        >>> races = Contests.from_arrays([1, 1, 1], ["a", "b", "c"], [3, 5, 3])
        >>> choices = Choices.of(races)
        >>> choices.who, choices.first
        (array([1, 0, 2], dtype=int32), array([0, 1, 1]))
        """
        order = np.lexsort((-contests.score, contests.contest_of_entry))
        score, of = contests.score[order], contests.contest_of_entry[order]
        same = np.concatenate([[False], (np.diff(score) == 0) & (np.diff(of) == 0)])
        first = np.maximum.accumulate(np.where(same, 0, np.arange(len(order))))
        return cls(contests.start, first, contests.who[order], contests.weight, contests.n)


def maximise(choices: Choices, ridge: float, theta: Floats) -> Floats:
    """Return the one maximum of the penalised likelihood, from a given start.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1], ["a", "b"], [2, 1])
    >>> theta = maximise(Choices.of(races), 1.0, np.zeros(2))      # theta = 1 / (1 + e^(2 theta))
    >>> bool(np.isclose(theta[0], 1 / (1 + np.exp(2 * theta[0]))))
    True
    """
    value, slope, curvature, diagonal = look_at(choices, ridge, theta)
    for _ in range(MOST_STEPS):
        size = float(np.abs(slope).max())
        if size <= STILL:
            break
        forcing = min(FORCING, size)
        step, _, _ = conjugate_gradients(
            curvature, slope, jacobi(diagonal), tol=forcing, limit=10 * len(slope)
        )
        length, gain = 1.0, float(slope @ step)
        while True:
            moved = theta + length * step
            after = look_at(choices, ridge, moved)
            # Where gains are lost in rounding, the full step is as good as any.
            if after[0] >= value + 1e-4 * length * gain - 1e-13 * (1 + abs(value)):
                break
            length /= 2
        theta, (value, slope, curvature, diagonal) = moved, after
    return theta


def look_at(
    choices: Choices, ridge: float, theta: Floats
) -> tuple[float, Floats, Callable[[Floats], Floats], Floats]:
    """Return the objective, its slope, its negative curvature as a product, and its diagonal."""
    from qrja.rankers.kernels import plackett_luce as kernels

    orders = choices.start, choices.first, choices.who, choices.weight
    slope, diagonal = -ridge * theta, np.full(choices.n, ridge)
    value, strength, tail = kernels.evaluate(*orders, theta, slope)
    kernels.diagonal(*orders, strength, tail, diagonal)

    def curvature(d: Floats) -> Floats:
        product = ridge * d
        kernels.multiply(*orders, strength, tail, d, product)
        return product

    return value - ridge / 2 * float(theta @ theta), slope, curvature, diagonal
