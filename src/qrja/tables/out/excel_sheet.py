"""Excel out: one sheet with a header that stays, numbers as numbers, texts never as formulas."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

from qrja.errors import MissingExtraError
from qrja.tables.out.formats import PlainColumns

WIDEST = 60
"""Characters of a column."""
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""Letters that a sheet cannot hold."""
_DECIMAL = re.compile(r"[+-]?\d+(\.\d+)?")


def write_excel(columns: PlainColumns, path: Path) -> None:
    """Write columns into a workbook; where the package is missing, say what to install."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise MissingExtraError.of("openpyxl", "excel", "Excel files") from None
    book = Workbook()
    # The same table makes the same properties: nothing of the day is written into them.
    book.properties.created = book.properties.modified = datetime(2000, 1, 1)
    sheet: Any = book.active
    sheet.title, sheet.freeze_panes = "qrja", "A2"
    for place, (name, values) in enumerate(columns.items(), start=1):
        _fill(sheet, place, name, values)
    book.save(path)


def _fill(sheet: Any, place: int, name: str, values: Any) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    head = sheet.cell(1, place)
    _write(head, name)
    head.font = Font(bold=True)
    right = bool(values) and all(_is_amount(value) for value in values if value is not None)
    for row, value in enumerate(values, start=2):
        cell = sheet.cell(row, place)
        _write(cell, value)
        if right:
            cell.alignment = Alignment(horizontal="right")
    longest = max((len(str(value)) for value in [name, *values] if value is not None), default=0)
    sheet.column_dimensions[get_column_letter(place)].width = min(longest, WIDEST) + 2


def _write(cell: Any, value: Any) -> None:
    """Write a value: a text that is a number as that number, shown with its digits."""
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        decimals = len(value.partition(".")[2])
        cell.value = float(value)
        cell.number_format = f"0.{'0' * decimals}" if decimals else "0"
    elif isinstance(value, str):
        cell.value = _ILLEGAL.sub("\ufffd", value)
        cell.data_type = "s"  # not a formula, whatever it begins with
    else:
        cell.value = value


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) or bool(re.fullmatch(r"[+-]?[\d:.]+", str(value)))
