"""The leaderboard: who is ahead, by how much, and on how much that rests."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qrja._arrays import Offsets
from qrja.contests import Contests
from qrja.judgments import Judgments

if TYPE_CHECKING:
    from qrja.ratings.fitting import Ratings


@dataclass(frozen=True)
class Row:
    """One line of a leaderboard."""

    rank: int
    contestant: Hashable
    rating: float
    contests: int
    component: int


def list_rows(ratings: Ratings) -> list[Row]:
    """List the rows of a leaderboard, see :meth:`qrja.Ratings.leaderboard`."""
    return [
        Row(
            rank=int(ratings.ranks[i]),
            contestant=ratings.problem.names[i],
            rating=float(ratings.solution.x[i]),
            contests=int(ratings.appearances[i]),
            component=int(ratings.solution.components[i]),
        )
        for i in list_order(ratings)
    ]


def list_order(ratings: Ratings) -> Offsets:
    """Return the candidates, best first, component by component."""
    return np.lexsort((-ratings.solution.x, ratings.ranks, ratings.solution.components))


def count_appearances(problem: Contests | Judgments) -> Offsets:
    """Count the contests or judgments of each candidate."""
    if isinstance(problem, Contests):
        return np.bincount(problem.who, minlength=problem.n)
    return np.bincount(np.concatenate([problem.a, problem.b]), minlength=problem.n)
