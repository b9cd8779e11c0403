"""What the first call costs, and every later one: first_call.py [--later | --commands [NAME ...]].

CPU seconds of whole processes, from a copy of the package in which nothing is compiled; the least
of some repeats for warm calls. With ``--later`` a table is written of later calls on 8 rows, beside
the command line of evalica on as many, taking turns in the same run. With ``--commands`` every
command, or those that are named, is called for the first time on files of 2,000 entries, for each
p, and a table of that is written.
"""

from __future__ import annotations

import compileall
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import qrja

POWERS = ("2", "1", "1.5", "inf", "auto", "0.5")
REPEATS = 5
TURNS = 7
"""Of later calls and of evalica, one after the other."""
PATIENCE = 20
"""Seconds after which a call is given up."""
COMMANDS = {
    "rank": ["rank", "FILE", "--p", "P"],
    "rank --by": ["rank", "FILE", "--p", "P", "--by", "group"],
    "predict": ["predict", "FILE", "--start-list", "c1,c2,c3", "--p", "P"],
    "explain": ["explain", "FILE", "c1", "c2", "--p", "P"],
    "trust": ["trust", "FILE", "--p", "P"],
    "suggest": ["suggest", "FILE", "--p", "P"],
    "judges": ["judges", "FILE", "--judge", "contest", "--p", "P"],
    "update": ["update", "SAVED", "MORE", "--dry-run"],
    "plot": ["plot", "FILE", "--out", "PICTURE", "--p", "P"],
    "report": ["report", "FILE", "--out", "PAGE", "--p", "P"],
    "backtest": ["backtest", "FILE"],
}
"""What is typed for each; a back-test compares losses itself."""


