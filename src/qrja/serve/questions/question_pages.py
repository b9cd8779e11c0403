"""Pages of questions that look at all of a league."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from qrja.errors import QRJAError
from qrja.ratings import Ratings
from qrja.serve.browsing import Browsing
from qrja.serve.live import is_empty
from qrja.serve.questions.slow_answers import SlowAnswers


def add_question_pages(site: Browsing, slow: SlowAnswers) -> None:
    """Add the pages: next, trust, judges."""

    def page(
        request: Request, name: str, question: Callable[[Ratings], Any], command: str, **more: Any
    ) -> Response:
        if is_empty(site.live):
            return site.show(request, "empty.html")
        told: dict[str, Any] = {"found": None, "problem": None, "as_of": 0}
        try:
            answer = slow.ask(" ".join([name, *map(str, more.values())]), question, command)
            told |= {"found": answer.value, "as_of": answer.event}
        except QRJAError as error:
            told["problem"] = str(error)
        return site.show(request, f"{name}.html", **told, **more)

    @site.router.get("/next")
    def suggest(request: Request, size: Annotated[int, Query(ge=2, le=20)] = 2) -> Response:
        site.visitor(request)
        return page(request, "next", lambda it: it.suggest(8, size=size), "qrja suggest", size=size)

    @site.router.get("/trust")
    def trust(request: Request) -> Response:
        site.visitor(request)
        return page(request, "trust", lambda it: it.trust(), "qrja trust")

    @site.router.get("/judges")
    def judges(request: Request) -> Response:
        site.visitor(request, "organiser")
        return page(request, "judges", lambda it: it.judges(), "qrja judges")
