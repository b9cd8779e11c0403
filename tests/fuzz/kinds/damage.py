"""Damage: a bit flipped or the end cut off. The same data come out, or the file is refused."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours

MODELS = ["terms.qrja", "drift.qrja", "contexts.qrja", "parts.qrja"]
"""Saved files of models that keep more than scores."""
CHECKED = ["csv.gz", "jsonl.gz", "contests.qrja", "judgments.qrja", *MODELS]
"""What has a checksum: there, no damage may go unnoticed. Parquet files have none."""
STORED = ["stored.csv.gz", "stored.jsonl.gz"]
"""Packed without being made smaller: a bit is the same bit of the table by any zlib."""


def draw(rng: np.random.Generator) -> Case:
    """Draw a file and a bit of it; the bit counts modulo the length."""
    what = str(rng.choice([*CHECKED, *CHECKED[2:4], *STORED, "parquet"]))
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
    asked: dict[str, Any] = {"p": 1}
    if what in MODELS:
        data, asked = _modelled(what)
    elif what == "contests.qrja":
        dates = np.repeat(["2026-01-01", "2026-02-01", "2026-03-01"], 3)
        data: Any = qrja.Contests.from_arrays("AAABBBCCC", "abcbcdabd", range(9), date=dates)
    else:
        data = qrja.Judgments.from_arrays("abca", "bcad", [1, 2, 3, 4], judge="xyxy")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, what)
        ratings = qrja.fit(data, **asked)
        # How long it took is saved too: without it, the bytes are the same each time.
        replace(ratings, solution=replace(ratings.solution, seconds=0.0)).save(path)
        return path.read_bytes()


def _modelled(what: str) -> tuple[qrja.Contests, dict[str, Any]]:
    """Return matches with all that a model may ask for, and the model."""
    place = np.arange(40)
    who, other = place * 7919 % 5, place * 104729 % 4
    who = np.where(place % 2 == 1, (who[place - 1] + 1 + other) % 5, who)
    known = {
        "home": (place % 2 == 0) * 1.0,
        "rest": place * 31 % 7 * 1.0,
        "court": [f"court {it}" for it in place // 2 % 3],
        "coach": [f"coach {it}" for it in place * 13 % 4],
    }
    days = np.datetime64("2020-01-01") + place // 2 * 40
    data = qrja.Contests.from_arrays(
        place // 2, [f"P{it}" for it in who], place * 7919 % 101 / 10, days, covariates=known
    )
    return data, {
        "terms.qrja": {"home": True, "covariates": ["rest"], "covariate_ridge": {"rest": 2.0}},
        "drift.qrja": {"drift": "2 per year", "home": True},
        "contexts.qrja": {"per": "court"},
        "parts.qrja": {"parts": ["coach"], "home": True},
    }[what]


def check(case: Case) -> None:
    """Read the damaged file and compare; or files with each bit of a share damaged."""
    size = 8 * len(whole(case["what"]))
    if "share" not in case:
        check_one(case["what"], case["how"], case["at"] % size)
        return
    for at in range(case["share"], size, SHARES):
        check_one(case["what"], "flip", at)
        if at % 8 == 0:
            check_one(case["what"], "cut", at)


def check_one(what: str, how: str, at: int) -> None:
    """Read a file that is damaged at a bit."""
    data = bytearray(whole(what))
    if how == "flip":
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
        says = f"{how} at {at}"
        raise Failure(f"other data from a damaged {what.removeprefix('stored.')}", says)


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
    more = [_plain(it) for it in (solution.terms, solution.moved, solution.tied, solution.parts)]
    return f"{told(ratings.data)} {proof} {more} {solution.status} {ratings.model} {ratings.units}"


def _plain(value: Any) -> Any:
    """Return the numbers, texts and arrays within what a model has found."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if is_dataclass(value):
        return {it.name: _plain(getattr(value, it.name, None)) for it in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(it) for it in value]
    return value if isinstance(value, str | int | float) else None


def told(data: qrja.Contests | qrja.Judgments) -> str:
    """Return everything that a problem holds, as a text."""
    names = ("start", "who", "score", "weight", "a", "b", "y", "w", "judge", "date")
    columns = {name: getattr(data, name, None) for name in names}
    judges = getattr(data, "judges", None)
    arrays = {k: None if v is None else v.tolist() for k, v in columns.items()}
    known = [(it.name, it.levels, it.values.tolist()) for it in data.covariates]
    return repr((data.names, data.labels, judges, arrays, known))


SHARES = 61
"""Into how many cases all bits of a file are dealt: a prime, as bytes have 8."""
EVERY_BIT = Kind(
    name="bits",
    about=f"every bit of saved files flipped, every end cut off, {SHARES} cases each",
    listed=tuple({"what": what, "share": share} for what in CHECKED[2:] for share in range(SHARES)),
    check=check,
    limit=300.0,
)
KIND = Kind(
    name="damage",
    about="a bit flipped, or the end cut off, in gzip, Parquet and saved files",
    draw=draw,
    check=check,
    share=2.0,
    together=20,
    ordinary=30,
)
