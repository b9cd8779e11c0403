"""Pages: what people see of a league, and the forms by which organisers change it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from qrja.league import State, find_undone, say_event
from qrja.letters import visible
from qrja.plurals import count
from qrja.serve.access import COOKIE, LASTING, Access, Visitor, is_guest
from qrja.serve.drawn import draw_bar, draw_history, draw_share, scale_of
from qrja.serve.live import Live, is_empty
from qrja.serve.results import contest_results, contestant_results, effect_of
from qrja.serve.settings import Settings
from qrja.serve.told_board import tell_board

PAGES = Path(__file__).parent / "pages"
SHOWN, LOGGED = 200, 100
"""Lines of a board, and events of a log that a page shows."""
HEADINGS = {401: "Please sign in", 403: "Not for everybody", 404: "Not found", 429: "Too quick"}
"""What a page that refuses says above its reason, by the status."""
Word = Annotated[str, Form(max_length=200)]
Query500 = Annotated[str, Query(max_length=500)]


class Browsing:
    """The pages of a server."""

    def __init__(self, live: Live, access: Access, settings: Settings) -> None:
        self.live, self.access, self.settings = live, access, settings
        self.router = APIRouter(include_in_schema=False)
        self.templates = Environment(
            loader=FileSystemLoader(PAGES), autoescape=True, undefined=StrictUndefined
        )
        self.templates.filters |= {"seen": _seen, "path": _path}
        self.templates.globals |= {"count": count, "bar": draw_bar, "share_bar": draw_share}
        self.templates.globals["line"] = draw_history
        for add in (_add_board, _add_people, _add_log, _add_doors):
            add(self)

    def visitor(self, request: Request, role: Any = "reader") -> Visitor:
        """Find out who is asking, and whether they may."""
        visitor = self.access.visitor(request)
        self.access.need(visitor, role)
        return visitor

    def show(self, request: Request, page: str, status: int = 200, **told: Any) -> Response:
        """Fill in a page, for whoever asks or for another visitor."""
        visitor: Visitor = told.get("visitor") or self.access.visitor(request)
        state = self.live.league.state
        common = {
            "title": state.title or "League",
            "event": state.number,
            "at": state.at[:16].replace("T", " "),
            "visitor": visitor,
            "csrf": self.access.csrf(visitor),
            "writes": visitor.may("organiser") and not self.settings.read_only,
            "reads": self.access.reads(visitor),
            "ruled": state.rules is not None,
            "may_vote": state.rules is not None and visitor.may("judge"),
            "panelled": state.rules is not None or not state.contests,
            "where": request.url.path,
            "judged": _is_judged(state),
            "knows_home": state.knows_home,
            "one_rated": "Contestant" if state.rules is None else "Item",
            "results_of": "Comparisons" if state.judgments else "Contests",
        }
        content = self.templates.get_template(page).render(common | told)
        return HTMLResponse(content, status, headers={"cache-control": "no-store"})

    def check(self, request: Request, word: str) -> Visitor:
        """Let an organiser change something by a form of this session."""
        visitor = self.visitor(request, "organiser")
        self.access.check_form(visitor, word)
        return visitor

    @staticmethod
    def wants_page(request: Request) -> bool:
        """Tell a browser from a program."""
        return "text/html" in request.headers.get("accept", "")

    def refuse(self, request: Request, status: int, words: str) -> Response:
        """Say on a page why not."""
        try:
            told = {"words": words, "heading": HEADINGS.get(status, "This did not work")}
            return self.show(request, "problem.html", status, sign_in=status == 401, **told)
        except Exception:  # the database itself may be away
            return Response(words, status, media_type="text/plain")


def _is_judged(state: State) -> bool:
    """Tell whether results say who judged; if one does, all do."""
    contest = next(iter(state.contests.values()), None)
    judgment = next(iter(state.judgments.values()), None)
    return any(one is not None and one.judge is not None for one in (contest, judgment))


def _interval(line: dict[str, Any], show: Callable[[float], str]) -> dict[str, str]:
    """Say from where to where a rating probably is, if that is known."""
    if line.get("low") is None:
        return {}
    return {"interval": f"{show(line['low'])} to {show(line['high'])}"}


def _seen(text: object) -> str:
    return visible(str(text))


def _path(text: object) -> str:
    return quote(str(text), safe="")


def _add_board(site: Browsing) -> None:
    def lines(q: str, date: str) -> dict[str, Any]:
        if date:
            told = tell_board(site.live.league.as_of(date).value)
        else:
            told = site.live.board().value
        boards, intervals = told["components"], told["intervals_as_of"]
        show, groups = site.live.rated().value.units.show, []
        for board in boards:
            found = [
                it
                for it in board["leaderboard"]
                if q.casefold() in str(it["contestant"]).casefold()
            ]
            if found:
                scale = scale_of(board["leaderboard"])
                groups.append(
                    {
                        "size": board["size"],
                        "lines": [it | _interval(it, show) for it in found[:SHOWN]],
                        "more": len(found) - SHOWN,
                        "scale": scale,
                    }
                )
        return {"groups": groups, "intervals": intervals, "notes": told.get("notes", [])}

    kept: dict[tuple[Any, ...], bytes] = {}

    def board(request: Request, q: Query500 = "", date: Query500 = "") -> Response:
        site.visitor(request)
        mark = site.live.board_mark if is_guest(request) and not q and not date else None
        key = (mark, site.live.league.last_state.number)
        if mark is None or key not in kept:
            shown = make(request, q, date)
            if mark is None:
                return shown
            kept.clear()
            kept[key] = bytes(shown.body)
        return HTMLResponse(kept[key], headers={"cache-control": "no-store"})

    def make(request: Request, q: str, date: str) -> Response:
        if is_empty(site.live):
            return site.show(request, "empty.html")
        return site.show(request, "board.html", q=q, date=date, **lines(q, date))

    def embed(request: Request) -> Response:
        site.visitor(request)
        empty: dict[str, Any] = {"groups": [], "intervals": None, "notes": []}
        told = empty if is_empty(site.live) else lines("", "")
        return site.show(request, "embed.html", **told)

    site.router.get("/")(board)
    site.router.get("/embed")(embed)


def _add_people(site: Browsing) -> None:
    @site.router.get("/contestants/{name:path}")
    def contestant(request: Request, name: str) -> Response:
        site.visitor(request)
        told = contestant_results(site.live, name)
        most = sorted(told["results"], key=lambda one: -abs(one.get("surprise", 0.0)))[:3]
        show, values = site.live.rated().value.units.show, [it["rating"] for it in told["history"]]
        return site.show(
            request,
            "contestant.html",
            told=told,
            most=most,
            interval=_interval(told, show).get("interval"),
            ends=[show(it) for it in (min(values), max(values))] if values else [],
            dated=any("date" in it for it in told["results"]),
        )

    @site.router.get("/contests/{label:path}")
    def contest(request: Request, label: str) -> Response:
        site.visitor(request)
        told = contest_results(site.live, label)
        moved = effect_of(site.live.rated().value, label)
        return site.show(request, "contest.html", told=told, moved=moved)


def _add_log(site: Browsing) -> None:
    @site.router.get("/log")
    def log(request: Request, before: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0) -> Response:
        site.visitor(request)
        whole, units = site.live.league.log(), site.live.league.state.units
        undone = find_undone(whole)
        shown = [it for it in whole if not before or it.number < before][-LOGGED:]
        lines = [
            {
                "event": event.number,
                "at": event.at[:16].replace("T", " "),
                "author": event.author,
                "said": say_event(event, units),
                "undone": undone.get(event.number),
            }
            for event in reversed(shown)
        ]
        return site.show(request, "log.html", lines=lines)

    @site.router.post("/undo")
    def undo(
        request: Request, event: Annotated[int, Form(ge=1, le=2**31 - 1)], csrf: Word = ""
    ) -> Response:
        visitor = site.check(request, csrf)
        site.live.league.undo(event, author=visitor.name)
        site.live.written()
        return RedirectResponse("/log", 303)


def _add_doors(site: Browsing) -> None:
    def let_in(session: str, to: str = "/") -> Response:
        response = RedirectResponse(to, 303)
        flags: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/"}
        response.set_cookie(COOKIE, session, LASTING, secure=site.settings.secure, **flags)
        return response

    @site.router.get("/sign-in")
    def sign_in(request: Request) -> Response:
        return site.show(request, "sign_in.html", problem=None)

    @site.router.post("/sign-in")
    def enter(request: Request, token: Word, door: Word = "") -> Response:
        session = site.access.enter(token.strip())
        if session is None and door == "judge":
            words = "this code is not known, or revoked; look at it again, or ask for another"
            return site.show(request, "panel/door.html", 401, problem=words)
        if session is None:
            words = "this token is not known, or revoked; ask for another"
            return site.show(request, "sign_in.html", 401, problem=words)
        who, rules = site.access.opened(session), site.live.league.state.rules
        judges = who is not None and who.role == "judge" and rules is not None
        return let_in(session, "/judge" if judges else "/")

    @site.router.get("/enter/{code}")
    def enter_by_code(request: Request, code: str) -> Response:
        session = site.access.use_code(code)
        if session is None:
            words = "this link was used already; sign in with a token"
            return site.show(request, "sign_in.html", 401, problem=words)
        # A redirect would not carry a strict cookie when the link came from elsewhere.
        response = site.show(request, "entered.html", visitor=Visitor(site.access.opened(session)))
        arrived = let_in(session)
        response.headers["set-cookie"] = arrived.headers["set-cookie"]
        return response

    @site.router.post("/sign-out")
    def sign_out(request: Request) -> Response:
        response = RedirectResponse("/", 303)
        response.delete_cookie(COOKIE, path="/")
        return response
