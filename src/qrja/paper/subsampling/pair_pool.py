"""All pairs of the contests so far, from which every repeat draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Contest, Floats, Index, Mask, Offsets, grown
from qrja.paper.as_published import MILLION, round_margins

Counts = NDArray[np.uint16]
MOST_COMMON = 2**48
"""Weights with a common denominator up to this one are integers."""
MOST_CONTESTANTS = 2**26
"""Two numbers of contestants below it are one float, exactly."""


@dataclass(frozen=True)
class SortedPairs:
    """All pairs, sorted by their contestants and then by margin; ``low <= high``."""

    order: Index
    """When each came, counted from 0."""
    low: Index
    high: Index
    margin: Floats
    """By how much the lower-numbered contestant was better."""
    size: Index
    """A pair weighs 1 divided by this."""
    common: int
    """A number that all sizes divide."""
    first: Offsets
    """Where the pairs of each two contestants begin."""

    @cached_property
    def weight(self) -> Floats:
        """What each weighs."""
        return 1.0 / self.size

    @cached_property
    def parts(self) -> Offsets | None:
        """What each weighs, in whole numbers, where they have room for that."""
        return self.common // self.size.astype(np.int64) if self.common <= MOST_COMMON else None

    @cached_property
    def place(self) -> Index:
        """Where each is, by the order in which they came."""
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(place), dtype=np.int32)
        return place

    @cached_property
    def differ(self) -> Mask:
        """Whether they are two: a contestant may be listed twice in one contest."""
        apart: Mask = self.low != self.high
        return apart


class PairPool:
    """All pairs of the contests so far, written out.

    Solvers find pairs that come sorted sooner than they would sort them, and every repeat draws
    from the same ones: so they are kept sorted.

    Parameters
    ----------
    by_size : bool
        Let a pair of a contest of k weigh 1 / k, not 1.
    rounded : bool
        Round margins to millionths as the paper's l1 does.

    Examples
    --------
    >>> pairs = PairPool()
    >>> pairs.add(Contest("May", np.array([4, 2]), np.array([9.0, 7.0])))
    >>> pairs.sorted.low, pairs.sorted.high, pairs.sorted.margin
    (array([2], dtype=int32), array([4], dtype=int32), array([-2.]))
    """

    def __init__(self, *, by_size: bool = False, rounded: bool = False) -> None:
        self.count, self._by_size, self._rounded = 0, by_size, rounded
        self._size, self._common = np.zeros(0, dtype=np.int32), 1
        # Two contestants and a margin as one number: complex ones are compared part by part.
        self._key, self._order = np.zeros(0, dtype=np.complex128), np.zeros(0, dtype=np.int32)
        self._new: list[tuple[Any, Any]] = []
        self._sorted: SortedPairs | None = None

    def add(self, contest: Contest) -> None:
        """Append the pairs of a contest."""
        earlier, later = np.triu_indices(len(contest), 1)
        a, b = contest.who[later], contest.who[earlier]
        y = contest.score[later] - contest.score[earlier]
        if self._rounded:
            y = round_margins(y) / MILLION
        key = np.empty(len(y), dtype=np.complex128)
        key.real = np.minimum(a, b) * float(MOST_CONTESTANTS) + np.maximum(a, b)
        key.imag = np.where(a < b, y, -y)
        end = self.count + len(y)
        self._new.append((key, np.arange(self.count, end, dtype=np.int32)))
        size = len(contest) if self._by_size and len(y) else 1
        self._size, self._common = grown(self._size, end), math.lcm(self._common, size)
        self._size[self.count : end] = size
        self.count, self._sorted = end, None

    @property
    def sorted(self) -> SortedPairs:
        """All of them."""
        if self._sorted is None:
            self._sorted = self._sort()
        return self._sorted

    def _sort(self) -> SortedPairs:
        """Put the new ones in among those that are sorted."""
        if self._new:
            key, order = (np.concatenate(column) for column in zip(*self._new, strict=True))
            turn = np.argsort(key, kind="stable")
            at = np.searchsorted(self._key, key[turn], side="right")
            self._key = np.insert(self._key, at, key[turn])
            self._order = np.insert(self._order, at, order[turn])
            self._new = []
        low, high = np.divmod(self._key.real.astype(np.int64), MOST_CONTESTANTS)
        first = np.flatnonzero(np.diff(self._key.real, prepend=-1.0))
        size = self._size[self._order]
        ends = low.astype(np.int32), high.astype(np.int32)
        return SortedPairs(self._order, *ends, self._key.imag.copy(), size, self._common, first)