def write_races(path: Path, races: int, field: int, runners: int) -> Path:
    rng = np.random.default_rng(0)
    lines = ["contest,contestant,score,group"]
    for race in range(races):
        entrants = rng.choice(runners, field, replace=False)
        scores = 3 * rng.standard_normal(field) + entrants / 20
        group = f"g{race % 4}"
        lines += [f"r{race},c{a},{s:.3f},{group}" for a, s in zip(entrants, scores, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_judgments(path: Path, judgments: int, candidates: int) -> Path:
    rng = np.random.default_rng(0)
    lines = ["left,right,margin,judge,group"]
    for k in range(judgments):
        a, b = rng.choice(candidates, 2, replace=False)
        margin = 3 * rng.standard_normal() + (a - b) / 20
        lines.append(f"c{a},c{b},{margin:.3f},j{k % 5},g{k % 4}")
    path.write_text("\n".join(lines) + "\n")
    return path


def cpu_seconds(command: list[str], package: Path | None = None) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    where = {} if package is None else {"PYTHONPATH": str(package), "HOME": str(package)}
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


def first_call(words: list[str], package: Path) -> str:
    """Return what a command takes with nothing compiled, for a cell of the table."""
    forget(package)
    try:
        taken = cpu_seconds([sys.executable, "-m", "qrja", *words], package)
    except subprocess.CalledProcessError as failed:
        # A command that was stopped is not one that declines, with a sentence.
        stopped = failed.returncode < 0 or failed.returncode > 128
        return f"over {PATIENCE}" if stopped else "declined"
    return f"{taken:.1f}{', compiles' if any(package.rglob('*.nbi')) else ''}"


def time_commands(package: Path, folder: Path, chosen: list[str]) -> None:
    """Write a table of first calls: a row for each command and file, a column for each p."""
    files = {
        "40 races of 50": write_races(folder / "races.csv", 40, 50, 200),
        "200 races of 10": write_races(folder / "small_races.csv", 200, 10, 300),
        "1,000 matches": write_races(folder / "matches.csv", 1000, 2, 100),
        "2,000 judgments": write_judgments(folder / "judgments.csv", 2000, 100),
    }
    print("| command | file |" + "".join(f" p = {p} |" for p in POWERS))
    print("|---|---|" + "---|" * len(POWERS))
    for command in chosen or COMMANDS:
        for called, file in files.items():
            cells, columns = [], COMMANDS[command]
            if file.stem == "judgments" and "--judge" in columns:  # named so in the header
                columns = ["judges", "FILE", "--p", "P"]
            for p in POWERS if "P" in columns or command == "update" else POWERS[:1]:
                places = {"FILE": str(file), "P": p, "SAVED": str(folder / f"{file.stem}_{p}.qrja")}
                places |= {"PAGE": str(folder / "page.html"), "PICTURE": str(folder / "a.svg")}
                more = write_races(folder / "more.csv", 1, 2, 9)
                more.write_text(more.read_text().replace("r0,", "new,"))
                if file.stem == "judgments":
                    write_judgments(more, 1, 9)
                places["MORE"] = str(more)
                if command == "update" and not save(places, package):
                    cells.append("-")
                    continue
                typed = [places.get(word, word) for word in columns]
                cells.append(first_call(typed, package))
            cells += [""] * (len(POWERS) - len(cells))
            print(f"| {command} | {called} |" + "".join(f" {cell} |" for cell in cells), flush=True)


def save(places: dict[str, str], package: Path) -> bool:
    """Save ratings to be updated; tell whether that was done in time."""
    words = ["rank", places["FILE"], "--p", places["P"], "--no-intervals"]
    try:
        cpu_seconds([sys.executable, "-m", "qrja", *words, "--save", places["SAVED"]], package)
    except subprocess.CalledProcessError:
        return False
    return True


def time_later(package: Path, folder: Path) -> None:
    """Write a table of later calls on 8 rows: the least of some turns, evalica's in between."""
    file, powers = str(write_races(folder / "few.csv", 4, 2, 4)), POWERS[:3]
    python, code = sys.executable, "import qrja; qrja.fit({!r}, p={}).table()"
    rows = {
        "`qrja rank`": [[python, "-m", "qrja", "rank", file, "--p", p] for p in powers],
        "`import qrja; qrja.fit(...).table()`": [
            [python, "-c", code.format(file, p)] for p in powers
        ],
        "`evalica`, Bradley-Terry of 8 verdicts": peer(folder),
    }
    least = {called: [PATIENCE] * len(commands) for called, commands in rows.items()}
    for turn in range(TURNS + 1):  # of which the first finds files in no memory yet
        for called, commands in rows.items():
            for k, command in enumerate(commands):
                own = None if called.startswith("`evalica") else package
                seconds = cpu_seconds(command, own)
                least[called][k] = min(least[called][k], seconds) if turn else PATIENCE
    print("| |" + "".join(f" p = {p} |" for p in powers))
    print("|---|" + "---|" * len(powers))
    for called, found in least.items():
        cells = [f"{seconds:.2f}" for seconds in found]
        cells += [""] * (len(powers) - len(cells))
        print(f"| {called} |" + "".join(f" {cell} |" for cell in cells))


def peer(folder: Path) -> list[list[str]]:
    """Return what calls evalica, which ranks by verdicts, on 8 of them; nothing without it."""
    command = Path(sys.executable).with_name("evalica")
    if not command.exists():
        print("evalica is not installed: pip install evalica", file=sys.stderr)
        return []
    verdicts = folder / "verdicts.csv"
    pairs = ["a,b,left", "b,c,right", "c,a,tie", "a,c,left", "b,a,left", "c,b,left", "a,b,tie"]
    verdicts.write_text("\n".join(["left,right,winner", *pairs, "b,c,left"]) + "\n")
    return [[str(command), "-i", str(verdicts), "pairwise", "bradley-terry"]]


def main(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        package = folder / "package"
        ignored = shutil.ignore_patterns("*.nbi", "*.nbc")
        shutil.copytree(Path(qrja.__file__).parent, package / "qrja", ignore=ignored)
        # As installers do: what Python itself translates is no part of a first call.
        compileall.compile_dir(package, quiet=2)
        if "--commands" in words:
            time_commands(package, folder, [word for word in words if word != "--commands"])
            return
        if "--later" in words:
            time_later(package, folder)
            return
        files = {
            "few.csv": (4, 2, 4),
            "races_of_10.csv": (200, 10, 300),
            "races_of_50.csv": (40, 50, 200),
        }
        for called, sizes in files.items():
            file = write_races(folder / called, *sizes)
            for p in POWERS[:-2]:
                forget(package)
                command = [sys.executable, "-m", "qrja", "rank", str(file), "--p", p]
                first = cpu_seconds(command, package)
                later = min(cpu_seconds(command, package) for _ in range(REPEATS))
                print(f"{called:16} p = {p:4} first {first:5.2f}  later {later:5.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
