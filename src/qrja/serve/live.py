"""Live: what a server answers from, current at once or soon, and saying as of which event.

    a small league   ratings, ranks and margins are those of the last event
    a large one      they follow within a moment; who needs those of an event waits for it

Ratings of a large league take longer to follow than anybody wants to wait: a thread lets them
follow whenever something was written, and answers are as of the event they say. Intervals, the
noise of forecasts and the history take longer still, see :mod:`~qrja.serve.behind`: another thread
finds them anew, and until then the ones before are shown, with the event that they are as of.
"""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from qrja.errors import InputError, QRJAError, QRJAWarning
from qrja.league import League, LeagueAnswer
from qrja.ratings import Explanation, Noise, Prediction, Ratings
from qrja.ratings.predict import predict, recall_noise
from qrja.serve.behind import Behind, Looker
from qrja.serve.told_board import tell_board

PATIENCE = 2.0
"""Seconds after its start in which answers wait for what is found behind for the first time."""
MOMENT = 0.2
"""Seconds that refreshing may take for an answer to wait for it."""
AT_ONCE = 20_000
"""Entries up to which an answer waits for the ratings to follow: some milliseconds."""
CROWD = 4
"""Answers that wait for what is refreshed behind: where more come, it will not be in time."""
RESTING = 60.0
"""Seconds between two long looks, at the most: as long as the look took, but for that."""
GATHERING = 0.03
"""Seconds for which ratings of a large league wait for more to be written, before they follow."""
EVERY = 0.2
"""Seconds between looks at whether another process has written."""


