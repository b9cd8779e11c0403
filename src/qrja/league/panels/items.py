"""Items: what a panel compares, each with a name, and perhaps a text, a link and an image.

Links go to pages of the web and nowhere else; images are kept by the league itself, under the
digest of their bytes, so that a page that shows them asks nobody else for anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from qrja.errors import InputError
from qrja.league.payloads import checked_name
from qrja.letters import cut
from qrja.ratings.saving import checked_fields, checked_text

LONGEST_TEXT = 20_000
"""Letters of an item's text: an essay."""
LONGEST_LINK = 2_000
DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Item:
    """Something to be compared.

    Parameters
    ----------
    name : str
        What the board calls it.
    text : str
        What judges read; lines stay lines.
    link : str
        A page of the web to look at.
    image : str
        The digest of an image that the league keeps.
    owner : str
        A judge who is not asked about it.
    retired : bool
        Whether it is no longer asked about.
    """

    name: str
    text: str = ""
    link: str = ""
    image: str = ""
    owner: str = ""
    retired: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Give what an event says of it."""
        parts = {name: getattr(self, name) for name in ("text", "link", "image", "owner")}
        return {"item": self.name} | {name: value for name, value in parts.items() if value}


def checked_item(told: Any) -> Item:
    """Read one item of an event.

    Examples
    --------
    >>> checked_item({"item": "Zoom", "link": "javascript:alert(1)"})
    Traceback (most recent call last):
    qrja.errors.InputError: the link of 'Zoom' is 'javascript:alert(1)'; give one that begins with
    https://
    """
    fields = checked_fields(told, "the item", ("item",))
    name = checked_name(fields["item"], "item")
    text = checked_text(fields.get("text", ""), f"the text of {cut(repr(name), 60)}")
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"the text of {cut(repr(name), 60)} has {len(text):,} letters; give at most"
            f" {LONGEST_TEXT:,}, and a link to the rest"
        )
    owner = fields.get("owner", "")
    image = checked_text(fields.get("image", ""), "the image")
    if image and not DIGEST.fullmatch(image):
        raise InputError(f"the image of {cut(repr(name), 60)} is {cut(repr(image), 60)}, no digest")
    return Item(
        name,
        text,
        _checked_link(fields.get("link", ""), name),
        image,
        checked_name(owner, "owner") if owner else "",
    )


def _checked_link(told: Any, name: str) -> str:
    link = checked_text(told, "the link").strip()
    if not link:
        return ""
    try:
        parts = urlsplit(link)
        good = parts.scheme in ("http", "https") and bool(parts.netloc)
    except ValueError:
        good = False
    if not good or not link.isprintable() or " " in link or len(link) > LONGEST_LINK:
        raise InputError(
            f"the link of {cut(repr(name), 60)} is {cut(repr(link), 60)}; give one that begins with"
            " https://"
        )
    return link
