"""Problem: what contests and judgments have in common, so that most code need not ask which.

    minimise over x:  sum over contests c of  w_c  sum over pairs i, j of c of  f(e_i - e_j),
                      e_i = score_i - x_i

A judgment (a, b, y, w) is a contest of two, who scored ``y/2`` and ``-y/2`` and whose pair weighs
w. So both kinds are entries ``start, who, score`` with a weight per contest; a solver that can do
better with plain pairs asks which kind it has, and nobody else does.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from qrja.data.arrays import Floats, Index, Offsets
from qrja.data.covariates import Covariates
from qrja.data.entry_columns import Dates
from qrja.data.nouns import Nouns

if TYPE_CHECKING:
    from qrja.data.judgments import Judgments


class Problem(Protocol):
    """Contests, or judgments as contests of two; see :class:`~qrja.Contests` for the arrays."""

    noun: ClassVar[str]
    """What one of them is called in JSON and in files: ``"contest"`` or ``"judgment"``."""
    directed: ClassVar[bool]
    """Whether a pair says who is judged against whom, so that a loss may tell them apart."""

    @property
    def n(self) -> int:
        """Number of candidates."""

    @property
    def m(self) -> int:
        """Number of judgments that the problem is, or stands for."""

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The label of each candidate."""

    @property
    def number(self) -> dict[Hashable, int]:
        """The number of each name."""

    @property
    def labels(self) -> tuple[Hashable, ...]:
        """The label of each contest; judgments are called by their number, topic and date."""

    @property
    def nouns(self) -> Nouns:
        """What they and their candidates are called where people read it."""

    @property
    def start(self) -> Offsets:
        """The entries of contest c are ``start[c]:start[c + 1]``."""

    @property
    def who(self) -> Index:
        """The candidate of each entry."""

    @property
    def score(self) -> Floats:
        """The score of each entry."""

    @property
    def entries(self) -> int:
        """Number of entries."""

    @property
    def sizes(self) -> Offsets:
        """Number of entrants of each contest."""

    @property
    def contest_of_entry(self) -> Index:
        """The contest of each entry."""

    @property
    def weight(self) -> Floats:
        """How much each contest counts."""

    @property
    def pair_weight(self) -> Floats:
        """What one pair of each contest weighs."""

    @property
    def date(self) -> Dates | None:
        """When each contest took place, in time order, if that is known."""

    @property
    def judge(self) -> Index | None:
        """Who is responsible for each of them, if that is known."""

    @property
    def judges(self) -> tuple[Hashable, ...]:
        """The label of each judge."""

    @property
    def study(self) -> Index | None:
        """Which of them are one study, if that is known."""

    @property
    def topic(self) -> Index | None:
        """What each of them is about, if that is known."""

    @property
    def topics(self) -> tuple[Hashable, ...]:
        """The label of each topic."""

    @property
    def se(self) -> Floats | None:
        """The standard error of each of them, if errors are known."""

    @property
    def covariates(self) -> Covariates:
        """What else is known of each entry."""

    @property
    def independent(self) -> int:
        """Number of independent margins."""

    @property
    def components(self) -> Index:
        """The component of each candidate, the largest being 0; scores compare within one."""

    def with_weight(self, weight: ArrayLike) -> Problem:
        """Return the same problem with other weights."""

    def with_score(self, score: Floats) -> Problem:
        """Return the same problem with other scores of its entries."""

    def pair_entries(self) -> tuple[Offsets, Offsets]:
        """Return the two entries of every pair, in the order of :meth:`to_judgments`."""

    def to_judgments(self) -> Judgments:
        """Write all pairs out."""

    def __len__(self) -> int:
        """Return how many contests, or judgments, there are."""


P = TypeVar("P", bound=Problem)


def are_pairs(problem: Problem) -> bool:
    """Tell whether every contest is a match of two: entries 2 i and 2 i + 1 are those of match i.

    Sums over each contest are then sums of every other entry, several times as quick as those of
    groups.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> are_pairs(Contests.from_arrays([1, 1, 2, 2], "abab", [3, 5, 1003, 1000]))
    True
    """
    sizes = problem.sizes
    return len(sizes) > 0 and bool(sizes.min() == sizes.max() == 2)


def largest_margin(problem: Problem) -> float:
    """Return the largest difference that was seen; the levels of contests are none.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> largest_margin(Contests.from_arrays([1, 1, 2, 2], "abab", [3, 5, 1003, 1000]))
    3.0
    """
    if are_pairs(problem):
        return float(np.abs(problem.score[0::2] - problem.score[1::2]).max())
    begin = problem.start[:-1][problem.sizes > 0]
    if not len(begin):
        return 0.0
    ranges = np.maximum.reduceat(problem.score, begin) - np.minimum.reduceat(problem.score, begin)
    return float(ranges.max())


def in_unit(problem: P, unit: float) -> P:
    """Return a problem in another unit, each contest from 0 on: levels are of any size.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> in_unit(Contests.from_arrays([1, 1, 2, 2], "abab", [3, 5, 1003, 1000]), 0.5).score
    array([ 0.,  4.,  0., -6.])
    """
    some = problem.sizes > 0
    level = np.repeat(problem.score[problem.start[:-1][some]], problem.sizes[some])
    return cast(P, problem.with_score((problem.score - level) / unit))


def usual_weight(problem: Problem) -> float:
    """Return what one more contest or judgment is taken to weigh: the median of those there are.

    Examples
    --------
    >>> from qrja.data import Judgments
    >>> usual_weight(Judgments.from_arrays("abc", "bca", [1, 1, 1], [100, 400, 200]))
    200.0
    """
    return float(np.median(problem.weight)) if len(problem) else 1.0
