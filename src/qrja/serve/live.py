"""Live: what a server answers from, current at once or refreshed behind.

Ratings, ranks and margins are those of the last event. Intervals, the noise of forecasts and the
history take longer in a large league: a thread finds them anew whenever something was written, and
until it is done the ones before are shown, with the event that they are as of.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from qrja.errors import EmptyLeagueError, QRJAError, QRJAWarning
from qrja.league import League, LeagueAnswer
from qrja.ratings import Noise, Prediction, Ratings
from qrja.ratings.board import Standings
from qrja.ratings.predict import predict
from qrja.report import trace_all

BOUNDS = ("low", "high", "rank_low", "rank_high")
PATIENCE = 2.0
"""Seconds that a first answer waits for what is refreshed behind."""
MOMENT = 0.2
"""Seconds that refreshing may take for an answer to wait for it."""
EVERY = 1.0
"""Seconds between looks at whether another process has written."""
HISTORY = 20_000
"""Contests up to which the history of everybody is traced."""


@dataclass(frozen=True)
class Behind:
    """What is refreshed behind, and as of which event it is."""

    event: int
    digest: str
    bounds: dict[Any, dict[str, Any]]
    noise: Noise | None
    history: dict[str, Any] | None


class Live:
    """A league, and what takes longer to find out about it."""

    def __init__(self, league: League) -> None:
        self.league = league
        self._behind: Behind | None = None
        self._board: tuple[tuple[str, str], LeagueAnswer[dict[str, Any]]] | None = None
        self._took = 0.0
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._fresh = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._refresh, name="qrja-behind", daemon=True)

    def start(self) -> None:
        """Begin to refresh."""
        self._thread.start()

    def stop(self) -> None:
        """Stop refreshing, and close the league."""
        self._stopped = True
        self._wake.set()
        with self._fresh:
            self._fresh.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=60)
        self.league.close()

    @property
    def stopped(self) -> bool:
        """Whether the server is going down."""
        return self._stopped

    def written(self) -> None:
        """Say that something was written: look again."""
        self._wake.set()
        with self._fresh:
            self._fresh.notify_all()

    # ------------------------------------------------------------------ behind

    def _refresh(self) -> None:
        while not self._stopped:
            known = None if self._behind is None else self._behind.digest
            try:
                answer = self.league.answer(lambda ratings: ratings)
                if answer.digest != known:
                    began = monotonic()
                    found = _look_longer(answer)
                    self._took = monotonic() - began
                    with self._fresh:
                        self._behind = found
                        self._fresh.notify_all()
                    continue
            except QRJAError:
                pass  # nothing to rate yet, or the database is away: look again later
            self._wake.wait(EVERY)
            self._wake.clear()

    def behind(self, digest: str) -> Behind | None:
        """Return what was found last; wait for what is newer if that takes a moment only."""
        known = self._behind
        current = known is not None and known.digest == digest
        if current or not self._thread.is_alive():
            return known
        self._wake.set()
        moment = 2 * self._took if self._took < MOMENT else 0.0
        with self._fresh:
            self._fresh.wait_for(
                lambda: (
                    self._stopped or (self._behind is not None and self._behind.digest == digest)
                ),
                timeout=PATIENCE if known is None else moment,
            )
        return self._behind

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.league.version

    # ------------------------------------------------------------------ answers

    def board(self) -> LeagueAnswer[dict[str, Any]]:
        """Return the leaderboard: ratings as of now, intervals as of the event that it says."""
        answer = self.league.answer(lambda ratings: ratings)
        behind = self.behind(answer.digest)
        made_of = (answer.digest, "" if behind is None else behind.digest)
        with self._lock:
            if self._board is None or self._board[0] != made_of:
                told = _board(answer.value, behind)
                made = LeagueAnswer(told, answer.event, answer.at, answer.digest)
                self._board = (made_of, made)
            return self._board[1]

    def predict(self, names: Iterable[str]) -> LeagueAnswer[Prediction]:
        """Predict a start list by ratings of now, with the noise that was learned last."""
        called = [self.league.state.called(name) for name in names]
        answer = self.league.answer(lambda ratings: ratings)
        behind = self._behind or self.behind(answer.digest)
        noise = None if behind is None else behind.noise
        with catch_warnings():
            simplefilter("ignore", QRJAWarning)  # its notes say the same
            found = predict(answer.value, called, noise or answer.value.noise)
        return LeagueAnswer(found, answer.event, answer.at, answer.digest)

    def history(self, name: str) -> list[tuple[str, float]]:
        """Return the ratings of a contestant over time, a few points of them."""
        answer = self.league.answer(lambda ratings: ratings)
        behind = self.behind(answer.digest)
        history = None if behind is None else behind.history
        if history is None or name not in history["number"]:
            return []
        i, when = history["number"][name], history["when"]
        points = zip(history["point"][i], history["rating"][i], strict=True)
        return [(when[point], rating) for point, rating in points]


def _look_longer(answer: LeagueAnswer[Ratings]) -> Behind:
    """Find intervals, noise and history of some ratings."""
    ratings = answer.value
    table = ratings.table(kind="dict")
    bounds: dict[Any, dict[str, Any]] = {}
    if table["low"] and table["low"][0] is not None:
        rows = zip(*(table[name] for name in BOUNDS), strict=True)
        bounds = {
            who: dict(zip(BOUNDS, row, strict=True))
            for who, row in zip(table["contestant"], rows, strict=True)
        }
    try:
        noise: Noise | None = ratings.noise
    except QRJAError:
        noise = None  # too little to learn it from: a forecast says so
    return Behind(answer.event, answer.digest, bounds, noise, _trace(ratings))


def _trace(ratings: Ratings) -> dict[str, Any] | None:
    if len(ratings.data) > HISTORY:
        return None
    found = trace_all(ratings, np.arange(ratings.problem.n))
    return None if found is None else found | {"number": ratings.problem.number}


def _board(ratings: Ratings, behind: Behind | None) -> dict[str, Any]:
    standings = Standings.of(ratings, ratings.table(level=None, kind="dict"))
    show = standings.show
    groups = []
    for board in standings.boards:
        lines = []
        for line in board:
            bounds = {} if behind is None else behind.bounds.get(line["contestant"], {})
            told = {name: value for name, value in (line | bounds).items() if name != "component"}
            told["shown"] = show(line["rating"])
            lines.append(told)
        groups.append({"size": len(board), "leaderboard": lines})
    return {
        "units": ratings.units.kind,
        "loss": ratings.solution.loss,
        "status": ratings.solution.status,
        "intervals_as_of": None if behind is None or not behind.bounds else behind.event,
        "components": groups,
    }


def is_empty(live: Live) -> bool:
    """Tell whether there is nothing to rate."""
    try:
        return live.league.state.is_empty
    except EmptyLeagueError:
        return True
