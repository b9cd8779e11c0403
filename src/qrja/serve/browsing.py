"""Pages: what people see of a league, and the forms by which organisers change it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request, UploadFile
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from qrja.errors import InputError, QRJAError
from qrja.league import State, find_undone, say_event
from qrja.letters import visible
from qrja.plurals import count
from qrja.ratings import chance
from qrja.ratings.board import Standings
from qrja.serve.access import COOKIE, LASTING, Access, Visitor, is_guest
from qrja.serve.drawn import draw_bar, draw_history, scale_of
from qrja.serve.live import Live, is_empty
from qrja.serve.results import contest_results, contestant_results, effect_of
from qrja.serve.settings import Settings
from qrja.serve.typed_results import Desk, read_typed, tell_newcomers

PAGES = Path(__file__).parent / "pages"
SHOWN, LOGGED, MOVED = 200, 100, 12
"""Lines of a board, events of a log, and movers of a preview that a page shows."""
HEADINGS = {401: "Please sign in", 403: "Not for everybody", 404: "Not found", 429: "Too quick"}
"""What a page that refuses says above its reason, by the status."""
Word = Annotated[str, Form(max_length=200)]
Query500 = Annotated[str, Query(max_length=500)]


class Browsing:
    """The pages of a server."""

    def __init__(self, live: Live, access: Access, settings: Settings) -> None:
        self.live, self.access, self.settings = live, access, settings
        self.desk = Desk()
        self.router = APIRouter(include_in_schema=False)
        self.templates = Environment(
            loader=FileSystemLoader(PAGES), autoescape=True, undefined=StrictUndefined
        )
        self.templates.filters |= {"seen": _seen, "path": _path}
        self.templates.globals |= {"count": count, "bar": draw_bar, "line": draw_history}
        for add in (_add_board, _add_people, _add_questions, _add_log, _add_forms, _add_doors):
            add(self)

    def visitor(self, request: Request, role: Any = "reader") -> Visitor:
        """Find out who is asking, and whether they may."""
        visitor = self.access.visitor(request)
        self.access.need(visitor, role)
        return visitor

    def show(self, request: Request, page: str, status: int = 200, **told: Any) -> Response:
        """Fill in a page."""
        visitor = self.access.visitor(request)
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


def _seen(text: object) -> str:
    return visible(str(text))


def _path(text: object) -> str:
    return quote(str(text), safe="")


def _add_board(site: Browsing) -> None:
    def lines(q: str, date: str) -> tuple[list[dict[str, Any]], Any]:
        if date:
            answer = site.live.league.as_of(date)
            standings = Standings.of(answer.value, answer.value.table(level=None, kind="dict"))
            boards: list[dict[str, Any]] = [
                {
                    "size": len(board),
                    "leaderboard": [
                        line | {"shown": standings.show(line["rating"])} for line in board
                    ],
                }
                for board in standings.boards
            ]
            intervals = None
        else:
            told = site.live.board().value
            boards, intervals = told["components"], told["intervals_as_of"]
        groups = []
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
                        "lines": found[:SHOWN],
                        "more": len(found) - SHOWN,
                        "scale": scale,
                    }
                )
        return groups, intervals

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
        groups, intervals = lines(q, date)
        return site.show(request, "board.html", groups=groups, q=q, date=date, intervals=intervals)

    def embed(request: Request) -> Response:
        site.visitor(request)
        groups, intervals = ([], None) if is_empty(site.live) else lines("", "")
        return site.show(request, "embed.html", groups=groups, intervals=intervals)

    site.router.get("/")(board)
    site.router.get("/embed")(embed)


def _add_people(site: Browsing) -> None:
    @site.router.get("/contestants/{name:path}")
    def contestant(request: Request, name: str) -> Response:
        site.visitor(request)
        told = contestant_results(site.live, name)
        most = sorted(told["results"], key=lambda one: -abs(one.get("surprise", 0.0)))[:3]
        return site.show(request, "contestant.html", told=told, most=most)

    @site.router.get("/contests/{label:path}")
    def contest(request: Request, label: str) -> Response:
        site.visitor(request)
        told = contest_results(site.live, label)
        moved = effect_of(site.live.rated().value, label)
        return site.show(request, "contest.html", told=told, moved=moved)


def _add_questions(site: Browsing) -> None:
    @site.router.get("/compare")
    def compare(request: Request, a: Query500 = "", b: Query500 = "") -> Response:
        site.visitor(request)
        told: dict[str, Any] = {"a": a, "b": b, "why": None, "chance": None, "problem": None}
        if a and b:
            told |= _asked(lambda: _compared(site.live, a, b))
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


def _compared(live: Live, a: str, b: str) -> dict[str, Any]:
    why = live.explain(a, b).value.text().split("\n")
    try:
        found = live.predict([a, b]).prediction
        return {"why": why, "chance": chance(float(found.win[0]))}
    except QRJAError:
        return {"why": why}  # there is too little to say a chance


def _forecast(live: Live, names: list[str]) -> dict[str, Any]:
    found = live.predict(names).prediction
    rows = [
        {
            "contestant": it["contestant"],
            "win": chance(float(it["win"])),
            "place": f"{it['expected_place']:.1f}",
        }
        for it in found.entrants()
    ]
    return {"rows": sorted(rows, key=lambda row: float(row["place"])), "notes": found.notes}


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


def _add_forms(site: Browsing) -> None:
    empty: dict[str, Any] = {"contest": "", "date": "", "text": "", "problem": None}

    @site.router.get("/add")
    def form(request: Request) -> Response:
        site.visitor(request, "organiser")
        return site.show(request, "add.html", **empty)

    @site.router.post("/preview")
    def preview(
        request: Request,
        file: UploadFile | None = None,
        contest: Annotated[str, Form(max_length=500)] = "",
        date: Annotated[str, Form(max_length=40)] = "",
        text: Annotated[str, Form(max_length=4_000_000)] = "",
        csrf: Word = "",
    ) -> Response:
        visitor = site.check(request, csrf)
        league = site.live.league
        typed = {"contest": contest, "date": date, "text": text}
        sent = None
        if file is not None and file.filename:
            sent = (file.filename, file.file.read())
        try:
            given = read_typed(league, contest=contest, date=date, text=text, file=sent)
            before = None if league.state.is_empty else league.ratings
            after = league.preview([given])
        except InputError as error:
            return site.show(request, "add.html", 422, **(typed | {"problem": str(error)}))
        moved = after.changes_since(before).moved()
        show = after.units.show
        rows = [
            {
                "contestant": one.contestant,
                "was": "new" if one.rank_before is None else one.rank_before,
                "rank": one.rank,
                "rating": show(one.rating),
                "change": "" if one.change is None else show(one.change),
            }
            for one in moved[:MOVED]
        ]
        return site.show(
            request,
            "preview.html",
            name=site.desk.lay(given, visitor.session or ""),
            notes=[
                *(given.summary.lines() if given.summary is not None else []),
                *tell_newcomers(league.state, given),
            ],
            contests=len(given.contests),
            results=sum(len(one.results) for one in given.contests) or len(given.judgments),
            rows=rows,
            more=len(moved) - len(rows),
        )

    @site.router.post("/save")
    def save(request: Request, name: Word, csrf: Word = "") -> Response:
        visitor = site.check(request, csrf)
        given = site.desk.take(name, visitor.session or "")
        site.live.league.write([given], author=visitor.name, key=f"page {name}")
        site.live.written()
        return RedirectResponse("/", 303)


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
    def enter(request: Request, token: Word) -> Response:
        session = site.access.enter(token.strip())
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
        response = site.show(request, "entered.html")
        arrived = let_in(session)
        response.headers["set-cookie"] = arrived.headers["set-cookie"]
        return response

    @site.router.post("/sign-out")
    def sign_out(request: Request) -> Response:
        response = RedirectResponse("/", 303)
        response.delete_cookie(COOKIE, path="/")
        return response
