"""Contests as they arrive, in arrays that grow."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Judgments, Offsets, grown, pairs_within


class ContestLog:
    """The rows of all contests so far, and what a pair of each weighs."""

    def __init__(self) -> None:
        self.n = 0
        self.contests = 0
        self._start = np.zeros(1, np.int64)
        self._who = np.empty(0, np.int32)
        self._score = np.empty(0, np.float64)
        self._weight = np.empty(0, np.float64)

    def add(self, sizes: Offsets, who: Index, score: Floats, weight: Floats) -> None:
        """Add contests: their sizes, the rows of all, and what a pair weighs."""
        old, new = int(self._start[self.contests]), self.contests + len(sizes)
        rows = slice(old, old + len(who))
        self._start = grown(self._start, new + 1)
        self._start[self.contests + 1 : new + 1] = old + np.cumsum(sizes)
        self._who, self._score = grown(self._who, rows.stop), grown(self._score, rows.stop)
        self._who[rows], self._score[rows] = who, score
        self._weight = grown(self._weight, new)
        self._weight[self.contests : new] = weight
        # Last, in one step: whatever interrupts us before, nothing was added.
        n = max(self.n, int(who.max(initial=-1)) + 1)
        self.n, self.contests = n, new

    @property
    def start(self) -> Offsets:
        """The rows of contest c are ``start[c]:start[c + 1]``."""
        return self._start[: self.contests + 1]

    @property
    def sizes(self) -> Offsets:
        """The number of rows of each contest."""
        return np.diff(self.start)

    @property
    def who(self) -> Index:
        """The contestant of each row."""
        return self._who[: self.start[-1]]

    @property
    def score(self) -> Floats:
        """The score of each row."""
        return self._score[: self.start[-1]]

    @property
    def weight(self) -> Floats:
        """What a pair of each contest weighs."""
        return self._weight[: self.contests]

    def to_judgments(self) -> Judgments:
        """Write all pairs out, contest by contest; contestants are called 0, 1, ..."""
        one, other = pairs_within(self.sizes)
        weight = np.repeat(self.weight, self.sizes)[one]
        y = self.score[one] - self.score[other]
        return Judgments(self.who[one], self.who[other], y, weight, tuple(range(self.n)))

    def origin_from(self, first: int) -> Floats:
        """Return the origins of the rows of contest ``first`` and later."""
        start = self.start[first:]
        return self._score[np.repeat(start[:-1], np.diff(start))]
