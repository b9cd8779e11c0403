"""Resources: large problems of shapes that hurt, with limits of time and memory."""

from __future__ import annotations

import gzip
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind

SECONDS, MEMORY = 40, 12 * 2**30
"""Of the processor, with the building of the problem; of memory, in bytes."""
LONGER = {
    "5,000,000 rows": 150,
    "5,000,000 rows, p = 1": 600,
    "5,000,000 rows, p = 0.5": 600,
    "grid of 100 by 100, p = 0.5": 200,
}
"""Seconds for what is simply large, by shape or by case: a ring of 100,000, a search for local
optima among 19,800 judgments."""
SHAPES: dict[str, Callable[[], Any]] = {}


def shape(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Name a shape."""

    def register(build: Callable[[], Any]) -> Callable[[], Any]:
        SHAPES[name] = build
        return build

    return register


@shape("one contest of 500,000")
def _contest() -> Any:
    return _contests(np.zeros(500_000, int), np.arange(500_000))


@shape("two contests of 50,000")
def _two() -> Any:
    return _contests(np.repeat([0, 1], 50_000), np.tile(np.arange(50_000), 2))


@shape("path of 1,000,000")
def _path() -> Any:
    return _judgments(np.arange(999_999), np.arange(1, 1_000_000))


@shape("star of 1,000,000")
def _star() -> Any:
    return _judgments(np.zeros(999_999, int), np.arange(1, 1_000_000))


@shape("grid of 100 by 100")
def _grid() -> Any:
    node = np.arange(10_000).reshape(100, 100)
    a = np.concatenate([node[:, :-1].ravel(), node[:-1].ravel()])
    b = np.concatenate([node[:, 1:].ravel(), node[1:].ravel()])
    return _judgments(a, b)


@shape("5,000,000 rows")
def _rows() -> Any:
    contest = np.repeat(np.arange(500_000), 10)
    start = np.random.default_rng(0).integers(0, 100_000, 500_000)
    return _contests(contest, (np.repeat(start, 10) + np.tile(np.arange(10), 500_000)) % 100_000)


def _contests(contest: np.ndarray, who: np.ndarray) -> qrja.Contests:
    score = np.random.default_rng(1).normal(size=len(who)).round(3)
    return qrja.Contests.from_arrays(contest.tolist(), who.tolist(), score)


def _judgments(a: np.ndarray, b: np.ndarray) -> qrja.Judgments:
    y = np.random.default_rng(1).normal(size=len(a)).round(3)
    return qrja.Judgments(a, b, y, np.ones(len(a)), tuple(range(int(max(a.max(), b.max())) + 1)))


POWERS = ("1", "2", "1.5", "inf", "3", "0.5")
TABLES: dict[str, Callable[[Path], Any]] = {}


def reading(name: str) -> Callable[[Callable[[Path], Any]], Callable[[Path], Any]]:
    """Name a large table: what it builds in a folder is a function that reads it."""

    def register(build: Callable[[Path], Any]) -> Callable[[Path], Any]:
        TABLES[f"reading {name}"] = build
        return build

    return register


def _write(path: Path, rows: int, last: str = "") -> Path:
    with path.open("w") as file:
        file.write("race,runner,score\n")
        file.writelines(f"R{i // 10},P{i % 99991},{i * 31 % 1000}\n" for i in range(rows))
        file.write(last)
    return path


@reading("5,000,000 rows")
def _plain(folder: Path) -> Callable[[], Any]:
    path = _write(folder / "races.csv", 5_000_000)
    return lambda: qrja.read_table(path)


@reading("5,000,000 rows, gzip")
def _packed(folder: Path) -> Callable[[], Any]:
    plain, path = _write(folder / "races.csv", 5_000_000), folder / "races.csv.gz"
    with plain.open("rb") as file, gzip.open(path, "wb", 1) as packed:
        shutil.copyfileobj(file, packed)
    return lambda: qrja.read_table(path)


@reading("5,000,000 rows, the last one wrong")
def _spoiled(folder: Path) -> Callable[[], Any]:
    path = _write(folder / "races.csv", 5_000_000, "R0,Zoe,fast\n")
    return lambda: _refused(path)


@reading("1,000,000 JSON lines")
def _json_lines(folder: Path) -> Callable[[], Any]:
    path = folder / "races.jsonl"
    line = '{{"race": "R{}", "runner": "P{}", "score": {}}}\n'
    with path.open("w") as file:
        file.writelines(line.format(i // 10, i % 99991, i * 31 % 1000) for i in range(10**6))
    return lambda: qrja.read_table(path)


@reading("5,000,000 rows of Parquet")
def _parquet(folder: Path) -> Callable[[], Any]:
    import pyarrow.csv
    import pyarrow.parquet

    path = folder / "races.parquet"
    table = pyarrow.csv.read_csv(_write(folder / "races.csv", 5_000_000))
    pyarrow.parquet.write_table(table, path)
    return lambda: qrja.read_table(path)


@reading("20,000 columns")
def _wide(folder: Path) -> Callable[[], Any]:
    path = folder / "races.csv"
    head = ",".join(["race", "runner", "score", *(f"c{i}" for i in range(19_997))])
    rows = [f"A,x{k},{k}" + ",1" * 19_997 for k in range(20)]
    path.write_text("\n".join([head, *rows]))
    return lambda: qrja.read_table(path)


def _refused(path: Path) -> None:
    try:
        qrja.read_table(path)
    except qrja.InputError as error:
        if "races.csv:5000002: 'fast'" in str(error):
            return
    raise Failure("the last row is not named", path)


CASES = [{"what": f"{name}, p = {p}", "shape": name, "p": p} for name in SHAPES for p in POWERS] + [
    {"what": name, "shape": "table"} for name in TABLES
]


def check(case: Case) -> dict[str, Any]:
    """Solve it in a child of limited memory; return time, memory and status."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.write(write, _try(case).encode())
        os._exit(0)
    os.close(write)
    status, seconds, memory = _watch(child, read, allowed(case))
    figures = {
        "what": case["what"],
        "status": status,
        "seconds": round(seconds, 1),
        "megabytes": memory,
    }
    if status not in ("local" if case.get("p") == "0.5" else "optimal", "read", "refused"):
        raise Failure(f"{status}: {case['what']}", figures, figures)
    return figures


def allowed(case: Case) -> float:
    """Return the seconds that a case may take."""
    return LONGER.get(case["what"], LONGER.get(case["shape"], SECONDS))


def _try(case: Case) -> str:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        if case["shape"] == "table":
            return _read(TABLES[case["what"]])
        problem = SHAPES[case["shape"]]()
        begun = time.process_time()
        status = str(qrja.solve(problem, p=float(case["p"])).status)
        return f"{status} {time.process_time() - begun}"
    except qrja.QRJAError:
        return "refused 0"
    except MemoryError:
        return "out-of-memory 0"
    except Exception as error:
        return f"{type(error).__name__} 0"


def _read(build: Callable[[Path], Any]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        read = build(Path(folder))
        begun = time.process_time()
        read()
        return f"read {time.process_time() - begun}"


def _watch(child: int, read: int, most: float) -> tuple[str, float, int]:
    """Wait for a child as long as its processor time allows; return status, seconds, megabytes."""
    while True:
        pid, _, usage = os.wait4(child, os.WNOHANG)
        if pid:
            told = os.read(read, 1000).decode().split()
            os.close(read)
            memory = usage.ru_maxrss // 1024
            return (told[0], float(told[1]), memory) if told else ("dead", 0.0, memory)
        fields = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
        spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if spent > most:
            os.kill(child, 9)
            _, _, usage = os.wait4(child, 0)
            os.close(read)
            return "slow", spent, usage.ru_maxrss // 1024
        time.sleep(0.05)


KIND = Kind(
    name="resources",
    about="large problems: time, memory, status",
    listed=tuple(CASES),
    check=check,
    limit=3600.0,
    share=3.0,
    forks=True,
)
