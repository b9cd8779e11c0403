"""One contest: who took part and how they scored."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from qrja.data.arrays import Floats, Index


@dataclass(frozen=True, eq=False)
class Contest:
    """One contest, as :class:`qrja.Contests` yields them in time order.

    Parameters
    ----------
    label : hashable
        Its name.
    who : array of int
        The contestant of each entry, in the order of listing; numbers into ``Contests.names``.
    score : array of float
        The score of each entry; bigger is better.
    weight : float
        How much the contest counts.
    date : datetime64 or None
        When it took place.

    Examples
    --------
    >>> from qrja import Contests
    >>> for contest in Contests.from_arrays(["Boston", "Boston"], ["Alice", "Bob"], [9, 7]):
    ...     print(contest.label, contest.who, contest.score)
    Boston [0 1] [9. 7.]
    """

    label: Hashable
    who: Index
    score: Floats
    weight: float = 1.0
    date: np.datetime64 | None = None

    def __len__(self) -> int:
        return len(self.who)
