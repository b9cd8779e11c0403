"""Formats: the same rows as CSV, TSV, JSON, Parquet, packed or as a data frame are the same data.

All cells are texts, so that no format knows more than another. Each is read, or each refuses.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours
from fuzz.kinds.damage import told
from fuzz.kinds.tables import ODD, check_table, plain_rows
from fuzz.shrink import fewer
from fuzz.warm_database import warm_database

CELLS = [cell for cell in ODD if len(cell) < 1000 and "\x00" not in cell and "\ufeff" not in cell]


def draw(rng: np.random.Generator) -> Case:
    """Draw a table, and spoil some of its cells."""
    header, rows = plain_rows(rng, str(rng.choice(["entries", "matches", "judgments", "ratios"])))
    for _ in range(int(rng.integers(0, 4))):
        if rows:
            rows[int(rng.integers(len(rows)))][int(rng.integers(4))] = str(rng.choice(CELLS))
    return {"what": str(rng.choice(list(FORMATS))), "header": header, "rows": rows}


def _separated(mark: str) -> Callable[[list[str], list[list[str]]], Any]:
    def write(header: list[str], rows: list[list[str]]) -> io.BytesIO:
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=mark, lineterminator="\n").writerows([header, *rows])
        return io.BytesIO(text.getvalue().encode())

    return write


def _json(header: list[str], rows: list[list[str]]) -> io.BytesIO:
    return io.BytesIO(json.dumps([dict(zip(header, row, strict=True)) for row in rows]).encode())


def _json_lines(header: list[str], rows: list[list[str]]) -> io.BytesIO:
    lines = [json.dumps(dict(zip(header, row, strict=True))) for row in rows]
    return io.BytesIO("\n".join(lines).encode())


def _columns(header: list[str], rows: list[list[str]]) -> dict[str, list[str]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(header)}


def _arrow(header: list[str], rows: list[list[str]]) -> Any:
    import pyarrow as pa

    columns = _columns(header, rows)
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})


def _parquet(header: list[str], rows: list[list[str]]) -> io.BytesIO:
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(_arrow(header, rows), buffer)
    buffer.seek(0)
    return buffer


def _frame(library: str) -> Callable[[list[str], list[list[str]]], Any]:
    def write(header: list[str], rows: list[list[str]]) -> Any:
        import importlib

        return importlib.import_module(library).DataFrame(_columns(header, rows))

    return write


def _packed(header: list[str], rows: list[list[str]]) -> io.BytesIO:
    return io.BytesIO(gzip.compress(_separated(",")(header, rows).getvalue(), mtime=0))


FORMATS: dict[str, Callable[[list[str], list[list[str]]], Any]] = {
    "tsv": _separated("\t"),
    "semicolon": _separated(";"),
    "json": _json,
    "jsonl": _json_lines,
    "parquet": _parquet,
    "csv.gz": _packed,
    "pandas": _frame("pandas"),
    "polars": _frame("polars"),
    "pyarrow": _arrow,
}


def check(case: Case) -> None:
    """Read the table as CSV and in another format, and compare."""
    header, rows, form = case["header"], case["rows"], case["what"]
    if not rows:
        return
    plain, other = (_read(write, header, rows) for write in (_separated(","), FORMATS[form]))
    if isinstance(plain, str) != isinstance(other, str):
        raise Failure(f"csv and {form}: one is refused", f"{plain}; {other}")
    if isinstance(plain, str) or isinstance(other, str):
        return
    for table, name in ((plain, "csv"), (other, form)):
        check_table(table, name)
        if table.summary.rows != len(rows):
            raise Failure(f"rows not read from {name}", table.summary)
    left = [sorted((g.reason, g.count) for g in table.summary.left_out) for table in (plain, other)]
    if _data(plain) != _data(other) or left[0] != left[1]:
        raise Failure(f"csv and {form}: other data", f"{plain.problem}; {other.problem}; {left}")


def _data(table: qrja.Table) -> str:
    """Return what a table holds; matches without a date are called by their line or row."""
    problem = table.problem
    return told(
        replace(problem, labels=tuple(range(len(problem.labels)))) if table.unnamed else problem
    )


def _read(write: Any, header: list[str], rows: list[list[str]]) -> qrja.Table | str:
    """Read a table, or return why not."""
    try:
        with warm_database():
            return qrja.read_table(write(header, rows))
    except Exception as error:
        only_ours(error, "a plain table")
        return str(error)


def shrink(case: Case) -> Iterator[Case]:
    """Yield fewer rows."""
    for rows in fewer(case["rows"]):
        yield {**case, "rows": rows}


KIND = Kind(
    name="formats",
    about="the same rows in ten formats: the same data, and every row accounted for",
    draw=draw,
    check=check,
    shrink=shrink,
    share=2.0,
    ordinary=40,
)
