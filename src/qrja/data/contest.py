"""One contest: who took part and how they scored; and what is known of it beforehand."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from operator import is_

import numpy as np

from qrja.data.arrays import Floats, Index
from qrja.data.covariates import Covariates


@dataclass(frozen=True, eq=False)
class Fixture:
    """What is known of a contest before it is held.

    Parameters
    ----------
    who : array of int
        The contestant of each entry.
    date : datetime64 or None
        When it takes place.
    covariates : tuple of Covariate
        What else is known of each entry: who is at home, say.

    Examples
    --------
    >>> from qrja.data import Covariate
    >>> final = Fixture(np.array([4, 7]), covariates=(Covariate("home", [1.0, 0.0]),))
    >>> final.column("home"), final.column("rest")
    (array([1., 0.]), None)
    """

    who: Index
    date: np.datetime64 | None = None
    covariates: Covariates = ()

    def __len__(self) -> int:
        return len(self.who)

    def is_of(self, other: Fixture) -> bool:
        """Tell whether two are made of the same arrays."""
        return (
            self.who is other.who
            and self.date == other.date
            and all(map(is_, self.covariates, other.covariates))
            and len(self.covariates) == len(other.covariates)
        )

    def column(self, name: str) -> Floats | None:
        """Return the values of a covariate, None if there is none of that name."""
        return next((one.values for one in self.covariates if one.name == name), None)


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
    covariates : tuple of Covariate
        What else was known of each entry, see :mod:`~qrja.data.covariates`.

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
    covariates: Covariates = ()

    def __len__(self) -> int:
        return len(self.who)

    @property
    def fixture(self) -> Fixture:
        """What was known before: everything but the scores."""
        return Fixture(self.who, self.date, self.covariates)
