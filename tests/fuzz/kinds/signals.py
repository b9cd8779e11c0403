"""Signals: kill -9 and Ctrl-C at a random moment of every command.

Whatever was written is whole: the old file or the new one, never half of it. After Ctrl-C a command
ends of itself, with exit code 130 and one line; it neither dies nor calls it unexpected. What a
killed command leaves behind, the next one removes.
"""

from __future__ import annotations

import json
import shutil
import signal
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from fuzz.children import Child, Ran, check_manners, command
from fuzz.kind import Case, Failure, Kind

COMMANDS: dict[str, list[str]] = {
    "rank p = 1": ["rank", "races.csv", "--p", "1", "--out", "out.csv", "--resamples", "20"],
    "rank p = 1.5": ["rank", "races.csv", "--p", "1.5", "--out", "out.json", "--resamples", "20"],
    "rank p = inf": ["rank", "races.csv", "--p", "inf", "--out", "out.md", "--resamples", "20"],
    "rank p = 2": ["rank", "races.csv", "--out", "out.parquet"],
    "save": ["rank", "races.csv", "--no-intervals", "--save", "out.qrja"],
    "update": ["update", "out.qrja", "more.csv"],
    "report": ["report", "races.csv", "--out", "out.html"],
    "plot": ["plot", "races.csv", "--out", "out.svg"],
    "predict": ["predict", "races.csv", "--start-list", "P1,P2,P3", "--out", "out.tsv"],
    "explain": ["explain", "races.csv", "P1", "P2"],
    "trust": ["trust", "races.csv"],
    "suggest": ["suggest", "races.csv", "--out", "out.jsonl"],
    "backtest": ["backtest", "races.csv", "--out", "out-backtest.json"],
    "judges": ["judges", "judged.csv", "--out", "out.json"],
    "datasets": ["datasets", "marathons", "--out", "out.csv"],
    "demo": ["demo", "--out", "out.html"],
    "passes": [
        *("rank", "passes", "--engine", "local", "--staging", "staged", "--resume"),
        *("--p", "1", "--no-intervals", "--out", "out.csv"),
    ],
    "league": ["update", "league.db", "more.csv"],
    "league backup": ["league", "backup", "league.db", "out.jsonl"],
    "league export": ["league", "export", "league.db", "out.csv"],
    "league rename": ["league", "rename", "league.db", "P1", "Ann"],
    "league undo": ["league", "undo", "league.db"],
    "league init": ["league", "init", "new.db", "races.csv"],
    "league restore": ["league", "restore", "backup.jsonl", "new.db"],
}
CHANGES = ("league", "league rename", "league undo")
"""What changes the league that is there."""
MAKES = ("league init", "league restore")
"""What makes a league; a second one in its place is refused."""
AFTER = {
    **{what: ["league", "check", "league.db"] for what in CHANGES},
    "passes": COMMANDS["passes"],
}
"""What must go well after a disturbance, whatever came of the command."""


def draw(rng: np.random.Generator) -> Case:
    """Draw a command and a moment, as a share of the time that it takes."""
    how = str(rng.choice(["kill", "interrupt"]))
    return {
        "what": str(rng.choice(list(COMMANDS))),
        "how": how,
        "moment": float(rng.uniform(0, 1.05)),
        "again": bool(rng.random() < 0.3),
    }


@cache
def prepared() -> Path:
    """Return a folder with a table, more of it, and files of an earlier run of every command."""
    folder = Path(tempfile.mkdtemp())
    rows = [f"R{i // 6},P{i * 7919 % 101},{i * 104729 % 997}" for i in range(480)]
    (folder / "races.csv").write_text("\n".join(["race,runner,score", *dict.fromkeys(rows)]))
    more = [f"N{i // 4},P{i * 31 % 101},{i * 13 % 97}" for i in range(40)]
    (folder / "more.csv").write_text("\n".join(["race,runner,score", *more]))
    judged = [f"J{i % 3},P{i % 7},P{i * 3 % 5 + 7},{i * 13 % 11}" for i in range(60)]
    (folder / "judged.csv").write_text("\n".join(["judge,a,b,y", *judged]))
    (folder / "passes").mkdir()
    for made in (
        ["datasets", "marathons", "--out", "passes/marathons.parquet"],
        ["league", "init", "league.db", "races.csv"],
        ["league", "backup", "league.db", "backup.jsonl"],
    ):
        ran = command(made, folder)
        if ran.code:
            raise Failure(f"fails in peace: {made[0]}", ran.err[-300:])
    return folder


