"""Locks of the system on files and folders: they vanish with the process that holds them.

Windows has none that a rename survives: there nothing is locked, and nothing is taken for left
behind.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from qrja.errors import InputError

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

PATIENCE = 10.0
"""Seconds to wait for another process that writes a file; writing takes milliseconds."""


def lock_file(number: int, *, wait: bool = True) -> bool:
    """Lock an open file; say whether that was possible."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def remove_abandoned(path: Path, remove: Callable[[Path], object]) -> None:
    """Remove a file or a folder that no living process holds, while holding it.

    Whoever has just made it, and waits for the lock, then finds it gone and makes another.
    """
    if fcntl is None:
        return
    with suppress(OSError):
        number = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(path)
        finally:
            os.close(number)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep other processes from replacing a file, if there is one, for a moment.

    Whoever waited may have got a file that was replaced meanwhile: then it is the new one's turn.
    """
    end = monotonic() + PATIENCE
    number = _open(path)
    try:
        while number is not None and not (lock_file(number, wait=False) and _is(path, number)):
            if monotonic() > end:
                raise InputError(
                    f"{path}: another process has been writing it for {PATIENCE:g} seconds;"
                    " try again when it is done"
                )
            os.close(number)
            sleep(0.01)
            number = _open(path)
        yield
    finally:
        if number is not None:
            os.close(number)


def _open(path: Path) -> int | None:
    with suppress(OSError):
        return os.open(path, os.O_RDONLY) if path.is_file() else None
    return None


def _is(path: Path, number: int) -> bool:
    """Tell whether a path still leads to an open file."""
    with suppress(OSError):
        return os.path.samestat(path.stat(), os.fstat(number))
    return False
