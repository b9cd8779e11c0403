"""What the first call costs, and every later one: python first_call.py [--commands] [PEER ...].

CPU seconds of whole processes, from a copy of the package in which nothing is compiled; the least
of some repeats for warm calls. A PEER is a command line to time beside them in the same run, such
as ``"evalica -i matches.csv bradley-terry"``. With ``--commands`` every command is called for the
first time on files of 2,000 entries instead, for each p, and a table of that is written.
"""

from __future__ import annotations

import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import qrja

POWERS = ("2", "1", "1.5", "3", "inf")
REPEATS = 5
PATIENCE = 60
"""Seconds after which a call is given up."""
COMMANDS = {
    "rank": ["rank", "FILE"],
    "predict": ["predict", "FILE", "--start-list", "c1,c2,c3"],
    "explain": ["explain", "FILE", "c1", "c2"],
    "trust": ["trust", "FILE"],
    "suggest": ["suggest", "FILE"],
    "report": ["report", "FILE", "--out", "OUT"],
}


def write_races(path: Path, races: int, field: int, runners: int) -> Path:
    rng = np.random.default_rng(0)
    lines = ["contest,contestant,score"]
    for race in range(races):
        entrants = rng.choice(runners, field, replace=False)
        scores = 3 * rng.standard_normal(field) + entrants / 20
        lines += [f"r{race},c{a},{s:.3f}" for a, s in zip(entrants, scores, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


def cpu_seconds(command: list[str], package: Path | None = None) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    where = {} if package is None else {"PYTHONPATH": str(package)}
    environment = {"PATH": "/usr/bin:/bin", **where}
    # A limit of the processor's time and not of the clock: other work may be going on.
    limit = f"ulimit -t {PATIENCE}; exec {shlex.join(command)}"
    subprocess.run(["bash", "-c", limit], env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def forget(package: Path) -> None:
    """Remove what was compiled."""
    for kept in package.rglob("*.nb[ic]"):
        kept.unlink()


def time_commands(package: Path, folder: Path) -> None:
    """Write a table of first calls: a row for each command and file, a column for each p."""
    files = {
        "40 races of 50": write_races(folder / "races.csv", 40, 50, 200),
        "1,000 matches": write_races(folder / "matches.csv", 1000, 2, 100),
    }
    cpu_seconds([sys.executable, "-m", "qrja", "--version"], package)
    print("| command | file |" + "".join(f" p = {p} |" for p in POWERS))
    print("|---|---|" + "---|" * len(POWERS))
    for command, words in COMMANDS.items():
        for called, file in files.items():
            places = {"FILE": str(file), "OUT": str(folder / "page.html")}
            cells = []
            for p in POWERS:
                forget(package)
                typed = [places.get(word, word) for word in words]
                try:
                    taken = cpu_seconds([sys.executable, "-m", "qrja", *typed, "--p", p], package)
                    compiled = any(package.rglob("*.nbi"))
                    cells.append(f" {taken:.1f}{', compiles' if compiled else ''} |")
                except subprocess.CalledProcessError as failed:
                    # A command that was stopped is not one that declines, with a sentence.
                    stopped = failed.returncode < 0 or failed.returncode > 128
                    cells.append(f" over {PATIENCE} |" if stopped else " declined |")
            print(f"| {command} | {called} |" + "".join(cells), flush=True)


def main(peers: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "package"
        ignored = shutil.ignore_patterns("*.nbi", "*.nbc")
        shutil.copytree(Path(qrja.__file__).parent, package / "qrja", ignore=ignored)
        if "--commands" in peers:
            time_commands(package, Path(folder))
            return
        files = [
            write_races(Path(folder) / name, *sizes)
            for name, sizes in {
                "few.csv": (3, 3, 4),
                "races_of_10.csv": (200, 10, 300),
                "races_of_50.csv": (40, 50, 200),
            }.items()
        ]
        for file in files:
            for p in POWERS:
                forget(package)
                command = [sys.executable, "-m", "qrja", "rank", str(file), "--p", p]
                first = cpu_seconds(command, package)
                later = min(cpu_seconds(command, package) for _ in range(REPEATS))
                print(f"{file.name:16} p = {p:4} first {first:5.2f}  later {later:5.2f}")
    for peer in peers:
        seconds = min(cpu_seconds(shlex.split(peer)) for _ in range(REPEATS))
        print(f"{peer}  {seconds:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
