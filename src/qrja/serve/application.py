"""The application: a league behind pages and an API.

Mistakes are answered in the words of the library: 422 what is wrong with what was sent, 409 what
changed meanwhile, 503 when to try again, 401 and 403 who may. A mistake of ours is a 500 without
its innards.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from qrja._version import __version__
from qrja.errors import BusyError, ConflictError, EmptyLeagueError, QRJAError
from qrja.league import League, Tokens
from qrja.report import read_style
from qrja.serve.access import Access, NotAllowedError
from qrja.serve.api import make_api
from qrja.serve.browsing import Browsing
from qrja.serve.entering import add_correction_pages, add_entry_pages
from qrja.serve.feeds import make_feeds
from qrja.serve.guards import Guards
from qrja.serve.live import Live
from qrja.serve.operation import TEXT, Metrics, Watching
from qrja.serve.panel import (
    PanelDesk,
    add_item_pages,
    add_judge_pages,
    add_organiser_pages,
    make_panel_api,
)
from qrja.serve.questions import SlowAnswers, add_question_pages, make_question_api
from qrja.serve.results import UnknownNameError
from qrja.serve.settings import Settings

STATIC = Path(__file__).parent / "static"
SCRIPTS = ("live.js", "panel.js")
LOG = logging.getLogger("qrja.serve")


def make_app(league: League, settings: Settings | None = None) -> FastAPI:
    """Return an ASGI application that serves a league, and closes it when it stops.

    ``app.state.access.make_code()`` gives a code for ``/enter/CODE``, which lets its first user in
    as organiser.

    Examples
    --------
    >>> app = make_app(League.open(":memory:"))
    >>> app.title
    'qrja'
    """
    chosen = settings or Settings()
    live = Live(league)
    desk = PanelDesk(live)
    access = Access(Tokens(league.store), chosen, desk.shown_to)
    _ = league.state  # known from the first request on

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        live.start()
        yield
        live.stop()

    app = FastAPI(
        title="qrja",
        version=__version__,
        summary="A league: results come in, ratings follow.",
        lifespan=lifespan,
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.access, app.state.live = access, live
    browsing = Browsing(live, access, chosen)
    slow = SlowAnswers(live)
    add_question_pages(browsing, slow)
    add_entry_pages(browsing)
    add_correction_pages(browsing)
    app.include_router(make_api(live, access))
    app.include_router(make_question_api(slow, access))
    app.include_router(make_feeds(live, access))
    for add in (add_judge_pages, add_organiser_pages, add_item_pages):
        add(browsing, desk)
    app.include_router(browsing.router)
    app.include_router(make_panel_api(desk, access))
    metrics = Metrics(__version__)
    _add_plain_routes(app)
    _add_operation(app, live, access, metrics)
    _add_refusals(app, browsing)
    app.add_middleware(Guards, settings=chosen)
    app.add_middleware(Watching, metrics=metrics)
    return app


def _add_plain_routes(app: FastAPI) -> None:
    sheets = [(STATIC / f"{name}.css").read_text(encoding="utf-8") for name in ("serve", "panel")]
    style = read_style() + "".join(sheets)
    scripts = {name: (STATIC / name).read_text(encoding="utf-8") for name in SCRIPTS}

    @app.get("/static/style.css", include_in_schema=False)
    def get_style() -> Response:
        return Response(style, media_type="text/css")

    @app.get("/static/{name}.js", include_in_schema=False)
    def get_script(name: str) -> Response:
        if f"{name}.js" not in scripts:
            raise HTTPException(404)
        return Response(scripts[f"{name}.js"], media_type="text/javascript")


def _add_operation(app: FastAPI, live: Live, access: Access, metrics: Metrics) -> None:
    @app.get("/health", include_in_schema=False)
    def health() -> dict[str, str]:
        return {"status": "alive", "version": __version__}

    @app.get("/ready", include_in_schema=False)
    def ready() -> Response:
        """Say whether questions are answered: the log can be read, and there are ratings of it."""
        told = live.readiness()
        return JSONResponse(told, 200 if told["status"] == "ready" else 503)

    @app.get("/metrics", include_in_schema=False)
    def tell_metrics(request: Request) -> Response:
        access.need(access.visitor(request), "reader")
        return Response(metrics.text(live.gauges()), media_type=TEXT)


def _add_refusals(app: FastAPI, browsing: Browsing) -> None:
    """Answer errors: as a page to people, as JSON to programs."""

    def answer(request: Request, status: int, words: str) -> Response:
        path = request.url.path
        if path.startswith("/api") or not browsing.wants_page(request):
            headers = {"www-authenticate": "Bearer"} if status == 401 else {}
            headers |= {"retry-after": "1"} if status == 503 else {}
            return JSONResponse({"error": words}, status, headers)
        return browsing.refuse(request, status, words)

    @app.exception_handler(QRJAError)
    def refuse(request: Request, error: QRJAError) -> Response:
        kinds = [(ConflictError, 409), (UnknownNameError, 404), (EmptyLeagueError, 404)]
        status = next((code for kind, code in kinds if isinstance(error, kind)), 422)
        return answer(request, 503 if isinstance(error, BusyError) else status, str(error))

    @app.exception_handler(NotAllowedError)
    def not_allowed(request: Request, error: NotAllowedError) -> Response:
        return answer(request, error.status, str(error))

    @app.exception_handler(HTTPException)
    def missing(request: Request, error: HTTPException) -> Response:
        words = "there is no such page" if error.status_code == 404 else str(error.detail)
        return answer(request, error.status_code, words)

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            said, at = first["ctx"]["error"], first["loc"][-1]
            return answer(request, 422, f"the body is no JSON: {said}, at character {at}")
        where = ".".join(str(part) for part in first["loc"])
        return answer(request, 422, f"{where}: {first['msg']}")

    @app.exception_handler(Exception)
    def failed(request: Request, error: Exception) -> Response:
        LOG.error("a request failed", exc_info=error)
        return answer(request, 500, "something went wrong here; it is in the log of the server")
