"""Extent: how far the cells of a sheet reach, before a reader makes room for all of them.

A reader of spreadsheets takes memory for rows x columns, down to the last cell that is filled. One
forgotten cell in the far corner asks for 1,048,576 x 16,384 of them, more than any machine has, and
the process dies.
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


def check_extent(path: Path, name: str) -> None:
    """Check that a sheet of an .xlsx file can be read; others cannot reach as far."""
    try:
        with zipfile.ZipFile(path) as archive:
            sheets = [it for it in archive.namelist() if re.match(r"xl/worksheets/.*\.xml$", it)]
            for sheet in sheets:
                rows, columns = extent(_pieces(archive, sheet))
                if rows * columns > MOST:
                    raise InputError(
                        f"{name}: a sheet reaches to row {rows:,} and column {columns:,}, and"
                        f" {MOST:,} cells can be read; clear the cells far out, or save it as CSV"
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return  # the reader of spreadsheets says what is wrong


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
