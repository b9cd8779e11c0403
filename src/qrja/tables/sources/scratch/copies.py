"""Copies in a scratch folder: of streams, and of what packed files hold, checked to the last byte.

A gzip file ends with the checksum and the length of what it holds. Whoever reads a part of it, or
does not look there, takes damaged data for good ones. The copy is plain, so that it is read in
parallel, and more than once where that is needed.
"""

from __future__ import annotations

import gzip
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from qrja.errors import InputError

GZIP = b"\x1f\x8b"
"""How a gzip file begins."""
_PIECE = 1 << 20


@contextmanager
def copying(name: str, scratch: Path) -> Iterator[None]:
    """Say in our words that a copy cannot be made, for want of room most of the time."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{name}: cannot be copied into {scratch.parent}: {error.strerror or error};"
            " make room there, or let TMPDIR name a folder that has some"
        ) from None


def spool(stream: BinaryIO, name: str, scratch: Path) -> Path:
    """Copy a stream, which can be read only once; return the path of the copy."""
    path = scratch / "stream"
    with copying(name, scratch), path.open("wb") as copy:
        try:
            shutil.copyfileobj(stream, copy, _PIECE)
        except TypeError:
            raise InputError("the file is open as text; open it in binary mode, 'rb'") from None
    return path


def unpack(path: Path, name: str, scratch: Path) -> Path:
    """Copy what a gzip file holds; return the path of the copy.

    Raises
    ------
    InputError
        If the file is damaged or cut off, or if there is no room for the copy.
    """
    copy = scratch / "unpacked"
    with copying(name, scratch), gzip.open(path) as packed, copy.open("wb") as plain:
        try:
            shutil.copyfileobj(packed, plain, _PIECE)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise InputError(
                f"{name}: is damaged, it is no whole gzip file; copy or download it again"
            ) from None
    return copy
