"""Races that do not fit: in memory, by the local engine and by Spark, from Parquet to proof.

    python scale.py [--entries 1e6,1e7] [--engines memory,local,spark] [--p 2,1] [--folder DIR]
                    [--reuse] [--each 20]

Each measurement runs in a process of its own and is kept in results/scale.json at once, so that a
long run can be made in pieces; the table of docs/benchmarks.md is made of what is there, by

    python scale.py --page

Memory is that of all processes together, at its highest, and of one worker with all that it starts,
pages that processes share counted once (Pss of /proc). Shards do not depend on p: with ``--reuse``
they stay in the folder, and whoever comes next, with another p or after a run that was killed,
takes them; its time is that of staging as measured then and its own. Without it they are gone at
the end.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from harness import RESULTS, machine

FIELD = 100
"""Entrants of a race: 4,950 pairs."""
EACH = 20
"""Races of a contestant, on average."""
OLDER = "Where no load is told, an earlier version was measured, on a busy machine."
KEPT = RESULTS / "scale.json"
MASTER = "local-cluster[2,1,2048]"
ENGINES = ("memory", "local", "spark")


def make(folder: Path, entries: int, each: int = EACH) -> Path:
    """Write races as Parquet, a million rows a file, unless they are there."""
    import duckdb

    made = folder / (f"races-{entries}" + ("" if each == EACH else f"-{each}"))
    if (made / "done").exists():
        return made / "files"
    (made / "files").mkdir(parents=True, exist_ok=True)
    n, rng = max(entries // each, FIELD), np.random.default_rng(entries)
    strength = rng.normal(0, 300, n)
    with duckdb.connect() as database:
        for part, first in enumerate(range(0, entries // FIELD, 10_000)):
            races = min(10_000, entries // FIELD - first)
            race = np.repeat(np.arange(first, first + races, dtype=np.int32), FIELD)
            # Neighbours in a circle of strided steps: nobody is twice in a race.
            begin, step = rng.integers(0, n, races), 1 + rng.integers(0, max(n // FIELD, 1), races)
            who = (begin[:, None] + step[:, None] * np.arange(FIELD)) % n
            course = np.repeat(rng.normal(0, 200, races), FIELD)
            noise = 120 * rng.standard_t(4, len(race))
            points = np.round(4000 + strength[who.ravel()] + course + noise, 4)
            rows = {"race": race, "runner": who.ravel().astype(np.int32), "points": points}
            database.register("rows", rows)
            database.execute(
                # Keys as of a log: they and the points do not shrink to a few bits by a dictionary.
                "COPY (SELECT 'race ' || race AS race, printf('%016x', hash(runner)) AS runner,"
                " points"
                f" FROM rows) TO '{made / 'files' / f'part-{part:05d}.parquet'}' (FORMAT parquet)"
            )
    (made / "done").touch()
    return made / "files"


# ----------------------------------------------------------------------------- one measurement


def measure(files: str, engine: str, p: float, staging: str) -> dict[str, Any]:
    """Rate files, in this process; say how long it took and how good it is."""
    begin = time.perf_counter()
    import qrja

    if engine == "memory":
        ratings = qrja.fit(files, p=p)
        return _told(ratings, begin)
    from qrja.scale import ShardFiles, begin_spark

    if engine == "spark":
        os.environ["PYSPARK_SUBMIT_ARGS"] = (
            # Java and Python share what a worker may have.
            "--conf spark.driver.memory=2g --conf spark.executor.memory=768m"
            # Else the driver would pass over a million entries.
            " --conf spark.qrja.driver.entries=0"
            " --conf spark.ui.enabled=false --conf spark.log.level=OFF pyspark-shell"
        )
        begin_spark(MASTER)
    started = time.perf_counter()
    ratings = qrja.fit(files, engine=engine, p=p, staging=staging, progress=_say)
    told = _told(ratings, begin)
    shards = ShardFiles.open(Path(staging))
    size = sum(Path(path).stat().st_size for path in shards.paths)
    again = time.perf_counter()
    shards.fold(int, _nothing, max)
    reading = time.perf_counter() - again
    told["start"] = started - begin
    told["staging"] = told["seconds"] - told["start"] - told["solving"]
    return told | {"shard bytes": size, "one reading": reading}


def _say(told: Any) -> None:
    print(told, file=sys.stderr, flush=True)


def _nothing(state: int, shard: Any) -> int:
    return state


def _told(ratings: Any, begin: float) -> dict[str, Any]:
    solution = ratings.solution
    return {
        "seconds": time.perf_counter() - begin,
        "solving": solution.seconds,
        "passes": solution.iterations,
        "gap": solution.gap,
        "objective": solution.objective,
        "contestants": len(solution.x),
        "entries": ratings.problem.entries,
    }


class Seen(NamedTuple):
    """One process: its parent, its bytes of memory, its seconds of the processor, its command."""

    parent: int
    bytes: int
    seconds: float
    command: bytes


class Watch:
    """Memory and time of a group of processes, looked at twice a second."""

    def __init__(self, session: int, staging: Path, staged: Path) -> None:
        self.session, self.most = session, 0
        self.worker, self.java = 0, 0
        self.staged, self._manifest = 0.0, staging / "manifest.json"
        self._told, self._begin = staged, time.perf_counter()
        self._seconds: dict[int, float] = {}
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._done.wait(0.5):
            seen = self._processes()
            self._seconds |= {pid: one.seconds for pid, one in seen.items()}
            if not self.staged and self._manifest.exists():
                self.staged = sum(self._seconds.values())
                if not self._told.exists():
                    spent = time.perf_counter() - self._begin
                    told = {"seconds": spent, "cpu": self.staged}
                    self._told.write_text(json.dumps(told), encoding="utf-8")
            self.most = max(self.most, sum(one.bytes for one in seen.values()))
            for pid, one in seen.items():
                if b"CoarseGrainedExecutorBackend" in one.command:
                    size = _bytes_below(seen, pid)
                    if size > self.worker:
                        self.worker, self.java = size, one.bytes

    def _processes(self) -> dict[int, Seen]:
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            try:
                stat = (place / "stat").read_text().rpartition(")")[2].split()
                if int(stat[3]) != self.session:
                    continue
                ticks = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
                size = _bytes_of(place)
                command = (place / "cmdline").read_bytes()
                found[int(place.name)] = Seen(int(stat[1]), size, ticks, command)
            except (OSError, IndexError):
                continue
        return found

    def stop(self) -> dict[str, float]:
        """Return what was seen."""
        self._done.set()
        self._thread.join()
        told = {"memory": self.most, "cpu": sum(self._seconds.values()), "staging cpu": self.staged}
        return told | ({"worker": self.worker, "java": self.java} if self.worker else {})


def _bytes_of(place: Path) -> int:
    """Return the memory of a process, its share of what several have."""
    for line in (place / "smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    return 0


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _bytes_below(seen: dict[int, Seen], pid: int) -> int:
    children = [it for it, one in seen.items() if one.parent == pid]
    return seen[pid].bytes + sum(_bytes_below(seen, child) for child in children)


def run_one(files: Path, engine: str, p: float, staging: Path, staged: Path) -> dict[str, Any]:
    """Measure in a process of its own, and watch it."""
    command = [sys.executable, __file__, "--measure", str(files), engine, str(p), str(staging)]
    log = files.parent / f"log-{engine}-{p:g}"
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        )
        before = _seconds_of_children()
        watch = Watch(process.pid, staging, staged)
        out, _ = process.communicate()
    seen = watch.stop()
    seen["load"] = os.getloadavg()[0]
    # What ended between two looks is known of those that were waited for.
    seen["cpu"] = max(seen["cpu"], _seconds_of_children() - before)
    if process.returncode:
        raise SystemExit(f"{engine}, p = {p:g}: {log.read_text(encoding='utf-8')[-2000:]}")
    return json.loads(out.splitlines()[-1]) | seen


# ------------------------------------------------------------------------------------ the page


def section(kept: dict[str, Any]) -> str:
    """Write what was measured as a part of a page."""
    order = ("each", "p", "asked", "engine")
    rows = sorted(kept["rows"], key=lambda row: [row[name] for name in order])
    lines = [
        "## Past one memory\n",
        f"Races of {FIELD} from Parquet to proof, reading included",
        f"({kept['machine']}), by `benchmarks/scale.py`. Spark has two workers of a core each on",
        "the same machine; starting them is part of its time. In memory p = 1 is exact; engines go",
        "to a gap of 5e-3. Shards do not depend on p: where p = 1 took those of p = 2 (marked) the",
        "staging that is counted is that one. CPU is what all processes took of the processors",
        "together; half of it is what a machine with nothing else to do needs at least: seconds",
        "beyond that are those of other work on this one. The limit is what reading the shards",
        "once for each pass takes, with nothing computed. Memory is that of all processes, and of",
        "one worker of Spark at its highest: its virtual machine of Java (in brackets), whose heap",
        "may take 768 MB, and its processes of Python, shared pages counted once. Spark is told to",
        "let workers make all passes. The ratio is that in CPU to the engine before, local to",
        "memory and Spark to local, where the machine was as busy.\n",
        "| entries | contestants | p | engine | s | CPU, s | staging, s | passes | gap |"
        " memory, GB | a worker, GB | limit, s | ratio | load |",
        "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        limit = f"{row['passes'] * row['one reading']:.0f}" if "one reading" in row else ""
        staging = f"{row['reused']:.0f} (of p = 2)" if "reused" in row else ""
        if "staging" in row and not staging:
            staging = f"{row['staging']:.0f}"
        passes = str(row["passes"]) if "staging" in row else ""
        worker = f"{row['worker'] / 1e9:.1f}" if "worker" in row else ""
        if "java" in row:
            worker += f" ({row['java'] / 1e9:.1f})"
        lines.append(
            f"| {row['asked']:.0e} | {row['contestants']:.0e} | {row['p']:g} |"
            f" {row['engine']} |"
            f" {row['seconds']:.1f} |"
            f" {row['cpu']:.0f} | {staging} | {passes} | {row['gap']:.1e} |"
            f" {row['memory'] / 1e9:.1f} | {worker} | {limit} | {_ratio(rows, row)} |"
            + (f" {row['load']:.0f} |" if "load" in row else "  |")
        )
    grown = [told for engine in ENGINES for p in (2, 1) if (told := _growth(rows, engine, p))]
    if grown:
        lines += ["", "CPU grows with the entries to the power of " + ", ".join(grown) + "."]
    if not all("load" in row for row in rows):
        lines += ["", OLDER]
    return "\n".join([*lines, ""])


def _find(rows: list[dict[str, Any]], **wanted: Any) -> list[dict[str, Any]]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether two rows may be compared: both were measured on a busy machine, or none."""
    return ("load" in one) == ("load" in other)


