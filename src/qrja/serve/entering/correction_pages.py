"""Pages that correct: a result, a contest, the name of a contestant.

Each is an event of its own, which the log undoes: nobody is asked twice.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Form, Request
from starlette.responses import RedirectResponse, Response

from qrja.errors import InputError
from qrja.serve.browsing import Browsing, Word

Name = Annotated[str, Form(max_length=500)]


def add_correction_pages(site: Browsing) -> None:
    """Add ``/correct``, ``/remove`` and ``/rename`` to a site."""

    def go(to: str) -> Response:
        site.live.written()
        return RedirectResponse(to, 303)

    @site.router.post("/correct")
    def correct(
        request: Request,
        contest: Name,
        contestant: Name,
        score: Name = "",
        withdraw: Word = "",
        csrf: Word = "",
    ) -> Response:
        visitor = site.check(request, csrf)
        if not score.strip() and not withdraw:
            raise InputError(
                f"there is no score for {contestant!r}; type one, or withdraw the result"
            )
        told = None if withdraw else score.strip()
        site.live.league.correct(contest, contestant, told, author=visitor.name)
        return go(f"/contests/{quote(contest, safe='')}")

    @site.router.post("/remove")
    def remove(request: Request, contest: Name, csrf: Word = "") -> Response:
        visitor = site.check(request, csrf)
        site.live.league.remove(contest, author=visitor.name)
        return go("/log")

    @site.router.post("/rename")
    def rename(
        request: Request, contestant: Name, to: Name = "", same: Word = "", csrf: Word = ""
    ) -> Response:
        visitor = site.check(request, csrf)
        new, league = to.strip(), site.live.league
        if same:
            league.merge(contestant, new, author=visitor.name)
        else:
            league.rename(contestant, new, author=visitor.name)
        return go(f"/contestants/{quote(new, safe='')}")
