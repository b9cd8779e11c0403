"""Dates order the contests: ISO, or day, month and year in one order throughout a column.

Each distinct text is parsed once. ``03/04/2026`` is read only if some other date of the column
tells which part is the month; ``3.4.2026`` has the day first. Times of day count; those with a
time zone are turned to UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from qrja.data import Index
from qrja.errors import InputError
from qrja.lazy import LazyPattern
from qrja.tables.sources import Loaded, shorten
from qrja.tables.values.names import number_names

Dates = NDArray[np.datetime64]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = (
    r"(?:[t ]\s*(?P<clock>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)"
    r"\s*(?P<zone>z|[+-]\d{2}(?::?\d{2})?)?)?"
)
_FORMS = {
    form: LazyPattern(pattern + _CLOCK)
    for form, pattern in {
        "iso": r"(?P<y>\d{4})(?:(?P<sep>[-/.])(?P<m>\d{1,2})(?:(?P=sep)(?P<d>\d{1,2}))?)?",
        "compact": r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})",
        "slashes": r"(?P<p>\d{1,2})(?P<sep>[/-])(?P<q>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})",
        "dots": r"(?P<d>\d{1,2})\. ?(?P<m>\d{1,2})\. ?(?P<y>\d{4}|\d{2})",
        "day month": r"(?P<d>\d{1,2})(?:st|nd|rd|th)?[ -](?P<name>[a-z]{3,9})\.?,?[ -](?P<y>\d{4})",
        "month day": r"(?P<name>[a-z]{3,9})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})",
    }.items()
}
_REMEDY = "write all dates as 2026-11-15"


@dataclass(frozen=True)
class _Date:
    """A text taken apart; ``p`` and ``q`` are day and month in an order still to be found."""

    form: str
    parts: dict[str, str | None]

    @property
    def p(self) -> int:
        return int(self.parts.get("p") or 0)

    @property
    def q(self) -> int:
        return int(self.parts.get("q") or 0)


def parse_dates(loaded: Loaded, role: str = "date") -> tuple[Index, Dates]:
    """Parse the column of dates.

    Returns
    -------
    number, dates
        For each row the number of its date, -1 if it has none; the distinct dates.

    Raises
    ------
    InputError
        If a text is no date, if two are of different forms, or if day and month cannot be told
        apart; the message shows the rows.
    """
    (number,), labels = number_names(loaded, (role,))
    texts = tuple(map(str, labels))
    if all(len(text) in (10, 19) and text[4] == text[7] == "-" for text in texts):
        try:
            return number, np.array(texts, dtype="datetime64[s]")
        except ValueError:
            pass  # the slow way finds which one it is
    dates = _Column(loaded, number, texts).parse()
    distinct, merged = np.unique(dates, return_inverse=True)
    return np.where(number < 0, -1, merged.astype(np.int32)[number]).astype(np.int32), distinct


@dataclass(frozen=True)
class _Column:
    """The distinct texts of a column, and the rows they are in."""

    loaded: Loaded
    number: Index
    labels: tuple[str, ...]

    def parse(self) -> Dates:
        split = [_split(label.casefold()) for label in self.labels]
        for k, date in enumerate(split):
            if date is None:
                raise self._error(k, f"{shorten(self.labels[k])} is not a date; {_REMEDY}")
        known = [date for date in split if date is not None]
        self._check_one_form(known)
        day_first = not known[0].form.startswith("slashes") or self._day_first(known)
        return np.array(
            [self._build(k, date, day_first) for k, date in enumerate(known)],
            dtype="datetime64[s]",
        )

    def _check_one_form(self, dates: list[_Date]) -> None:
        for k, date in enumerate(dates):
            if date.form != dates[0].form:
                raise self._two(0, k, "are dates of two forms")

    def _day_first(self, dates: list[_Date]) -> bool:
        day_first = [k for k, date in enumerate(dates) if date.p > 12]
        month_first = [k for k, date in enumerate(dates) if date.q > 12]
        if day_first and month_first:
            raise self._two(day_first[0], month_first[0], "have day and month in two orders")
        unclear = [k for k, date in enumerate(dates) if date.p != date.q]
        if unclear and not day_first and not month_first:
            raise self._two(unclear[0], unclear[-1], "may have the day or the month first")
        return not month_first

    def _build(self, k: int, date: _Date, day_first: bool) -> datetime:
        try:
            return _build(date, day_first)
        except ValueError:
            raise self._error(k, f"{shorten(self.labels[k])} is not a date; {_REMEDY}") from None

    def _two(self, k: int, other: int, message: str) -> InputError:
        if k == other:
            return self._error(k, f"{shorten(self.labels[k])} {message}; {_REMEDY}")
        where = self.loaded.place.of(self._row(other))
        both = f"{shorten(self.labels[k])} and {shorten(self.labels[other])} ({where})"
        return self._error(k, f"{both} {message}; {_REMEDY}")

    def _error(self, k: int, message: str) -> InputError:
        return self.loaded.place.error(self._row(k), message)

    def _row(self, k: int) -> int:
        return int((self.number == k).argmax())


def _split(text: str) -> _Date | None:
    for form, pattern in _FORMS.items():
        match = pattern.fullmatch(text)
        if match is not None:
            zoned = " with a time zone" if match["zone"] else ""
            return _Date(form + zoned, match.groupdict())
    return None


def _build(date: _Date, day_first: bool) -> datetime:
    parts = date.parts
    year = int(parts["y"] or 0)
    if len(parts["y"] or "") == 2:
        year += 2000 if year < 69 else 1900
    if "p" in parts:
        day, month = (date.p, date.q) if day_first else (date.q, date.p)
    else:
        name = parts.get("name")
        month = int(parts.get("m") or 1) if name is None else _MONTHS.index(name[:3]) + 1
        day = int(parts.get("d") or 1)
    clock = (parts["clock"] or "0:00").zfill(5 if (parts["clock"] or "").count(":") < 2 else 8)
    zone = (parts["zone"] or "").replace("z", "+00:00")
    moment = datetime.fromisoformat(f"{year:04d}-{month:02d}-{day:02d}T{clock[:8]}{zone}")
    return moment.astimezone(UTC).replace(tzinfo=None) if zone else moment
