"""A file is replaced only by a whole one: written beside its place, and renamed into it.

What is written has reached the disk before the rename, has the rights of the file it replaces from
the beginning, and carries a lock of the system, which vanishes with its process: the parts that a
killed process left behind have none, and the next one to write the file removes them.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from qrja.errors import InputError
from qrja.interrupts import undisturbed
from qrja.tables.file_locks import lock_file, remove_abandoned


def save_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file beside ``path``, then rename it: there is never half of one."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            write(path)  # a pipe or a device cannot be replaced
            return
        with _replacing(_target(path)) as part:
            write(part)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def _target(path: Path) -> Path:
    """Follow links to the file that is meant; a name that cannot be one raises."""
    with suppress(FileNotFoundError):
        path.stat()
    return Path(os.path.realpath(path))


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a path beside ``path``; rename it on success, remove it on failure."""
    if path.is_dir():
        raise IsADirectoryError(0, "it is a directory")
    _clear_away(path)
    # Ctrl-C finds a part either not yet made or already known here, and removes it.
    begun: list[tuple[Path, int]] = []
    try:
        undisturbed(lambda: begun.append(_begin(path)))
        part = begun[0][0]
        yield part
        _reach_disk(part)
        part.replace(path)
        with suppress(OSError):  # some systems cannot say when a folder has reached the disk
            _reach_disk(path.parent)
    finally:
        undisturbed(_end, begun)


def _end(begun: list[tuple[Path, int]]) -> None:
    for part, lock in begun:
        os.close(lock)
        part.unlink(missing_ok=True)


def _begin(path: Path) -> tuple[Path, int]:
    """Make an empty part with the rights of the file it will replace, and lock it."""
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    while True:
        part = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
        lock = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666 if mode is None else 0o600)
        lock_file(lock)
        if part.exists():  # else another process took it for left behind, before it was locked
            break
        os.close(lock)
    if mode is not None:
        part.chmod(mode)
    return part, lock


def _reach_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _clear_away(path: Path) -> None:
    """Remove the parts of this file that no living process is writing."""
    parts = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}\.part")
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if parts.fullmatch(entry.name):
                remove_abandoned(Path(entry.path), Path.unlink)


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
        kind = "folder" if what in ("checkpoint", "staging") else "file"
        raise InputError(f"{what} is {path!r}; give the path of a {kind}")
    return Path(path)
