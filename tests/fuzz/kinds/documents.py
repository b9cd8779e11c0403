"""Documents: spreadsheets, archives and folders of tables; cells, files within and bytes spoiled.

They are read with every row accounted for, or refused in our own words, as single tables are.
"""

from __future__ import annotations

import base64
import io
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import qrja
from fuzz.children import check_manners, command
from fuzz.kind import Case, Kind, only_ours
from fuzz.kinds.tables import (
    NUMBERS,
    SHAPES,
    check_table,
    coded,
    no_warnings,
    plain_rows,
    some_options,
    spoil_bytes,
    spoil_cells,
    written,
)
from fuzz.warm_database import warm_database
from reference.sheets import write_ods, write_xls, write_xlsx

SHEETS = [None, None, None, "A", "2", "9", "0", "-1", "", "no such"]
MEMBERS = [
    "a.csv", "b.tsv", "c/d.csv", "../e.csv", "/f.csv", "..\\g.csv", "__MACOSX/a.csv", ".h.csv",
    "i.json", "j.jsonl", "k.csv.gz", "l.xlsx", "m.parquet", "n.zip", "o.md", "p/", "q\n.csv",
]  # fmt: skip
"""What files in an archive are called; the ending may lie."""
Rows = list[list[Any]]


def draw(rng: np.random.Generator) -> Case:
    """Draw a document of some tables, mostly alike, and spoil it."""
    form = str(rng.choice(list(WRITERS)))
    shape = str(rng.choice(list(SHAPES)))
    most = 3 if form in ("zip", "folder") else 1 + int(rng.random() < 0.2)
    tables = [_some_rows(rng, shape) for _ in range(int(rng.integers(1, most + 1)))]
    data = WRITERS[form](rng, tables)
    if form != "xls" and rng.random() < 0.25:
        data = spoil_within(rng, data)
    if rng.random() < 0.1:
        data = spoil_bytes(rng, data)
    options = some_options(rng, tables[0][0])
    if rng.random() < 0.2:
        options["sheet"] = SHEETS[int(rng.integers(len(SHEETS)))]
    options = {name: value for name, value in options.items() if value is not None}
    by_command = bool(rng.random() < 0.01)
    return {"what": form, "data": coded(data), "options": options, "command": by_command}


def _some_rows(rng: np.random.Generator, shape: str) -> Rows:
    header, rows = plain_rows(rng, shape)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        spoil_cells(rng, header, rows)
    titles = [["Season 2026"], [""]][: int(rng.choice([0, 0, 0, 1, 2]))]
    return [header, *rows] if rng.random() < 0.7 else [*titles, header, *rows]


def _sheets(write: Callable[[Path, list[Rows]], Path]) -> Callable[..., bytes]:
    def sheets(rng: np.random.Generator, tables: list[Rows]) -> bytes:
        typed = [[[_cell(rng, cell) for cell in row] for row in rows] for rows in tables]
        with tempfile.TemporaryDirectory() as folder:
            return write(Path(folder, "document"), typed).read_bytes()

    return sheets


def _cell(rng: np.random.Generator, cell: str) -> Any:
    """Make numbers of some cells, and other types of a few."""
    if cell in NUMBERS and rng.random() < 0.7:
        return float(cell)
    if rng.random() < 0.03:
        return [1e300, -0.5, float("nan"), float("inf"), ""][int(rng.integers(5))]
    return cell[:30000]


def _xlsx(path: Path, tables: list[Rows]) -> Path:
    return write_xlsx(path, dict(zip("ABC", tables, strict=False)))


def _ods(path: Path, tables: list[Rows]) -> Path:
    return write_ods(path, "A", tables[0])


def _xls(path: Path, tables: list[Rows]) -> Path:
    texts = [[str(cell)[:200] for cell in row] for row in tables[0]]
    width = max(map(len, texts))
    return write_xls(path, "A", [row + [""] * (width - len(row)) for row in texts][:12])


def _archive(rng: np.random.Generator, tables: list[Rows]) -> bytes:
    buffer = io.BytesIO()
    ways = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    with zipfile.ZipFile(buffer, "w", ways[int(rng.choice([0, 1, 1, 1, 2, 3]))]) as archive:
        for number, rows in enumerate(tables):
            plain = rng.random() < 0.7
            name = f"{number}.csv" if plain else MEMBERS[int(rng.integers(len(MEMBERS)))]
            form = "csv" if plain else str(rng.choice(["csv", "tsv", "json", "jsonl"]))
            with warnings.catch_warnings(action="ignore"):  # two of one name
                archive.writestr(zipfile.ZipInfo(name), written(rng, form, rows[0], rows[1:]))
    return buffer.getvalue()


WRITERS: dict[str, Callable[[np.random.Generator, list[Rows]], bytes]] = {
    "xlsx": _sheets(_xlsx),
    "ods": _sheets(_ods),
    "xls": _sheets(_xls),
    "zip": _archive,
    "folder": _archive,
}
"""A folder is kept as an archive of its files."""


def spoil_within(rng: np.random.Generator, data: bytes) -> bytes:
    """Spoil one of the files within an archive, and pack it again: its checksums are right."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        items = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = int(rng.integers(len(items)))
    for _ in range(int(rng.choice([1, 1, 2, 5]))):
        items[at] = (items[at][0], spoil_bytes(rng, items[at][1]))
    if rng.random() < 0.1:
        del items[at]
    return _packed(items)


def _packed(items: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in items:
            with warnings.catch_warnings(action="ignore"):
                archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def check(case: Case) -> None:
    """Read the document: every row is accounted for, or it is refused in our words."""
    form, data = case["what"], base64.b64decode(case["data"])
    with tempfile.TemporaryDirectory() as folder:
        place = _put(Path(folder), form, data)
        if case.get("command"):
            check_manners(command(["rank", str(place), "--no-intervals"], Path(folder)), form)
            return
        try:
            with no_warnings(), warm_database():
                table = qrja.read_table(place, **case["options"])
        except Exception as error:
            named = "encoding" in case["options"] and isinstance(error, LookupError | ValueError)
            only_ours(error, f"a document ({'its encoding' if named else form})")
            return
    check_table(table, form)


def _put(folder: Path, form: str, data: bytes) -> Path:
    """Write the document into a folder, or its files where it is one."""
    if form == "folder":
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for number, info in enumerate(archive.infolist()):
                    name = info.filename.replace("\\", "/").rsplit("/", 1)[-1] or "nothing"
                    (folder / f"{number}-{name}").write_bytes(archive.read(info))
        except Exception:  # some files, or none, are a folder as well
            pass
        return folder
    path = folder / f"document.{form}"
    path.write_bytes(data)
    return path


def shrink(case: Case) -> Iterator[Case]:
    """Yield the document without options, and without some of the files within."""
    for option in case["options"]:
        yield {**case, "options": {k: v for k, v in case["options"].items() if k != option}}
    try:
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(case["data"]))) as archive:
            items = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # spoiled as it is
        return
    for at in range(len(items)):
        yield {**case, "data": coded(_packed(items[:at] + items[at + 1 :]))}


KIND = Kind(
    name="documents",
    about="spreadsheets, archives and folders, spoiled in cells, in files within and in bytes",
    draw=draw,
    check=check,
    shrink=shrink,
    share=2.0,
    together=20,
    ordinary=40,
)
