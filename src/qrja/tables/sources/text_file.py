"""A text file as lines of Unicode, whatever its packing and encoding.

UTF-8 is read in place. Anything else (Latin-1, UTF-16, a named encoding, mixed line ends) is
copied once to UTF-8 with newline line ends, so that the fast reader meets one kind of text.
"""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO, cast

from qrja.errors import InputError


@dataclass
class TextFile:
    """A file of text: where it is, and how its bytes become letters.

    Parameters
    ----------
    path : Path
        The file to read: the user's, or the UTF-8 copy of it.
    name : str
        What messages call it.
    packed : bool
        Whether it is gzip.
    scratch : Path
        A directory for the copy.
    encoding : str or None
        As the user said, or None to find out.
    """

    path: Path
    name: str
    packed: bool
    scratch: Path
    encoding: str | None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.encoding is not None:
            self._check_encoding()
        elif self._head(2) in (b"\xff\xfe", b"\xfe\xff"):
            self.recode("utf-16")

    def _check_encoding(self) -> None:
        assert self.encoding is not None
        try:
            codec = codecs.lookup(self.encoding).name
        except LookupError:
            raise InputError(
                f"encoding {self.encoding!r} is unknown; try utf-8, latin-1 or utf-16"
            ) from None
        if codec not in ("utf-8", "utf-8-sig", "ascii"):
            self.recode(codec)

    def binary(self) -> BinaryIO:
        """Open the bytes, unpacked."""
        return cast(BinaryIO, gzip.open(self.path) if self.packed else self.path.open("rb"))

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
            "the file is not UTF-8 and was read as Latin-1; give its encoding if names look wrong"
        )
        self.recode("cp1252")

    def recode(self, encoding: str) -> None:
        """Copy to UTF-8 with plain line ends, and read the copy from now on."""
        copy = self.scratch / f"recoded-{len(list(self.scratch.iterdir()))}"
        # Windows-1252 leaves five bytes undefined, which Latin-1 calls control characters.
        errors = "replace" if encoding == "cp1252" else "strict"
        try:
            with (
                io.TextIOWrapper(self.binary(), encoding=encoding, errors=errors) as old,
                copy.open("w", encoding="utf-8", newline="\n") as new,
            ):
                for chunk in iter(lambda: old.read(1 << 20), ""):
                    new.write(chunk)
        except UnicodeError:
            raise InputError(f"{self.name}: is not {encoding}; give the encoding it has") from None
        self.path, self.packed = copy, False

    def line_of(self, position: int) -> int:
        """Return the line of a byte, counting lines from 1 and bytes from 1."""
        with self.binary() as file:
            before = file.read(position)
        return 1 + max(before.count(b"\n"), before.count(b"\r"))

    def lines(self) -> Iterator[str]:
        """Give the lines with their ends."""
        with self.text() as file:
            yield from file
