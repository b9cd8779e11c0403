"""Member boards: what each jockey or trainer adds, a table for each part of the entries.

They are text and need no script; see :mod:`qrja.parts`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from qrja.ratings.members import list_members
from qrja.report.phrases import Phrasebook
from qrja.speech import Numeral, Sentence

if TYPE_CHECKING:
    from qrja.ratings import Ratings

MOST = 200
"""Members of a part that are listed, the best first."""


def list_boards(ratings: Ratings, level: float) -> dict[str, list[list[Any]]]:
    """Return the boards of all parts: rank, member, what it adds, interval or none, and entries."""
    if ratings.solution.parts is None:
        return {}

    def show(value: float) -> Numeral:
        return Numeral(ratings.units.show(value).replace("-", "\u2212"))

    boards: dict[str, list[list[Any]]] = {}
    for part, lines in list_members(ratings, level=level).items():
        boards[part] = [
            [
                line.rank,
                str(line.member),
                show(line.rating),
                [] if line.low is None or line.high is None else [show(line.low), show(line.high)],
                line.entries,
            ]
            for line in lines
        ]
    return boards


def write_boards(boards: dict[str, list[list[Any]]], level: float, book: Phrasebook) -> str:
    """Write them as HTML.

    Examples
    --------
    >>> from qrja.report.phrases import find_book
    >>> page = write_boards({"jockey": [[1, "A<b", Numeral("2.5"), [], 9]]}, 0.95, find_book("de"))
    >>> ">A&lt;b</td>" in page, write_boards({}, 0.95, find_book("de"))
    (True, '')

    On a phone the interval stands below what a member adds, as on the board of contestants.
    """
    interval = Sentence("{level} interval", level=Numeral(f"{100 * level:g}%"))
    pages = []
    for part, lines in boards.items():
        title = escape(book.say(Sentence("What each {part} adds", part=part)))
        sure = any(line[3] for line in lines)
        heads = [book.phrase("Rank"), part, book.phrase("Adds"), book.say(interval)]
        heads.append(book.say(Sentence("Entries")))
        head = _row("th", [escape(it) for it in heads], sure)
        body = "\n".join(_row("td", _cells(line, book), sure) for line in lines[:MOST])
        pages.append(
            f'<h3>{title}</h3>\n<div class="scroll" tabindex="0" role="region"'
            f' aria-label="{title}">\n<table class="board members"><thead>{head}</thead>'
            f"\n<tbody>\n{body}\n</tbody></table>\n</div>"
        )
    return "\n".join(pages)


def _cells(line: list[Any], book: Phrasebook) -> list[str]:
    rank, member, adds, interval, entries = line
    shown = [escape(str(book.say(it))) for it in (rank, member, adds, entries)]
    if not interval:
        return [*shown[:3], "", shown[3]]
    low, high = interval
    ends = escape(f"{book.say(low)} … {book.say(high)}")
    words = escape(book.say(Sentence("from {low} to {high}", low=low, high=high)))
    return [*shown[:2], f'{shown[2]}<span class="narrow">{ends}</span>', words, shown[3]]


def _row(tag: str, cells: list[str], sure: bool) -> str:
    """Write a row of cells; names stand on the left, and intervals only where some are known."""
    kinds = {1: ' class="name"', 3: ' class="wide"'}
    told = [
        f"<{tag}{kinds.get(k, '')}>{cell}</{tag}>" for k, cell in enumerate(cells) if sure or k != 3
    ]
    return "<tr>" + "\n".join(told) + "</tr>"
