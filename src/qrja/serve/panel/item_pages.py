"""Pages of items: list, change and retire what a panel compares, and the images it keeps."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from qrja.errors import InputError
from qrja.league import Item, KeptFiles
from qrja.serve.browsing import Browsing, Word
from qrja.serve.panel.desk import PanelDesk
from qrja.serve.results import UnknownNameError

Name = Annotated[str, Form(max_length=500)]
Text = Annotated[str, Form(max_length=40_000)]
MOST_TEXT = 4_000_000
FOREVER = "private, max-age=31536000, immutable"
"""A file never changes: its name is the digest of its bytes."""


def add_item_pages(site: Browsing, desk: PanelDesk) -> None:
    """Add ``/panel/items`` and ``/files`` to a site."""
    _add_list(site, desk)
    _add_one(site, desk)
    _add_files(site, desk)


def _show(
    site: Browsing, desk: PanelDesk, request: Request, status: int = 200, **told: Any
) -> Response:
    state = desk.league.state
    compared = Counter(name for it in state.judgments.values() for name in (it.a, it.b))
    usual = {"problem": None, "typed": "", "typed_item": Item("")}
    items = sorted(state.items.values(), key=lambda it: it.retired)
    more: dict[str, Any] = {"items": items, "compared": compared}
    return site.show(request, "panel/items.html", status, **(usual | more | told))


def _add_list(site: Browsing, desk: PanelDesk) -> None:
    @site.router.get("/panel/items")
    def items(request: Request) -> Response:
        site.visitor(request, "organiser")
        desk.need()
        return _show(site, desk, request)

    @site.router.post("/panel/items/table")
    def add_table(
        request: Request,
        file: UploadFile | None = None,
        text: Annotated[str, Form(max_length=MOST_TEXT)] = "",
        csrf: Word = "",
    ) -> Response:
        visitor = site.check(request, csrf)
        desk.need()
        try:
            given = desk.panel.read(_source(file, text), images=False)
            desk.panel.list_items(_keeping_images(desk, given), author=visitor.name)
        except InputError as error:
            return _show(site, desk, request, 422, problem=str(error), typed=text)
        desk.live.written()
        return RedirectResponse("/panel/items", 303)

    @site.router.post("/panel/items/retire")
    def retire(request: Request, item: Name, csrf: Word = "") -> Response:
        visitor = site.check(request, csrf)
        desk.panel.unlist([item], author=visitor.name)
        return RedirectResponse("/panel/items", 303)


def _source(file: UploadFile | None, text: str) -> Any:
    """Return the file that was sent, or lines that were typed: a name each, or a table."""
    if file is not None and file.filename:
        sent = io.BytesIO(file.file.read())
        sent.name = file.filename  # which messages begin with
        return sent
    if not text.strip():
        raise InputError("there is nothing to read; type a name a line, or choose a file")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not any(mark in lines[0] for mark in "\t,;"):
        return lines  # names alone, without a header
    pasted = io.BytesIO(text.encode("utf-8", "replace"))
    pasted.name = "pasted text"
    return pasted


def _keeping_images(desk: PanelDesk, given: Any) -> list[Item]:
    """Return items of a table, which says nothing of images, with those that they have."""
    known = desk.league.state.items
    return [replace(it, image=known[it.name].image) if it.name in known else it for it in given]


def _add_one(site: Browsing, desk: PanelDesk) -> None:
    @site.router.get("/panel/items/change")
    def look(request: Request, item: str) -> Response:
        site.visitor(request, "organiser")
        found = desk.league.state.items.get(item)
        if found is None:
            raise UnknownNameError(f"there is no item {item[:500]!r}; look at the list")
        return form(request, found)

    def form(request: Request, one: Item, status: int = 200, problem: str = "") -> Response:
        judged = desk.league.state.judgments.values()
        voted = any(one.name in (it.a, it.b) for it in judged)
        told = {"one": one, "problem": problem, "has_votes": voted}
        return site.show(request, "panel/item.html", status, **told)

    @site.router.post("/panel/items/one")
    def save(
        request: Request,
        item: Name = "",
        text: Text = "",
        link: Annotated[str, Form(max_length=4000)] = "",
        owner: Name = "",
        without: Word = "",
        image: UploadFile | None = None,
        csrf: Word = "",
    ) -> Response:
        visitor = site.check(request, csrf)
        desk.need()
        typed = Item(item.strip(), text.strip().replace("\r\n", "\n"), link.strip())
        typed = replace(typed, owner=owner.strip())
        known = desk.league.state.items.get(typed.name)
        if known is not None and not without:
            typed = replace(typed, image=known.image)
        try:
            if image is not None and image.filename:
                kept = desk.panel.keep_image(image.file.read(), image.filename)
                typed = replace(typed, image=kept)
            desk.panel.list_items([typed.to_dict()], author=visitor.name)
        except InputError as error:
            if known is not None:
                return form(request, typed, 422, str(error))
            return _show(site, desk, request, 422, problem=str(error), typed_item=typed)
        desk.live.written()
        return RedirectResponse("/panel/items", 303)


def _add_files(site: Browsing, desk: PanelDesk) -> None:
    files = KeptFiles(desk.league.store)

    @site.router.get("/files/{digest}")
    def file(request: Request, digest: str) -> Response:
        visitor = site.access.visitor(request)
        if not visitor.may("judge"):
            site.access.need(visitor, "reader")
        found = files.get(digest)
        if found is None:
            raise UnknownNameError("there is no such file")
        return Response(found.content, media_type=found.kind, headers={"cache-control": FOREVER})
