"""The parts of an explanation: contributions, chains, and what would turn the order."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from qrja.ratings.consistency import Split
from qrja.tables import Units

Method = Literal["exact", "linearised", "tight", "none"]
"""``exact``: p = 2. ``linearised``: another loss, by the least squares with its optimum.
``tight``: p = 1. ``none``: the two do not compare."""

ROUNDING = 1e-9
"""A margin that is larger by less than this part of it is as large."""


@dataclass(frozen=True)
class Contribution:
    """What one contest (or judgment) adds to a difference of ratings.

    Parameters
    ----------
    label : hashable
        The contest; for judgments their number, from 0, with topic and date if they have some.
    amount : float
        Its part of the difference.
    share : float
        The part of the evidence that flows through it, from 0 to 1.
    """

    label: Hashable
    amount: float
    share: float


@dataclass(frozen=True)
class Link:
    """One link of a chain: a met b.

    Parameters
    ----------
    a, b : hashable
        The two contestants.
    margin : float
        By how much a was better, their meetings weighed by the evidence that passes through them.
    mean : float
        By how much a was better on average, every meeting counted alike.
    labels : tuple
        Where they met, the most important first.
    """

    a: Hashable
    b: Hashable
    margin: float
    mean: float
    labels: tuple[Hashable, ...]


@dataclass(frozen=True)
class Chain:
    """A chain of common opponents.

    Parameters
    ----------
    role : {"evidence", "at least", "at most"}
        What it is for: a share of the evidence, or (p = 1) a limit of the difference.
    share : float
        The part of the evidence that flows along it; 1 for a limit.
    total : float
        The difference it supports: the sum of its margins.
    links : tuple of Link
        From a to b.
    """

    role: Literal["evidence", "at least", "at most"]
    share: float
    total: float
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Turn:
    """What one more judgment between the two would have to be like to make them level.

    Parameters
    ----------
    margin : float
        By how much the one who is behind would have to win.
    weight : float
        How much the judgment would have to weigh; for p = 2 it is the usual weight.
    largest : float or None
        The largest margin judged so far; None of contests.
    """

    margin: float
    weight: float
    largest: float | None = None

    @property
    def times(self) -> int:
        """How many judgments it takes, none larger than those so far.

        Examples
        --------
        >>> Turn(7.0, 1.0, 2.0).times, Turn(1.5, 1.0, 2.0).times, Turn(7.0, 1.0).times
        (4, 1, 1)
        """
        return math.ceil(self.margin / self.largest * (1 - ROUNDING)) if self.largest else 1


@dataclass(frozen=True)
class Explained:
    """All that an explanation holds; see :class:`qrja.Explanation`, which also tells it."""

    a: Hashable
    b: Hashable
    difference: float | None
    low: float | None
    high: float | None
    loss: str
    method: Method
    contributions: tuple[Contribution, ...]
    rest: float
    chains: tuple[Chain, ...]
    turn: Turn | None
    reason: str
    units: Units
    word: str
    split: Split | None = None
