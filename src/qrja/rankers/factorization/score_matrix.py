"""The matrix contests x contestants of scores, of which only the observed entries are kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from qrja.data import Contest, Floats, Index, Offsets, sum_by


@dataclass(frozen=True, eq=False)
class Matrix:
    """Observed entries grouped by contest, divided by ``scale``.

    Several entries of one contestant in one contest are one, with the sum of their scores as
    ``value`` and their number as ``count``.
    """

    start: Offsets
    who: Index
    value: Floats
    count: Floats
    scale: float
    contestants: int

    @property
    def contests(self) -> int:
        """Number of rows."""
        return len(self.start) - 1

    @cached_property
    def row(self) -> NDArray[np.integer[Any]]:
        """The contest of each entry."""
        return np.repeat(np.arange(self.contests), np.diff(self.start))

    def zero_filled(self) -> csr_array:
        """Return the matrix with 0 for what is missing."""
        shape = (self.contests, self.contestants)
        return csr_array((self.value, self.who, self.start), shape=shape)

    def squared_error(self, predicted: Floats) -> float:
        """Sum (value - count * predicted)^2 over the entries; infinite where that overflows."""
        with np.errstate(over="ignore", invalid="ignore"):
            error = self.value - self.count * predicted
            total = float(error @ error)
        return total if np.isfinite(total) else float("inf")


class MatrixEntries:
    """The entries learned so far.

    Examples
    --------
    >>> entries = MatrixEntries()
    >>> entries.add(Contest("May", np.array([0, 1]), np.array([8.0, -4.0])))
    >>> entries.matrix().value
    array([ 1. , -0.5])
    """

    def __init__(self) -> None:
        self._who: list[Index] = [np.zeros(0, dtype=np.int32)]
        self._score: list[Floats] = [np.zeros(0)]

    def add(self, contest: Contest) -> None:
        """Add a contest: a row, without entries if it has none."""
        self._who.append(contest.who)
        self._score.append(contest.score)

    def matrix(self) -> Matrix:
        """Add up repeated entries and divide by the largest absolute score."""
        size = np.array([len(who) for who in self._who[1:]], dtype=np.int64)
        who, score = np.concatenate(self._who), np.concatenate(self._score)
        n = int(who.max(initial=-1)) + 1
        row = np.repeat(np.arange(len(size)), size)
        _, first, entry = np.unique(row * n + who, return_index=True, return_inverse=True)
        scale = float(np.abs(score).max(initial=0)) or 1.0
        distinct = np.bincount(row[first], minlength=len(size))
        return Matrix(
            start=np.concatenate([[0], np.cumsum(distinct)]),
            who=who[first],
            value=sum_by(entry, score, len(first)) / scale,
            count=sum_by(entry, np.ones(len(who)), len(first)),
            scale=scale,
            contestants=n,
        )
