"""The problem with its ties: an ordinary one, of more candidates.

The results come first, in their order, each between the nodes of its time; behind them a contest of
two, or a judgment, of margin 0 for each tie. So whatever is known of problems holds of it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from qrja.data import LARGEST, Contests, Floats, Judgments, frozen
from qrja.errors import InputError
from qrja.terms import TermColumns
from qrja.ties.periods import Periods

TIE = "tie"


def contestant_of(node: Hashable) -> Hashable:
    """Return whose period a candidate of a tied problem is."""
    assert isinstance(node, tuple)
    who: Hashable = node[0]
    return who


def weigh_ties(periods: Periods, p: float, tau: float, noise: float, usual: float) -> Floats:
    """Return what each tie weighs: a move by tau in a unit of time costs as much as a usual error.

    Parameters
    ----------
    periods : Periods
        Whose ties.
    p : float
        The power of the loss; infinity for the largest error.
    tau : float
        How far strengths move.
    noise : float
        The root of what a result of weight 1 errs by, squared.
    usual : float
        What a usual result weighs.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> from qrja.ties import cut_periods
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 2])
    >>> periods = cut_periods(races, np.array([0.0, 4.0]), 0.0)
    >>> weigh_ties(periods, 2, 0.5, 1.0, 1.0), weigh_ties(periods, 1, 0.5, 1.0, 1.0)
    (array([1., 1.]), array([2., 2.]))
    """
    if p == math.inf:
        weight = np.asarray(math.sqrt(usual) * noise / tau / periods.gap)
    else:
        with np.errstate(all="ignore"):
            size = usual * np.float64(noise / math.sqrt(usual) / tau) ** p
            weight = np.asarray(size * periods.gap ** (1.0 - p))
    if not ((weight > 0) & (weight <= LARGEST)).all():
        raise InputError(
            f"p is {p:g}, at which strengths that move by {tau:g} are held by numbers beyond the"
            " floats; give a p nearer to 2, or another drift"
        )
    return weight


def tie(problem: Contests | Judgments, periods: Periods, weight: Floats) -> Contests | Judgments:
    """Return the results between nodes, and the ties behind them.

    Examples
    --------
    >>> from qrja.ties import cut_periods
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 2])
    >>> periods = cut_periods(races, np.array([0.0, 1.0]), 0.0)
    >>> tie(races, periods, np.array([5.0, 5.0])).pair_weight
    array([1., 1., 5., 5.])
    """
    ends = np.stack([periods.earlier, periods.later], axis=1)
    names = tuple((problem.names[who], number) for number, who in enumerate(periods.who.tolist()))
    count = len(weight)
    if isinstance(problem, Judgments):
        return Judgments(
            np.append(periods.of_entry[0::2], ends[:, 0]),
            np.append(periods.of_entry[1::2], ends[:, 1]),
            np.append(problem.y, np.zeros(count)),
            np.append(problem.w, weight),
            names,
            nouns=problem.nouns,
        )
    # What a pair of a contest of two weighs beside the contest itself.
    pair = {"unit": 1.0, "mean": 1.0, "additive": 0.5}[problem.pairs]
    return Contests(
        np.append(problem.start, problem.start[-1] + 2 * np.arange(1, count + 1)),
        np.append(periods.of_entry, ends.ravel()),
        np.append(problem.score, np.zeros(2 * count)),
        names,
        problem.labels + tuple((TIE, number) for number in range(count)),
        np.append(problem.weight, weight / pair),
        pairs=problem.pairs,
        nouns=problem.nouns,
    )


def tie_columns(columns: TermColumns, ties: int) -> TermColumns:
    """Return columns of terms that are 0 in ties."""
    return replace(columns, z=frozen(np.vstack([columns.z, np.zeros((2 * ties, len(columns)))])))
