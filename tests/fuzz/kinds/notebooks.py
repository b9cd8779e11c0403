"""Notebooks: Ctrl-C at random moments of a call in Python, again and again in one process.

Every time it is a ``KeyboardInterrupt``, or the call was done before; the process lives on, and the
next call gives the same answer as ever.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind

ROWS = [(f"R{i // 6}", f"P{i * 7919 % 101}", i * 104729 % 997) for i in range(600)]
MOMENTS = 10


@cache
def races() -> qrja.Contests:
    """Return a hundred races."""
    return qrja.Contests.from_arrays(*(list(column) for column in zip(*ROWS, strict=True)))


@cache
def grid() -> qrja.Judgments:
    """Return judgments between neighbours on a grid, which take the solvers of systems long."""
    number = np.arange(1600).reshape(40, 40)
    a = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    b = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    return qrja.Judgments.from_arrays(a, b, a * 7919 % 101 - 50.0)


@cache
def folder() -> Path:
    """Return a folder with the races as a table."""
    place = Path(tempfile.mkdtemp())
    lines = [f"{race},{runner},{score}" for race, runner, score in ROWS]
    (place / "races.csv").write_text("\n".join(["race,runner,score", *lines]))
    return place


def _learn(name: str) -> np.ndarray:
    from qrja.rankers import make_ranker

    ranker = make_ranker(name)
    for contest in races()[:20]:
        ranker.learn(contest)
    return ranker.scores(np.arange(20))


def _save() -> Any:
    ratings = qrja.fit(races())
    with suppress(FileNotFoundError):
        (folder() / "l.qrja").unlink()
    ratings.save(folder() / "l.qrja")
    return qrja.load(folder() / "l.qrja").solution.x


CALLS: dict[str, Callable[[], Any]] = {
    **{f"races p = {p}": lambda p=p: qrja.solve(races(), p).x for p in (1, 1.5, 2, 3, np.inf)},
    **{f"grid p = {p}": lambda p=p: qrja.solve(grid(), p).x for p in (1, 1.5, 2, 3, np.inf)},
    "races p = 0.5": lambda: qrja.solve(races()[:20], 0.5).x,
    "read": lambda: qrja.read_table(folder() / "races.csv").problem.score,
    "save": _save,
    "intervals": lambda: qrja.fit(races()).table(resamples=20, kind="dict")["rating"],
    "kemeny": lambda: _learn("kemeny-young"),
    "plackett-luce": lambda: _learn("plackett-luce"),
    "factorization": lambda: _learn("mf-rank1"),
}


def draw(rng: np.random.Generator) -> Case:
    """Draw a call, and moments as shares of the time that it takes."""
    moments = [float(moment) for moment in rng.uniform(0, 1.02, MOMENTS)]
    return {"what": str(rng.choice(list(CALLS))), "moments": moments}


@cache
def in_peace(what: str) -> tuple[np.ndarray, float]:
    """Return what a call gives, and the seconds that it takes."""
    CALLS[what]()  # compiled
    begun = time.perf_counter()
    return np.array(CALLS[what]()), time.perf_counter() - begun


def check(case: Case) -> None:
    """Interrupt a call at all moments, then let it be."""
    what = case["what"]
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        raise Failure("nobody hears Ctrl-C", case)
    expected, seconds = in_peace(what)
    for moment in case["moments"]:
        _interrupt(what, moment * seconds)
    if not np.allclose(CALLS[what](), expected, rtol=1e-6, atol=1e-6):
        raise Failure(f"another answer after Ctrl-C: {what}", case)
    if left := [path.name for path in folder().iterdir() if ".part" in path.name]:
        raise Failure(f"litter after Ctrl-C: {what}", left)


def _interrupt(what: str, seconds: float) -> None:
    timer = Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        CALLS[what]()
        while timer.is_alive():
            time.sleep(0.001)
        time.sleep(0.001)
    except KeyboardInterrupt:
        return
    except BaseException as error:
        with suppress(KeyboardInterrupt):
            timer.join()
            time.sleep(0.01)
        raise Failure(f"{type(error).__name__} in place of Ctrl-C: {what}", error) from None


KIND = Kind(
    name="notebooks",
    about=f"Ctrl-C at {MOMENTS} random moments of a call in Python, which then gives the same",
    draw=draw,
    check=check,
    limit=300.0,
)
