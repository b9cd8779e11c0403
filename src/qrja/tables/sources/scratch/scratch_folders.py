"""A folder for what one reading needs on disk; those of processes that were killed are removed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from qrja.errors import InputError
from qrja.interrupts import undisturbed
from qrja.tables.file_locks import lock_file, remove_abandoned

PREFIX = "qrja-scratch-"
OURS = re.compile(rf"{PREFIX}\w{{8}}")
"""What they are called; no folder of a user's is."""


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Give an empty folder, locked as long as this process lives, and remove it on leaving.

    Examples
    --------
    >>> with scratch_folder() as folder:
    ...     os.listdir(folder)
    []
    """
    # Ctrl-C finds a folder either not yet made or already known here, and removes it wholly.
    begun: list[tuple[str, int | None]] = []
    try:
        try:
            place = tempfile.gettempdir()
            _clear_away(place)
            undisturbed(lambda: begun.append(_begin(place)))
        except OSError as error:
            raise InputError(
                f"there is no place for scratch files: {error.strerror or error}; let TMPDIR name a"
                " folder that can be written"
            ) from None
        yield begun[0][0]
    finally:
        undisturbed(_end, begun)


def _begin(place: str) -> tuple[str, int | None]:
    while True:
        folder = tempfile.mkdtemp(prefix=PREFIX, dir=place)
        if os.name == "nt":  # where folders cannot be opened
            return folder, None
        with suppress(FileNotFoundError):  # taken for left behind, before it was locked
            lock = os.open(folder, os.O_RDONLY)
            lock_file(lock)
            if Path(folder).is_dir():
                return folder, lock
            os.close(lock)


def _end(begun: list[tuple[str, int | None]]) -> None:
    for folder, lock in begun:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _clear_away(place: str) -> None:
    """Remove the folders of this user that no living process holds."""
    me = os.getuid() if hasattr(os, "getuid") else None
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if not OURS.fullmatch(entry.name) or not entry.is_dir(follow_symlinks=False):
                continue
            with suppress(OSError):
                if entry.stat(follow_symlinks=False).st_uid == me:
                    remove_abandoned(Path(entry), shutil.rmtree)
