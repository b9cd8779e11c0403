"""The API of a panel: the next pair goes out, votes come in, organisers see how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request

from qrja.league import Event
from qrja.serve.access import Access, Visitor
from qrja.serve.api import Key
from qrja.serve.api_models import REFUSED, Receipt
from qrja.serve.panel.desk import PanelDesk
from qrja.serve.panel.panel_models import SentChange, SentItems, SentJudge, SentRules, SentVote

Asking = Callable[[Request, Any], Visitor]


def make_panel_api(desk: PanelDesk, access: Access) -> APIRouter:
    """Return the routes below ``/api/panel``."""
    api = APIRouter(prefix="/api/panel", responses=REFUSED, tags=["panel"])

    def asking(request: Request, role: Any) -> Visitor:
        visitor = access.visitor(request)
        access.need(visitor, role)
        return visitor

    _add_judging(api, desk, asking)
    _add_organising(api, desk, asking)
    return api


def _add_judging(api: APIRouter, desk: PanelDesk, asking: Asking) -> None:
    @api.get("", summary="What the panel is asked, and how far it is")
    def about(request: Request) -> dict[str, Any]:
        asking(request, "judge")
        desk.need()
        rules, sign = desk.panel.rules, desk.progress.short()
        return {
            **rules.to_dict(),
            "items": sign.items,
            "votes": sign.votes,
            "needed": sign.needed,
            "sentence": sign.short(),
        }

    @api.get("/items", summary="The items that are compared")
    def items(request: Request) -> dict[str, Any]:
        asking(request, "judge")
        found = desk.league.state.items.values()
        return {"items": [it.to_dict() for it in found if not it.retired]}

    @api.get("/next", summary="The next pair for the judge who asks")
    def next_pair(request: Request) -> dict[str, Any]:
        visitor = asking(request, "judge")
        desk.need()
        ticket = desk.tickets.of(visitor.name)
        if ticket is None:
            return {"pair": None}
        known = desk.league.last_state.items
        both = [known[name].to_dict() for name in (ticket.a, ticket.b)]
        return {"pair": {"a": both[0], "b": both[1], "again": ticket.repeats is not None}}

    @api.get("/votes", summary="The votes of the judge who asks")
    def votes(request: Request) -> dict[str, Any]:
        visitor = asking(request, "judge")
        return {"votes": [one.to_dict() for one in desk.panel.votes(visitor.name)]}

    @api.post("/votes", summary="Give a vote", response_model=Receipt)
    def vote(request: Request, sent: SentVote, key: Key = None) -> Any:
        visitor = asking(request, "judge")
        more = {"key": key, "expected": sent.expected}
        event = desk.vote(visitor.name, sent.a, sent.b, sent.y, sent.comment, **more)
        return event.to_dict()

    @api.put("/votes/{vote}", summary="Change a vote of one's own", response_model=Receipt)
    def change(request: Request, vote: str, sent: SentChange, key: Key = None) -> Any:
        visitor = asking(request, "judge")
        more = {"key": key, "expected": sent.expected}
        return desk.change(visitor.name, vote, sent.y, sent.comment, **more).to_dict()


def _add_organising(api: APIRouter, desk: PanelDesk, asking: Asking) -> None:
    def done(event: Event) -> dict[str, Any]:
        desk.live.written()
        return event.to_dict()

    @api.put("", summary="Set up the panel, or change its rules", response_model=Receipt)
    def set_up(request: Request, sent: SentRules, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        rules = sent.model_dump(exclude_none=True, exclude={"expected"})
        more: dict[str, Any] = {"author": visitor.name, "key": key, "expected": sent.expected}
        return done(desk.panel.set_up(**more, **rules))

    @api.post("/items", summary="List items, or change them", response_model=Receipt)
    def list_items(request: Request, sent: SentItems, key: Key = None) -> Any:
        visitor = asking(request, "organiser")
        known = desk.league.state.items
        told = [one.model_dump() for one in sent.items]
        for one in told:  # what is sent says nothing of images
            if (held := known.get(one["item"])) is not None and held.image:
                one["image"] = held.image
        more: dict[str, Any] = {"author": visitor.name, "key": key, "expected": sent.expected}
        return done(desk.panel.list_items(told, **more))

    @api.delete("/items/{item:path}", summary="Ask no more about an item", response_model=Receipt)
    def retire(request: Request, item: str) -> Any:
        visitor = asking(request, "organiser")
        return done(desk.panel.unlist([item], author=visitor.name))

    @api.get("/progress", summary="How far the panel is, and what its judges are like")
    def progress(request: Request) -> dict[str, Any]:
        asking(request, "organiser")
        desk.need()
        sign, judges = desk.progress.whole(desk.names())
        return sign.to_dict() | {"by_judge": [one.to_dict() for one in judges]}

    @api.get("/judges", summary="Who may judge, without their codes")
    def judges(request: Request) -> dict[str, Any]:
        asking(request, "organiser")
        return {"judges": [vars(token) for token in desk.invited()]}

    @api.post("/judges", summary="Make a code for a judge, shown this once")
    def invite(request: Request, sent: SentJudge) -> dict[str, str]:
        asking(request, "organiser")
        code = desk.invite(sent.name)
        return {"name": sent.name, "code": code, "path": f"/j#{code}"}

    @api.delete("/judges/{id}", summary="Revoke the code of a judge")
    def revoke(request: Request, id: str) -> dict[str, str]:
        asking(request, "organiser")
        desk.revoke(id)
        return {"revoked": id}