def _ratio(rows: list[dict[str, Any]], row: dict[str, Any]) -> str:
    at = ENGINES.index(row["engine"])
    same = {name: row[name] for name in ("asked", "each", "p")}
    before = _find(rows, **same, engine=ENGINES[at - 1]) if at else []
    return f"{row['cpu'] / before[0]['cpu']:.1f}" if before and _alike(row, before[0]) else ""


def _growth(rows: list[dict[str, Any]], engine: str, p: float) -> str:
    some = sorted(_find(rows, engine=engine, p=p, each=EACH), key=lambda row: row["asked"])
    if len(some) < 2 or not _alike(some[0], some[-1]):
        return ""
    first, last = some[0], some[-1]
    power = math.log(last["cpu"] / first["cpu"]) / math.log(last["asked"] / first["asked"])
    return f"{power:.2f} ({engine}, p = {p:g}, {first['asked']:.0e} to {last['asked']:.0e})"


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        files, engine, p, staging = sys.argv[2:]
        print(json.dumps(measure(files, engine, float(p), staging)))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", default="1e6,1e7")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--p", default="2,1")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "qrja-scale")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--each", type=int, default=EACH, help="races of a contestant")
    parser.add_argument("--page", action="store_true", help="only write the table")
    asked = parser.parse_args()
    if asked.page:
        write_page()
        return
    for entries in (int(float(it)) for it in asked.entries.split(",")):
        files = make(asked.folder, entries, asked.each)
        for engine in asked.engines.split(","):
            for p in map(float, asked.p.split(",")):
                keep(
                    {"asked": entries, "each": asked.each, "p": p, "engine": engine}
                    | rate(files, engine, p, reuse=asked.reuse)
                )


