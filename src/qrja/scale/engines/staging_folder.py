"""The folder that shards are staged in: ours alone, and one command's at a time.

A file in it says that it is ours, and carries the lock of whoever works there. A folder that holds
anything else is left alone.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from qrja.errors import InputError
from qrja.scale.shard_files import MANIFEST, read_manifest
from qrja.tables.out import lock_file

MARK = "staging.lock"
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EIO}
"""What is wrong with a disk, whichever file it was seen at."""
OURS = re.compile(
    r"((shard|bucket|names)-\d{5,}\.parquet|(manifest|names)\.json|(codes|vectors)\.npz"
    r"|(asked|seen)-[0-9a-f]{32}(\.pickle)?)(\.[0-9a-f]{32}\.part)?"
)
"""What is written here, and what a killed process leaves of it."""


@contextmanager
def reserved(folder: Path) -> Iterator[None]:
    """Make a folder for shards, or take one that is ours, and keep others out meanwhile.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place, reserved(Path(place, "shards")):
    ...     [it.name for it in Path(place, "shards").iterdir()]
    ['staging.lock']
    """
    with _in_our_words(folder):
        lock = _take(folder)
        try:
            yield
        finally:
            if lock is not None:
                os.close(lock)


def clear(folder: Path) -> None:
    """Remove what was staged before, the manifest first: without one nobody takes it for done."""
    (folder / MANIFEST).unlink(missing_ok=True)
    for old in list(folder.iterdir()):
        if OURS.fullmatch(old.name):
            old.unlink(missing_ok=True)


def _take(folder: Path) -> int | None:
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / MARK
    there = sorted(it.name for it in folder.iterdir())
    if there and MARK not in there and not _is_staged(folder):
        raise InputError(
            f"{folder}: holds {there[0]!r} and is no staging folder; name an empty or a new one"
        )
    try:
        lock = os.open(mark, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        if not _is_staged(folder):
            raise
        return None  # read-only: nobody stages there meanwhile
    if not lock_file(lock, wait=False):
        os.close(lock)
        raise InputError(
            f"{folder}: another command works there; wait for it, or name another folder as staging"
        )
    return lock


def _is_staged(folder: Path) -> bool:
    with suppress(InputError):
        return bool(read_manifest(folder))
    return False


@contextmanager
def _in_our_words(folder: Path) -> Iterator[None]:
    """Say in a sentence what is wrong with the folder."""
    try:
        yield
    except OSError as error:
        of_folder = str(error.filename or "").startswith(str(folder)) or error.errno in FULL
        if not of_folder and not isinstance(error, FileExistsError | NotADirectoryError):
            raise
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
    except Exception as error:
        import duckdb

        if not isinstance(error, duckdb.IOException):
            raise
        said = str(error).partition("\n")[0]
        raise InputError(f"{folder}: cannot be written, the database says: {said}") from None
