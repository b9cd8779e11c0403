"""Pages of questions: about two, about a start list, and about all of a league."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from qrja.errors import QRJAError
from qrja.ratings import Prediction, Ratings, chance
from qrja.serve.browsing import Browsing, Query500
from qrja.serve.live import Live, is_empty
from qrja.serve.questions.compared import compare_two
from qrja.serve.questions.slow_answers import SlowAnswers


def add_question_pages(site: Browsing, slow: SlowAnswers) -> None:
    """Add the pages: compare, forecast, next, trust, judges."""
    _add_forms(site)
    _add_slow(site, slow)


def _add_forms(site: Browsing) -> None:
    @site.router.get("/compare")
    def compare(request: Request, a: Query500 = "", b: Query500 = "") -> Response:
        site.visitor(request)
        told: dict[str, Any] = {"a": a, "b": b, "first": None, "problem": None}
        if a and b:
            told |= _asked(lambda: compare_two(site.live, a, b))
        return site.show(request, "compare.html", **told)

    @site.router.get("/forecast")
    def forecast(request: Request, who: Annotated[str, Query(max_length=20_000)] = "") -> Response:
        site.visitor(request)
        names = [line.strip() for line in who.splitlines() if line.strip()]
        told: dict[str, Any] = {"who": who, "rows": None, "problem": None, "notes": ()}
        if names:
            told |= _asked(lambda: _forecast(site.live, names))
        return site.show(request, "forecast.html", **told)


def _asked(ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Ask a question whose form stays on the page; what is wrong with it is said beside it."""
    try:
        return ask()
    except QRJAError as error:
        return {"problem": str(error)}


def _forecast(live: Live, names: list[str]) -> dict[str, Any]:
    forecast = live.predict(names)
    found, known = forecast.prediction, live.rated().value.problem.number
    rows = [
        {
            "contestant": it["contestant"],
            "known": it["contestant"] in known,
            "share": float(it["win"]),
            "win": chance(float(it["win"])),
            "expected": float(it["expected_place"]),
            "place": f"{it['expected_place']:.1f}",
        }
        for it in found.entrants()
    ]
    rows.sort(key=lambda row: row["expected"])
    notes = [*found.notes, *_say_ties(found)]
    return {"rows": rows, "notes": notes, "as_of": forecast.answer.event}


def _say_ties(found: Prediction) -> list[str]:
    """Say what a tie counts where ties come about, and how probable that of two is."""
    if not found.may_tie:
        return []
    among_two = f", {chance(float(found.ties[0, 1]))}," if len(found.names) == 2 else ""
    return [f"a tie{among_two} counts half"]


def _add_slow(site: Browsing, slow: SlowAnswers) -> None:
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
