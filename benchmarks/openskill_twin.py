"""The same API on openskill: results in, board and win probabilities out, kept in SQLite.

Ratings are in memory and updated by every result; each result is a row, committed before the
answer. A board is written once for all who ask until the next result, as qrja does. Run by
serving.py: python openskill_twin.py MATCHES.json DATABASE PORT.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import uvicorn
from openskill.models import PlackettLuce
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


class Twin:
    """Ratings of players, by openskill."""

    def __init__(self, matches: list[dict[str, float]], place: str) -> None:
        self._model = PlackettLuce()
        self._ratings: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._database = sqlite3.connect(place, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("CREATE TABLE results (number INTEGER PRIMARY KEY, told TEXT)")
        self._event = 0
        self._boards: tuple[int, dict[int, bytes]] = (0, {})
        for match in matches:
            self._rate(match)
        self._database.executemany(
            "INSERT INTO results (told) VALUES (?)", [(json.dumps(match),) for match in matches]
        )
        self._database.commit()

    def _rate(self, match: dict[str, float]) -> None:
        names = list(match)
        teams = [[self._ratings.get(name) or self._model.rating(name=name)] for name in names]
        rated = self._model.rate(teams, scores=list(match.values()))
        for name, (rating,) in zip(names, rated, strict=True):
            self._ratings[name] = rating
        self._event += 1

    def add(self, sent: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            told = json.dumps(sent)
            self._database.execute("INSERT INTO results (told) VALUES (?)", (told,))
            self._database.commit()
            self._rate(sent["results"])
            return {"event": self._event}

    def predict(self, names: list[str]) -> dict[str, Any]:
        teams = [[self._ratings[name]] for name in names]
        wins = self._model.predict_win(teams)
        return {"as_of": {"event": self._event}, "win": dict(zip(names, wins, strict=True))}

    def board(self, top: int) -> bytes:
        event, boards = self._boards
        if event != self._event:
            event, boards = self._boards = (self._event, {})
        if top not in boards:
            boards[top] = self._write_board(top)
        return boards[top]

    def _write_board(self, top: int) -> bytes:
        best = sorted(self._ratings.items(), key=lambda item: -item[1].ordinal())[:top]
        lines = [{"contestant": name, "rating": it.mu, "sigma": it.sigma} for name, it in best]
        return json.dumps({"as_of": {"event": self._event}, "leaderboard": lines}).encode()


def make_app(twin: Twin) -> Starlette:
    # Endpoints that are no coroutines run in threads, as those of qrja do.
    def board(request: Request) -> Response:
        top = int(request.query_params.get("top", 10**6))
        return Response(twin.board(top), media_type="application/json")

    def predict(request: Request) -> Response:
        return JSONResponse(twin.predict(request.query_params.getlist("who")))

    async def add(request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        return JSONResponse(await run_in_threadpool(twin.add, await request.json()))

    return Starlette(
        routes=[
            Route("/ready", lambda request: JSONResponse({"status": "ready"})),
            Route("/api/board", board),
            Route("/api/predict", predict),
            Route("/api/contests", add, methods=["POST"]),
        ]
    )


if __name__ == "__main__":
    history = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    uvicorn.run(make_app(Twin(history, sys.argv[2])), port=int(sys.argv[3]), log_level="warning")
