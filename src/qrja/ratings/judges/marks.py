"""Marks: what a judge said, beside what the ratings of the others say.

Judge j gave score s to candidate i. The ratings x of the others know nothing of j, and scores of a
sheet are compared with them only among candidates whom the others compare too, so that

    s' = s - mean,     x' = x - mean        over the candidates of one sheet and one group of others

A judgment is a sheet of two, who scored half of the margin and its negative.

A panel of very many is left out in :data:`GROUPS` groups: then the others are all judges but those
of the group, and no more problems are solved, however many judges there are.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrja.data import Floats, Index, Offsets, centre
from qrja.ratings.fitted import Fit

ALONE, GROUPS = 20, 10
"""Judges up to whom each is left out alone, and groups of more: nine of ten judges rate then."""


@dataclass(frozen=True, eq=False)
class Marks:
    """The marks of one judge that can be compared with the others.

    Parameters
    ----------
    entry : array of int
        Which entries of the problem they are.
    score, rating : array of float
        s' and x'.
    group : array of int
        The sheet, and group of the others, of each.
    """

    entry: Offsets
    score: Floats
    rating: Floats
    group: Offsets

    @property
    def sizes(self) -> Offsets:
        """How many marks are in the group of each."""
        return np.bincount(self.group)[self.group]

    @property
    def spare(self) -> int:
        """Marks beyond those that the level of each group takes."""
        return len(self.entry) - len(np.unique(self.group))


def list_marks(ratings: Fit) -> Iterator[Marks]:
    """Go through the judges."""
    problem = ratings.problem
    assert problem.judge is not None
    by, group = problem.judge[problem.contest_of_entry], groups_of(problem.judges)
    without = [
        rate_some(ratings, group[problem.judge] != each)
        for each in range(group.max(initial=-1) + 1)
    ]
    ends = np.cumsum(np.bincount(by, minlength=len(group)))[:-1]
    for judge, entry in enumerate(np.split(np.argsort(by, kind="stable"), ends)):
        yield _compare(ratings, entry, *without[group[judge]])


def groups_of(judges: Sequence[Hashable]) -> Index:
    """Return the group of each judge, by names: rows may come in any order.

    Examples
    --------
    >>> groups_of(["Bea", "Ann", "Cem"])
    array([1, 0, 2], dtype=int32)
    """
    group = np.empty(len(judges), dtype=np.int32)
    by_name = np.argsort([str(judge) for judge in judges], kind="stable")
    group[by_name] = np.arange(len(judges)) % (GROUPS if len(judges) > ALONE else ALONE)
    return group


def rate_some(ratings: Fit, chosen: np.ndarray) -> tuple[Floats, Index]:
    """Return the ratings by some of the contests or judgments, NaN without any, and who compare.

    Examples
    --------
    >>> import qrja
    >>> races = qrja.Contests.from_arrays("AABB", "xyxy", [3, 1, 9, 1])
    >>> rate_some(qrja.fit(races), np.array([True, False]))[0]
    array([ 1., -1.])
    """
    problem = ratings.problem
    some = problem[chosen]
    x, label = np.full(problem.n, np.nan), np.full(problem.n, -1, dtype=np.int32)
    if len(some):
        model = replace(ratings.model.roughly.known_to(some), half_life=None, random_effects=None)
        place = np.array([problem.number[name] for name in some.names], dtype=np.int64)
        begin = ratings.solution
        begin = replace(begin, x=begin.x[place], names=some.names, components=some.components)
        # Below 1 a search would end near where it begins.
        can_begin = model.loss is not None or model.p >= 1
        solution = model.solve(some, start=begin if can_begin else None)
        x[place], label[place] = solution.x, solution.components
    return x, label


def _compare(ratings: Fit, entry: Offsets, x: Floats, label: Index) -> Marks:
    problem = ratings.problem
    entry = entry[label[problem.who[entry]] >= 0]
    base = int(label.max(initial=0)) + 1
    key = problem.contest_of_entry[entry].astype(np.int64) * base + label[problem.who[entry]]
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    several = size[group] > 1
    entry = entry[several]
    _, group = np.unique(group[several], return_inverse=True)
    score, rating = problem.score[entry], x[problem.who[entry]]
    return Marks(entry, centre(score, group), centre(rating, group), group)
