"""Scan a plain CSV file: one compiled pass that numbers names and parses decimals as it goes.

Plain means that there is nothing to say about the file: every row has the fields of the header,
every name is tidy, every score a decimal number, the text UTF-8. Anything else, and the scan
gives up: the database reads the file from the beginning, with its rules and messages. So the two
never differ, and only files too large to be read twice in passing are worth a scan.

The file goes through two blocks in turn, so that memory grows with the rows and not with the text:
while a thread numbers the names of one block, the next is read and split.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index
from qrja.tables._kernels_decimals import parse_decimals
from qrja.tables._kernels_split import (
    DELIMITER,
    NEWLINE,
    ODD,
    PLAIN,
    QUOTE,
    RETURN,
    SKIPPED,
    split_rows,
)
from qrja.tables.database import SCORES
from qrja.tables.name_table import NameTable, bytes_and_words
from qrja.tables.text_file import TextFile

FAMILIES = (("contest",), ("contestant",), ("a", "b"), ("home", "away"), ("date",), ("judge",))
"""The roles whose fields are names; those of a family are the same names."""
BLOCK = 1 << 19
"""Bytes read at a time: few enough for the processor's cache."""

_DECIMAL = re.compile(rb"-?\d+(\.\d+)?([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Scan:
    """What a scan found, by role.

    Parameters
    ----------
    rows : int
        Number of rows.
    numbers : dict
        The number of the name in each row, in order of first mention.
    names : dict
        The names of a role; those of a family share them.
    values : dict
        The numbers of a column.
    """

    rows: int
    numbers: dict[str, Index]
    names: dict[str, tuple[str, ...]]
    values: dict[str, Floats]


def scan_csv(
    text: TextFile, delimiter: str, header: int, columns: tuple[str, ...], chosen: dict[str, str]
) -> Scan | None:
    """Scan the columns ``chosen`` (role -> column) of a file; None if it is not plain.

    ``header`` is the line of the header, which must read ``columns``.
    """
    named = {role for family in FAMILIES for role in family}
    one_role_each = len(set(chosen.values())) == len(chosen)
    if not (chosen.keys() <= named | SCORES and one_role_each and delimiter.isascii()):
        return None
    if sys.byteorder != "little":  # the words of the kernels are
        return None
    with text.binary() as file:
        *above, line = (file.readline() for _ in range(header))
        if not _reads(line, delimiter, columns) or any(_line_end(line) != it for it in above):
            return None
        fields = {role: columns.index(name) for role, name in chosen.items()}
        layout = _Layout.of(fields, len(columns), delimiter, _line_end(line) == b"\r\n")
        return _Scanner(layout).scan(file)


def _line_end(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]


def _reads(line: bytes, delimiter: str, columns: tuple[str, ...]) -> bool:
    """Check that a header is one plain line of these columns, some between quotes."""
    try:
        text = line.removesuffix(_line_end(line)).decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    names = text.split(delimiter)
    quoted = [name[:1] == name[-1:] == '"' and len(name) > 1 for name in names]
    bare = [name[1:-1] if marks else name for name, marks in zip(names, quoted, strict=True)]
    plain = not any('"' in name or "\r" in name for name in bare)
    return plain and tuple(name.strip() for name in bare) == columns


@dataclass(frozen=True)
class _Layout:
    """How rows are written, as :func:`split_rows` wants to know it."""

    roles: tuple[str, ...]
    kinds: NDArray[np.uint8]
    returns: bool
    column_of: NDArray[np.int64]

    @classmethod
    def of(cls, fields: dict[str, int], width: int, delimiter: str, returns: bool) -> _Layout:
        kinds = np.full(256, PLAIN, dtype=np.uint8)
        kinds[:32] = ODD
        for letter, kind in (("\n", NEWLINE), ("\r", RETURN), ('"', QUOTE), (delimiter, DELIMITER)):
            kinds[ord(letter)] = kind
        column_of = np.full(width, SKIPPED, dtype=np.int64)
        column_of[list(fields.values())] = np.arange(len(fields))
        return cls(tuple(fields), kinds, returns, column_of)

    @property
    def line_end(self) -> bytes:
        return b"\r\n" if self.returns else b"\n"

    @property
    def shortest(self) -> int:
        """The fewest bytes of a row: its delimiters, its end, and one for each field to read."""
        return len(self.column_of) + len(self.roles)


class _Block:
    """Some bytes of the file, and where the fields of the whole rows among them are."""

    def __init__(self, layout: _Layout) -> None:
        self._layout, self._rows, self._end = layout, 0, 0
        # Room for a last line end, and a sentinel.
        self.bytes, self.words = bytes_and_words(BLOCK + 3)
        self._view = memoryview(self.bytes)  # type: ignore[arg-type]
        most = BLOCK // layout.shortest + 2
        self._spans = np.empty((len(layout.roles), most, 2), dtype=np.int32)

    def fill(self, tail: bytes, file: BinaryIO) -> None:
        """Continue after the tail of the block before."""
        self._view[: len(tail)] = tail
        read = file.readinto(self._view[len(tail) : BLOCK])  # type: ignore[attr-defined]
        self._end = len(tail) + read
        self.fresh = self._view[len(tail) : self._end]

    def finish_line(self) -> None:
        """Add the end of a last line that has none."""
        ending = self._layout.line_end
        self._view[self._end : self._end + len(ending)] = ending
        self._end += len(ending)

    def split(self) -> bytes | None:
        """Split the whole rows; return what is left after them, None if a row is not plain."""
        layout = self._layout
        self.bytes[self._end] = 10
        self._rows, position = split_rows(
            self.bytes, self._end, layout.kinds, int(layout.returns), layout.column_of, self._spans
        )
        too_long = position == 0 and self._end >= BLOCK
        return None if position < 0 or too_long else bytes(self._view[position : self._end])

    def spans(self, role: str) -> Index:
        """Return where the fields of a role begin and end."""
        return self._spans[self._layout.roles.index(role), : self._rows]

    def values(self, role: str) -> Floats:
        """Return the numbers of a column, NaN where a text is no decimal number."""
        spans = self.spans(role)
        values = np.empty(len(spans))
        parse_decimals(self.bytes, spans, values)
        for row in np.flatnonzero(np.isnan(values)).tolist():
            written = bytes(self._view[slice(*spans[row].tolist())])
            if _DECIMAL.fullmatch(written) is not None:
                values[row] = float(written)
        return values


class _Scanner:
    """The columns of a file while it is read."""

    def __init__(self, layout: _Layout) -> None:
        self._layout = layout
        families = [[role for role in family if role in layout.roles] for family in FAMILIES]
        self._tables = {tuple(family): NameTable() for family in families if family}
        self._parts: dict[str, list[NDArray[Any]]] = defaultdict(list)
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def scan(self, file: BinaryIO) -> Scan | None:
        """Read a file to its end; None if it is not plain."""
        tail, taking = b"", None
        with ThreadPoolExecutor(max_workers=1) as thread:
            for block in cycle((_Block(self._layout), _Block(self._layout))):
                block.fill(tail, file)
                if not block.fresh and not tail:
                    break
                if not block.fresh:
                    block.finish_line()
                rest = block.split()
                if rest is None or not self._take_values(block):
                    return None
                if taking is not None and not taking.result():
                    return None
                tail, taking = rest, thread.submit(self._take_names, block)
        return self._result() if taking is not None and taking.result() else None

    def _take_values(self, block: _Block) -> bool:
        """Parse the numbers of a block; False if one of them is none."""
        for role in SCORES.intersection(self._layout.roles):
            values = block.values(role)
            if np.isnan(values).any():
                return False
            self._parts[role].append(values)
        return True

    def _take_names(self, block: _Block) -> bool:
        """Give numbers to the names of a block; False if it is not UTF-8."""
        try:
            self._decoder.decode(block.fresh, final=not block.fresh)
        except UnicodeDecodeError:
            return False
        for family, table in self._tables.items():
            spans = np.stack([block.spans(role) for role in family], axis=1)
            numbers = table.number(block.bytes, block.words, spans.reshape(-1, 2))
            for k, role in enumerate(family):
                self._parts[role].append(numbers[k :: len(family)])
        return True

    def _result(self) -> Scan | None:
        """Put the parts together; None if a name is untidy."""
        names: dict[str, tuple[str, ...]] = {}
        for family, table in self._tables.items():
            listed = table.names()
            if listed is None:
                return None
            names.update(dict.fromkeys(family, listed))
        whole = {role: np.concatenate(parts) for role, parts in self._parts.items()}
        values = {role: whole.pop(role) for role in SCORES.intersection(whole)}
        return Scan(len(next(iter(whole.values()))), whole, names, values)