@dataclass(frozen=True)
class LiveForecast:
    """A prediction by ratings of an event, with a noise that was learned as of an event."""

    answer: LeagueAnswer[Prediction]
    noise_event: int
    noise: Noise

    @property
    def prediction(self) -> Prediction:
        """The prediction itself."""
        return self.answer.value

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as plain lists and dictionaries."""
        learned = {"event": self.noise_event, "contests": self.noise.contests}
        return {**self.answer.to_dict(), "noise_as_of": learned}


class Live:
    """A league, and what takes longer to find out about it."""

    def __init__(self, league: League, looker: Looker | None = None) -> None:
        self.league = league
        self._looker = looker or Looker(league.store.address)
        self._behind: Behind | None = None
        self._board: tuple[tuple[str, str], LeagueAnswer[dict[str, Any]]] | None = None
        self._texts: tuple[tuple[str, str], dict[int | None, bytes]] = (("", ""), {})
        self._took = 0.0
        self._began = monotonic()
        self._waiting = 0
        self.listeners = 0
        self._lock = threading.Lock()
        self._wake, self._look = threading.Event(), threading.Event()
        self._fresh = threading.Condition()
        self._halt = threading.Event()
        self._threads = [
            threading.Thread(target=work, name=f"qrja-{name}", daemon=True)
            for name, work in (("follow", self._follow), ("behind", self._refresh))
        ]

    def start(self) -> None:
        """Begin to follow and to refresh."""
        self._began = monotonic()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop refreshing, and close the league."""
        self.go_down()
        self._wake.set()
        self._look.set()
        with self._fresh:
            self._fresh.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=60)
        self.league.close()
        gc.unfreeze()

    def go_down(self) -> None:
        """Say that the server is about to stop: streams end, and nothing more is refreshed."""
        self._halt.set()
        self._looker.stop()

    @property
    def stopped(self) -> bool:
        """Whether the server is going down."""
        return self._halt.is_set()

    @property
    def _runs(self) -> bool:
        return self._threads[0].is_alive() and not self.stopped

    def written(self) -> None:
        """Say that something was written: look again."""
        self._wake.set()
        with self._fresh:
            self._fresh.notify_all()

    # ------------------------------------------------------------------ following

    def _follow(self) -> None:
        """Let the ratings follow the log, whoever wrote."""
        while not self.stopped:
            try:
                known = self.league.last_rated
                if known is None or self.league.state.digest != known.digest:
                    ratings = self.league.answer(lambda ratings: ratings).value
                    prepare(ratings)
                    self._look.set()
                    if known is None and ratings.problem.entries > AT_ONCE:
                        settle()
            except QRJAError:
                pass  # nothing to rate yet, or the database is away: look again later
            self._wake.wait(EVERY)
            self._wake.clear()
            if known is not None and known.value.problem.entries > AT_ONCE:
                self._halt.wait(GATHERING)

    def rated(self, event: int = 0) -> LeagueAnswer[Ratings]:
        """Return the ratings: of now, or the last ones if those of now take longer than a moment.

        ``event``: as of that one, or a later one.
        """
        known = self.league.last_rated
        small = known is None or known.value.problem.entries <= AT_ONCE
        if known is None or small or known.event < event or not self._runs:
            known = self.league.answer(lambda ratings: ratings)
        if known.event < event:
            raise InputError(f"there is no event {event} yet; the last is {known.event}")
        return known

    # ------------------------------------------------------------------ behind

    def _refresh(self) -> None:
        while not self.stopped:
            answer, known = self.league.last_rated, self._behind
            if answer is not None and (known is None or answer.digest != known.digest):
                began = monotonic()
                try:
                    found = self._looker.look(answer)
                except QRJAError:
                    found = None
                took = monotonic() - began
                # The first look here loads what it needs: it says little of how long others take.
                first = known is None and self._looker.looks_here(answer.value)
                self._took = min(took, MOMENT / 2) if first else took
                if found is not None:
                    with self._fresh:
                        self._behind = found
                        self._fresh.notify_all()
                # Not all the time: others have something to do as well.
                self._halt.wait(min(self._took, RESTING))
            self._look.wait(EVERY)
            self._look.clear()

    def behind(self, answer: LeagueAnswer[Any]) -> Behind | None:
        """Return what was found last; wait for what is newer if that takes a moment only."""
        known = self._behind
        if (known is not None and known.digest == answer.digest) or not self._runs:
            return known
        self._look.set()
        # It rests as long as the last look took, then it takes about as long again.
        moment = 3 * self._took if self._took < MOMENT else 0.0
        if known is None:
            moment = max(0.0, self._began + PATIENCE - monotonic())
        if moment == 0.0 or self._waiting >= CROWD:
            return known

        def arrived() -> bool:
            return self.stopped or (self._behind is not None and self._behind.event >= answer.event)

        with self._fresh:
            self._waiting += 1
            self._fresh.wait_for(arrived, timeout=moment)
            self._waiting -= 1
        return self._behind

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.league.version

    def readiness(self) -> dict[str, Any]:
        """Say whether questions are answered, and as of which events."""
        status = "stopping" if self.stopped else "ready"
        try:
            state, known = self.league.state, self.league.last_rated
        except QRJAError:
            return {"status": "without its database"}
        if known is None and not state.is_empty and self._runs:
            status = "starting"
        rated = 0 if known is None else known.event
        return {"status": status, "event": state.number, "rated": rated}

    def gauges(self) -> dict[str, float]:
        """Return what metrics say of the league."""
        state, known = self.league.last_state, self.league.last_rated
        return {
            "qrja_events": state.number,
            "qrja_rated_event": 0 if known is None else known.event,
            "qrja_intervals_event": 0 if self._behind is None else self._behind.event,
            "qrja_contests": len(state.contests),
            "qrja_judgments": len(state.judgments),
            "qrja_listeners": self.listeners,
        }

    # ------------------------------------------------------------------ answers

    def board(self, event: int = 0) -> LeagueAnswer[dict[str, Any]]:
        """Return the leaderboard: ratings and intervals as of the events that it says."""
        answer = self.rated(event)
        behind = self.behind(answer)
        made_of = (answer.digest, "" if behind is None else behind.digest)
        with self._lock:
            if self._board is None or self._board[0] != made_of:
                told = tell_board(answer.value, behind)
                made = LeagueAnswer(told, answer.event, answer.at, answer.digest)
                self._board = (made_of, made)
                self._texts = (made_of, {})
            return self._board[1]

    def board_text(self, top: int | None = None, event: int = 0) -> tuple[str, bytes]:
        """Return the leaderboard as JSON, written once for all who ask, and what tells it apart."""
        answer = self.board(event)
        made_of, texts = self._texts
        if top not in texts:
            groups = [
                group | {"leaderboard": group["leaderboard"][:top]}
                for group in answer.value["components"]
            ]
            as_of = {"event": answer.event, "at": answer.at}
            told = {"as_of": as_of, **answer.value, "components": groups}
            texts[top] = json.dumps(told, allow_nan=False, separators=(",", ":")).encode()
        return _tag(made_of, top), texts[top]

    @property
    def board_mark(self) -> tuple[str, str] | None:
        """What the board of a large league is made of, if it is made; None if somebody must look.

        It costs nothing, and what was made of the same is the same.
        """
        known, behind = self.league.last_rated, self._behind
        if known is None or known.value.problem.entries <= AT_ONCE or not self._runs:
            return None
        made_of = (known.digest, "" if behind is None else behind.digest)
        return made_of if self._texts[0] == made_of else None

    def written_board(self, top: int | None, event: int) -> tuple[str, bytes] | None:
        """Return the leaderboard as JSON if it is written already, else None."""
        mark, (made_of, texts), known = self.board_mark, self._texts, self.league.last_rated
        if mark is None or mark != made_of or top not in texts or known is None:
            return None
        return (_tag(mark, top), texts[top]) if known.event >= event else None

    def predict(self, names: Iterable[str], event: int = 0) -> LiveForecast:
        """Predict a start list by the ratings, with the noise that was learned last."""
        answer = self.rated(event)
        called = [self.league.last_state.meant(name) for name in names]
        noise, learned = recall_noise(answer.value), answer.event
        if noise is None:
            behind = self._behind or self.behind(answer)
            if behind is not None and behind.noise is not None:
                noise, learned = behind.noise, behind.event
        noise = noise or answer.value.noise
        with catch_warnings():
            simplefilter("ignore", QRJAWarning)  # its notes say the same
            found = predict(answer.value, called, noise)
        told = LeagueAnswer(found, answer.event, answer.at, answer.digest)
        return LiveForecast(told, learned, noise)

    def explain(self, a: str, b: str, event: int = 0) -> LeagueAnswer[Explanation]:
        """Explain why one is rated above another."""
        answer = self.rated(event)
        one, other = (self.league.last_state.called(name) for name in (a, b))
        told = answer.value.explain(one, other)
        return LeagueAnswer(told, answer.event, answer.at, answer.digest)

    def history(self, name: str) -> list[tuple[str, float]]:
        """Return the ratings of a contestant over time, a few points of them."""
        behind = self.behind(self.rated())
        history = None if behind is None else behind.history
        if history is None or name not in history["number"]:
            return []
        i, when = history["number"][name], history["when"]
        points = zip(history["point"][i], history["rating"][i], strict=True)
        return [(when[point], rating) for point, rating in points]


def _tag(made_of: tuple[str, str], top: int | None) -> str:
    rated, behind = made_of
    return f'"{rated[:16]}-{behind[:16]}-{top or 0}"'


def settle() -> None:
    """Let the collector of garbage leave alone what is there: the league, which stays.

    Looking through 100,000 matches takes 0.15 seconds, in which nobody gets an answer. What is no
    longer needed is freed as ever, unless it refers to itself.
    """
    gc.collect()
    gc.freeze()


def prepare(ratings: Ratings) -> None:
    """Find what every forecast needs, before anybody asks for one."""
    noise = recall_noise(ratings)
    label = ratings.solution.components
    pair = np.flatnonzero(label == np.bincount(label).argmax())[:2]
    if noise is not None and len(pair) == 2:
        predict(ratings, [ratings.problem.names[i] for i in pair], noise)


def is_empty(live: Live) -> bool:
    """Tell whether there is nothing to rate."""
    return live.league.state.is_empty
