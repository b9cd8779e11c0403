"""Lines above the header: titles, dates and remarks, as spreadsheets and timing systems have them.

The header is then the first record of several names that are no data, above records of as many
fields. They are looked for only where the first record cannot be a header: it has one field, or
another number of fields than what follows.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from qrja.speech import Count, Sentence
from qrja.tables.sources.place import shorten
from qrja.tables.sources.text_file import TextFile

LOOKED_AT = 60
"""Lines among which a header is looked for."""
_DATA = re.compile(r"[+-]?[\d:.,%/-]*\d[\d:.,%/-]*")


Record = tuple[int, list[str]]
"""The line on which a record begins, and its fields."""


class Header(NamedTuple):
    """Where the names of the columns are: the line counts from 1, ``sample`` is the next record."""

    delimiter: str
    line: int
    fields: list[str]
    sample: list[str]
    titles: list[str]

    def note(self) -> str:
        """Say what was skipped."""
        return Sentence(
            "skipped {lines} above the header, which is line {line}: {titles}",
            lines=Count(len(self.titles), "line"),
            line=self.line,
            titles=", ".join(shorten(title) for title in self.titles[:3]),
        )


def find_below_titles(text: TextFile, delimiters: Sequence[str]) -> Header | None:
    """Find the header below titles; None if the first record may be it, or if none is found."""
    with text.text(errors="replace") as file:
        lines = list(islice(file, LOOKED_AT))
    tables = [list(filter(_is_filled, _records(lines, mark))) for mark in delimiters]
    # The first record, by its own delimiter, may have more names than a header that another finds
    # further down: "Weiß, Anna" stands in tables between semicolons.
    widest = max((len(it[0][1]) for it in tables if _may_be_header(it)), default=1)
    found = [_find(it, mark) for it, mark in zip(tables, delimiters, strict=True)]
    below = [header for header in found if header is not None and len(header.fields) > widest]
    return max(below, key=lambda header: len(header.fields), default=None)


def _is_filled(record: Record) -> bool:
    return _filled(record[1]) > 0


def _find(records: list[Record], delimiter: str) -> Header | None:
    if len(records) < 3 or _may_be_header(records):
        return None
    for at, (number, fields) in enumerate(records[1:-1], 1):
        below = records[at + 1][1]
        if _are_names(fields) and len(below) == len(fields):
            titles = [" ".join(filter(None, map(str.strip, it))) for _, it in records[:at]]
            return Header(delimiter, number, fields, below, titles)
    return None


def _may_be_header(records: list[Record]) -> bool:
    if not records:
        return False
    (_, first), *others = records
    return _filled(first) > 1 and any(len(other) == len(first) for _, other in others[:5])


def _are_names(fields: list[str]) -> bool:
    return _filled(fields) > 1 and not any(_DATA.fullmatch(field.strip()) for field in fields)


def _filled(fields: list[str]) -> int:
    return sum(bool(field.strip()) for field in fields)


def _records(lines: list[str], delimiter: str) -> Iterator[Record]:
    """Give the line on which every record begins, and its fields."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    line = 1
    with suppress(csv.Error):
        for fields in reader:
            yield line, fields
            line = reader.line_num + 1
