"""Backups: the log as JSON lines, one event a line, the same for every database.

The first line says what the file is; each digest covers all lines before it, so that a file that
was cut or changed is recognised. Images that events name follow, each with the digest of its bytes.
A backup is restored into an empty league, of either kind.
"""

from __future__ import annotations

import gzip
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from qrja.errors import InputError
from qrja.league.events import KINDS, LARGEST_EVENT, Event
from qrja.league.following import check_chain, fold, rate
from qrja.league.league import League
from qrja.league.storage import KeptFiles
from qrja.letters import cut
from qrja.plurals import count
from qrja.ratings.saving import checked_count, checked_fields, checked_text, checked_word
from qrja.tables.out import save_whole

FORMAT, VERSIONS = "qrja league", (1, 2)
"""The second version has files; where there are none, the first is written."""
_TEXTS = ("kind", "text", "author", "at", "digest")
_FIELDS = ("number", *_TEXTS, "key")
AS_GOOD = 1e-9
"""Ratings that follow the log differ from those of a new fit by less, of the largest of them."""


def backup(league: League, path: str | os.PathLike[str]) -> int:
    """Write the log into a file, packed if its name ends in ``.gz``; return how many events."""
    events = league.log()
    check_chain(events)
    files = list(_files(league))
    head = {"format": FORMAT, "version": VERSIONS[bool(files)], "events": len(events)}
    head |= {"files": len(files)} if files else {}
    lines = [head, *({name: getattr(event, name) for name in _FIELDS} for event in events), *files]
    content = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    place = Path(path)
    packed = gzip.compress(content, mtime=0) if place.suffix.casefold() == ".gz" else content
    save_whole(place, lambda part: part.write_bytes(packed))
    return len(events)


def _files(league: League) -> Iterator[dict[str, str]]:
    kept = KeptFiles(league.store)
    for digest in kept.names():
        found = kept.get(digest)
        if found is not None:
            yield {"file": digest, "content": b64encode(found.content).decode()}


def read_backup(path: str | os.PathLike[str]) -> tuple[list[Event], list[bytes]]:
    """Read the events and files of a backup; check that they are all there and as they were."""
    lines = _lines(Path(path))
    head = next(lines, None)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f"{path}: is no backup of a league; give a file of qrja league backup")
    if head.get("version") not in VERSIONS:
        raise InputError(f"{path}: is a backup of a later version; use the qrja that wrote it")
    placed = [(line, f"{path}:{number}") for number, line in enumerate(lines, start=2)]
    files = head.get("files", 0)
    whole = isinstance(files, int) and 0 <= files <= len(placed)
    last = len(placed) - files if whole else len(placed)
    events = [_event(line, place) for line, place in placed[:last]]
    if not whole or len(events) != head.get("events"):
        raise InputError(
            f"{path}: holds {len(events)} of {cut(str(head.get('events')), 20)} events; it was cut"
        )
    try:
        check_chain(events)
    except InputError as error:
        raise InputError(f"{path}: is damaged: {error}") from None
    return events, [_file(line, place) for line, place in placed[last:]]


def _lines(path: Path) -> Iterator[Any]:
    try:
        packed = path.suffix.casefold() == ".gz"
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            for number in range(1, 1 << 62):
                line = file.readline(2 * LARGEST_EVENT)
                if not line:
                    return
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError):
                    raise InputError(f"{path}:{number}: is no line of a backup") from None
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def _event(told: Any, place: str) -> Event:
    try:
        fields = checked_fields(told, "the event", _FIELDS)
        checked_word(fields["kind"], "kind", KINDS)
        key = fields["key"]
        texts = {name: checked_text(fields[name], name) for name in _TEXTS}
        number = checked_count(fields["number"], "number")
        return Event(number=number, key=None if key is None else checked_text(key, "key"), **texts)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _file(told: Any, place: str) -> bytes:
    try:
        fields = checked_fields(told, "the file", ("file", "content"))
        content = b64decode(checked_text(fields["content"], "content"), validate=True)
    except (InputError, ValueError) as error:
        raise InputError(f"{place}: {error}") from None
    if sha256(content).hexdigest() != fields["file"]:
        raise InputError(f"{place}: is damaged: the file is not as it was kept")
    return content


def restore(path: str | os.PathLike[str], league: League) -> int:
    """Write the events of a backup into an empty league; return how many."""
    events, files = read_backup(path)
    fold(events)  # which says what cannot have happened
    kept = KeptFiles(league.store)
    for content in files:
        kept.keep(content)
    with league.store.writing() as transaction:
        if transaction.since(0):
            raise InputError(
                f"{league.name}: holds events already; restore into a league of its own"
            )
        for event in events:
            transaction.append([event], "restored")
    return len(events)


def check(league: League) -> list[str]:
    """Look for damage; return what was found to be well, or raise what is not."""
    told = []
    if found := league.store.examine():
        raise InputError(f"{league.name}: the database is damaged: {cut(found, 200)}; restore it")
    itself = league.store.backend == "sqlite"  # PostgreSQL has no such question
    told.append("the database says that it is well" if itself else "the database can be read")
    events = league.log()
    check_chain(events)
    told.append(f"{count(len(events), 'event')}, none missing, each as it was written")
    state = fold(events)
    if images := {it.image for it in state.items.values() if it.image}:
        told.append(_check_images(league, images))
    if not state.is_empty:
        told.append(_compare(league, rate(state)))
    return told


def _check_images(league: League, images: set[str]) -> str:
    kept = KeptFiles(league.store)
    for digest in sorted(images):
        found = kept.get(digest)
        if found is None or sha256(found.content).hexdigest() != digest:
            raise InputError(f"{league.name}: the image {digest} is missing or damaged; restore it")
    return f"{count(len(images), 'image')}, each as it was kept"


def _compare(league: League, anew: Any) -> str:
    x, y = league.ratings.solution.x, anew.solution.x
    off = float(abs(x - y).max(initial=0.0))
    if off > AS_GOOD * (1 + float(abs(y).max(initial=0.0))):
        raise InputError(f"{league.name}: ratings differ from those of a new fit by {off:g}")
    return f"ratings of {count(len(y), 'contestant')} are those of a new fit"
