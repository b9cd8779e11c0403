"""Kept files: images that events name, each by the SHA-256 of its bytes.

The log says which there are, and a file that was changed no longer has its name; so a file is
written before the event that names it, and one that no event names does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import select

from qrja.errors import InputError
from qrja.league.storage.schema import FILES
from qrja.league.storage.store import Store
from qrja.letters import cut

LARGEST_FILE = 4 << 20
"""Bytes of one image."""
_SIGNS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


@dataclass(frozen=True)
class KeptFile:
    """A file with its name and what it is."""

    digest: str
    kind: str
    content: bytes


def sniff_image(content: bytes, name: str = "the image") -> str:
    """Tell what kind of image some bytes are, by their beginning; refuse what is none.

    Drawings in SVG are refused: they are documents, which may hold scripts.

    Examples
    --------
    >>> sniff_image(b"GIF89a...")
    'image/gif'
    >>> sniff_image(b"<svg>", "logo.svg")
    Traceback (most recent call last):
    qrja.errors.InputError: logo.svg: is no PNG, JPEG, GIF or WebP; save the image as one of them
    """
    shown = cut(name, 60)
    if len(content) > LARGEST_FILE:
        raise InputError(
            f"{shown}: has {len(content):,} bytes, more than {LARGEST_FILE:,}; make it smaller"
        )
    for sign, kind in _SIGNS.items():
        if content.startswith(sign):
            return kind
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    raise InputError(f"{shown}: is no PNG, JPEG, GIF or WebP; save the image as one of them")


class KeptFiles:
    """The files of a league.

    Examples
    --------
    >>> files = KeptFiles(Store.open(":memory:"))
    >>> digest = files.keep(b"GIF89a...")
    >>> files.get(digest).kind
    'image/gif'
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, content: bytes, name: str = "the image") -> str:
        """Keep an image; return what events call it. One that is there already is not kept twice.

        Raises
        ------
        InputError
            If it is no image, or too large.
        """
        kind, digest = sniff_image(content, name), sha256(content).hexdigest()
        with self._store.beside() as connection:
            there = connection.execute(select(FILES.c.digest).where(FILES.c.digest == digest))
            if there.first() is None:
                row = {"digest": digest, "kind": kind, "content": content}
                connection.execute(FILES.insert(), row)
        return digest

    def get(self, digest: str) -> KeptFile | None:
        """Return a file by its name."""
        with self._store.looking() as connection:
            row = connection.execute(FILES.select().where(FILES.c.digest == digest)).first()
        return None if row is None else KeptFile(row.digest, row.kind, bytes(row.content))

    def names(self) -> list[str]:
        """List the files, in the order of their names."""
        with self._store.looking() as connection:
            rows = connection.execute(select(FILES.c.digest).order_by(FILES.c.digest))
            return [str(row.digest) for row in rows]
