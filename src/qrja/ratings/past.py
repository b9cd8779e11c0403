"""The past: ratings as they were after part of the contests, or of the judgments that are dated.

The ratings after the first k contests are those of ``fit(contests[:k])``: what a reader of that day
would have seen, nothing of what came later. Anchors and priors of those who had not appeared yet
are left out. Everything that looks back walks this way: a history, a day of the past, the noise
learned from old predictions.

What is learned from many results hardly changes with one more. So it is learned from as many first
contests as a round number says, a milestone, which their count alone decides: the same whichever
way ratings were reached, and one more contest changes nothing until the next milestone.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from qrja.data import Contests, Judgments
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.words import number_in
from qrja.ties import Paths

F = TypeVar("F", bound=Fit)

MANY, PARTS = 8192, 64
"""Contests up to which everything is learned from all of them; of more, less than one in ``PARTS``
is left out. On 100,000 matches of 2,000 that moved a variance of noise by 0.2 %."""


def walk(fit: F, counts: Iterable[int]) -> Iterator[F]:
    """Rate ever more of the past: the first contests, as many as each of ``counts`` says.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=1))
    >>> [past.problem.names for past in walk(ratings, [1, 3])]
    [('Alice', 'Bob'), ('Alice', 'Bob', 'Charlie')]
    """
    past = fit
    for count in counts:
        first = sequel_of(fit)[:count]
        past = replace(past, model=fit.model.known_to(first)).refit(first)
        yield past


def cut_evenly(contests: int, parts: int, first: int = 0) -> list[int]:
    """Cut contests into parts of about equally many: return where, from ``first`` to the end.

    Examples
    --------
    >>> cut_evenly(10, 4), cut_evenly(3, 40)
    ([0, 2, 5, 7, 10], [0, 1, 2, 3])
    """
    cuts = np.linspace(min(first, contests), contests, min(parts, contests) + 1).astype(int)
    return [int(cut) for cut in np.unique(cuts)]


def sequel_of(fit: Fit) -> Contests | Judgments:
    """Return what has an order in time, or say that judgments without dates have no past."""
    if fit.data.directed and fit.data.date is None:
        raise InputError(
            "a history needs an order in time, and these judgments have no dates; name the date"
            " column, or give contests"
        )
    return fit.data


def trace(
    fit: Fit, who: Iterable[Hashable], points: int = 40
) -> dict[Hashable, list[tuple[Any, float]]]:
    """Return the ratings of some contestants at up to ``points`` times.

    Of strengths that move it is the path of each, period by period, in the light of all results.

    Parameters
    ----------
    fit : Fit
        Of contests, or of dated judgments.
    who : names
        Whose history.
    points : int
        At how many times, spread evenly over the contests.

    Returns
    -------
    dict
        For each contestant, pairs (when, rating) from the first contest of theirs on; ``when`` is
        a date, or the number of contests if they have no dates.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=1))
    >>> [(count, round(rating)) for count, rating in trace(ratings, ["Bob"])["Bob"]]
    [(1, -330), (2, -285), (3, -34)]
    """
    data = sequel_of(fit)
    names = [data.names[number_in(data, name)] for name in who]
    if fit.paths is not None:
        return {name: _path(fit, fit.paths, name) for name in names}
    found: dict[Hashable, list[tuple[Any, float]]] = {name: [] for name in names}
    counts = cut_evenly(len(data), max(points, 2))[1:]
    for count, past in zip(counts, walk(fit, counts), strict=True):
        when = count if data.date is None else data.date[count - 1].item()
        known = past.problem.number
        for name in names:
            if name in known:
                found[name].append((when, float(past.solution.x[known[name]])))
    return found


def last_milestone(count: int) -> int:
    """Return from how many of some contests things are learned.

    Examples
    --------
    >>> [last_milestone(count) for count in (8_191, 99_999, 100_000, 100_400)]
    [8191, 99328, 99328, 100352]
    """
    step = 1 if count < MANY else 1 << int(math.log2(count / PARTS))
    return count - count % step


def _path(fit: Fit, moved: Paths, name: Hashable) -> list[tuple[Any, float]]:
    """Return the path of a contestant: the last contest of each period, and the rating."""
    data, periods = sequel_of(fit), moved.periods
    own = data.who == data.number[name]
    last = dict(
        zip(periods.of_entry[own].tolist(), data.contest_of_entry[own].tolist(), strict=True)
    )
    return [
        (c + 1 if data.date is None else data.date[c].item(), float(moved.x[node]))
        for node, c in last.items()
    ]
