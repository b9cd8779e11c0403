"""Tables: every format and shape, mutated where it hurts; read, or refused in our own words."""

from __future__ import annotations

import base64
import gzip
import io
import json
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from decimal import Decimal
from pathlib import Path

import numpy as np

import qrja
from fuzz.children import check_manners, command
from fuzz.kind import Case, Failure, Kind, only_ours
from fuzz.shrink import fewer
from fuzz.warm_database import warm_database

SHAPES: dict[str, list[str]] = {
    "entries": ["race", "runner", "time", "date"],
    "matches": ["home", "away", "home_score", "away_score"],
    "judgments": ["a", "b", "y", "w"],
    "ratios": ["a", "b", "ratio", "judge"],
    "verdicts": ["model_a", "model_b", "winner", "judge"],
    "wide": ["task", "Ann", "Bob", "Cid"],
}
NAMES = ["Ann", "Bob", "Cid", "Dee", "Ève", "O'Neil", 'the "Rock"', "a,b", "Ann ", "ann", "東京"]
NUMBERS = ["1", "2", "3.5", "-4", "1e3", "0", "12", "250.25"]
VERDICTS = ["A>>B", "A>B", "A=B", "B>A", "tie", "model_a", "model_b", "both bad", "much better"]
TIMES = ["4:10:00", "3:59:59", "3:12:01", "4:00:59.9", "DNF", "DNS", ""]
ODD = [
    "", " ", "nan", "inf", "-inf", "1e400", "1e-400", "NULL", "null", "None", "true", "+-5",
    "1_000", "1,5", "1.234,5", "0x10", "--1", "fast", "4:10", "4:99:99", "2h", "2026-02-30",
    "2026-01-01", "32/13/2026", "9" * 400, "x" * 70000, "x" * 140000, "\x00", "\ufeff", "\u202e",
    "\x1b[2J", "=1+1", "'; DROP", '"', '"a', 'a"b', "a\nb", "a\r\nb", "\\", "#", "١٢٣", "½", "𝟙",
    "1 000", "%", "-", "−5", "-0",
]  # fmt: skip
MARKS = {"csv": ",", "tsv": "\t", "semicolon": ";", "pipe": "|"}
FORMATS = ["csv", "csv", "csv", "tsv", "semicolon", "pipe", "jsonl", "json", "parquet", "parquet"]
ENCODINGS = ["utf-8", "utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32", "cp1252"]


def draw(rng: np.random.Generator) -> Case:
    """Draw a table, spoil some of it, and write it down."""
    shape, form = str(rng.choice(list(SHAPES))), str(rng.choice(FORMATS))
    header, rows = plain_rows(rng, shape)
    for _ in range(int(rng.integers(0, 4))):
        spoil_cells(rng, header, rows)
    if rng.random() < 0.02:  # beyond what is looked at before reading
        rows = [list(row) for row in rows * 400]
    data = _parquet(rng, header, rows) if form == "parquet" else written(rng, form, header, rows)
    for _ in range(int(rng.choice([0, 0, 0, 1, 2, 5]))):
        data = spoil_bytes(rng, data)
    if rng.random() < 0.2:
        data = _packed(rng, data)
        data = spoil_bytes(rng, data) if rng.random() < 0.3 else data
        form += ".gz"
    return {
        "what": form,
        "data": base64.b64encode(data).decode(),
        "options": some_options(rng, header),
        "command": bool(rng.random() < 0.003),
        "warm": bool(rng.random() < 0.98),
    }


def _packed(rng: np.random.Generator, data: bytes) -> bytes:
    """Pack in one piece or in two, perhaps with something after it."""
    at = int(rng.integers(len(data) + 1)) if rng.random() < 0.3 else 0
    pieces = [data[:at], data[at:]] if at else [data]
    packed = b"".join(gzip.compress(piece, int(rng.integers(10)), mtime=0) for piece in pieces)
    return packed + bytes(rng.choice([b"", b"", b"", b"\0" * 9, b"junk", b"\x1f\x8b"]))


