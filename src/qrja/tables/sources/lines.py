r"""Lines of a text file as an editor counts them: from 1, each ended by \n, \r\n or \r.

A quoted field may span several lines, blank ones count. Python's own reader goes over the file,
which is slow; only a message about a row needs it.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from threading import Lock

import numpy as np

from qrja.data import Offsets
from qrja.errors import InputError
from qrja.tables.sources.text_file import TextFile

LONGEST = 2_000_000
"""Bytes of a record, beyond which the database refuses it."""
_PIECE = 1 << 20


def find_header(text: TextFile, delimiter: str) -> tuple[int, list[str], list[str]]:
    """Return the line and the fields of the first record that is not empty, and the next one."""
    records = _records(text, delimiter)
    line = 0
    try:
        for line, fields in records:
            if any(field.strip() for field in fields):
                return line, fields, _next(records)
    except csv.Error:
        raise InputError(
            f"{text.name}:{line + 1}: a name of a column has more than"
            f" {csv.field_size_limit():,} letters; does every quote have its end?"
        ) from None
    return 1, [""], []


def _next(records: Iterator[tuple[int, list[str]]]) -> list[str]:
    """Return the fields of the next record, none if it cannot be told."""
    with suppress(csv.Error):
        return next(records, (0, []))[1]
    return []


def record_lines(text: TextFile, delimiter: str, width: int, header: int) -> Offsets:
    """Return the line on which each record below the header begins."""
    lines = _simple_lines(text, delimiter, width)
    if lines is None:
        with _long_fields(), suppress(csv.Error):
            lines = [
                line
                for line, fields in _records(text, delimiter)
                if len(fields) == width or any(field.strip() for field in fields)
            ]
    return np.array([line for line in lines or () if line > header], dtype=np.int64)


def line_of(text: TextFile, position: int) -> int:
    """Return the line of the byte at a position, which is counted from 0."""
    ends, last = 0, b""
    with text.binary() as file:
        while position > 0 and (piece := file.read(min(position, _PIECE))):
            ends += piece.count(b"\n") + piece.count(b"\r") - (last + piece).count(b"\r\n")
            position, last = position - len(piece), piece[-1:]
    return 1 + ends


def _simple_lines(text: TextFile, delimiter: str, width: int) -> list[int] | None:
    """Find the lines that are records; None if quotes may hide line ends, or these are others."""
    mark = delimiter.encode()
    lines = []
    with text.binary() as file:
        first = file.readline().removeprefix(codecs.BOM_UTF8)
        for number, line in enumerate(chain([first], file), 1):
            if b'"' in line or b"\r" in line[:-2]:
                return None
            if line.strip() or line.count(mark) == width - 1:
                lines.append(number)
    return lines


def _records(text: TextFile, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Give the line on which every record begins, and its fields."""
    line = 1
    with text.text(errors="replace") as file:
        reader = csv.reader(file, delimiter=delimiter, skipinitialspace=True)
        for fields in reader:
            yield line, fields
            line = reader.line_num + 1


_lock, _readers, _usual = Lock(), 0, 0


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let Python's reader take fields as long as the database takes records."""
    # The limit is one for the whole process: the first sets it, and the last sets it back.
    global _readers, _usual
    with _lock:
        if not _readers:
            _usual = csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
        _readers += 1
    try:
        yield
    finally:
        with _lock:
            _readers -= 1
            if not _readers:
                csv.field_size_limit(_usual)