def rate(files: Path, engine: str, p: float, *, reuse: bool) -> dict[str, Any]:
    """Measure one case, with the shards that are there if they may be used."""
    place = files.parent / f"shards-{engine}"
    staged = files.parent / f"staged-{engine}.json"
    if not reuse or not (place / "manifest.json").exists():
        shutil.rmtree(place, ignore_errors=True)
        staged.unlink(missing_ok=True)
    known = json.loads(staged.read_text(encoding="utf-8")) if staged.exists() else None
    told = run_one(files, engine, p, place, staged)
    if known is not None:
        # What was spent then is in the place of what it takes to find the shards.
        spent = known["seconds"] - told["start"]
        told["seconds"] += spent - told["staging"]
        told["cpu"] += known["cpu"] - told["staging cpu"]
        told["reused"] = spent
    if not reuse:
        shutil.rmtree(place, ignore_errors=True)
    return told


def write_page() -> None:
    """Put the table into the page in the place of the older one."""
    page = RESULTS.parents[1] / "docs" / "benchmarks.md"
    text = page.read_text(encoding="utf-8")
    new = section(json.loads(KEPT.read_text(encoding="utf-8")))
    head = new.splitlines()[0]
    before, _, after = text.partition(head)
    rest = after.partition("\n## ")
    page.write_text(f"{before}{new}\n## {rest[2]}" if rest[1] else before + new, encoding="utf-8")


def keep(told: dict[str, Any]) -> None:
    """Put a measurement in the place of an older one of the same."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {"rows": []}
    same = ("asked", "each", "p", "engine")
    others = [row for row in kept["rows"] if any(row[name] != told[name] for name in same)]
    text = json.dumps({"machine": machine(), "rows": [*others, told]}, indent=1)
    KEPT.write_text(text + "\n", encoding="utf-8")
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
