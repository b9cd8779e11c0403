"""The paper's main experiment as a user runs it, `qrja paper run`: python run.py paper.

It is run in five parts, one after the other, each in as many processes as there are cores; a row
adds up the parts that it is about. The last row is what the paper reports of all its experiments,
for comparison: it was not measured here.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

from harness import OURS, Row
from problems import PAPER, has_paper

WORK = "paper, main experiment"
SMALL = ("chess", "f1", "marathon", "cross-tables")
LARGE = ("codeforces", "f1-full", "codeforces-core")
QRJA = "qrja-l1,qrja-l2"
OTHERS = "median,mean,borda,mf-rank1,mf-rank2,mf-rank5,mf-additive"
PARTS = (
    (SMALL, QRJA),
    (LARGE, QRJA),
    (SMALL, OTHERS),
    (LARGE, OTHERS),
    (SMALL + LARGE, "kemeny-young"),
)
ROWS = {
    "QRJA l1 and l2, all seven sets": (0, 1),
    f"{', '.join(SMALL)}, without Kemeny-Young": (0, 2),
    "all seven sets, without Kemeny-Young": (0, 1, 2, 3),
    "all seven sets, all ten methods": (0, 1, 2, 3, 4),
}
AUTHORS = 14 * 24 * 3600.0


@dataclass(frozen=True)
class Cost:
    """Wall-clock and processor seconds of a part, and the peak of one process in MB."""

    wall: float
    processor: float
    peak: float


def rows() -> Iterator[Row]:
    if not has_paper():
        return
    with tempfile.TemporaryDirectory() as out:
        costs = [run(out, *part) for part in PARTS]
    for problem, parts in ROWS.items():
        chosen = [costs[part] for part in parts]
        processor = sum(cost.processor for cost in chosen)
        peak = max(cost.peak for cost in chosen)
        note = f"fair rules; processor {processor:.0f} s, peak {peak:.0f} MB a process"
        yield Row(WORK, problem, OURS, sum(cost.wall for cost in chosen), "", note)
    yield Row(
        "paper, every experiment",
        "all seven sets",
        "authors, 56 cores",
        AUTHORS,
        "",
        "two weeks, as the paper reports",
    )


def run(out: str, datasets: tuple[str, ...], rankers: str) -> Cost:
    """Run one part and see what it costs."""
    command = [sys.executable, "-m", "qrja", "paper", "run", "--quiet", "--data", str(PAPER)]
    command += ["--out", out, "--rules", "fair", "--rankers", rankers]
    command += [word for name in datasets for word in ("--dataset", name)]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, processor, after.ru_maxrss / 1024)
