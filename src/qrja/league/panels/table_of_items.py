"""A table of items: a column of names, and perhaps of texts, links, images and owners.

Columns are known by their headers, in any file that :func:`qrja.read_table` reads; a text file
``.txt`` is a list of names, one a line.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qrja.errors import InputError
from qrja.league.panels.items import Item, checked_item
from qrja.tables import read_texts

CALLED = {
    "item": "item name project title candidate contestant entry option answer essay",
    "text": "text description summary body abstract",
    "link": "link url website page",
    "image": "image picture photo file",
    "owner": "owner team judge author",
}
"""What the columns are called."""


@dataclass(frozen=True)
class ListedItems:
    """Items of a table.

    Parameters
    ----------
    items : tuple of Item
        Without their images.
    images : dict
        From items to what the column of images says: files beside the table.
    """

    items: tuple[Item, ...]
    images: dict[str, str]


def read_items(source: Any) -> ListedItems:
    r"""Read a table of items.

    Parameters
    ----------
    source : path or binary file
        CSV, a spreadsheet, JSON lines or Parquet; or ``.txt``.

    Examples
    --------
    >>> import io
    >>> read_items(io.BytesIO(b"project,url\nZoom,https://example.org\n")).items
    (Item(name='Zoom', text='', link='https://example.org', image='', owner='', retired=False),)
    """
    if isinstance(source, str | os.PathLike) and os.fspath(source).endswith(".txt"):
        return _read_names(Path(source))
    table = read_texts(source, {role: names.split() for role, names in CALLED.items()}, "item")
    items: dict[str, Item] = {}
    images: dict[str, str] = {}
    for at, row in enumerate(table.rows):
        if not row.get("item"):
            continue
        told = {name: text for name, text in row.items() if text and name != "image"}
        try:
            item = checked_item(told)
        except InputError as error:
            raise table.place.error(at, str(error)) from None
        if item.name in items:
            raise table.place.error(at, f"{item.name!r} is there twice; keep one")
        items[item.name] = item
        if image := row.get("image"):
            images[item.name] = image
    if not items:
        raise table.place.of_table("holds no items; give a name a line below the header")
    return ListedItems(tuple(items.values()), images)


def _read_names(path: Path) -> ListedItems:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    names = dict.fromkeys(line.strip() for line in lines if line.strip())
    if not names:
        raise InputError(f"{path}: holds no items; give a name a line")
    return ListedItems(tuple(checked_item({"item": name}) for name in names), {})
