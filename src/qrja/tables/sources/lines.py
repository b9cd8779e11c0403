"""Lines of a CSV file as an editor counts them: a quoted field may span several, blank ones count.

Python's own reader goes over the file, which is slow; only a message about a row needs it.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

import numpy as np

from qrja.data import Offsets
from qrja.tables.sources.text_file import TextFile


def find_header(text: TextFile, delimiter: str) -> tuple[int, list[str], list[str]]:
    """Return the line and the fields of the first record that is not empty, and the next one."""
    records = _records(text, delimiter)
    for line, fields in records:
        if any(field.strip() for field in fields):
            return line, fields, next(records, (0, []))[1]
    return 1, [""], []


def record_lines(text: TextFile, delimiter: str, width: int, header: int) -> Offsets:
    """Return the line on which each record below the header begins."""
    lines = _simple_lines(text, delimiter, width)
    if lines is None:
        lines = [
            line
            for line, fields in _records(text, delimiter)
            if len(fields) == width or any(field.strip() for field in fields)
        ]
    return np.array([line for line in lines if line > header], dtype=np.int64)


def _simple_lines(text: TextFile, delimiter: str, width: int) -> list[int] | None:
    """Find the lines that are records; None if there are quotes, which may hide line ends."""
    mark = delimiter.encode()
    lines = []
    with text.binary() as file:
        first = file.readline().removeprefix(codecs.BOM_UTF8)
        if b"\r" in first.rstrip(b"\r\n"):
            return None
        for number, line in enumerate(chain([first], file), 1):
            if b'"' in line:
                return None
            if line.strip() or line.count(mark) == width - 1:
                lines.append(number)
    return lines


def _records(text: TextFile, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Give the line on which every record begins, and its fields."""
    line = 1
    with text.text(errors="replace") as file:
        reader = csv.reader(file, delimiter=delimiter, skipinitialspace=True)
        with suppress(csv.Error):  # a field without end: the database finds it too, and says so
            for fields in reader:
                yield line, fields
                line = reader.line_num + 1
