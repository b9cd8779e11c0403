"""Rankers as published: each is the ranker of this package but for the one point it overrides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from qrja.data import Contest, Floats
from qrja.rankers import Additive, Borda, KemenyYoung, LowRank, Median
from qrja.rankers.factorization import Matrix


class UpperMedian(Median):
    """The median; of an even number of scores, the greater of the middle two."""

    def _between(self, lower: float, upper: float) -> float:
        return upper


class ListedBorda(Borda):
    """Borda with places by the order of listing, counted from 0.

    So every entry gains 2/(k-1) points more, and whoever is alone in a contest gains 3.
    """

    def points(self, score: Floats) -> Floats:
        """Return ``1 - 2 (i - 1) / (k - 1)`` with i from 0.

        Examples
        --------
        >>> ListedBorda().points(np.array([9.0, 7.0, 5.0]))
        array([2., 1., 0.])
        """
        place = np.arange(len(score))
        return 1 - 2 * (place - 1) / max(len(score) - 1, 1)


class ListedKemeny(KemenyYoung):
    """Kemeny and Young's rule where who is listed earlier wins, even at equal scores."""

    def learn(self, contest: Contest) -> None:
        """Remember who was listed before whom; a contestant listed twice counts twice."""
        super().learn(replace(contest, score=-np.arange(len(contest), dtype=np.float64)))


class PublishedLowRank(LowRank):
    """Low rank, with the mean taken over at least ``rank + 1`` contests.

    Those not held yet and those without entries predict 0.
    """

    counts_empty = True

    def _rows(self, matrix: Matrix) -> int:
        return max(matrix.contests, self._rank + 1)


class PublishedAdditive(Additive):
    """Additive, with contests without entries in the means of the start.

    Parameters
    ----------
    contestants : int, optional
        Of the whole data set: the means of contests at the start run over all of them, those yet
        to come included.
    **options
        Of :class:`qrja.rankers.factorization.Additive`.
    """

    counts_empty = True

    def __init__(self, *, contestants: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._contestants = contestants

    def _columns(self, matrix: Matrix) -> int:
        return max(super()._columns(matrix), self._contestants or 1)
