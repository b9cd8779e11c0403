"""Reading a CSV of a million entries, against pandas and polars: python read_csv.py [ROWS].

Two layouts: the fewest columns (contest, contestant, score), and that of published results
(contest, event, place, contestant, score). The peers only parse; qrja also numbers the names,
groups the entries by contest and checks them. "names numbered" adds the first of these to pandas.
Every reader runs in a process of its own, which reports the wall-clock and processor seconds of a
read and the peak of its memory; the turns alternate.
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

import numpy as np

from harness import OURS, Row

ENTRIES = 10**6
PER_CONTEST = 50
ROUNDS, READS = 3, 5
NUMBERED = "pandas, names numbered"
READERS = [OURS, "pandas", "polars", NUMBERED]
LAYOUTS = {"3 columns": False, "5 columns": True}


def write_csv(path: Path, entries: int, wide: bool) -> None:
    """Write synthetic races; nobody is in a race twice."""
    rng = np.random.default_rng(0)
    field = 50_000
    with path.open("w", encoding="utf-8") as file:
        file.write(
            "contest,event,place,contestant,score\n" if wide else "contest,contestant,score\n"
        )
        for race in range(entries // PER_CONTEST):
            who = rng.choice(field, PER_CONTEST, replace=False)
            scores = np.sort(rng.normal(3000, 200, PER_CONTEST))[::-1]
            for place, (k, score) in enumerate(zip(who.tolist(), scores.tolist(), strict=True), 1):
                if wide:
                    event = f'"City Race {race % 40}, edition {race // 40}"'
                    file.write(f"{race + 1},{event},{place},Runner Number-{k},{score:.1f}\n")
                else:
                    file.write(f"race {race},runner {k},{score:.2f}\n")


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
    """Print the seconds of each read after the first, and the peak memory in MB."""
    read = reader_called(reader)
    read(path)
    for _ in range(READS):
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


def measure_readers(path: Path) -> dict[str, tuple[float, float, float]]:
    """Return the median wall-clock and processor seconds, and the peak MB, of each reader."""
    reads: dict[str, list[tuple[float, float]]] = {reader: [] for reader in READERS}
    peak = dict.fromkeys(READERS, 0.0)
    for _ in range(ROUNDS):
        for reader in READERS:
            measured, memory = in_a_process(reader, path)
            reads[reader] += measured
            peak[reader] = max(peak[reader], memory)
    return {
        reader: (
            statistics.median(wall for wall, _ in measured),
            statistics.median(cpu for _, cpu in measured),
            peak[reader],
        )
        for reader, measured in reads.items()
    }


def rows(entries: int = ENTRIES) -> Iterator[Row]:
    for layout, wide in LAYOUTS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "races.csv")
            write_csv(path, entries, wide)
            size = path.stat().st_size / 2**20
            measured = measure_readers(path)
        work, problem = f"read a CSV of {entries:,} entries", f"{layout}, {size:.0f} MB"
        ours = measured[OURS]
        for reader, (wall, cpu, peak) in measured.items():
            ratio = f"; qrja takes {ours[0] / wall:.1f} x (processor {ours[1] / cpu:.1f} x)"
            note = f"processor {cpu:.2f} s, peak {peak:.0f} MB{ratio if reader != OURS else ''}"
            yield Row(work, problem, reader, wall, "", note)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        read_repeatedly(*sys.argv[2:])
    else:
        for row in rows(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES):
            print(f"{row.work}, {row.problem:18} {row.solver:22} {row.seconds:6.3f} s; {row.note}")
