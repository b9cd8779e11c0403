"""Checksums of Parquet: the pages of a file may carry one each, which the database does not check.

A chunk of a column is a row of pages: a header in Thrift's compact protocol, and as many bytes as
it says. Of the header's numbers two are wanted: the third, how many bytes follow, and the fourth, a
CRC-32 of them. Spark writes it, most others leave it out. The header itself has none; but how many
values its page holds is told once more, for all pages of a chunk, at the end of the file.
"""

from __future__ import annotations

import mmap
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from qrja.tables.sources.database import literal, one_file

SIZE, CRC = 3, 4
DATA, DATA_OF_VERSION_2 = 5, 8
"""Where a header tells of its values, whose number comes first; other pages have none."""
VALUES = 0
"""Where that number is kept: no field is called 0."""
STOP, TRUE, FALSE, BYTE, DOUBLE, BINARY, STRUCT = 0, 1, 2, 3, 7, 8, 12


class Chunk(NamedTuple):
    """Where the pages of a column begin, and how many bytes and values they have."""

    begin: int
    size: int
    values: int


def pages_are_sound(database: Any, path: Path, columns: Collection[str] | None = None) -> bool:
    """Tell whether the pages of some columns, or of all, have the checksums that they carry."""
    found = database.execute(
        "SELECT path_in_schema, dictionary_page_offset, data_page_offset, total_compressed_size,"
        " num_values"
        f" FROM parquet_metadata({literal(one_file(str(path)))})"
    ).fetchall()
    return are_sound(
        path,
        [
            Chunk(min(first or data, data), size, values)
            for column, first, data, size, values in found
            if columns is None or column in columns
        ],
    )


def are_sound(path: Path, chunks: Iterable[Chunk]) -> bool:
    """Tell whether all pages have the checksum that they carry; true of a file without any.

    Where some pages carry one, all have to: whoever writes them writes all. Then their values are
    counted, too.
    """
    carry = lack = 0
    counted = True
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for begin, size, values in chunks:
            at, end, there = begin, min(begin + size, len(data)), 0
            while at < end:
                try:
                    at, known = _read_header(data, at)
                    length = known[SIZE]
                except (IndexError, KeyError, RecursionError):  # damaged, or not known here
                    lack += 1
                    break
                there += known.get(VALUES, 0)
                if CRC not in known:
                    lack += 1
                else:
                    carry += 1
                    if crc32(data[at : at + length]) != known[CRC] & 0xFFFFFFFF:
                        return False
                if length < 0:
                    break
                at += length
            counted = counted and there == values
    return not carry or (counted and not lack)


def _read_header(data: mmap.mmap, at: int) -> tuple[int, dict[int, int]]:
    """Return where a header ends, and its numbers."""
    known: dict[int, int] = {}
    field = 0
    while (head := data[at]) != STOP:
        at += 1
        if head >> 4:
            field += head >> 4
        else:
            at, field = _number(data, at)
        kind = head & 15
        if BYTE < kind < DOUBLE:
            at, known[field] = _number(data, at)
        elif kind == STRUCT and field in (DATA, DATA_OF_VERSION_2):
            at, told = _read_header(data, at)
            known[VALUES] = told.get(1, 0)
        else:
            at = _skip(data, at, kind)
    return at + 1, known


def _number(data: mmap.mmap, at: int) -> tuple[int, int]:
    """Read a whole number of either sign."""
    at, value = _length(data, at)
    return at, (value >> 1) ^ -(value & 1)


def _length(data: mmap.mmap, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return at, value
        shift += 7
        if shift > 63:
            raise IndexError


def _skip(data: mmap.mmap, at: int, kind: int) -> int:
    """Return where a value ends."""
    if kind in (TRUE, FALSE):
        return at
    if kind == BYTE:
        return at + 1
    if BYTE < kind < DOUBLE:
        return _length(data, at)[0]
    if kind == DOUBLE:
        return at + 8
    if kind == BINARY:
        at, length = _length(data, at)
        return at + length
    if kind == STRUCT:
        return _read_header(data, at)[0]
    raise IndexError  # headers of pages hold no lists and no maps
