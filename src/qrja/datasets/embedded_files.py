"""The embedded files: CSV tables beside this module, read whole and checked against a sha256.

The checksum is that of the table: another zlib may compress the same table to other bytes.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from typing import Any

from qrja.errors import QRJAError

SHA256 = {
    "football.csv.gz": "5002b6580ba7004cb86c881320c8736d0e58fa0e2cf4d253f85b8dfffa0087b9",
    "classifiers.csv.gz": "0c8a64a74d8a29a0155162dad99a43e75a521ecd23dc4fdbaf2ba9216f62ee09",
    "marathons.csv": "3c98ca6f9b3b38c440aec3b82241309637e3d84eacdc24678fd066af3933cf27",
}
"""The embedded files and the checksum of the table in each."""


def read_columns(file: str, **kinds: Callable[[str], Any]) -> dict[str, list[Any]]:
    """Read an embedded table as columns of text, or of what ``kinds`` makes of the text.

    Examples
    --------
    >>> read_columns("marathons.csv", example=int)["example"][:3]
    [1, 1, 1]
    """
    header, *rows = csv.reader(_read_checked(file).decode().splitlines())
    columns = zip(header, zip(*rows, strict=True), strict=True)
    return {name: list(map(kinds.get(name, str), texts)) for name, texts in columns}


def _read_checked(file: str) -> bytes:
    content = files("qrja.datasets").joinpath(file).read_bytes()
    try:
        table = gzip.decompress(content) if file.endswith(".gz") else content
    except (OSError, EOFError, zlib.error):
        table = b""
    if sha256(table).hexdigest() != SHA256[file]:
        raise QRJAError(f"{file}: the embedded file is damaged; install qrja again")
    return table
