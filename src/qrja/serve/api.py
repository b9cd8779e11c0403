"""The API: results come in as JSON, ratings and forecasts go out.

Every answer says as of which event it is. A write may carry an ``Idempotency-Key``: sent again, it
is written once.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from qrja.errors import InputError
from qrja.league import Event, League, Signed, State, say_event
from qrja.serve.access import Access, Visitor, is_guest
from qrja.serve.api_models import (
    REFUSED,
    Name,
    Receipt,
    SentContest,
    SentCorrection,
    SentJudgment,
    SentRenaming,
    SentUndoing,
)
from qrja.serve.live import Live
from qrja.serve.results import contest_results, contestant_results

Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]
AsOf = Annotated[
    int,
    Query(
        ge=0,
        le=2**31 - 1,
        description="As of this event or a later one: waits for ratings that follow it.",
    ),
]
MOST_LOG, MOST_PARTS = 1000, 1000


def make_api(live: Live, access: Access) -> APIRouter:
    """Return the routes below ``/api``."""
    api = APIRouter(prefix="/api", responses=REFUSED)
    league = live.league

    def asking(request: Request, role: Any) -> Visitor:
        visitor = access.visitor(request)
        access.need(visitor, role)
        return visitor

    def signed(visitor: Visitor, key: str | None, expected: int | None = None) -> Signed:
        return {"author": visitor.name, "key": key, "expected": expected}

    def done(event: Event) -> dict[str, Any]:
        live.written()
        return event.to_dict()

    @api.get("/league", summary="What the league holds")
    def about(request: Request) -> dict[str, Any]:
        asking(request, "reader")
        state = league.state
        return {
            "title": state.title,
            "as_of": {"event": state.number, "at": state.at},
            "contests": len(state.contests),
            "judgments": len(state.judgments),
            "contestants": _count_contestants(league, state),
            "units": None if state.units is None else state.units.kind,
        }

    @api.get("/board", summary="The leaderboard")
    async def board(
        request: Request,
        top: Annotated[int | None, Query(ge=1, le=10**6)] = None,
        event: AsOf = 0,
    ) -> Response:
        found = None
        if is_guest(request):
            access.need(Visitor(), "reader")
            found = live.written_board(top, event)
        if found is None:  # something is to be looked up, or written first
            await run_in_threadpool(asking, request, "reader")
            found = await run_in_threadpool(live.board_text, top, event)
        tag, text = found
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(text, media_type="application/json", headers=headers)

    @api.get("/contestants/{name:path}", summary="A contestant and their results")
    def contestant(request: Request, name: str) -> dict[str, Any]:
        asking(request, "reader")
        return contestant_results(live, name)

    @api.get("/contests/{label:path}", summary="A contest and its results")
    def contest(request: Request, label: str) -> dict[str, Any]:
        asking(request, "reader")
        return contest_results(live, label)

    @api.get("/predict", summary="Who will win, with which probability")
    def forecast(
        request: Request,
        who: Annotated[list[Name], Query(min_length=2, max_length=200)],
        event: AsOf = 0,
    ) -> JSONResponse:
        asking(request, "reader")
        return JSONResponse(live.predict(who, event).to_dict())

    @api.get("/explain", summary="Why one is rated above another")
    def explain(request: Request, a: Name, b: Name, event: AsOf = 0) -> dict[str, Any]:
        asking(request, "reader")
        answer = live.explain(a, b, event)
        told, told_in_all = answer.to_dict(), len(answer.value.contributions)
        told["contributions"] = told["contributions"][:MOST_PARTS]
        return told | {"contributions_in_all": told_in_all, "text": answer.value.text()}

    @api.get("/log", summary="What happened")
    def log(
        request: Request,
        after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_LOG)] = 100,
    ) -> dict[str, Any]:
        asking(request, "reader")
        units = league.state.units
        events = league.log(after)[:limit]
        return {"events": [one.to_dict() | {"sentence": say_event(one, units)} for one in events]}

    @api.post("/contests", summary="Add results of a contest", response_model=Receipt)
    def add(request: Request, sent: SentContest, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        event = league.record(
            sent.contest,
            sent.results,
            date=sent.date,
            weight=sent.weight,
            judge=sent.judge,
            lower_is_better=sent.lower_is_better,
            home=sent.home,
            covariates=sent.covariates,
            **signed(visitor, key, sent.expected),
        )
        return done(event)

    @api.post("/judgments", summary="Give a judgment", response_model=Receipt)
    def judge(request: Request, sent: SentJudgment, key: Key = None) -> Any:
        visitor = asking(request, "judge")
        if league.state.rules is not None and not visitor.may("organiser"):
            raise InputError("this league asks a panel; send votes to /api/panel/votes")
        by = sent.judge if visitor.may("organiser") else visitor.name
        event = league.judge(
            sent.a,
            sent.b,
            sent.y,
            judge=by,
            w=sent.w if visitor.may("organiser") else 1.0,
            date=sent.date,
            topic=sent.topic,
            ratio=sent.ratio,
            **signed(visitor, key, sent.expected),
        )
        return done(event)

    @api.post("/corrections", summary="Correct or withdraw a result", response_model=Receipt)
    def correct(request: Request, sent: SentCorrection, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        told = (sent.contest, sent.contestant, sent.score)
        return done(league.correct(*told, **signed(visitor, key, sent.expected)))

    @api.delete("/contests/{label:path}", summary="Remove a contest", response_model=Receipt)
    def remove(request: Request, label: str, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        return done(league.remove(label, **signed(visitor, key)))

    @api.post("/renamings", summary="Rename a contestant", response_model=Receipt)
    def rename(request: Request, sent: SentRenaming, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        by = signed(visitor, key, sent.expected)
        return done(league.rename(sent.contestant, sent.to, **by))

    @api.post("/mergers", summary="Say that two contestants are one", response_model=Receipt)
    def merge(request: Request, sent: SentRenaming, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        by = signed(visitor, key, sent.expected)
        return done(league.merge(sent.contestant, sent.to, **by))

    @api.post("/undoings", summary="Undo an event", response_model=Receipt)
    def undo(request: Request, sent: SentUndoing, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        return done(league.undo(sent.event, **signed(visitor, key, sent.expected)))

    return api


def _count_contestants(league: League, state: State) -> int:
    """Count who is in the league; those of the ratings are not looked for in every contest."""
    rated = league.last_rated
    if rated is None or rated.digest != state.digest:
        return len(set(state.names()))
    return len({*rated.value.problem.names, *state.items})
