"""Writers: three commands on one file at once. All succeed and all count, or some say no."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

import qrja
from fuzz.children import Child, check_manners
from fuzz.kind import Case, Failure, Kind


def draw(rng: np.random.Generator) -> Case:
    """Draw how long each waits for the one before, in seconds."""
    return {"what": "update", "delay": float(rng.choice([0.0, 0.01, 0.05, 0.2]))}


def check(case: Case) -> None:
    """Update one file three times at once, and that three times, as it takes some luck."""
    for _ in range(3):
        with tempfile.TemporaryDirectory() as name:
            _check_once(case, Path(name))


def _check_once(case: Case, folder: Path) -> None:
    place = range(400)
    races = qrja.Contests.from_arrays(
        [f"R{i // 5}" for i in place], [f"P{i % 23}" for i in place], [i * 13 % 97 for i in place]
    )
    qrja.fit(races).save(folder / "l.qrja")
    children = {}
    for new in "BCD":
        (folder / f"{new}.csv").write_text(f"race,runner,score\n{new},P1,5\n{new},P2,3\n")
        children[new] = Child(["update", "l.qrja", f"{new}.csv"], folder)
        time.sleep(case["delay"])
    ran = {new: child.wait() for new, child in children.items()}
    there = set(qrja.load(folder / "l.qrja").data.labels)
    for new, it in ran.items():
        check_manners(it, "updates at once")
        if it.code == 0 and new not in there:
            raise Failure("a lost update", "all commands ended with exit code 0")


KIND = Kind(
    name="writers",
    about="three updates of one file at once",
    draw=draw,
    check=check,
    share=0.5,
    forks=True,
)
