"""The parts of an explanation: contributions, chains, and what would turn the order."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Literal, overload

import numpy as np

from qrja.data import Floats, Nouns, Offsets
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


@dataclass(frozen=True, eq=False)
class Contributions(Sequence[Contribution]):
    """Contributions, the largest first; each is made when somebody looks at it.

    Parameters
    ----------
    labels : sequence
        Of all contests or judgments.
    of : array of int
        The one that each contribution is of.
    amounts, shares : array of float
        Of each contribution.

    Examples
    --------
    >>> parts = Contributions("xyz", np.array([2, 0]), np.array([3.0, 1.0]), np.array([0.6, 0.4]))
    >>> parts[0], len(parts[1:])
    (Contribution(label='z', amount=3.0, share=0.6), 1)
    """

    labels: Sequence[Hashable] = ()
    of: Offsets = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    amounts: Floats = field(default_factory=lambda: np.zeros(0))
    shares: Floats = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.of)

    @overload
    def __getitem__(self, which: int) -> Contribution: ...
    @overload
    def __getitem__(self, which: slice) -> Contributions: ...
    def __getitem__(self, which: int | slice) -> Contribution | Contributions:
        if isinstance(which, slice):
            return Contributions(
                self.labels, self.of[which], self.amounts[which], self.shares[which]
            )
        label = self.labels[int(self.of[which])]
        return Contribution(label, float(self.amounts[which]), float(self.shares[which]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


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
        The largest margin so far, of any two who were compared.
    """

    margin: float
    weight: float
    largest: float | None = None

    @property
    def times(self) -> int:
        """How many of them it takes, with no margin larger than those so far.

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
    contributions: Contributions
    rest: float
    chains: tuple[Chain, ...]
    turn: Turn | None
    reason: str
    units: Units
    nouns: Nouns
    split: Split | None = None
    terms: tuple[tuple[str, float], ...] = ()

    @property
    def word(self) -> str:
        """What the data are made of, for JSON: ``"contest"`` or ``"judgment"``."""
        return "judgment" if self.nouns.judged else "contest"
