"""Spreadsheets: a sheet of .xlsx, .xls or .ods becomes CSV, row by row, and is read as such.

Rows keep their numbers, so that messages name them as the spreadsheet does.
"""

from __future__ import annotations

import csv
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from qrja.errors import InputError, nearest
from qrja.letters import cut
from qrja.speech import Sentence
from qrja.tables.sources.csv_file import CsvFile
from qrja.tables.sources.database import Database
from qrja.tables.sources.documents.extent import check_extent
from qrja.tables.sources.scratch import copying
from qrja.tables.sources.text_file import TextFile

HUSH = threading.Lock()
REMEDY = "install the reader of spreadsheets, pip install 'qrja[excel]', or save the sheet as CSV"


def open_sheet(
    path: Path, name: str, scratch: Path, database: Database, sheet: str | None
) -> CsvFile:
    """Open one sheet of a spreadsheet: by name, by number from 1, or the only one with rows."""
    check_extent(path, name)
    with _in_our_words(name), _hushed():
        workbook = _open_workbook(path, name)
        chosen, note = _choose_sheet(workbook, name, sheet)
        rows = workbook.get_sheet_by_name(chosen).to_python(skip_empty_area=False)
    copy = scratch / f"sheet-{len(list(scratch.iterdir()))}.csv"
    with copying(name, scratch), copy.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(map(_texts, rows))
    text = TextFile(copy, f"{name}, sheet {chosen!r}", scratch, None)
    if note:
        text.notes.append(note)
    return CsvFile.open(text, database, ",")


def _open_workbook(path: Path, name: str) -> Any:
    try:
        import python_calamine
    except ImportError:
        raise InputError(f"{name}: is a spreadsheet; {REMEDY}") from None
    return python_calamine.CalamineWorkbook.from_path(str(path))


@contextmanager
def _in_our_words(name: str) -> Iterator[None]:
    """Say what the reader of spreadsheets says; a fault within it is no exception but a panic."""
    try:
        yield
    except BaseException as error:
        theirs = type(error).__module__.partition(".")[0] in ("python_calamine", "pyo3_runtime")
        if not theirs and not isinstance(error, OSError):
            raise
        said = cut(str(error).partition("\n")[0], 200)
        raise InputError(
            f"{name}: cannot be read as a spreadsheet: {said}; open it and save it anew, or as CSV"
        ) from None


@contextmanager
def _hushed() -> Iterator[None]:
    """Hide what is written past Python: a panic prints itself before it can be caught."""
    with HUSH:
        try:
            kept = os.dup(2)
        except OSError:  # there is no standard error to write to
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(nowhere)


def _choose_sheet(workbook: Any, name: str, sheet: str | None) -> tuple[str, str]:
    """Return the name of the sheet to read, and a note if it was not said."""
    names: list[str] = list(workbook.sheet_names)
    listed = f"the sheets are {', '.join(map(repr, names))}"
    if sheet is not None:
        if sheet in names:
            return sheet, ""
        if sheet.isdecimal() and 1 <= int(sheet) <= len(names):
            return names[int(sheet) - 1], ""
        raise InputError(f"{name}: there is no sheet {sheet!r}; {listed}{nearest(sheet, names)}")
    filled = [it for it in names if workbook.get_sheet_by_name(it).height > 1]
    if len(filled) > 1:
        raise InputError(
            f"{name}: {len(filled)} sheets have rows, {', '.join(map(repr, filled))}; say which"
            f" (--sheet {filled[0]!r} in the shell)"
        )
    if not filled:
        raise InputError(f"{name}: no sheet has rows; {listed}")
    note = Sentence("read the sheet {sheet!r}", sheet=filled[0]) if len(names) > 1 else ""
    return filled[0], note


def _texts(row: list[Any]) -> list[str]:
    return [" ".join(_text(cell).splitlines()) for cell in row]


def _text(cell: Any) -> str:
    """Write a cell as it would stand in a CSV file.

    Examples
    --------
    >>> _text(7.0), _text(time(0, 58, 41)), _text(timedelta(hours=25)), _text(date(2024, 4, 14))
    ('7', '0:58:41', '25:00:00', '2024-04-14')
    """
    if isinstance(cell, timedelta):
        return _clock(cell.total_seconds())
    if isinstance(cell, time):
        return _clock(cell.hour * 3600 + cell.minute * 60 + cell.second + cell.microsecond / 1e6)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "seconds")
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def _clock(seconds: float) -> str:
    # A spreadsheet keeps times as fractions of a day: milliseconds are what survives.
    thousandths = round(abs(seconds) * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    hours, minute = divmod(minutes, 60)
    tail = f".{rest % 1000:03d}".rstrip("0") if rest % 1000 else ""
    return f"{'-' if seconds < 0 else ''}{hours}:{minute:02d}:{rest // 1000:02d}{tail}"
