r"""The stop sign: how far the ratings of a panel can be relied on, and how much is missing.

The reliability R is the share of the variance of ratings that is more than their noise (see
:mod:`qrja.ratings.judges`). Noise falls as comparisons m come in, differences stay:

    R / (1 - R) = c m,     so     m' = m  (R' / (1 - R')) / (R / (1 - R))

comparisons are enough for a wished R', if those to come are like those so far.

References
----------
C. Spearman, Correlation calculated from faulty data, 1910; W. Brown, 1910.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from qrja.league.panels.repeats import Repeats
from qrja.plurals import count
from qrja.ratings import Ratings
from qrja.ratings.judges import measure_separation

EARLY = 2
"""Comparisons for each item before which nothing is foretold: noise is seen only by what is more
than a tree of comparisons, which has one for each item."""


@dataclass(frozen=True)
class StopSign:
    """How far a panel is.

    Parameters
    ----------
    items : int
        How many are compared.
    votes, passes, judges : int
        Comparisons, how often a judge could not tell, and who gave them.
    waiting : int
        Items that nothing connects with the others yet.
    reliability, wished : float
        R so far, NaN if it is too early; and R'.
    needed : int or None
        Comparisons that are still needed for R', about; None if that cannot be told.
    repeats : Repeats
        How alike judges decide twice.
    leader : str or None
        Who is first so far.
    rivals : int or None
        How many others may be first, by their intervals.
    """

    items: int
    votes: int
    passes: int
    judges: int
    waiting: int
    reliability: float
    wished: float
    needed: int | None
    repeats: Repeats
    leader: str | None = None
    rivals: int | None = None

    @property
    def is_enough(self) -> bool:
        """Whether the wish is met, for all items."""
        return self.needed == 0 and not self.waiting

    @property
    def left(self) -> int:
        """How many comparisons its judges can still give, if nobody is asked a pair again."""
        return max(self.judges * self.items * (self.items - 1) // 2 - self.votes, 0)

    @property
    def share(self) -> float:
        """How much of the way is done, from 0 to 1."""
        if self.needed is None:
            return min(self.votes / (EARLY * max(self.items, 1)), 1.0) * 0.25
        return self.votes / max(self.votes + self.needed, 1)

    def short(self) -> str:
        """Say to a judge how far the panel is.

        Examples
        --------
        >>> StopSign(9, 40, 1, 3, 0, 0.7, 0.8, 29, Repeats(0, 0, math.nan)).short()
        'About 30 more comparisons are needed, some 10 of each judge.'
        >>> StopSign(5, 40, 1, 4, 0, 0.7, 0.8, 29, Repeats(0, 0, math.nan)).short()
        'About 30 more comparisons are needed, and these judges have none to give.'
        """
        if self.is_enough:
            return "The panel has enough comparisons; more make it surer still."
        if self.needed is None:
            return "It is too early to say how many comparisons are needed."
        told = f"About {count(_about(self.needed), 'more comparison')} are needed"
        if self.needed > self.left:
            few = f"only about {_about(self.left):,}" if self.left else "none"
            told += f", and these judges have {few} to give"
        elif self.judges > 1:
            told += f", some {math.ceil(self.needed / self.judges):,} of each judge"
        return f"{told}."

    def sentences(self) -> list[str]:
        """Say to an organiser how far the panel is, and what it rests on."""
        told = [self._verdict(), *([self._waiting()] if self.waiting else [])]
        if not math.isnan(self.reliability):
            told.append(
                f"The reliability is {self.reliability:.2f}, and {self.wished:.2f} is wished: so"
                " much of the differences between ratings is more than noise."
            )
        if self.repeats.pairs:
            pairs, turned = count(self.repeats.pairs, "pair"), self.repeats.reversed
            verb = "were" if turned > 1 else "was"
            many = f"{turned:,}" if turned else "none"
            told.append(
                f"Of {pairs} that a judge saw twice, {many} {verb} decided the other way round the"
                " second time."
            )
        if self.leader is not None and self.rivals is not None:
            others = count(self.rivals, "other")
            may = f"{others} may be first as well" if self.rivals else "nobody else may be first"
            told.append(f"{self.leader} leads, and {may}.")
        return told

    def _verdict(self) -> str:
        if self.is_enough:
            return "Enough: the wished accuracy is reached."
        if self.needed is None:
            first = max(EARLY * self.items - self.votes, 0)
            when = f"; come back after about {first:,} more" if first else ""
            return f"It is too early to say how many comparisons are needed{when}."
        if self.needed == 0:
            return "The wished accuracy is reached, but not for all items."
        more = " Invite others." if self.needed > self.left else ""
        return f"Go on: {self.short()[0].lower()}{self.short()[1:]}{more}"

    def _waiting(self) -> str:
        items = count(self.waiting, "item")
        verb = "is" if self.waiting == 1 else "are"
        return f"{items} {verb} not yet compared with the others."

    def text(self) -> str:
        """Say it in words."""
        return "\n".join(self.sentences())

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values, for JSON."""
        told = {**vars(self), "repeats": self.repeats.to_dict(), "enough": self.is_enough}
        unknown = math.isnan(self.reliability)
        return told | {"reliability": None if unknown else self.reliability, "text": self.text()}


def look_for_end(
    ratings: Ratings | None,
    *,
    items: int,
    passes: int,
    wished: float,
    repeats: Repeats,
    first: bool = True,
) -> StopSign:
    r"""Find out how far a panel is.

    Parameters
    ----------
    ratings : Ratings or None
        Of its votes, if there are any.
    items, passes : int
        How many there are.
    wished : float
        The reliability that is wished.
    repeats : Repeats
        What came of them.
    first : bool
        Whether to find out who may be first, which takes longer.

    Examples
    --------
    >>> look_for_end(None, items=9, passes=0, wished=0.8, repeats=Repeats(0, 0, math.nan)).text()
    'It is too early to say how many comparisons are needed; come back after about 18 more.\n...'
    """
    if ratings is None:
        return StopSign(items, 0, passes, 0, items, math.nan, wished, None, repeats)
    problem = ratings.problem
    votes = len(problem)
    together = int((ratings.solution.components == 0).sum())
    reliability = measure_separation(ratings)[1] if votes >= EARLY * together else math.nan
    return StopSign(
        items,
        votes,
        passes,
        len(problem.judges),
        max(items - together, 0),
        reliability,
        wished,
        _needed(votes, reliability, wished),
        repeats,
        *(_first(ratings) if first and not math.isnan(reliability) else (None, None)),
    )


def _needed(votes: int, reliability: float, wished: float) -> int | None:
    if math.isnan(reliability) or reliability <= 0:
        return None
    if reliability >= wished:
        return 0
    so_far, goal = (r / (1 - r) for r in (reliability, wished))
    return math.ceil(votes * (goal / so_far - 1))


def _first(ratings: Ratings) -> tuple[str | None, int | None]:
    """Return who leads, and how many others may, by their ranges of ranks."""
    table = ratings.table(kind="dict")
    ranks = table.get("rank_low")
    if not ranks or ranks[0] is None:
        return str(table["contestant"][0]), None
    return str(table["contestant"][0]), sum(1 for rank in ranks if rank == 1) - 1


def _about(number: int) -> int:
    """Round up to two digits: nothing is known more exactly.

    Examples
    --------
    >>> _about(7), _about(41), _about(123)
    (7, 45, 130)
    """
    if number <= 10:
        return number
    step = max(5, int(10 ** (len(str(number)) - 2)))
    return -(-number // step) * step
