"""The archive: a header in JSON, and arrays; whole, of the parts it names, and of no great size.

    bytes unpacked  <=  max(SMALL, MOST_PACKED * bytes of the file)

so that a small file cannot fill the memory. Data that pack better than that are stored as they are.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.errors import InputError
from qrja.letters import cut
from qrja.tables.out import FileVersion

FORMAT, VERSION = "qrja ratings", 1
"""``VERSION`` is raised whenever older programs could not read the file."""
HEADER = "ratings.json"
ARRAYS = frozenset(
    {"x", "components", "start", "who", "score", "weight", "date", "appearances"}
    | {"a", "b", "y", "w", "judge", "se", "study", "topic", "covariates", "beta"}
    | {"paths", "ties", "members", "parts"}
)
"""What arrays there may be; a file of before does not say which it has."""
SMALL = 1 << 24
MOST_PACKED = 50
_STAMP = (1980, 1, 1, 0, 0, 0)
"""The same ratings make the same file, whenever they are saved."""


def pack(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> bytes:
    """Return the bytes of a file with a header, which gains the names of the arrays, and arrays."""
    told = {"format": FORMAT, "version": VERSION, **header, "arrays": sorted(arrays)}
    text = json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1)
    parts = {HEADER: text.encode()} | {f"{k}.npy": _as_file(it) for k, it in arrays.items()}
    packed = _zipped(parts, zipfile.ZIP_DEFLATED)
    if sum(map(len, parts.values())) > _room(len(packed)):
        return _zipped(parts, zipfile.ZIP_STORED)
    return packed


def _as_file(array: NDArray[Any]) -> bytes:
    part = io.BytesIO()
    np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)
    return part.getvalue()


def _zipped(parts: dict[str, bytes], method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _STAMP), data, method)
    return buffer.getvalue()


def _room(size: int) -> int:
    return max(SMALL, MOST_PACKED * size)


# ---------------------------------------------------------------------- reading


class Archive:
    """An open file of ratings: its header, and its arrays, read when asked for."""

    def __init__(self, opened: zipfile.ZipFile, path: Path) -> None:
        self._zip = opened
        self._sizes = {it.filename: it.file_size for it in opened.infolist()}
        if len(self._sizes) < len(opened.infolist()):
            raise InputError("a part of it is there twice")
        if sum(self._sizes.values()) > _room(path.stat().st_size):
            raise InputError(f"unpacked it would take {sum(self._sizes.values()):,} bytes")
        self.header = self._read_header(path)
        self._check_parts()

    def _read_header(self, path: Path) -> dict[str, Any]:
        header = json.loads(self._zip.read(HEADER)) if HEADER in self._sizes else None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise ForeignFileError(
                f"{path}: is a ZIP file, but not of ratings; give one of ratings.save"
            )
        if header.get("version") != VERSION:
            raise ForeignFileError(
                f"{path}: has version {cut(str(header.get('version')), 20)} of the format, and this"
                f" is version {VERSION}; use the qrja that wrote it, or a later one"
            )
        return header

    def _check_parts(self) -> None:
        """Check that all parts are there that must be, and no others."""
        there = {name.removesuffix(".npy") for name in self._sizes if name != HEADER}
        told = self.header.get("arrays")  # older files have none
        needed = told if isinstance(told, list) else there if told is None else [told]
        for name in needed:
            if name not in ARRAYS or name not in there:
                raise InputError(f"the array {cut(repr(name), 40)} is missing")
        if others := sorted(there.difference(needed)):
            raise InputError(f"the array {cut(repr(others[0]), 40)} is one too many")

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._sizes

    def array(self, name: str) -> NDArray[Any]:
        """Read an array, to its end, where its checksum is compared."""
        if name not in self:
            raise InputError(f"the array {name!r} is missing")
        data = self._zip.read(f"{name}.npy")
        try:
            return _from_file(data)
        except Exception as error:  # its head is read as Python, which raises almost anything
            raise InputError(f"the array {name!r} is none: {cut(str(error), 100)}") from None

    def some(self, names: Collection[str]) -> dict[str, NDArray[Any]]:
        """Read those arrays that are there."""
        return {name: self.array(name) for name in names if name in self}


class ForeignFileError(InputError):
    """The file is whole, and not one of ours, or not of this version."""


def _from_file(data: bytes) -> NDArray[Any]:
    """Read an array from the bytes of a ``.npy`` file, which must be as many as it says."""
    file = io.BytesIO(data)
    major = np.lib.format.read_magic(file)[0]
    read = np.lib.format.read_array_header_1_0 if major == 1 else _read_header_2_0
    shape, _, dtype = read(file)
    if dtype.hasobject or len(shape) != 1:
        raise ValueError(f"{len(shape)} dimensions of {dtype}; it is a list of numbers")
    if math.prod(shape) * dtype.itemsize != len(data) - file.tell():
        raise ValueError(f"{len(data) - file.tell()} bytes for a shape of {shape}")
    return np.frombuffer(data, dtype, offset=file.tell()).copy()


_read_header_2_0 = np.lib.format.read_array_header_2_0


@contextmanager
def opened(path: Path, stored: FileVersion) -> Iterator[Archive]:
    """Open a file of ratings, noting its version; what is wrong with it is said in our words."""
    try:
        stored.note(path)  # before it is read: what comes after is another version
        with zipfile.ZipFile(path) as file:
            yield Archive(file, path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ForeignFileError:
        raise
    except InputError as error:
        raise InputError(f"{path}: is damaged: {error}") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError):
        raise InputError(
            f"{path}: is not a whole file of ratings; save them again with ratings.save"
        ) from None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise InputError(f"{path}: is damaged: {cut(str(error), 200)}") from None