@cache
def duration(what: str) -> float:
    """Run a command in peace, which also makes its file, and return how long it takes."""
    if what in CHANGES or what in MAKES:  # all stays as it was
        with tempfile.TemporaryDirectory() as name:
            shutil.copytree(prepared(), Path(name, "run"))
            ran = command(COMMANDS[what], Path(name, "run"), limit=120)
        if ran.code:
            raise Failure(f"fails in peace: {what}", ran.err[-300:])
        return ran.seconds
    if what == "update":
        command(COMMANDS["save"], prepared())
    ran = command(COMMANDS[what], prepared(), limit=120)
    if what == "update":  # as it was: a second update of the same contests would be refused
        command(COMMANDS["save"], prepared())
    if ran.code:
        raise Failure(f"fails in peace: {what}", ran.err[-300:])
    return ran.seconds


def check(case: Case) -> None:
    """Run the command where an earlier one has left its file, and disturb it."""
    what = case["what"]
    moment = case["moment"] * duration(what)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "run")
        shutil.copytree(prepared(), folder)
        before = {path.name for path in folder.iterdir()}
        child = Child(COMMANDS[what], folder, _scratch_in(folder))
        time.sleep(moment)
        child.send(signal.SIGKILL if case["how"] == "kill" else signal.SIGINT)
        ran = child.wait(60)
        if case["how"] == "interrupt":
            check_interrupt(ran, what)
        for path in folder.glob("out*"):
            check_whole(path, what)
        if case["how"] == "interrupt":
            check_litter(folder, before, f"Ctrl-C: {what}")
        if what in AFTER:
            check_after(what, AFTER[what], folder)
        if what in MAKES:
            check_made(what, folder)
        again = case["how"] == "kill" and case.get("again")
        if again and what not in ("update", *CHANGES, *MAKES):
            # A second update with the same is refused.
            command(COMMANDS[what], folder, _scratch_in(folder), limit=120)
            check_litter(folder, before, f"kill -9 and another run: {what}")


def check_made(what: str, folder: Path) -> None:
    """It is made, whole, or is by the same command now."""
    ran = command(COMMANDS[what], folder, _scratch_in(folder), limit=120)
    check_manners(ran, f"{what}, again")
    if ran.code and "already" not in ran.err:
        raise Failure(f"cannot be made after {what} was disturbed", ran.err[-300:])
    check_after(what, ["league", "check", "new.db"], folder)
    # All of it, not a league that has only begun.
    ran = command(["league", "export", "new.db", "whole.csv"], folder, _scratch_in(folder))
    if ran.code:
        raise Failure(f"half a league after {what}", ran.err[-300:])


def check_after(what: str, after: list[str], folder: Path) -> None:
    """What was disturbed is whole, and can be gone on with."""
    ran = command(after, folder, _scratch_in(folder), limit=120)
    check_manners(ran, f"after {what} was disturbed")
    if ran.code:
        raise Failure(f"not whole after {what} was disturbed", ran.err[-300:])


def _scratch_in(folder: Path) -> Callable[[], None]:
    def prepare() -> None:
        tempfile.tempdir = str(folder)

    return prepare


def check_litter(folder: Path, before: set[str], what: str) -> None:
    """Nothing is left behind: neither parts of files nor scratch folders."""
    staged = (path.name for path in folder.glob("staged/*"))
    there = sorted({path.name for path in folder.iterdir()}.union(staged) - before)
    if litter := [name for name in there if ".part" in name or "scratch" in name]:
        raise Failure(f"litter after {what}", litter)


def check_interrupt(ran: Ran, what: str) -> None:
    """It ends with exit code 130 and one line, unless it was done before."""
    if "Traceback" in ran.err:
        raise Failure("traceback after Ctrl-C", f"{what}: {ran.err[-300:]}")
    if "Query interrupted" in ran.err:
        raise Failure("Ctrl-C while a table is read is unexpected", f"{what}: {ran.err[-300:]}")
    check_manners(ran, f"Ctrl-C in {what}")
    if ran.code not in (0, 130):
        raise Failure(f"odd exit code after Ctrl-C in {what}", f"{ran.code}: {ran.err[-300:]}")


def check_whole(path: Path, what: str) -> None:
    """A file is all there: it reads, and it ends as such files end."""
    data, kind = path.read_bytes(), path.suffix
    try:
        if kind == ".qrja":
            with zipfile.ZipFile(path) as archive:
                good = archive.testzip() is None
        elif kind == ".json":
            good = bool(json.loads(data))
        elif kind == ".parquet":
            good = data[:4] == data[-4:] == b"PAR1"
        elif kind in (".html", ".svg"):
            good = data.rstrip().endswith((b"</html>", b"</svg>"))
        else:
            good = data.endswith(b"\n")
    except Exception as error:
        raise Failure(f"half a file after {what}", f"{path.name}: {error}") from None
    if not good:
        raise Failure(f"half a file after {what}", f"{path.name} of {len(data)} bytes")


KIND = Kind(
    name="signals",
    about="kill -9 and Ctrl-C at a random moment of every command",
    draw=draw,
    check=check,
    limit=300.0,
    share=2.0,
    forks=True,
    sorts="how",
)
