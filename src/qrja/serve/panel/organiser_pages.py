"""Pages for organisers of a panel: how far it is, its judges and their links, and its rules."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Form, Request
from starlette.responses import RedirectResponse, Response

from qrja.errors import InputError
from qrja.league import SCALES, SIGHTS, PanelRules
from qrja.serve.browsing import Browsing, Word
from qrja.serve.panel.desk import PanelDesk

Text = Annotated[str, Form(max_length=20_000)]
MOST_INVITED = 200
"""Links that are made at once."""
COMMENTS = 50
"""The last comments that are shown."""
ACCURACIES = {0.7: "rough", 0.8: "good", 0.9: "high", 0.95: "very high"}
REPEATS = {0.0: "none", 0.05: "one of twenty", 0.1: "one of ten", 0.2: "one of five"}


def add_organiser_pages(site: Browsing, desk: PanelDesk) -> None:
    """Add ``/panel``, ``/panel/judges`` and ``/panel/setup`` to a site."""
    _add_overview(site, desk)
    _add_judges(site, desk)
    _add_setup(site, desk)


def _add_overview(site: Browsing, desk: PanelDesk) -> None:
    @site.router.get("/panel")
    def overview(request: Request) -> Response:
        site.visitor(request, "organiser")
        state = desk.league.state
        if state.rules is None:
            return RedirectResponse("/panel/setup", 303)
        sign, judges = desk.progress.whole(desk.names())
        said = [one for one in desk.panel.votes()[::-1] if one.comment]
        return site.show(
            request,
            "panel/overview.html",
            sign=sign,
            judges=[it for it in judges if it.strikes],
            rules=state.rules,
            items=sum(not it.retired for it in state.items.values()),
            invited=len(desk.names()),
            comments=said[:COMMENTS],
        )


def _add_judges(site: Browsing, desk: PanelDesk) -> None:
    def show(request: Request, status: int = 200, **told: Any) -> Response:
        tokens = desk.invited()
        names = list(dict.fromkeys(it.name for it in tokens))
        _, judges = desk.progress.whole(names)
        usual = {"links": None, "problem": None, "typed": ""}
        told = usual | told | {"judges": judges, "tokens": tokens, "units": desk.panel.rules.units}
        return site.show(request, "panel/judges.html", status, **told)

    @site.router.get("/panel/judges")
    def judges(request: Request) -> Response:
        site.visitor(request, "organiser")
        desk.need()
        return show(request)

    @site.router.post("/panel/judges")
    def invite(request: Request, names: Text = "", csrf: Word = "") -> Response:
        site.check(request, csrf)
        desk.need()
        wanted = list(dict.fromkeys(line.strip() for line in names.splitlines() if line.strip()))
        try:
            if not 0 < len(wanted) <= MOST_INVITED:
                raise InputError(
                    f"{len(wanted)} names are given; give 1 to {MOST_INVITED}, one a line"
                )
            for name in wanted:
                desk.tokens.check_name(name)
        except InputError as error:
            return show(request, 422, problem=str(error), typed=names)
        base = _address(site, request)
        made = {name: desk.invite(name) for name in wanted}
        links = [{"name": name, "code": it, "link": f"{base}/j#{it}"} for name, it in made.items()]
        return show(request, links=links)

    @site.router.post("/panel/judges/revoke")
    def revoke(request: Request, id: Word, csrf: Word = "") -> Response:
        site.check(request, csrf)
        desk.revoke(id)
        return RedirectResponse("/panel/judges", 303)


def _address(site: Browsing, request: Request) -> str:
    """Return where judges reach the server: as the organiser did, by HTTPS if cookies need it."""
    base = str(request.base_url).rstrip("/")
    return base.replace("http://", "https://", 1) if site.settings.secure else base


def _add_setup(site: Browsing, desk: PanelDesk) -> None:
    def show(request: Request, rules: PanelRules, status: int = 200, **told: Any) -> Response:
        known = {"title_typed": desk.league.last_state.title, "problem": None}
        shares = {"accuracies": ACCURACIES, "repeat_shares": REPEATS}
        listed = {"scales": SCALES, "sights": SIGHTS, "rules": rules}
        return site.show(request, "panel/setup.html", status, **(known | shares | listed | told))

    @site.router.get("/panel/setup")
    def form(request: Request) -> Response:
        site.visitor(request, "organiser")
        return show(request, desk.panel.rules)

    @site.router.post("/panel/setup")
    def save(
        request: Request,
        question: Annotated[str, Form(max_length=500)] = "",
        scale: Word = "grades",
        grades: Text = "",
        accuracy: Annotated[float, Form(allow_inf_nan=False)] = 0.8,
        repeats: Annotated[float, Form(allow_inf_nan=False)] = 0.1,
        board: Word = "organisers",
        title: Annotated[str, Form(max_length=500)] = "",
        csrf: Word = "",
    ) -> Response:
        visitor = site.check(request, csrf)
        words = [line.strip() for line in grades.splitlines() if line.strip()]
        asked: dict[str, Any] = {"question": question, "scale": scale, "accuracy": accuracy}
        asked |= {"repeats": repeats, "board": board}
        asked |= {"grades": words} if words else {}
        begun = desk.league.state.rules is not None
        try:
            desk.panel.set_up(author=visitor.name, **asked)
        except InputError as error:
            typed = {"problem": str(error), "title_typed": title}
            return show(request, desk.panel.rules, 422, **typed)
        if title.strip() and title != desk.league.last_state.title:
            desk.league.entitle(title.strip(), author=visitor.name)
        desk.live.written()
        return RedirectResponse("/panel" if begun else "/panel/items", 303)
