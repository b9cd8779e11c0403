"""Extent: how far the cells of a sheet reach, before a reader makes room for all of them.

A reader of spreadsheets takes memory for rows x columns, down to the last cell that is filled. One
forgotten cell in the far corner asks for 1,048,576 x 16,384 of them, more than any machine has, and
the process dies. In an .ods file one cell may say that it stands for as many.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from qrja.errors import InputError

MOST = 20_000_000
"""Cells of a sheet: some gigabytes of memory."""
_CELL = re.compile(rb"""\br=["']([A-Z]{1,3})([0-9]{1,7})["']""")
_PIECE, _LONGEST = 1 << 20, 16
_OPENED = re.compile(rb"<table:(table|table-row|(?:covered-)?table-cell)(?=[\s/>])([^>]*)>")
_REPEATED = re.compile(rb"""number-(?:rows|columns)-repeated=["']([0-9]{1,18})["']""")


def check_extent(path: Path, name: str) -> None:
    """Check that the sheets of an .xlsx or .ods file can be read; .xls cannot reach as far."""
    try:
        with zipfile.ZipFile(path) as archive:
            for rows, columns in _extents(archive):
                if rows * columns > MOST:
                    raise InputError(
                        f"{name}: a sheet reaches to row {rows:,} and column {columns:,}, and"
                        f" {MOST:,} cells can be read; clear the cells far out, or save it as CSV"
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return  # the reader of spreadsheets says what is wrong


def _extents(archive: zipfile.ZipFile) -> Iterator[tuple[int, int]]:
    for name in archive.namelist():
        if re.match(r"xl/worksheets/.*\.xml$", name):
            yield extent(_pieces(archive, name))
        elif name == "content.xml":
            yield from repeated_extents(_pieces(archive, name))


def repeated_extents(pieces: Iterator[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the last row and the last column that are filled, of each sheet of an .ods file.

    Empty cells at the end, which spreadsheets write to the very edge, do not count.

    Examples
    --------
    >>> row = b'<table:table-row table:number-rows-repeated="9">'
    >>> cell = b'<table:table-cell/><table:table-cell table:number-columns-repeated="5">x'
    >>> list(repeated_extents(iter([b"<table:table>", row + cell])))[-1]
    (9, 6)
    """
    rows = columns = row = column = 0
    for name, attributes in _opened(pieces):
        found = _REPEATED.search(attributes)
        count = int(found[1]) if found else 1
        if name == b"table":
            yield rows, columns
            rows = columns = row = 0
        elif name == b"table-row":
            row, column = row + count, 0
        else:
            column += count
            if not attributes.endswith(b"/") or b"value" in attributes:
                rows, columns = row, max(columns, column)
    yield rows, columns


def _opened(pieces: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the attributes of tables, rows and cells."""
    rest = b""
    for piece in pieces:
        text = rest + piece
        end = text.rfind(b"<")
        for found in _OPENED.finditer(text, 0, end):
            yield found[1], found[2]
        rest = text[end:] if end >= 0 else text
    yield from ((found[1], found[2]) for found in _OPENED.finditer(rest))


def extent(pieces: Iterator[bytes]) -> tuple[int, int]:
    """Return the last row and the last column of the cells that a sheet names.

    Examples
    --------
    >>> extent(iter([b'<c r="A1"/><c r="B', b'12"/><c t="s" r="AA3"/>']))
    (12, 27)
    """
    rows, columns, rest = 0, {b"A"}, b""
    for piece in pieces:
        found = _CELL.findall(rest + piece)
        columns.update(letters for letters, _ in found)
        rows = max([rows, *(int(row) for row in {row for _, row in found})])
        rest = (rest + piece)[-_LONGEST:]
    return rows, max(_number(letters) for letters in columns)


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _pieces(archive: zipfile.ZipFile, sheet: str) -> Iterator[bytes]:
    with archive.open(sheet) as file:
        yield from iter(lambda: file.read(_PIECE), b"")
