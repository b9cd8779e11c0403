"""Damage: a bit flipped or the end cut off. The same data come out, or the file is refused."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours

CHECKED = ["csv.gz", "jsonl.gz", "contests.qrja", "judgments.qrja"]
"""What has a checksum: there, no damage may go unnoticed. Parquet files have none."""
STORED = ["stored.csv.gz", "stored.jsonl.gz"]
"""Packed without being made smaller: a bit is the same bit of the table by any zlib."""


def draw(rng: np.random.Generator) -> Case:
    """Draw a file and a bit of it; the bit counts modulo the length."""
    what = str(rng.choice([*CHECKED, *CHECKED[2:], *STORED, "parquet"]))
    return {
        "what": what,
        "how": str(rng.choice(["flip", "flip", "cut"])),
        "at": int(rng.integers(2**31)),
    }


@cache
def whole(what: str) -> bytes:
    """Return the file as it should be."""
    if what.endswith(".qrja"):
        return _saved(what)
    rows = [(f"R{i // 10}", f"P{i}", i * 7919 % 10007) for i in range(12000)]
    level = 0 if what in STORED else 1
    if what.endswith("csv.gz"):
        lines = [f"{race},{runner},{score}" for race, runner, score in rows]
        return gzip.compress("\n".join(["race,runner,score", *lines]).encode(), level, mtime=0)
    if what.endswith("jsonl.gz"):
        told = [{"race": race, "runner": runner, "score": score} for race, runner, score in rows]
        return gzip.compress("\n".join(map(json.dumps, told)).encode(), level, mtime=0)
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    columns = zip(*rows, strict=True)
    pq.write_table(pa.table(dict(zip(["race", "runner", "score"], columns, strict=True))), buffer)
    return buffer.getvalue()


def _saved(what: str) -> bytes:
    if what == "contests.qrja":
        dates = np.repeat(["2026-01-01", "2026-02-01", "2026-03-01"], 3)
        data: Any = qrja.Contests.from_arrays("AAABBBCCC", "abcbcdabd", range(9), date=dates)
    else:
        data = qrja.Judgments.from_arrays("abca", "bcad", [1, 2, 3, 4], judge="xyxy")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, what)
        ratings = qrja.fit(data, p=1)
        # How long it took is saved too: without it, the bytes are the same each time.
        replace(ratings, solution=replace(ratings.solution, seconds=0.0)).save(path)
        return path.read_bytes()


def check(case: Case) -> None:
    """Read the damaged file and compare."""
    what, data = case["what"], bytearray(whole(case["what"]))
    at = case["at"] % (8 * len(data))
    if case["how"] == "flip":
        data[at // 8] ^= 1 << (at % 8)
    else:
        del data[at // 8 :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"table.{what}")
        path.write_bytes(data)
        try:
            seen = content(path, what)
        except Exception as error:
            only_ours(error, f"a damaged {what.removeprefix('stored.')}")
            return
    if what != "parquet" and seen != sound(what):
        raise Failure(f"other data from a damaged {what.removeprefix('stored.')}", case)


@cache
def sound(what: str) -> str:
    """Return what the whole file holds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"table.{what}")
        path.write_bytes(whole(what))
        return content(path, what)


def content(path: Path, what: str) -> str:
    """Return everything that a file holds, as a text."""
    if not what.endswith(".qrja"):
        return told(qrja.read_table(path).problem)
    ratings = qrja.load(path)
    solution = ratings.solution
    proof = [solution.x.tolist(), solution.objective, solution.lower_bound, solution.gap]
    return f"{told(ratings.data)} {proof} {solution.status} {ratings.model} {ratings.units}"


def told(data: qrja.Contests | qrja.Judgments) -> str:
    """Return everything that a problem holds, as a text."""
    names = ("start", "who", "score", "weight", "a", "b", "y", "w", "judge", "date")
    columns = {name: getattr(data, name, None) for name in names}
    judges = getattr(data, "judges", None)
    arrays = {k: None if v is None else v.tolist() for k, v in columns.items()}
    return repr((data.names, data.labels, judges, arrays))


KIND = Kind(
    name="damage",
    about="a bit flipped, or the end cut off, in gzip, Parquet and saved files",
    draw=draw,
    check=check,
    share=2.0,
    together=20,
    ordinary=30,
)