def plain_rows(rng: np.random.Generator, shape: str) -> tuple[list[str], list[list[str]]]:
    """Draw the header and the rows of a table of some shape, nothing wrong with it."""
    header, count = list(SHAPES[shape]), int(rng.integers(0, 13))
    if shape == "wide":
        cells = rng.choice([*NUMBERS, ""], (count, 3)).tolist()
        return header, [[f"t{number}", *row] for number, row in enumerate(cells)]
    numbers = TIMES if shape == "entries" and rng.random() < 0.5 else NUMBERS
    positive = NUMBERS if rng.random() < 0.1 else [it for it in NUMBERS if float(it) > 0]
    numbers = {"verdicts": VERDICTS, "ratios": positive}.get(shape, numbers)
    rows, month = [], int(rng.integers(1, 10))
    for _ in range(count):
        one, other = rng.choice(NAMES, 2, replace=False).tolist()
        first = str(rng.choice(["A", "B", "C"])) if shape == "entries" else one
        value, more = str(rng.choice(numbers)), str(rng.choice(positive))
        if shape == "entries":
            day = "ABC".index(first) if rng.random() < 0.98 else 9  # mostly one day a contest
            more = f"2026-0{month}-1{day}"
        rows.append([first, other, value, more])
    return header, rows


def spoil_cells(rng: np.random.Generator, header: list[str], rows: list[list[str]]) -> None:
    """Put something odd into one cell, or change the length or the number of rows."""
    style = rng.integers(0, 9)
    row = rows[int(rng.integers(len(rows)))] if rows else header
    if style <= 3 and row:
        row[int(rng.integers(len(row)))] = str(rng.choice(ODD))
    elif style == 4 and row:
        row.pop()
    elif style == 5:
        row.append(str(rng.choice(ODD)))
    elif style == 6 and header:
        header[int(rng.integers(len(header)))] = str(rng.choice([*ODD, *header, "score", "Time"]))
    elif style == 7:
        rows.insert(int(rng.integers(len(rows) + 1)), [""] * int(rng.integers(0, 5)))
    else:
        rows.append(list(row))


def written(rng: np.random.Generator, form: str, header: list[str], rows: list[list[str]]) -> bytes:
    """Write a table down as text, in one of many ways."""
    if form.startswith("json"):
        return _objects(rng, form, header, rows)
    mark = MARKS[form]
    ends = ["\n", "\n", "\n", "\r\n", "\r"]
    end = str(rng.choice(ends))
    lines = [mark.join(_quote(cell, mark, rng) for cell in row) for row in [header, *rows]]
    if rng.random() < 0.1:  # line ends of several kinds, blank lines, a mark after the last cell
        tails = ["", "", end, mark, " "]
        lines = [f"{line}{rng.choice(tails)}{rng.choice(ends)}" for line in lines]
        end = ""
    text = end.join(lines) + (end if rng.random() < 0.8 else "")
    return text.encode(str(rng.choice(ENCODINGS)), "replace")


def _objects(
    rng: np.random.Generator, form: str, header: list[str], rows: list[list[str]]
) -> bytes:
    """Write JSON: loosely set, with letters escaped or not, keys twice or missing."""
    escaped, gap = bool(rng.random() < 0.5), str(rng.choice(["", " ", "\n"]))
    objects = []
    for row in rows:
        cells = list(zip(header, map(_typed(rng), row), strict=False))
        if cells and rng.random() < 0.05:
            place = int(rng.integers(len(cells)))
            cells[place : place + 1] = [] if rng.random() < 0.5 else [cells[place]] * 2
        told = (f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=escaped)}" for k, v in cells)
        objects.append("{" + ", ".join(told) + "}")
    text = f"[{gap}{f',{gap}'.join(objects)}]{gap}" if form == "json" else "\n".join(objects) + gap
    mark = "\ufeff" if rng.random() < 0.05 else ""
    return (mark + text).encode("utf-8", "surrogatepass")


def _quote(cell: str, mark: str, rng: np.random.Generator) -> str:
    if any(letter in cell for letter in (mark, '"', "\n", "\r")) and rng.random() < 0.9:
        return '"' + cell.replace('"', '""') + '"'
    return f'"{cell}"' if rng.random() < 0.05 else cell


