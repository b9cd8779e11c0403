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
    """Return the boards of all parts: rank, member, what it adds, interval or "", and entries."""
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
                ""
                if line.low is None or line.high is None
                else Sentence(
                    "from {low} to {high}",
                    low=show(line.low),
                    high=show(line.high),
                ),
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
    >>> page = write_boards({"jockey": [[1, "A<b", Numeral("2.5"), "", 9]]}, 0.95, find_book("de"))
    >>> ">A&lt;b</td>" in page, write_boards({}, 0.95, find_book("de"))
    (True, '')
    """
    interval = Sentence("{level} interval", level=Numeral(f"{100 * level:g}%"))
    pages = []
    for part, lines in boards.items():
        title = escape(book.say(Sentence("What each {part} adds", part=part)))
        sure = any(line[3] for line in lines)
        heads = [book.phrase("Rank"), part, book.phrase("Adds"), *([book.say(interval)] * sure)]
        heads.append(book.say(Sentence("Entries")))
        head = "".join(f"<th{_left(k)}>{escape(it)}</th>" for k, it in enumerate(heads))
        rows = [
            "\n".join(
                f"<td{_left(k)}>{escape(str(book.say(cell)))}</td>"
                for k, cell in enumerate(line)
                if sure or k != 3
            )
            for line in lines[:MOST]
        ]
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        pages.append(
            f'<h3>{title}</h3>\n<div class="scroll" tabindex="0" role="region"'
            f' aria-label="{title}">\n<table class="board members"><thead><tr>{head}</tr></thead>'
            f"\n<tbody>\n{body}\n</tbody></table>\n</div>"
        )
    return "\n".join(pages)


def _left(column: int) -> str:
    """Say that names stand on the left."""
    return ' class="name"' if column == 1 else ""
