"""Reading a CSV of a million entries, against pandas and polars: python read_csv.py [ROWS].

Three layouts: the fewest columns (contest, contestant, score), these with rows in no order and
scores of all digits, and that of published results (contest, event, place, contestant, score). The
peers only parse; qrja also numbers the names, groups the entries by contest and checks them. "names
numbered" adds the first of these to pandas. Every reader runs in a process of its own and reports
the wall-clock and processor seconds of a read and the peak of its memory; the turns alternate. The
first read of a process is told apart: it loads what is loaded on first use.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from harness import OURS, Row

ENTRIES = 10**6
PER_CONTEST = 50
ROUNDS, READS = 3, 5
NUMBERED = "pandas, names numbered"
READERS = [OURS, "pandas", "polars", NUMBERED]
LAYOUTS = {
    "3 columns": ("contest,contestant,score", "race {race},runner {who},{score:.2f}"),
    "3 columns, in no order": ("contest,contestant,score", "race {race},runner {who},{score!r}"),
    "5 columns": (
        "contest,event,place,contestant,score",
        '{number},"City Race {city}, edition {edition}",{place},Runner Number-{who},{score:.1f}',
    ),
}
"""The header and the rows of each; those "in no order" are shuffled."""


def write_csv(path: Path, entries: int, layout: str) -> None:
    """Write synthetic races; nobody is in a race twice."""
    rng = np.random.default_rng(0)
    field = 50_000
    header, form = LAYOUTS[layout]
    rows = []
    for race in range(entries // PER_CONTEST):
        about = {"race": race, "number": race + 1, "city": race % 40, "edition": race // 40}
        who = rng.choice(field, PER_CONTEST, replace=False)
        scores = np.sort(rng.normal(3000, 200, PER_CONTEST))[::-1]
        rows += [
            form.format(place=place, who=k, score=score, **about)
            for place, (k, score) in enumerate(zip(who.tolist(), scores.tolist(), strict=True), 1)
        ]
    if layout.endswith("in no order"):
        rng.shuffle(rows)
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")


def reader_called(name: str) -> Callable[[str], object]:
    if name == OURS:
        from qrja import read_contests

        return read_contests
    if name == "polars":
        import polars

        return polars.read_csv
    import pandas

    if name == "pandas":
        return pandas.read_csv

    def read_and_number(path: str) -> object:
        frame = pandas.read_csv(path, usecols=["contest", "contestant", "score"])
        return [pandas.factorize(frame[name]) for name in ("contest", "contestant")]

    return read_and_number


def read_repeatedly(reader: str, path: str) -> None:
    """Print the seconds of each read, wall-clock and processor, and the peak memory in MB."""
    read = reader_called(reader)
    for _ in range(1 + READS):
        wall, processor = time.perf_counter(), time.process_time()
        read(path)
        print(time.perf_counter() - wall, time.process_time() - processor)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def in_a_process(reader: str, path: Path) -> tuple[list[tuple[float, float]], float]:
    done = subprocess.run(
        [sys.executable, __file__, "--child", reader, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    *reads, peak = done.stdout.splitlines()
    return [(float(wall), float(cpu)) for wall, cpu in map(str.split, reads)], float(peak)


class Measured(NamedTuple):
    """Medians of seconds, and the peak of memory in MB."""

    wall: float
    processor: float
    first: float
    peak: float


def measure_readers(path: Path) -> dict[str, Measured]:
    """Measure each reader, in turns."""
    reads: dict[str, list[tuple[float, float]]] = {reader: [] for reader in READERS}
    first: dict[str, list[float]] = {reader: [] for reader in READERS}
    peak = dict.fromkeys(READERS, 0.0)
    for _ in range(ROUNDS):
        for reader in READERS:
            measured, memory = in_a_process(reader, path)
            first[reader].append(measured[0][0])
            reads[reader] += measured[1:]
            peak[reader] = max(peak[reader], memory)
    return {
        reader: Measured(
            statistics.median(wall for wall, _ in measured),
            statistics.median(cpu for _, cpu in measured),
            statistics.median(first[reader]),
            peak[reader],
        )
        for reader, measured in reads.items()
    }


def rows(entries: int = ENTRIES) -> Iterator[Row]:
    for layout in LAYOUTS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "races.csv")
            write_csv(path, entries, layout)
            size = path.stat().st_size / 2**20
            measured = measure_readers(path)
        work, problem = f"read a CSV of {entries:,} entries", f"{layout}, {size:.0f} MB"
        ours = measured[OURS]
        for reader, (wall, processor, first, peak) in measured.items():
            ratio = f"; qrja takes {ours.wall / wall:.1f} x"
            note = (
                f"processor {processor:.2f} s, first read {first:.2f} s, peak {peak:.0f} MB"
                f"{ratio if reader != OURS else ''}"
            )
            yield Row(work, problem, reader, wall, "", note)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        read_repeatedly(*sys.argv[2:])
    else:
        for row in rows(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES):
            print(f"{row.work}, {row.problem:18} {row.solver:22} {row.seconds:6.3f} s; {row.note}")
