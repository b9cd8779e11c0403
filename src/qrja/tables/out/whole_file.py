"""A file is replaced only by a whole one: written beside its place, and renamed into it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from qrja.errors import InputError


def save_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file beside ``path``, then rename it: there is never half of one."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            write(path)  # a pipe or a device cannot be replaced
            return
        with _replacing(path.resolve()) as part:
            write(part)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a path beside ``path``; rename it on success, remove it on failure."""
    if path.is_dir():
        raise IsADirectoryError(0, "it is a directory")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield part
        if path.exists():
            part.chmod(path.stat().st_mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def save_bytes(data: bytes, path: Path) -> None:
    """Write bytes into a file, replacing it only by a whole one."""
    save_whole(path, lambda part: part.write_bytes(data))


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a text into a file, replacing it only by a whole one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "picture.svg")
    ...     write_text("<svg/>", path)
    ...     print(path.read_text())
    <svg/>
    """
    save_bytes(text.encode(), as_path(path))


def as_path(path: str | os.PathLike[str], what: str = "path") -> Path:
    """Return a path, or say that it is none.

    Examples
    --------
    >>> as_path(3)
    Traceback (most recent call last):
    qrja.errors.InputError: path is 3; give the path of a file
    """
    if not isinstance(path, str | os.PathLike) or "\0" in os.fsdecode(path) or not os.fspath(path):
        kind = "folder" if what == "checkpoint" else "file"
        raise InputError(f"{what} is {path!r}; give the path of a {kind}")
    return Path(path)
