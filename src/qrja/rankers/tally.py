"""Tally: a sum and a count per contestant, with room for those who are yet to appear."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, grown


class Tally:
    """What was added up for each contestant, and how often.

    Attributes
    ----------
    total, count : array of float
        A number for each contestant so far, and zeros for some more.

    Examples
    --------
    >>> tally = Tally()
    >>> tally.add(np.array([0, 2]), np.array([5.0, 7.0]))
    >>> tally.add(np.array([2]), 1.0)
    >>> tally.sums(np.array([0, 1, 2, 9]))
    array([ 5., nan,  8., nan])
    """

    def __init__(self) -> None:
        self.total, self.count = np.zeros(0), np.zeros(0)

    def add(self, who: Index, amount: Floats | float) -> None:
        """Add an amount for each of ``who``; one who is listed twice gets both."""
        self.reach(who)
        np.add.at(self.total, who, amount)
        np.add.at(self.count, who, 1)

    def reach(self, who: Index) -> None:
        """Make room for all of ``who``."""
        rows = int(who.max(initial=-1)) + 1
        self.total, self.count = grown(self.total, rows), grown(self.count, rows)

    def sums(self, who: Index) -> Floats:
        """Return the sum of each; NaN for those for whom nothing was added."""
        return looked_up(np.where(self.count > 0, self.total, np.nan), who)

    def counts(self, who: Index) -> Floats:
        """Return how often something was added for each."""
        return np.nan_to_num(looked_up(self.count, who))

    def means(self, who: Index) -> Floats:
        """Return the sum of each divided by the count; NaN for those never counted."""
        never = np.full(len(self.count), np.nan)
        return looked_up(np.divide(self.total, self.count, out=never, where=self.count > 0), who)


def looked_up(table: Floats, who: Index) -> Floats:
    """Return the rows of ``who``; NaN for those beyond the table.

    Examples
    --------
    >>> looked_up(np.array([5.0]), np.array([0, 2]))
    array([ 5., nan])
    """
    found = np.full(len(who), np.nan)
    inside = np.asarray(who) < len(table)
    found[inside] = table[who[inside]]
    return found
