"""A text file as lines of Unicode, whatever its encoding.

UTF-8 is read in place. Anything else (Latin-1, UTF-16, a named encoding, mixed line ends) is
copied once to UTF-8 with newline line ends, so that the fast reader meets one kind of text.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO

from qrja.errors import InputError
from qrja.speech import Sentence
from qrja.tables.sources.place import shorten
from qrja.tables.sources.scratch import copying


@dataclass
class TextFile:
    """A file of text: where it is, and how its bytes become letters.

    Parameters
    ----------
    path : Path
        The file to read: the user's, or the UTF-8 copy of it.
    name : str
        What messages call it.
    scratch : Path
        A directory for the copy.
    encoding : str or None
        As the user said, or None to find out.
    """

    path: Path
    name: str
    scratch: Path
    encoding: str | None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.encoding is not None:
            self._check_encoding()
        elif (wide := _wide(self._head(4))) is not None:
            self.recode(wide)

    def _check_encoding(self) -> None:
        assert self.encoding is not None
        try:
            io.TextIOWrapper(io.BytesIO(), self.encoding)  # knows which are encodings of texts
            codec = codecs.lookup(self.encoding).name
        except (LookupError, ValueError):
            raise InputError(
                f"encoding {shorten(self.encoding)} is not known for texts;"
                " try utf-8, latin-1 or utf-16"
            ) from None
        if codec not in ("utf-8", "utf-8-sig", "ascii"):
            self.recode(codec)

    def binary(self) -> BinaryIO:
        """Open the bytes."""
        return self.path.open("rb")

    def text(self, errors: str = "strict") -> IO[str]:
        """Open the letters; line ends are left as they are, a byte order mark is skipped."""
        return io.TextIOWrapper(self.binary(), encoding="utf-8-sig", errors=errors, newline="")

    def _head(self, size: int) -> bytes:
        with self.binary() as file:
            return file.read(size)

    def first_letter(self) -> str:
        """Return the first letter that is not blank."""
        head = self._head(65536).decode("utf-8-sig", "replace").strip()
        return head[:1]

    def is_utf8(self) -> bool:
        """Check every byte."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        with self.binary() as file:
            try:
                for chunk in iter(lambda: file.read(1 << 20), b""):
                    decoder.decode(chunk)
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                return False
        return True

    def read_as_latin1(self) -> None:
        """Copy from Latin-1, and note it; raise if the user said that it is UTF-8."""
        if self.encoding is not None:
            raise InputError(f"{self.name}: is not {self.encoding}; give the encoding it has")
        self.notes.append(
            Sentence(
                "the file is not UTF-8 and was read as Latin-1; give its encoding if names look"
                " wrong"
            )
        )
        self.recode("cp1252")

    def recode(self, encoding: str) -> None:
        """Copy to UTF-8 with plain line ends, and read the copy from now on."""
        copy = self.scratch / f"recoded-{len(list(self.scratch.iterdir()))}"
        # Windows-1252 leaves five bytes undefined, which Latin-1 calls control characters.
        errors = "replace" if encoding == "cp1252" else "strict"
        try:
            with (
                copying(self.name, self.scratch),
                io.TextIOWrapper(self._unmarked(), encoding=encoding, errors=errors) as old,
                copy.open("w", encoding="utf-8", newline="\n") as new,
            ):
                for chunk in iter(lambda: old.read(1 << 20), ""):
                    new.write(chunk)
        except UnicodeError:
            raise InputError(f"{self.name}: is not {encoding}; give the encoding it has") from None
        self.path = copy

    def _unmarked(self) -> BinaryIO:
        """Open the bytes after the mark of UTF-8, which is no text in any other encoding."""
        file = self.binary()
        if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
            file.seek(0)
        return file

    def holds(self, *sought: re.Pattern[bytes]) -> bool:
        """Tell whether any of some patterns, of up to three bytes, is anywhere in the file."""
        last = b""
        with self.binary() as file:
            for chunk in iter(lambda: file.read(1 << 20), b""):
                text = last + chunk
                if any(pattern.search(text) for pattern in sought):
                    return True
                last = text[-2:]
        return False

    def lines(self) -> Iterator[str]:
        """Give the lines with their ends."""
        with self.text() as file:
            yield from file


def _wide(head: bytes) -> str | None:
    """Name the encoding whose mark a file begins with, if it has several bytes a letter."""
    if head in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE):
        return "utf-32"
    return "utf-16" if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else None
