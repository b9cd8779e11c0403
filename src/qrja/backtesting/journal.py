"""A journal of a run: one line per contest, so that a run that was killed continues.

The first line says of what (a fingerprint of data, ranker and rules), every other line holds the
sums of one contest, one list per prediction that was made of it, and the seconds of processor time
that they took::

    {"of": "1f3a..."}
    [[[3, 2.5, 1, 0, 3, 1.5, 0.75, 3, 2.0, 1.0]], 0.0004]

A line that was cut short ends the journal; so does a journal of something else. On opening, what
is good is written beside the file and renamed into place: a process of an earlier run that still
writes does so into a file without a name.
"""

from __future__ import annotations

import json
import os
from dataclasses import astuple
from pathlib import Path
from types import TracebackType
from typing import TextIO

from qrja.errors import InputError
from qrja.metrics import Sums

Entry = tuple[tuple[Sums, ...], float]
"""The sums of a contest, by prediction, and the seconds they took."""


class Journal:
    """The entries of a run, in memory and, given a path, on disk.

    Parameters
    ----------
    path : path or None
        Where to keep the entries; None keeps them in memory only.
    of : str
        What the entries are of. Entries of anything else are forgotten.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "mean.jsonl")
    ...     with Journal(path, of="races") as journal:
    ...         journal.append(((Sums(ordered=3, right=2.5),), 0.01))
    ...     read_entries(path, of="races")[0][0][0].right, read_entries(path, of="others")
    (2.5, [])
    """

    def __init__(self, path: Path | None, of: str) -> None:
        self.entries: list[Entry] = []
        self._file: TextIO | None = None
        if path is not None:
            try:
                self._reopen(path, of)
            except OSError as error:
                raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None

    def _reopen(self, path: Path, of: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.entries = read_entries(path, of)
        beside = path.with_name(f".{path.name}.{os.getpid()}.part")
        lines = [json.dumps({"of": of}), *map(_line, self.entries)]
        beside.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        beside.replace(path)
        self._file = path.open("a", encoding="utf-8")

    def append(self, entry: Entry) -> None:
        """Add an entry; once this returns, it survives the end of the process."""
        self.entries.append(entry)
        if self._file is not None:
            self._file.write(f"{_line(entry)}\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file; the entries stay in memory."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_entries(path: Path, of: str) -> list[Entry]:
    """Read the entries of a journal up to the first line that is not whole."""
    try:
        head, *lines = path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
        if json.loads(head) != {"of": of}:
            return []
    except (FileNotFoundError, ValueError):
        return []
    entries = []
    for line in lines:
        try:
            rows, seconds = json.loads(line)
            entries.append((tuple(Sums(*row) for row in rows), float(seconds)))
        except (ValueError, TypeError):
            break
    return entries


def _line(entry: Entry) -> str:
    sums, seconds = entry
    return json.dumps([[astuple(one) for one in sums], seconds], allow_nan=False)
