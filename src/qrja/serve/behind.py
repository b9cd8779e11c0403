"""Behind: what takes longer to find out about ratings, as of an event that it names.

Intervals, the noise of forecasts and the history of everybody. In a large league they take many
seconds: another process finds them, at low priority. It reads the log itself, because to save
100,000 matches for it would take 0.3 seconds of those who ask meanwhile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from qrja.errors import QRJAError
from qrja.league import League, LeagueAnswer
from qrja.ratings import Noise, Ratings
from qrja.ratings.predict import keep_noise
from qrja.report import trace_all

BOUNDS = ("low", "high", "rank_low", "rank_high")
HISTORY = 20_000
"""Contests up to which the history of everybody is traced."""
LARGE = 20_000
"""Entries from which another process does it: the start of one takes two seconds."""
WORK = "from qrja.serve.behind import work; work()"


@dataclass(frozen=True)
class Behind:
    """What is refreshed behind, and as of which event it is."""

    event: int
    digest: str
    bounds: dict[Any, dict[str, Any]]
    noise: Noise | None
    history: dict[str, Any] | None


class Looker:
    """Looks longer at ratings; can be stopped while it does.

    Parameters
    ----------
    address : str, optional
        Where another process finds the league; without one, all of it is done here.
    large : int
        Entries from which another process does it.
    """

    def __init__(self, address: str | None = None, large: int = LARGE) -> None:
        self._address, self._large = address, large
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def stop(self) -> None:
        """Look no longer."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def looks_here(self, ratings: Ratings) -> bool:
        """Tell whether it looks at some ratings by itself, and not by another process."""
        return self._address is None or ratings.problem.entries < self._large

    def look(self, answer: LeagueAnswer[Ratings]) -> Behind | None:
        """Find intervals, noise and history of some ratings; None if it was stopped."""
        ratings = answer.value
        if self.looks_here(ratings):
            bounds, noise = find_bounds(ratings), find_noise(ratings)
            return Behind(answer.event, answer.digest, bounds, noise, _trace(ratings))
        told = self._ask(answer.event)
        if told is None or told["digest"] != answer.digest:
            return None  # stopped, or another log is in its place
        noise = None if told["noise"] is None else Noise(**told["noise"])
        if noise is not None and noise.errors:
            keep_noise(ratings, noise)  # for the ratings that follow these
        return Behind(answer.event, answer.digest, told["bounds"], noise, _trace(ratings))

    def _ask(self, event: int) -> dict[str, Any] | None:
        """Let another process find it out."""
        with self._lock:
            if self._stopped:
                return None
            self._process = subprocess.Popen(
                [sys.executable, "-c", WORK],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        # The address may hold a password, which others see in the arguments of a process.
        told, _ = self._process.communicate(json.dumps([self._address, event]))
        with self._lock:
            failed, self._process = self._process.returncode != 0, None
        return None if failed else json.loads(told)


def work() -> None:
    """Find out about a league as of an event, and print it: what the other process does."""
    with suppress(AttributeError, OSError):
        os.nice(10)
    address, event = json.load(sys.stdin)
    with League.open(address, create=False) as league:
        answer = league.at(event)
    noise = find_noise(answer.value)
    told = {
        "digest": answer.digest,
        "bounds": find_bounds(answer.value),
        "noise": None if noise is None else asdict(noise),
    }
    print(json.dumps(told))


def find_bounds(ratings: Ratings) -> dict[Any, dict[str, Any]]:
    """Return the interval of everybody's rating and rank; nothing if there is too little."""
    table = ratings.table(kind="dict")
    if not table["low"] or table["low"][0] is None:
        return {}
    rows = zip(*(table[name] for name in BOUNDS), strict=True)
    return {
        who: dict(zip(BOUNDS, row, strict=True))
        for who, row in zip(table["contestant"], rows, strict=True)
    }


def find_noise(ratings: Ratings) -> Noise | None:
    """Return the noise of forecasts; None if there is too little to learn it from."""
    try:
        return ratings.noise
    except QRJAError:
        return None


def _trace(ratings: Ratings) -> dict[str, Any] | None:
    if len(ratings.data) > HISTORY:
        return None
    found = trace_all(ratings, np.arange(ratings.problem.n))
    return None if found is None else found | {"number": ratings.problem.number}
