"""The same questions for programs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from qrja.league import LeagueAnswer
from qrja.serve.access import Access
from qrja.serve.api_models import REFUSED
from qrja.serve.questions.slow_answers import SlowAnswers


def make_question_api(slow: SlowAnswers, access: Access) -> APIRouter:
    """Return the routes below ``/api`` that look at all of a league."""
    api = APIRouter(prefix="/api", responses=REFUSED)

    def told(answer: LeagueAnswer[Any]) -> dict[str, Any]:
        return answer.to_dict()

    @api.get("/suggest", summary="Whom to compare next")
    def suggest(
        request: Request,
        k: Annotated[int, Query(ge=1, le=50)] = 5,
        size: Annotated[int, Query(ge=2, le=20)] = 2,
    ) -> dict[str, Any]:
        access.need(access.visitor(request), "reader")
        name = f"suggest {k} {size}"
        return told(slow.ask(name, lambda it: it.suggest(k, size=size), "qrja suggest"))

    @api.get("/trust", summary="What the ratings rest on")
    def trust(request: Request) -> dict[str, Any]:
        access.need(access.visitor(request), "reader")
        return told(slow.ask("trust", lambda it: it.trust(), "qrja trust"))

    @api.get("/judges", summary="How each judge judges")
    def judges(request: Request) -> dict[str, Any]:
        access.need(access.visitor(request), "organiser")
        return told(slow.ask("judges", lambda it: it.judges(), "qrja judges"))

    return api
