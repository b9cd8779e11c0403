"""What a source is: paths, ``-``, an open file or a data frame, and then which kind of file.

The kind is read off the first bytes, not off the ending, so that stdin and oddly named files
work: Parquet, gzip and archives have signatures, JSON begins with a bracket, the rest is CSV.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from qrja.errors import InputError, nearest
from qrja.tables.sources.csv_file import CsvFile
from qrja.tables.sources.database import Database, in_our_words
from qrja.tables.sources.documents import (
    Dealt,
    DealtFile,
    ManyFiles,
    files_of,
    is_pattern,
    is_spreadsheet,
    open_sheet,
    unzip,
)
from qrja.tables.sources.frames import Frame
from qrja.tables.sources.json_file import JsonFile
from qrja.tables.sources.loaded import Source
from qrja.tables.sources.parquet import ParquetFile
from qrja.tables.sources.remote_file import check_remote, fetch, is_remote
from qrja.tables.sources.scratch import GZIP, scratch_folder, spool, unpack
from qrja.tables.sources.text_file import TextFile

PEEK = 65536
_DOCUMENTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How archives begin, spreadsheets among them."""
_FOREIGN = {
    b"SQLite format 3": "an SQLite database; export the table as CSV",
    b"%PDF": "a PDF file; export the table as CSV",
    GZIP: "packed twice; unpack it once",
    b"BZh": "a bzip2 file; unpack it first",
    b"\xfd7zXZ\x00": "an xz file; unpack it first",
    b"(\xb5/\xfd": "a zstd file; unpack it first",
    b"ARROW1": "an Arrow file; save the table as Parquet or CSV",
    b"<": "a web page or XML; save the table itself as CSV",
}


@contextmanager
def open_source(
    source: Any,
    delimiter: str | None,
    encoding: str | None,
    sheet: str | None = None,
    remote: bool = False,
) -> Iterator[Source]:
    """Open a table of any kind; what is opened is closed and cleaned up on leaving."""
    with scratch_folder() as scratch:
        if isinstance(source, Dealt):
            with Database(scratch, *source.paths) as database, in_our_words(source.name):
                yield DealtFile.open_dealt(source, database)
            return
        if not _is_of_files(source):
            with Database(scratch) as database, in_our_words("the data frame"):
                yield Frame.open(source, database)
            return
        several, name = _name_all(source)
        found = [_find(one, Path(scratch), remote) for one in several]
        paths = [str(path) for path, _ in found]
        with Database(scratch, *paths) as database, in_our_words(name or found[0][1]):
            opener = _Opener(Path(scratch), database, delimiter, encoding, sheet)
            yield opener.open_all(found, name) if name else opener.open(*found[0])


def _is_of_files(source: Any) -> bool:
    """Tell paths and streams from data frames."""
    if isinstance(source, list | tuple):
        return bool(source) and all(isinstance(one, str | os.PathLike) for one in source)
    return isinstance(source, str | os.PathLike) or _is_stream(source)


def _name_all(source: Any) -> tuple[list[Any], str]:
    """List the files that are meant, and what they are called together if they may be several."""
    if isinstance(source, list | tuple):
        files = [file for one in source for file in _name_all(one)[0]]
        return files, "" if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"
    if _is_stream(source) or is_remote(name := os.fsdecode(source)) or name == "-":
        return [source], ""
    if name and (_is_folder(name) or is_pattern(name)):
        return list(files_of(name)), name
    return [source], ""


def _is_folder(name: str) -> bool:
    with suppress(OSError):  # a name that is too long: what is wrong is said when it is opened
        return Path(name).is_dir()
    return False


@dataclass(frozen=True)
class _Opener:
    """Opens files of any kind."""

    scratch: Path
    database: Database
    delimiter: str | None
    encoding: str | None
    sheet: str | None

    def open(self, path: Path, name: str) -> Source:
        """Open a file by what its first bytes say."""
        head = _peek(path, name)
        if head.startswith(GZIP):
            path = unpack(path, name, self.scratch)
            head = _peek(path, name)
        if head.startswith(b"PAR1"):
            return ParquetFile.open(path, name, self.database)
        if head.startswith(_DOCUMENTS):
            return self._open_document(path, name, head)
        if self.sheet is not None:
            raise InputError(f"{name}: is no spreadsheet, so there is no sheet {self.sheet!r}")
        _check_text(head, name, self.encoding)
        text = TextFile(path, name, self.scratch, self.encoding)
        if text.first_letter() in ("{", "["):
            return JsonFile.open(text, self.database)
        return CsvFile.open(text, self.database, self.delimiter)

    def open_all(self, files: list[tuple[Path, str]], name: str) -> Source:
        """Open several files as one."""
        openers = [
            (called, partial(self._apart(at).open, path, called))
            for at, (path, called) in enumerate(files)
        ]
        return ManyFiles.open(name, openers, self.database)

    def _apart(self, number: int) -> _Opener:
        """Give a file among several a folder of its own for its copies."""
        folder = self.scratch / f"file-{number}"
        folder.mkdir()
        return replace(self, scratch=folder)

    def _open_document(self, path: Path, name: str, head: bytes) -> Source:
        if is_spreadsheet(path, head):
            return open_sheet(path, name, self.scratch, self.database, self.sheet)
        unpacked = unzip(path, name, self.scratch)
        return self.open_all([(copy, called) for called, copy in unpacked], name)


def _is_unicode(name: str) -> bool:
    # File systems allow names that are no text, which no database can be told.
    return name.encode("utf-8", "replace").decode() == name


def _is_stream(source: Any) -> bool:
    # A data frame may have a column called "read".
    return callable(getattr(source, "read", None))


def _find(source: Any, scratch: Path, remote: bool) -> tuple[Path, str]:
    """Give the path of a source, copied into a file first if it is a stream, and its name."""
    if _is_stream(source):
        name = str(getattr(source, "name", "") or "the file")
        return spool(source, name, scratch), name
    name = os.fsdecode(source)
    if name == "-":
        return spool(sys.stdin.buffer, "stdin", scratch), "stdin"
    if is_remote(name):
        check_remote(name, remote)
        return fetch(name, scratch), name
    if not name or "\0" in name:
        raise InputError(f"the path is {repr(name) if name else 'empty'}; give the path of a file")
    try:
        return _find_file(Path(name), name, scratch)
    except OSError as error:  # a folder that may not be entered, a name that is too long
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None


def _find_file(path: Path, name: str, scratch: Path) -> tuple[Path, str]:
    """Check that a file is there and readable; one that can be read only once is copied."""
    if not path.exists():
        folder = path.parent
        there = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
        raise InputError(f"{name}: no such file{nearest(path.name, there)}")
    if not path.is_file() or not _is_unicode(name):
        with path.open("rb") as stream:
            return spool(stream, name, scratch), name
    return path.absolute(), name


def _peek(path: Path, name: str) -> bytes:
    """Return the first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(PEEK)
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None


def _check_text(head: bytes, name: str, encoding: str | None) -> None:
    for signature, what in _FOREIGN.items():
        if head.lstrip().startswith(signature):
            raise InputError(f"{name}: is {what}")
    if not head.strip():
        raise InputError(f"{name}: is empty; the first line names the columns")
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff")) or encoding is not None
    if b"\x00" in head and not wide:
        raise InputError(f"{name}: is a binary file; give CSV, TSV, JSON lines or Parquet")
