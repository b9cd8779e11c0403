"""The text formats of a table, each a function from columns of plain values to a text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from qrja.display import block, page, table
from qrja.letters import visible_json

PlainColumns = Mapping[str, Sequence[Any]]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?|[+-]?\d+(:\d\d){1,2}(\.\d+)?", re.I)

_FORMULA = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""How a formula begins; the last four are full-width."""
_ENDS = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_MARKUP = re.compile(r"[\\|\[\]*`~$]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown takes for more than a letter; _ within a word is one."""


def plain(value: Any) -> Any:
    """Turn a value into text, int, float, bool or None.

    Examples
    --------
    >>> plain(np.float64(1.5)), plain(float("nan")), plain(np.datetime64("2026-11-15", "s"))
    (1.5, None, '2026-11-15')
    """
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[s]").item()
    elif isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, datetime):
        midnight = (value.hour, value.minute, value.second) == (0, 0, 0)
        return value.date().isoformat() if midnight else value.isoformat()
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)


def rows_of(columns: PlainColumns) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a table."""
    return zip(*columns.values(), strict=True)


def write_separated(columns: PlainColumns, delimiter: str) -> str:
    """Write CSV; with a tab, TSV. Quotes go where a delimiter, a quote or a line end is."""
    special = re.compile(f'[{delimiter}"\r\n]')

    def quote(cell: str) -> str:
        if special.search(cell) is None and (cell or len(columns) > 1):
            return cell
        doubled = cell.replace('"', '""')
        return f'"{doubled}"'

    lines = [[guard(name) for name in columns]]
    lines.extend([_cell(value) for value in row] for row in rows_of(columns))
    return "".join(f"{delimiter.join(map(quote, line))}\n" for line in lines)


def guard(text: str) -> str:
    """Put ``'`` before a text that a spreadsheet would take for a formula.

    Numbers and times may begin with a sign. Some programs take full-width signs for the usual ones.

    Examples
    --------
    >>> guard("=cmd()"), guard("-5"), guard("+8:00"), guard("-x"), guard("Ann")
    ("'=cmd()", '-5', '+8:00', "'-x", 'Ann')
    """
    risky = text[:1] in _FORMULA and _NUMBER.fullmatch(text) is None
    return f"'{text}" if risky else text


def write_json(columns: PlainColumns) -> str:
    """Write a JSON array with one object a line."""
    objects = ",\n".join(f"  {line}" for line in _objects(columns))
    return f"[\n{objects}\n]\n" if objects else "[]\n"


def write_jsonl(columns: PlainColumns) -> str:
    """Write JSON lines."""
    return "".join(f"{line}\n" for line in _objects(columns))


def write_markdown(columns: PlainColumns) -> str:
    """Write a Markdown table, numbers to the right."""
    names = [_escape(name) for name in columns]
    cells = [[_escape(_cell(value)) for value in values] for values in columns.values()]
    numeric = [all(map(_is_number, values)) for values in columns.values()]
    widths = [
        max(3, len(name), *map(len, column)) for name, column in zip(names, cells, strict=True)
    ]
    rule = ["-" * (w - 1) + ":" if n else "-" * w for w, n in zip(widths, numeric, strict=True)]
    lines = [names, rule, *map(list, zip(*cells, strict=True))]
    return "".join(_align(line, widths, numeric) for line in lines)


def write_html(columns: PlainColumns) -> str:
    """Write a page with a table, numbers to the right."""
    left = [name for name, values in columns.items() if not all(map(_is_number, values))]
    rows = [[_cell_text(value) for value in row] for row in rows_of(columns)]
    return page("qrja", block(table(list(columns), rows, left)))


def _is_number(value: Any) -> bool:
    amount = isinstance(value, str) and _NUMBER.fullmatch(value) is not None
    return value is None or isinstance(value, int | float) or amount


def _cell_text(value: Any) -> str:
    return value if isinstance(value, str) else _cell(value)


def _align(cells: list[str], widths: list[int], numeric: list[bool]) -> str:
    padded = (
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    )
    return f"| {' | '.join(padded)} |\n"


def _objects(columns: PlainColumns) -> Iterator[str]:
    for row in rows_of(columns):
        # Some readers of JSON lines take every letter that ends a line for the end of one.
        yield visible_json(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return guard(value) if isinstance(value, str) else repr(value)


def _escape(text: str) -> str:
    """Write a text so that a viewer of Markdown shows it, and neither runs nor fetches a thing."""
    marked = _MARKUP.sub(r"\\\g<0>", _ENDS.sub(" ", text))
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


FORMATS: dict[str, Callable[[PlainColumns], str]] = {
    "csv": partial(write_separated, delimiter=","),
    "tsv": partial(write_separated, delimiter="\t"),
    "json": write_json,
    "jsonl": write_jsonl,
    "markdown": write_markdown,
    "html": write_html,
}
