"""Members: the fits among which the past chooses.

A member says how scores are read (transform), what an error costs (loss), how fast results are
forgotten (half-lives that multiply: contests held since, days, and own contests since) and how
strongly a contestant is pulled toward the fields it met and toward the mean of all (ridge). A grid
is every combination of them; :data:`GRID` is the one that ``qrja-auto`` uses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from qrja.adaptive.transforms import TRANSFORMS
from qrja.errors import InputError

WIDTH = 8
"""Ridges of a grid: as many as the compiled sweeps lay side by side."""

HUBER = 0.6
"""In spreads of a contest, where Huber's loss turns linear."""


@dataclass(frozen=True)
class Panel:
    """Members that differ by their ridge alone.

    Parameters
    ----------
    transform : {"raw", "spread", "root", "log", "rank"}
        See :mod:`qrja.adaptive.transforms`.
    huber : float
        In spreads, the error from which on the loss is linear; infinity for squares.
    half_life : float
        In contests: one that so many others followed counts half. Infinity to forget nothing.
    own_half_life : float
        The same, in later contests of the contestant's own.
    days : float
        The same, in days.
    """

    transform: str
    huber: float
    half_life: float
    own_half_life: float
    days: float = field(default=math.inf, kw_only=True)

    @property
    def half_lives(self) -> tuple[float, float, float]:
        """In contests, in own contests and in days."""
        return self.half_life, self.own_half_life, self.days


@dataclass(frozen=True)
class Member(Panel):
    """One fit; ``ridge`` is the pull toward the fields met, in results."""

    ridge: float


@dataclass(frozen=True)
class Grid:
    """Every combination of what its fields list.

    Parameters
    ----------
    transforms : tuple of str
        Of :data:`qrja.adaptive.transforms.TRANSFORMS`.
    losses : tuple of float
        ``huber`` of the panels; ranks, which know no wild scores, take squares only.
    half_lives : tuple of pairs of float
        In contests, and in own contests; the first is told as long as nothing is known.
    days : tuple of pairs of float
        Half-lives in days, and in own contests: for contests with dates.
    ridges : tuple of float
        Eight of them.
    field, zero : float
        What share of a ridge pulls toward the fields met, and toward the mean of all.

    Examples
    --------
    >>> small = Grid(transforms=("raw", "rank"), losses=(math.inf, 0.6), half_lives=((20, 5),))
    >>> len(small.panels), len(small)
    (3, 24)
    >>> small.members[9]
    Member(transform='raw', huber=0.6, half_life=20, own_half_life=5, days=inf, ridge=0.03)
    """

    transforms: tuple[str, ...] = tuple(TRANSFORMS)
    losses: tuple[float, ...] = (math.inf,)
    half_lives: tuple[tuple[float, float], ...] = (
        (math.inf, 10),
        (60, 10),
        (20, 5),
        (5, 3),
    )
    days: tuple[tuple[float, float], ...] = ()
    ridges: tuple[float, ...] = (0.003, 0.03, 0.1, 0.3, 0.6, 1.2, 3.0, 8.0)
    field: float = 1.0
    zero: float = 0.1

    def __post_init__(self) -> None:
        if len(self.ridges) != WIDTH:
            raise InputError(f"the grid has {len(self.ridges)} ridges; give {WIDTH}")
        if not 0 < self.zero < math.inf:
            raise InputError(f"zero is {self.zero}; give a positive number, such as 0.1")
        for transform in self.transforms:
            if transform not in TRANSFORMS:
                raise InputError(f"no transform {transform!r}; choose from {', '.join(TRANSFORMS)}")

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        """The panels: members 8 i to 8 i + 7 are the i-th."""
        lives = [(life, own, math.inf) for life, own in self.half_lives]
        lives += [(math.inf, own, days) for days, own in self.days]
        return tuple(
            Panel(transform, huber, life, own, days=days)
            for transform, huber, (life, own, days) in product(self.transforms, self.losses, lives)
            if transform != "rank" or huber == math.inf
        )

    def undated(self) -> Grid:
        """Return the grid for contests without dates."""
        return replace(self, days=())

    def __len__(self) -> int:
        return WIDTH * len(self.panels)

    def __iter__(self) -> Iterator[Member]:
        return iter(self.members)

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """All members, panel by panel."""
        return tuple(
            Member(**vars(panel), ridge=ridge) for panel in self.panels for ridge in self.ridges
        )


GRID = Grid(days=((120.0, math.inf), (400.0, math.inf), (1200.0, math.inf)))
"""The members of ``qrja-auto``."""
