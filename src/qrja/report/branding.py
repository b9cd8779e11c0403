"""Branding: a logo and a link of one's own, and tabs that lead to the categories of a page."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from qrja.errors import InputError
from qrja.report.phrases import Phrasebook

KINDS = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
}
LARGEST = 1_000_000
"""Bytes of a logo: the page is sent by mail."""
SCHEMES = ("https://", "http://", "mailto:")


def embed_logo(path: str | os.PathLike[str] | None) -> str:
    """Return a picture as an element that needs no other file; as an image it runs no scripts."""
    if path is None:
        return ""
    kind = KINDS.get(Path(path).suffix.casefold())
    if kind is None:
        raise InputError(f"{path}: a logo is a picture, one of {', '.join(KINDS)}")
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise InputError(
            f"{path}: has {len(data):,} bytes, and a logo may have {LARGEST:,}; make it smaller"
        )
    return f'<img class="logo" alt="" src="data:{kind};base64,{base64.b64encode(data).decode()}">'


def embed_tabs(labels: Sequence[str], book: Phrasebook) -> str:
    """Return links to the categories of a page, which a script makes tabs.

    Examples
    --------
    >>> from qrja.report.phrases import find_book
    >>> print(embed_tabs(["F", "M"], find_book("de")))
    <nav class="tabs" aria-label="Kategorien">
    <a id="tab-1" href="#category-1">F</a>
    <a id="tab-2" href="#category-2">M</a>
    </nav>
    """
    drawn = [
        f'<a id="tab-{number}" href="#category-{number}">{escape(label)}</a>'
        for number, label in enumerate(labels, 1)
    ]
    start = f'<nav class="tabs" aria-label="{book.phrase("Categories")}">'
    return "\n".join([start, *drawn, "</nav>"])


def embed_link(link: str | None) -> str:
    """Return a link as an element.

    Examples
    --------
    >>> embed_link("https://example.org/a?b&c")
    '<a href="https://example.org/a?b&amp;c" rel="noreferrer">example.org/a?b&amp;c</a>'
    >>> embed_link("javascript:alert(1)")
    Traceback (most recent call last):
    qrja.errors.InputError: the link is 'javascript:alert(1)'; begin it with https:// or mailto:
    """
    if link is None:
        return ""
    scheme = next((one for one in SCHEMES if link.casefold().startswith(one)), None)
    if scheme is None:
        raise InputError(f"the link is {link!r}; begin it with https:// or mailto:")
    shown = escape(link[len(scheme) :].rstrip("/"))
    return f'<a href="{escape(link)}" rel="noreferrer">{shown}</a>'
