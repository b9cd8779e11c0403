"""Fetch the paper's data sets from their authors' public repository, at one pinned commit.

Each file is a Python literal: a list of contests with a name and ``standings``, a list of names and
scores. It is believed only if size and checksum are the recorded ones, parsed as a literal (nothing
in it is run), and written as a CSV file, see :mod:`qrja.paper.listings`. What was downloaded before
the line broke is kept and continued.
"""

from __future__ import annotations

import ast
import csv
import io
import math
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any

from qrja._version import __version__
from qrja.errors import InputError, QRJAError
from qrja.paper.listings import HEADER
from qrja.paper.sets import SETS, PaperSet, check_set
from qrja.tables.out import write_text

REPOSITORY = "YixuanEvenXu/quantitative-judgment-aggregation"
COMMIT = "2f0ebddc151dad64e2ecbf3caa8405d2f183df9a"
BASE = f"https://raw.githubusercontent.com/{REPOSITORY}/{COMMIT}/data"

TIMEOUT = 30.0
CHUNK = 1 << 16
LARGEST_LITERAL = 4 << 20
"""Bytes of a literal that are parsed at most: the largest file has 1.7 million."""

Progress = Callable[[str, int, int], None]


def cache_folder() -> Path:
    """Return where fetched data are kept: ``$QRJA_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("QRJA_CACHE")
    if chosen:
        return Path(chosen) / "paper"
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "qrja" / "paper"


def fetch(
    datasets: Iterable[str] = tuple(SETS),
    folder: str | Path | None = None,
    *,
    base: str = BASE,
    copy: str | Path | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Download data sets that are not there yet; return the CSV files.

    Parameters
    ----------
    datasets : names
        Of :data:`qrja.paper.SETS`.
    folder : path, optional
        Where to put them; by default :func:`cache_folder`.
    base : str
        The address of the folder that has ``<folder>/clean.in``.
    copy : path, optional
        A copy of that folder on this machine, to take the files from instead.
    progress : callable, optional
        Told a data set, its bytes so far and its bytes in all.
    """
    place = cache_folder() if folder is None else Path(folder)
    paths = []
    for name in datasets:
        about, path = check_set(name), place / f"{name}.csv"
        if not path.exists():
            content = (
                download(f"{base}/{about.folder}/clean.in", about, place, name, progress)
                if copy is None
                else read_copy(Path(copy), about)
            )
            place.mkdir(parents=True, exist_ok=True)
            write_text(to_csv(parse_standings(content, name)), path)
            _part(place, name).unlink(missing_ok=True)
        paths.append(path)
    return paths


def read_copy(folder: Path, about: PaperSet) -> bytes:
    """Read and check a copy of an authors' file."""
    path = folder / about.folder / "clean.in"
    try:
        with path.open("rb") as file:
            content = file.read(about.size + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not _is_right(content, about):
        raise InputError(f"{path}: is not the file the paper was computed with; copy it again")
    return content


def _is_right(content: bytes, about: PaperSet) -> bool:
    return len(content) == about.size and sha256(content).hexdigest() == about.sha256


def download(
    address: str, about: PaperSet, folder: Path, name: str, progress: Progress | None = None
) -> bytes:
    """Download a file, continuing an earlier attempt, and check it."""
    part, tell = _part(folder, name), progress or (lambda name, done, size: None)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not part.exists() or part.stat().st_size != about.size:
            _receive(address, part, about, lambda done: tell(name, done, about.size))
        content = part.read_bytes()
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError) as error:
        raise QRJAError(_offline(address, error)) from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
    if len(content) < about.size:
        raise QRJAError(
            f"{address}: {len(content)} of {about.size} bytes came; run the command again to"
            " continue from there"
        )
    if not _is_right(content, about):
        part.unlink()
        raise QRJAError(
            f"{address}: is not the file the paper was computed with (its sha256 differs);"
            " nothing was kept"
        )
    return content


def _part(folder: Path, name: str) -> Path:
    return folder / f".{name}.part"


def _receive(address: str, part: Path, about: PaperSet, tell: Callable[[int], object]) -> None:
    """Append what is missing to a part, never more than one byte too much."""
    have = part.stat().st_size if part.exists() else 0
    if have >= about.size:
        have = 0
    request = urllib.request.Request(address, headers={"User-Agent": f"qrja/{__version__}"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        if answer.status != 206:  # the whole file came, whatever was asked for
            have = 0
        with part.open("ab" if have else "wb") as file:
            while have <= about.size:
                chunk = answer.read(min(CHUNK, about.size + 1 - have))
                if not chunk:
                    break
                file.write(chunk)
                have += len(chunk)
                tell(have)
    if have > about.size:
        part.unlink()
        raise QRJAError(
            f"{address}: is longer than the {about.size} bytes it should have; nothing was kept"
        )


def _offline(address: str, error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        error.close()
    reason = getattr(error, "reason", error)
    return (
        f"{address}: cannot be fetched: {reason}; without a connection, copy the folder data of"
        f" github.com/{REPOSITORY} at commit {COMMIT[:7]} to this machine and run"
        " qrja paper fetch --from FOLDER"
    )


def parse_standings(content: bytes, name: str) -> list[tuple[str, list[tuple[str, float]]]]:
    """Read the literal: events, each with its contestants and scores in the order of listing.

    Examples
    --------
    >>> text = b"[{'name': 'Wijk', 'standings': [{'name': 'Ulf', 'score': 9.0}]}]"
    >>> parse_standings(text, "chess")
    [('Wijk', [('Ulf', 9.0)])]
    """
    if len(content) > LARGEST_LITERAL:
        raise InputError(f"{name}: is larger than {LARGEST_LITERAL >> 20} MB; it is another file")
    try:
        contests = ast.literal_eval(content.decode().strip())
        return [(_event(contest), _standings(contest)) for contest in contests]
    except RecursionError:
        reason = "it is nested too deeply"
    except (ValueError, SyntaxError, MemoryError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {str(error)[:80]}"
    raise InputError(f"{name}: is not a list of contests with standings: {reason}")


def _event(contest: dict[str, Any]) -> str:
    """Name a contest: the year first where it stands apart, the division last."""
    year = f"{contest['year']} " if "year" in contest else ""
    division = f" (division {contest['division']})" if "division" in contest else ""
    return f"{year}{contest['name']}{division}"


def _standings(contest: dict[str, Any]) -> list[tuple[str, float]]:
    rows = [(row["name"], row["score"]) for row in contest["standings"]]
    for who, score in rows:
        number = isinstance(score, int | float) and not isinstance(score, bool)
        if not isinstance(who, str) or not number or not math.isfinite(score):
            raise ValueError(f"{who!r} has the score {score!r}")
    return rows


def to_csv(contests: list[tuple[str, list[tuple[str, float]]]]) -> str:
    """Write contests as the CSV file that :func:`qrja.paper.load` reads.

    Examples
    --------
    >>> print(to_csv([("Wijk", [("Ulf", 9.0), ("Zoltan", 8.5)])]), end="")
    contest,event,place,contestant,score
    1,Wijk,1,Ulf,9.0
    1,Wijk,2,Zoltan,8.5
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for number, (event, rows) in enumerate(contests, start=1):
        for place, (who, score) in enumerate(rows, start=1):
            writer.writerow([number, event, place, who, repr(score)])
    return text.getvalue()
