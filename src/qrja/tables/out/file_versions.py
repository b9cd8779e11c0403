"""Which version of a file something was read from: nobody else's changes are to be overwritten."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from qrja.errors import FileChangedError


@dataclass
class FileVersion:
    """The file that something was last read from or written to, and how it was then.

    Every writing makes a new file, so that its number, time and size tell versions apart.

    Examples
    --------
    >>> version = FileVersion()
    >>> version.check(Path("league.qrja"))  # of no file: nothing to overwrite
    """

    path: Path | None = None
    stamp: tuple[int, ...] | None = None

    def note(self, path: Path) -> None:
        """Remember a file as it is now."""
        self.path, self.stamp = Path(os.path.realpath(path)), _stamp(path)

    def check(self, path: Path) -> None:
        """Raise if ``path`` is that file, and somebody has changed it since."""
        there = _stamp(path)
        if self.path == Path(os.path.realpath(path)) and there not in (None, self.stamp):
            raise FileChangedError(
                f"{path}: has been changed since it was read; load it again and update that, or"
                " save under another name"
            )


def _stamp(path: Path) -> tuple[int, ...] | None:
    with suppress(OSError):
        it = path.stat()
        return it.st_dev, it.st_ino, it.st_mtime_ns, it.st_size
    return None