def _typed(rng: np.random.Generator) -> object:
    def typed(cell: str) -> object:
        if rng.random() < 0.03:
            deep: object = 1
            for _ in range(int(rng.choice([3, 200, 900]))):
                deep = [deep]
            odd = [None, True, [1], {"a": 1}, 1e300, -(2**70), "\ud800", deep, float("nan")]
            return odd[int(rng.integers(len(odd)))]
        return float(cell) if cell in NUMBERS and rng.random() < 0.7 else cell

    return typed


def _parquet(rng: np.random.Generator, header: list[str], rows: list[list[str]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, object] = {}
    for place, name in enumerate(header):
        cells = [row[place] if place < len(row) else None for row in rows]
        columns[name or f"column {place}"] = _arrow(rng, cells)
    buffer = io.BytesIO()
    pq.write_table(
        pa.table(columns),
        buffer,
        compression=str(rng.choice(["snappy", "gzip", "zstd", "none"])),
        use_dictionary=bool(rng.random() < 0.5),
        row_group_size=int(rng.choice([1, 3, 1000])),
        write_statistics=bool(rng.random() < 0.5),
    )
    return buffer.getvalue()


def _arrow(rng: np.random.Generator, cells: list[str | None]) -> object:
    import pyarrow as pa

    if rng.random() < 0.7:
        try:
            return pa.array([None if cell is None else float(cell) for cell in cells])
        except ValueError:
            return pa.array(cells, pa.string())
    number = float(rng.integers(-5, 6))
    odd = {
        "list": pa.array([[number]] * len(cells)),
        "struct": pa.array([{"x": number}] * len(cells)),
        "bytes": pa.array([b"\xff\x00"] * len(cells)),
        "bool": pa.array([True] * len(cells)),
        "nothing": pa.array([None] * len(cells)),
        "whole": pa.array([2**62] * len(cells)),
        "nan": pa.array([float("nan")] * len(cells)),
        "duration": pa.array([10**9] * len(cells), pa.duration("ns")),
        "decimal": pa.array([Decimal("1.25")] * len(cells)),
        "moment": pa.array([10**9] * len(cells), pa.timestamp("us", "UTC")),
        "day": pa.array([20000] * len(cells), pa.date32()),
        "clock": pa.array([3723] * len(cells), pa.time32("s")),
        "category": pa.array(cells, pa.string()).dictionary_encode(),
        "map": pa.array([[("x", number)]] * len(cells), pa.map_(pa.string(), pa.float64())),
        "half": pa.array(np.full(len(cells), number, np.float16)),
    }
    return odd[str(rng.choice(list(odd)))]


def spoil_bytes(rng: np.random.Generator, data: bytes) -> bytes:
    """Cut, flip, insert or repeat some bytes."""
    if not data:
        return data
    at, style = int(rng.integers(len(data))), rng.integers(0, 5)
    if style == 0:
        return data[:at]
    if style == 1:
        return data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]
    if style == 2:
        return data[:at] + rng.bytes(int(rng.integers(1, 5))) + data[at:]
    if style == 3:
        size = int(rng.integers(1, 30))
        return data[:at] + data[at : at + size] * 2 + data[at + size :]
    return (
        data[:at] + bytes(rng.choice([b'"', b"\n", b"\r", b"\x00", b",", b"\xff\xfe"])) + data[at:]
    )


