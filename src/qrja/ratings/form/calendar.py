"""When: from units of time since the first contest to dates, or to labels of contests."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from qrja.ratings.fitted import Fit
from qrja.speech import Sentence
from qrja.ties import Paths

YEAR = 31_557_600
"""Seconds of 365.25 days."""


class Calendar:
    """The time of some ratings that move.

    Examples
    --------
    >>> import qrja
    >>> days = np.array(["2026-05-01", "2027-05-01"], "datetime64[D]")
    >>> races = qrja.Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 4, 2], days.repeat(2))
    >>> calendar = Calendar(qrja.fit(races, drift="0.3 per year"))
    >>> calendar.when(0.5), calendar.month(0.5)
    ('2026-10-30', 'October 2026')
    """

    def __init__(self, fit: Fit) -> None:
        assert fit.solution.moved is not None
        self._paths: Paths = fit.solution.moved
        self._data = fit.data

    @property
    def is_dated(self) -> bool:
        """Whether time is that of dates."""
        return self._paths.unit == "year"

    def when(self, time: float) -> Hashable:
        """Return a date, as a text; or the label of the contest."""
        if not self.is_dated:
            at = min(max(round(time), 0), len(self._data) - 1)
            return self._data.labels[at]
        return str(self._date(time).astype("datetime64[D]"))

    def month(self, time: float) -> str:
        """Return the month in words; or the contest."""
        if not self.is_dated:
            return str(self.when(time))
        date = self._date(time).astype("datetime64[D]").item()
        return Sentence(MONTHS[date.month - 1], year=str(date.year))

    def _date(self, time: float) -> np.datetime64:
        assert self._data.date is not None
        first = self._data.date[0].astype("datetime64[s]")
        # To the minute: fractions of years are rounded.
        seconds = 60 * round(time * YEAR / 60)
        return np.datetime64(first + np.timedelta64(seconds, "s"))


MONTHS = (
    "January {year}",
    "February {year}",
    "March {year}",
    "April {year}",
    "May {year}",
    "June {year}",
    "July {year}",
    "August {year}",
    "September {year}",
    "October {year}",
    "November {year}",
    "December {year}",
)
