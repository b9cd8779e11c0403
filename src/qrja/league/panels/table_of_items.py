"""A table of items: a column of names, and perhaps of texts, links, images and owners.

Columns are known by their headers; a table of one column is one of names. Any file that
:func:`qrja.read_table` reads will do, and a list of names, one a line.
"""

from __future__ import annotations

from dataclasses import dataclass
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
        CSV, a spreadsheet, JSON lines or Parquet.

    Examples
    --------
    >>> import io
    >>> read_items(io.BytesIO(b"project,url\nZoom,https://example.org\n")).items
    (Item(name='Zoom', text='', link='https://example.org', image='', owner='', retired=False),)
    """
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
