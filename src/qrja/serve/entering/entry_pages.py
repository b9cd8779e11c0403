"""Pages that add: results are typed, pasted or sent, looked at, and then saved."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from qrja.errors import InputError
from qrja.ratings import Wording
from qrja.serve.browsing import Browsing, Word
from qrja.serve.entering.typed_results import Desk, read_typed, tell_joined, tell_newcomers

MOVED = 12
"""Movers that a preview shows."""


def add_entry_pages(site: Browsing) -> None:
    """Add ``/add``, ``/preview`` and ``/save`` to a site."""
    desk = Desk()
    empty: dict[str, Any] = {"contest": "", "date": "", "home": "", "text": "", "problem": None}

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
        home: Annotated[str, Form(max_length=500)] = "",
        text: Annotated[str, Form(max_length=4_000_000)] = "",
        csrf: Word = "",
    ) -> Response:
        visitor = site.check(request, csrf)
        league = site.live.league
        typed = {"contest": contest, "date": date, "home": home, "text": text}
        sent = None
        if file is not None and file.filename:
            sent = (file.filename, file.file.read())
        try:
            given = read_typed(league, **typed, file=sent)
            before = None if league.state.is_empty else league.ratings
            after = league.preview([given])
        except InputError as error:
            return site.show(request, "add.html", 422, **(typed | {"problem": str(error)}))
        moved = after.changes_since(before).moved()
        say = Wording(after.units, after.problem.nouns)
        rows = [
            {
                "contestant": one.contestant,
                "was": "new" if one.rank_before is None else one.rank_before,
                "rank": one.rank,
                "rating": after.units.show(one.rating),
                "change": "" if one.change is None else str(say.signed(one.change)),
            }
            for one in moved[:MOVED]
        ]
        return site.show(
            request,
            "preview.html",
            name=desk.lay(given, visitor.session or ""),
            notes=[
                *(given.summary.lines() if given.summary is not None else []),
                *tell_joined(league.state, given),
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
        given = desk.take(name, visitor.session or "")
        site.live.league.write([given], author=visitor.name, key=f"page {name}")
        site.live.written()
        return RedirectResponse("/", 303)