def some_options(rng: np.random.Generator, header: list[str]) -> dict[str, object]:
    """Draw none or some options of the reader, sensible or not."""
    if rng.random() < 0.7:
        return {}
    choices: dict[str, list[object]] = {
        "lower_is_better": [True, False],
        "dnf": ["worst+1", "worst+0", "worst+x", "best", ""],
        "duplicates": ["best", "first", "last", "mean", "error", "none"],
        "pairs": ["unit", "mean"],
        "delimiter": [",", ";", "\t", "", "ab", "\x00"],
        "encoding": [
            "utf-8",
            "latin-1",
            "utf-16",
            "utf-7",
            "hex",
            "rot13",
            "no such",
            "a\x00b",
            "",
        ],
        "score": [*header, "no such", ""],
        "date": ["date", "", "no such"],
        "contestant": [*header, ""],
        "weight": [*header, "no such"],
        "se": [*header, "w,y", ","],
        "study": [*header, "judge"],
        "on_error": ["skip", "stop", "ignore"],
        "wide": ["rows", "columns", "no such", ""],
        "grades": ["A>>B=3,A>B=1,A=B=0", "tie=0", "tie", "=", "tie=x", "A>B=1,A>B=2"],
        "scale": ["log", "sd", "mad", "range", "rank", "no such"],
        "where": ["runner = 'Ann'", "time > 3", "1 = 1", "no_such = 1", "; DROP", "1 = 0", ""],
        "left_out": ["fast,DNF", ",", ""],
    }
    names = rng.choice(list(choices), int(rng.integers(1, 3)), replace=False).tolist()
    return {name: choices[name][int(rng.integers(len(choices[name])))] for name in names}


@contextmanager
def no_warnings() -> Iterator[None]:
    """Take a warning, which a terminal would show, for an exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def check(case: Case) -> None:
    """Read it: rows are accounted for and numbers are numbers, or it is refused in our words."""
    form = case["what"]
    suffix = form.replace("semicolon", "csv").replace("pipe", "csv")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"table.{suffix}")
        path.write_bytes(base64.b64decode(case["data"]))
        if case.get("command"):
            check_manners(command(["rank", str(path), "--no-intervals"], Path(folder)), form)
            return
        try:
            with no_warnings(), warm_database() if case.get("warm") else nullcontext():
                table = qrja.read_table(path, **case["options"])
        except Exception as error:
            named = "encoding" in case["options"] and isinstance(error, LookupError | ValueError)
            only_ours(error, f"a table ({'its encoding' if named else form})")
            return
    check_table(table, form)


def check_table(table: qrja.Table, form: str) -> None:
    """Every row is used, which the data show, or left out; and every number is finite."""
    summary, problem = table.summary, table.problem
    if summary.rows != summary.used + sum(group.count for group in summary.left_out):
        raise Failure(f"rows lost in {form}", summary)
    entries = len(problem.score) if isinstance(problem, qrja.Contests) else len(problem.y)
    means = table.reading.get("duplicates") == "mean" or any(
        "their mean is taken" in note for note in summary.notes
    )
    merged = means and entries < summary.used
    added = "study" in table.reading and entries > summary.used  # contrasts that follow
    paired = any("between entrants, weighed" in note for note in summary.notes)  # errors of scores
    if entries not in (summary.used, 2 * summary.used) and not (merged or added or paired):
        raise Failure(f"rows used are not in the data of {form}", f"{entries}: {summary}")
    columns = (
        [problem.score, problem.weight]
        if isinstance(problem, qrja.Contests)
        else [problem.y, problem.w]
    )
    if not all(np.isfinite(column).all() for column in columns):
        raise Failure(f"not a number out of {form}", columns)


def shrink(case: Case) -> Iterator[Case]:
    """Yield the table with fewer options, lines, bytes."""
    for option in case["options"]:
        yield {**case, "options": {k: v for k, v in case["options"].items() if k != option}}
    data = base64.b64decode(case["data"])
    if case["what"] == "parquet":
        return
    if case["what"].endswith(".gz"):
        try:
            yield {**case, "what": case["what"][:-3], "data": coded(gzip.decompress(data))}
        except (OSError, EOFError):
            return
        return
    for lines in fewer(data.splitlines(keepends=True)):
        yield {**case, "data": coded(b"".join(lines))}
    if len(data) < 3000:
        for shorter in fewer(data):
            yield {**case, "data": coded(shorter)}


def coded(data: bytes) -> str:
    """Write bytes as JSON can hold them."""
    return base64.b64encode(data).decode()


KIND = Kind(
    name="tables",
    about="CSV, TSV, JSON, Parquet, gzip, spoiled in cells, structure and bytes; some by commands",
    draw=draw,
    check=check,
    shrink=shrink,
    share=3.0,
    together=20,
    ordinary=80,
)
