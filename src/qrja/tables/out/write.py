"""Tables out: columns become CSV, TSV, JSON, JSON lines, Markdown, HTML, Excel or Parquet."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from qrja.errors import InputError
from qrja.interrupts import import_whole
from qrja.tables.out.excel_sheet import write_excel
from qrja.tables.out.formats import FORMATS, plain
from qrja.tables.out.whole_file import as_path, save_bytes, save_whole
from qrja.tables.sources import Database, literal

Columns = Mapping[str, Sequence[Any]]

_ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xlsx": "xlsx",
    ".parquet": "parquet",
}
_WHOLE = ("parquet", "xlsx")
"""Files that are packed already, and are not texts."""


def format_table(columns: Columns, kind: str) -> str:
    r"""Write columns as a text.

    Parameters
    ----------
    columns : dict
        Name -> values, all equally many: texts, numbers, truth values, dates or None.
    kind : {"csv", "tsv", "json", "jsonl", "markdown", "html"}
        In CSV, TSV and Markdown a text that a spreadsheet would take for a formula gets a leading
        ``'``.

    Examples
    --------
    >>> print(format_table({"name": ["Ann", "=1+1"], "rating": [1.5, -2]}, "csv"), end="")
    name,rating
    Ann,1.5
    '=1+1,-2
    """
    if not isinstance(kind, str) or kind not in FORMATS:
        raise InputError(f"the format is {kind!r}; choose one of {', '.join(FORMATS)}")
    return FORMATS[kind](_check(columns))


def write_table(columns: Columns, path: str | os.PathLike[str]) -> None:
    """Write columns into a file whose ending says how, see :func:`format_table`.

    Parameters
    ----------
    columns : dict
        Name -> values, all equally many.
    path : path
        Ends in ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.md``, ``.html``, ``.xlsx`` or
        ``.parquet``; all but the last two also with ``.gz``. An existing file is replaced, but only
        by a whole one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ratings.csv")
    ...     write_table({"name": ["Ann", "Bob"], "rating": [1.5, -1.5]}, path)
    ...     print(path.read_text(), end="")
    name,rating
    Ann,1.5
    Bob,-1.5
    """
    path = as_path(path)
    kind, packed = _kind(path)
    checked = _check(columns)
    if kind == "parquet":
        if not checked:
            raise InputError(f"{path}: there is no column to write; Parquet needs one")
        save_whole(path, lambda part: _write_parquet(checked, part))
        return
    if kind == "xlsx":
        save_whole(path, lambda part: write_excel(checked, part))
        return
    data = FORMATS[kind](checked).encode()
    save_bytes(gzip.compress(data, mtime=0) if packed else data, path)


def is_for_people(path: str | os.PathLike[str]) -> bool:
    """Tell whether people read a file of this name, rather than programs.

    Examples
    --------
    >>> is_for_people("board.md"), is_for_people("board.csv.gz"), is_for_people("board.json")
    (True, True, False)
    """
    return _kind(as_path(path))[0] in ("csv", "tsv", "markdown", "html", "xlsx")


def _kind(path: Path) -> tuple[str, bool]:
    packed = path.suffix.casefold() == ".gz"
    ending = (path.with_suffix("") if packed else path).suffix.casefold()
    kind = _ENDINGS.get(ending)
    if kind is None or (packed and kind in _WHOLE):
        raise InputError(
            f"{path}: the ending does not say how to write it; use one of {', '.join(_ENDINGS)}"
        )
    return kind, packed


def _check(columns: Columns) -> Columns:
    if not isinstance(columns, Mapping):
        raise InputError(f"columns is a {type(columns).__name__}; give a dict, name -> values")
    for name, values in columns.items():
        if isinstance(values, str) or not isinstance(values, Collection):
            raise InputError(f"column {name!r} is {values!r}; give a list of values")
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"the columns are not equally long: {said}")
    return {str(name): [plain(value) for value in values] for name, values in columns.items()}


def _write_parquet(columns: Columns, path: Path) -> None:
    import_whole("duckdb")
    import duckdb

    with Database(str(path.parent)) as database:
        database.register("result", {name: _array(values) for name, values in columns.items()})
        try:
            database.execute(
                f"COPY result TO {literal(str(path))} (FORMAT parquet, USE_TMP_FILE false)"
            )
        except duckdb.IOException as error:  # a full disk, as the database tells it
            told = re.search(r'"errno":"(\d+)"', str(error))
            raise OSError(os.strerror(int(told[1])) if told else "the disk failed") from None


def _array(values: Sequence[Any]) -> np.ndarray[Any, Any]:
    kinds = {type(value) for value in values}
    if kinds == {int}:
        fits = all(-(2**63) <= value < 2**63 for value in values)
        return np.array(values, dtype=np.int64 if fits else np.float64)
    if kinds and kinds <= {int, float}:
        return np.array(values, dtype=np.float64)
    return np.array(values, dtype=object)
