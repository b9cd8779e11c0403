"""Pages for judges: the door, two items side by side, and the votes that were given."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from qrja.errors import ConflictError, InputError
from qrja.league import Item
from qrja.serve.access import Visitor
from qrja.serve.browsing import Browsing, Word
from qrja.serve.panel.desk import PanelDesk
from qrja.serve.panel.vote_forms import VoteForm, preset

Name = Annotated[str, Form(max_length=500)]
Comment = Annotated[str, Form(max_length=4000)]


def _filled(
    grade: Word = "",
    place: Word = "",
    worth: Word = "",
    turned: Word = "",
    cannot: Word = "",
    comment: Comment = "",
) -> VoteForm:
    return VoteForm(grade, place, worth, turned, cannot, comment)


Filled = Annotated[VoteForm, Depends(_filled)]
"""The fields of the form of a vote."""


def add_judge_pages(site: Browsing, desk: PanelDesk) -> None:
    """Add ``/j``, ``/judge`` and ``/judge/votes`` to a site."""
    _add_door(site)
    _add_pair(site, desk)
    _add_votes(site, desk)


def _add_door(site: Browsing) -> None:
    @site.router.get("/j")
    def door(request: Request) -> Response:
        """Take the code from the part of a link that browsers do not send, or let it be typed."""
        return site.show(request, "panel/door.html", problem=None)


def _judging(site: Browsing, desk: PanelDesk, request: Request) -> Visitor:
    visitor = site.visitor(request, "judge")
    desk.need()
    return visitor


def _add_pair(site: Browsing, desk: PanelDesk) -> None:
    def show(
        request: Request, visitor: Visitor, status: int = 200, problem: str | None = None
    ) -> Response:
        ticket, own = desk.tickets.of(visitor.name), desk.panel.votes(visitor.name)
        told: dict[str, Any] = {"ticket": ticket, "given": len(own)}
        told["last"] = own[-1] if own else None
        told |= {"sign": desk.progress.short(), "problem": problem}
        if ticket is None:
            items = sum(not it.retired for it in desk.league.last_state.items.values())
            return site.show(request, "panel/done.html", status, items=items, **told)
        told |= _pair(desk, ticket.a, ticket.b) | preset(desk.panel.rules, None)
        return site.show(request, "panel/judge.html", status, comment="", **told)

    @site.router.get("/judge")
    def judge(request: Request) -> Response:
        return show(request, _judging(site, desk, request))

    @site.router.post("/judge")
    def vote(
        request: Request, ticket: Word, a: Name, b: Name, form: Filled, csrf: Word = ""
    ) -> Response:
        visitor = _judging(site, desk, request)
        site.access.check_form(visitor, csrf)
        try:
            y = form.answer(desk.panel.rules)
            desk.vote(visitor.name, a, b, y, form.comment, key=f"ticket {ticket}")
        except ConflictError:
            words = "this pair is judged already; change it among your votes"
            return show(request, visitor, 409, words)
        except InputError as error:
            return show(request, visitor, 422, str(error))
        return RedirectResponse("/judge", 303)


def _pair(desk: PanelDesk, a: str, b: str) -> dict[str, Any]:
    items = desk.league.last_state.items
    return {"rules": desk.panel.rules, "pair": [items.get(it) or Item(it) for it in (a, b)]}


def _add_votes(site: Browsing, desk: PanelDesk) -> None:
    @site.router.get("/judge/votes")
    def votes(request: Request) -> Response:
        visitor = _judging(site, desk, request)
        own = desk.panel.votes(visitor.name)[::-1]
        return site.show(request, "panel/votes.html", votes=own, rules=desk.panel.rules)

    def show(
        request: Request, judge: str, key: str, status: int = 200, problem: str | None = None
    ) -> Response:
        was = desk.panel.find_vote(judge, key)
        told = _pair(desk, was.a, was.b) | preset(desk.panel.rules, was.y)
        told |= {"cannot": was.y is None, "comment": was.comment, "problem": problem}
        return site.show(request, "panel/change.html", status, vote=was, **told)

    @site.router.get("/judge/votes/{key}")
    def look(request: Request, key: str) -> Response:
        visitor = _judging(site, desk, request)
        return show(request, visitor.name, key)

    @site.router.post("/judge/votes/{key}")
    def change(request: Request, key: str, form: Filled, csrf: Word = "") -> Response:
        visitor = _judging(site, desk, request)
        site.access.check_form(visitor, csrf)
        try:
            desk.change(visitor.name, key, form.answer(desk.panel.rules), form.comment)
        except InputError as error:
            return show(request, visitor.name, key, 422, str(error))
        return RedirectResponse("/judge/votes", 303)
