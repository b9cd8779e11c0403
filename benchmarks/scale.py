"""Races that do not fit: in memory, by the local engine and by Spark, from Parquet to proof.

    python scale.py [--entries 1e6,1e7] [--engines memory,local,spark] [--p 2,1] [--folder DIR]

Each measurement runs in a process of its own and is kept in results/scale.json at once, so that a
long run can be made in pieces; the table of docs/benchmarks.md is made of what is there. Memory is
that of all processes together, at its highest.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from harness import RESULTS, machine

FIELD = 100
"""Entrants of a race: 4,950 pairs."""
EACH = 20
"""Races of a contestant, on average."""
KEPT = RESULTS / "scale.json"
MASTER = "local-cluster[2,1,2048]"
ENGINES = ("memory", "local", "spark")


def make(folder: Path, entries: int) -> Path:
    """Write races as Parquet, a million rows a file, unless they are there."""
    import duckdb

    made = folder / f"races-{entries}"
    if (made / "done").exists():
        return made / "files"
    (made / "files").mkdir(parents=True, exist_ok=True)
    n, rng = max(entries // EACH, FIELD), np.random.default_rng(entries)
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
            points = np.round(4000 + strength[who.ravel()] + course + noise, 1)
            rows = {"race": race, "runner": who.ravel().astype(np.int32), "points": points}
            database.register("rows", rows)
            database.execute(
                "COPY (SELECT 'race ' || race AS race, 'runner ' || runner AS runner, points"
                f" FROM rows) TO '{made / 'files' / f'part-{part:05d}.parquet'}' (FORMAT parquet)"
            )
    (made / "done").touch()
    return made / "files"


# ----------------------------------------------------------------------------- one measurement


def measure(files: str, engine: str, p: float) -> dict[str, Any]:
    """Rate files, in this process; say how long it took and how good it is."""
    begin = time.perf_counter()
    import qrja

    if engine == "memory":
        ratings = qrja.fit(files, p=p)
        return _told(ratings, begin)
    from qrja.scale import ShardFiles, begin_spark

    if engine == "spark":
        os.environ["PYSPARK_SUBMIT_ARGS"] = (
            "--conf spark.driver.memory=2g --conf spark.executor.memory=1g"
            " --conf spark.ui.enabled=false --conf spark.log.level=OFF pyspark-shell"
        )
        begin_spark(MASTER)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=Path(files).parent) as staging:
        ratings = qrja.fit(files, engine=engine, p=p, staging=staging)
        told = _told(ratings, begin)
        shards = ShardFiles.open(Path(staging))
        size = sum(Path(path).stat().st_size for path in shards.paths)
        again = time.perf_counter()
        shards.fold(int, _nothing, max)
        reading = time.perf_counter() - again
    told["start"] = started - begin
    told["staging"] = told["seconds"] - told["start"] - told["solving"]
    return told | {"shard bytes": size, "one reading": reading}


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


class Watch:
    """The highest memory of a group of processes, looked at ten times a second."""

    def __init__(self, group: int) -> None:
        self.group, self.most, self._done = group, 0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._done.wait(0.1):
            self.most = max(self.most, sum(self._sizes()))

    def _sizes(self) -> list[int]:
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                stat = (place / "stat").read_text().rpartition(")")[2].split()
                if int(stat[3]) == self.group:  # its session
                    pages = int((place / "statm").read_text().split()[1])
                    found.append(pages * os.sysconf("SC_PAGE_SIZE"))
            except (OSError, IndexError):
                continue
        return found

    def stop(self) -> int:
        self._done.set()
        self._thread.join()
        return self.most


def run_one(files: Path, engine: str, p: float) -> dict[str, Any]:
    """Measure in a process of its own, and watch its memory."""
    command = [sys.executable, __file__, "--measure", str(files), engine, str(p)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    watch = Watch(process.pid)
    out, errors = process.communicate()
    most = watch.stop()
    if process.returncode:
        raise SystemExit(f"{engine}, p = {p:g}: {errors[-2000:]}")
    return json.loads(out.splitlines()[-1]) | {"memory": most}


# ------------------------------------------------------------------------------------ the page


def section(kept: dict[str, Any]) -> str:
    """Write what was measured as a part of a page."""
    rows = sorted(kept["rows"], key=lambda row: (row["p"], row["asked"], row["engine"]))
    lines = [
        "## Past one memory\n",
        f"Races of {FIELD} from Parquet to proof, reading included ({kept['machine']}), by",
        "`benchmarks/scale.py`. Spark has two workers of a core each on the same machine; starting",
        "them is part of its time. The limit is what reading the shards once for each pass takes,",
        "with nothing computed. The last column is the ratio in time to the engine before: local",
        "to memory, Spark to local.\n",
        "| entries | p | engine | s | staging, s | passes | gap | memory, GB | limit, s | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        limit = f"{row['passes'] * row['one reading']:.1f}" if "one reading" in row else ""
        staging = f"{row['staging']:.1f}" if "staging" in row else ""
        passes = str(row["passes"]) if "staging" in row else ""
        lines.append(
            f"| {row['asked']:.0e} | {row['p']:g} | {row['engine']} | {row['seconds']:.1f} |"
            f" {staging} | {passes} | {row['gap']:.1e} | {row['memory'] / 1e9:.1f} | {limit} |"
            f" {_ratio(rows, row)} |"
        )
    grown = [told for engine in ENGINES for p in (2, 1) if (told := _growth(rows, engine, p))]
    if grown:
        lines += ["", "Time grows with the entries to the power of " + ", ".join(grown) + "."]
    return "\n".join([*lines, ""])


def _find(rows: list[dict[str, Any]], **wanted: Any) -> list[dict[str, Any]]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def _ratio(rows: list[dict[str, Any]], row: dict[str, Any]) -> str:
    at = ENGINES.index(row["engine"])
    before = _find(rows, asked=row["asked"], p=row["p"], engine=ENGINES[at - 1]) if at else []
    return f"{row['seconds'] / before[0]['seconds']:.1f}" if before else ""


def _growth(rows: list[dict[str, Any]], engine: str, p: float) -> str:
    some = sorted(_find(rows, engine=engine, p=p), key=lambda row: row["asked"])
    if len(some) < 2:
        return ""
    first, last = some[0], some[-1]
    power = math.log(last["seconds"] / first["seconds"]) / math.log(last["asked"] / first["asked"])
    return f"{power:.2f} ({engine}, p = {p:g}, {first['asked']:.0e} to {last['asked']:.0e})"


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        files, engine, p = sys.argv[2:]
        print(json.dumps(measure(files, engine, float(p))))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", default="1e6,1e7")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--p", default="2,1")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "qrja-scale")
    asked = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {"rows": []}
    for entries in (int(float(it)) for it in asked.entries.split(",")):
        files = make(asked.folder, entries)
        for p in map(float, asked.p.split(",")):
            for engine in asked.engines.split(","):
                told = {"asked": entries, "p": p, "engine": engine, **run_one(files, engine, p)}
                others = [
                    row
                    for row in kept["rows"]
                    if any(row[name] != told[name] for name in ("asked", "p", "engine"))
                ]
                kept = {"machine": machine(), "rows": [*others, told]}
                KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
                print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
