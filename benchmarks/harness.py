"""What every benchmark shares: measured rows, written as CSV and as a table of the docs.

A row is one solver on one problem. Ratios are formed between rows of the same run only, and every
row stands beside the relative gap it reached: a fast wrong answer is no answer.
"""

from __future__ import annotations

import csv
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
RESULTS = Path(__file__).parent / "results"
OURS = "qrja"


@dataclass(frozen=True)
class Row:
    """One measurement."""

    work: str
    problem: str
    solver: str
    seconds: float
    gap: str
    note: str = ""


def measure(
    run: Callable[[], T],
    repeats: int = 5,
    budget: float = 5.0,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, T]:
    """Return the median seconds of some runs by a clock, fewer if they are long, and a result."""
    seconds: list[float] = []
    while len(seconds) < repeats and sum(seconds) < budget:
        begin = clock()
        result = run()
        seconds.append(clock() - begin)
    return statistics.median(seconds), result


def take_turns(runs: dict[str, Callable[[], T]], turns: int = 9) -> dict[str, tuple[float, T]]:
    """Return the median processor seconds of each, and a result; they run one after the other.

    Whatever else a machine does meanwhile then slows all of them down alike.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    found: dict[str, T] = {}
    for _ in range(turns):
        for name, run in runs.items():
            begin = time.process_time()
            found[name] = run()
            seconds[name].append(time.process_time() - begin)
    return {name: (statistics.median(seconds[name]), found[name]) for name in runs}


def write(name: str, rows: Iterable[Row]) -> None:
    """Write rows to ``results/<name>.csv``."""
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.csv").open("w", newline="") as file:
        out = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        out.writeheader()
        out.writerows({**asdict(row), "seconds": f"{row.seconds:.3g}"} for row in rows)


def read(name: str) -> list[Row]:
    """Read rows back."""
    with (RESULTS / f"{name}.csv").open(newline="") as file:
        return [Row(**{**row, "seconds": float(row["seconds"])}) for row in csv.DictReader(file)]


def table(rows: list[Row]) -> str:
    """Lay rows out as Markdown; a peer's column says how many times slower it was than qrja."""
    lines = [
        "| work | problem | solver | seconds | gap | times as long as qrja | |",
        "|---|---|---|---:|---:|---:|---|",
    ]
    for row in rows:
        ours = [
            it.seconds
            for it in rows
            if (it.work, it.problem, it.solver) == (row.work, row.problem, OURS)
        ]
        ratio = f"{row.seconds / ours[0]:.3g}" if ours and row.solver != OURS else ""
        cells = [row.work, row.problem, row.solver, f"{row.seconds:.3g}", row.gap, ratio, row.note]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def put(page: str, part: str, text: str) -> None:
    """Put what a script found into a page of the docs, between ``<!-- part -->`` and its end."""
    path = Path(__file__).parents[1] / "docs" / page
    begin, end = f"<!-- {part} -->\n", f"<!-- end of {part} -->\n"
    before, rest = path.read_text("utf-8").split(begin)
    after = rest.split(end)[1]
    path.write_text(f"{before}{begin}\n{text.strip()}\n\n{end}{after}", "utf-8")


def machine() -> str:
    """Name what the figures were measured on, without naming a host."""
    import os

    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores,"
        f" Python {platform.python_version()}"
    )
