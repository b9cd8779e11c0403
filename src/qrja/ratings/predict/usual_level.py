"""The usual level of contests: what an average contestant scores in one.

The level of contest c is the mean of ``score_i - x_i`` over its entrants. Where levels differ
little, as for one race year after year, a rating and the usual level foretell a score,

    score_i = level + expected_i,      spread^2 = level spread^2 + result spread^2

and where they differ by much more than results do, as for races of several distances, they do not.
Where no score is below 0, as of times and points, none is foretold below 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Problem, are_pairs, sum_by
from qrja.ratings.fitted import Fit

FEWEST = 3
"""Contests that make a level usual."""
WILD = 3.0
"""Levels that differ by more than so many spreads of a result are not usual."""
MIDDLE = (0.1587, 0.8413)
"""Between these quantiles lie two standard deviations of a normal distribution."""


@dataclass(frozen=True)
class UsualLevel:
    """The usual level of contests, by how much it varies from one to the next, and the least.

    ``least`` is the least score there can be, as the table has it; None where any can be.
    """

    value: float
    spread: float
    least: float | None = None

    def within(self, written: Floats) -> Floats:
        """Return scores as the table has them, those that cannot be moved to the least.

        Examples
        --------
        >>> UsualLevel(5.0, 1.0, 0.0).within(np.array([-2.0, 3.0]))
        array([0., 3.])
        """
        return written if self.least is None else np.maximum(written, self.least)


def find_level(ratings: Fit, group: int, result: float) -> UsualLevel | None:
    """Return the usual level of the contests of a group, None where there is none.

    Parameters
    ----------
    ratings : Fit
        Of contests; judgments have no scores.
    group : int
        The component.
    result : float
        The spread of a result.
    """
    name = ("usual level", group)
    if name not in ratings.found:
        ratings.found[name] = _find(ratings, group)
    found: UsualLevel | None = ratings.found[name]
    return None if found is None or found.spread > WILD * result else found


def _find(ratings: Fit, group: int) -> UsualLevel | None:
    """Return the middle level of the contests of a group, None where there are too few."""
    problem = ratings.problem
    if problem.directed or ratings.units.kind == "ratio":
        return None
    level, weight = _levels(problem, ratings.solution.x, group)
    if len(level) < FEWEST:
        return None
    middle, low, high = _quantiles(level, weight, (0.5, *MIDDLE))
    never_negative = bool(ratings.units.as_written(ratings.data.score).min() >= 0)
    least = 0.0 if never_negative else None
    return UsualLevel(float(middle), float(high - low) / 2, least)


def _levels(problem: Problem, x: Floats, group: int) -> tuple[Floats, Floats]:
    """Return the level and the weight of each contest of a group."""
    left, sizes = problem.score - x[problem.who], problem.sizes
    if are_pairs(problem):
        total = left[0::2] + left[1::2]
    else:
        total = sum_by(problem.contest_of_entry, left, len(sizes))
    some = sizes > 0
    if problem.components.any():
        first = problem.who[np.minimum(problem.start[:-1], max(problem.entries - 1, 0))]
        some &= problem.components[first] == group
    return total[some] / sizes[some], problem.weight[some]


def _quantiles(values: Floats, weight: Floats, at: tuple[float, ...]) -> Floats:
    """Return quantiles of weighed values.

    Examples
    --------
    >>> _quantiles(np.array([3.0, 1.0, 2.0]), np.ones(3), (0.5, 0.6))
    array([2. , 2.3])
    """
    if weight.min() == weight.max():  # a forecast waits for this, and values alone sort quickly
        place = np.array(at) * len(values) - 0.5
        return np.asarray(np.interp(place, np.arange(len(values)), np.sort(values)))
    order = np.argsort(values, kind="stable")
    share = (np.cumsum(weight[order]) - 0.5 * weight[order]) / weight.sum()
    return np.asarray(np.interp(at, share, values[order]))
