"""Boards in files: as people read them, or with all digits for programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from qrja.data import whole_number
from qrja.display import block, page, tag
from qrja.ratings.board.board_html import draw_lines, say_what
from qrja.ratings.board.presentation import choose_columns, present
from qrja.ratings.board.standings import Standings
from qrja.tables.out import is_for_people, write_table, write_text

PAGES = (".html", ".htm")


def write_board(
    standings: Standings,
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    *,
    top: int | None = None,
    raw: bool = False,
) -> None:
    """Write a board, see :meth:`qrja.Ratings.write`."""
    if top is not None:
        whole_number(top, "top", 1)
    if raw or not is_for_people(path):
        found = standings.columns(top)
        write_table({name: found[name] for name in choose_columns(columns, list(found))}, path)
    elif columns is None and Path(path).suffix.casefold() in PAGES:
        write_text(_draw_page(standings, top), path)
    else:
        write_table(present(standings, columns, top=top), path)


def _draw_page(standings: Standings, top: int | None) -> str:
    """Draw every group with interval bars."""
    boards = standings.boards
    pieces: list[object] = []
    for number, board in enumerate(boards, start=1):
        if len(boards) > 1:
            pieces.append(tag("h2", f"Group {number} of {len(boards)}"))
        pieces.append(block(draw_lines(standings, board[:top])))
    return page("Ratings", *pieces, say_what(standings))
