"""Feeds: the board as CSV, all results as CSV, and events as they happen (server-sent events)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from qrja.league import say_event
from qrja.serve.access import Access, NotAllowedError
from qrja.serve.live import Live
from qrja.tables import format_table

EVERY = 1.0
"""Seconds after which a stream looks again."""
ALIVE = 15
"""Looks after which a stream without news says that it is alive."""
MOST_STREAMS = 200


def make_feeds(live: Live, access: Access) -> APIRouter:
    """Return the routes below ``/feeds``."""
    feeds = APIRouter(prefix="/feeds", include_in_schema=False)

    def reading(request: Request) -> None:
        access.need(access.visitor(request), "reader")

    @feeds.get("/board.csv")
    def board(request: Request) -> Response:
        reading(request)
        answer = live.board()
        lines = [
            {"rank": it["rank"], "contestant": it["contestant"], "rating": it["rating"]}
            | {name: it.get(name) for name in ("low", "high", "contests")}
            | {"group": number}
            for number, group in enumerate(answer.value["components"], start=1)
            for it in group["leaderboard"]
        ]
        return _csv({name: [line[name] for line in lines] for name in lines[0]}, answer.event)

    @feeds.get("/results.csv")
    def results(request: Request) -> Response:
        reading(request)
        return _csv(live.league.export(), live.version)

    @feeds.get("/events")
    async def events(request: Request) -> Response:
        await asyncio.to_thread(reading, request)
        if live.listeners >= MOST_STREAMS:
            return Response("too many listen; try again later", 503)
        known = request.headers.get("last-event-id", "")
        first = int(known) if known.isdigit() and len(known) < 10 else await _version(live)
        return StreamingResponse(
            _tell(live, request, first, reading),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    return feeds


async def _version(live: Live) -> int:
    return await asyncio.to_thread(lambda: live.version)


async def _tell(
    live: Live, request: Request, known: int, reading: Callable[[Request], None]
) -> AsyncIterator[str]:
    """Tell of every event after one that is known, until nobody listens who may."""
    live.listeners += 1
    try:
        yield "retry: 2000\n\n"
        quiet = 0
        while not live.stopped and not await request.is_disconnected():
            quiet += 1
            if await _version(live) > known:
                await asyncio.to_thread(reading, request)  # a token may be revoked meanwhile
                for event in await asyncio.to_thread(live.league.log, known):
                    known, quiet = event.number, 0
                    told = {"event": event.number, "kind": event.kind, "said": say_event(event)}
                    yield f"id: {event.number}\ndata: {json.dumps(told)}\n\n"
            elif quiet >= ALIVE:
                quiet = 0
                yield ": still here\n\n"
            await asyncio.sleep(EVERY)
    except NotAllowedError:
        pass
    finally:
        live.listeners -= 1


def _csv(columns: dict[str, list[Any]], event: int) -> Response:
    text = format_table(columns, "csv")
    return Response(text, media_type="text/csv; charset=utf-8", headers={"x-as-of": str(event)})
