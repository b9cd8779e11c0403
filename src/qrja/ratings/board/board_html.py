"""A board in a notebook: the best of each group, with interval bars on one scale.

The scale reaches from the smallest ``low`` to the largest ``high`` of those shown, but no further
than ``REACH`` times what the middle half of the bounds spans beyond it: one wild interval does not
squeeze the others, and a bar that leaves the scale ends in an arrow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from qrja.display import Markup, block, interval_bar, named, remark, table, tag
from qrja.plurals import count
from qrja.ratings.board.leaderboard import tabulate
from qrja.ratings.board.presentation import show_line, supported_units
from qrja.ratings.board.standings import Line, Standings
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import IntervalRequest
from qrja.ratings.words import Wording

SHOWN = 20
"""Contestants of a group that are shown."""
GROUPS = 3
"""Groups that are shown."""
QUICK = 400_000
"""Entries, times resamples where each is a fit of its own, up to which a board shows intervals: it
takes a second or two."""
REACH = 3.0


def draw_board(ratings: Fit) -> str:
    """Draw a board as HTML, with intervals if they are quickly found."""
    quick = ratings.problem.entries * (1 if ratings.model.is_square else 200) <= QUICK
    request = IntervalRequest() if quick else None
    standings = Standings.of(ratings, tabulate(ratings, request, kind="dict"))
    boards = [board for board in standings.boards if len(board) > 1]
    pieces = [remark(_headline(ratings))]
    for number, board in enumerate(boards[:GROUPS], start=1):
        if len(boards) > 1:
            pieces.append(tag("b", f"Group {number} of {len(boards)}"))
        pieces.append(draw_lines(standings, board[:SHOWN]))
        if len(board) > SHOWN:
            pieces.append(remark(f"... and {len(board) - SHOWN:,} more; .table() has them all"))
    hidden = sum(map(len, boards[GROUPS:])) + len(standings.lines) - sum(map(len, boards))
    if hidden:
        told = count(hidden, standings.say.who)
        pieces.append(remark(f"{told} in other groups, not comparable with these; see .table()"))
    if not quick:
        pieces.append(remark("Intervals would take a while here: .table() finds them."))
    elif standings.lines and not standings.have_intervals:
        pieces.append(remark(f"No intervals: {standings.lacking}."))
    return block(*pieces)


def draw_lines(standings: Standings, lines: Sequence[Line]) -> Markup:
    """Draw some lines of a board as a table."""
    units, sure = supported_units(standings), standings.have_intervals
    # Ratios are drawn as the logarithms that were fitted.
    at = math.log if units.kind == "ratio" else float
    scale = _scale(lines, at) if sure else (0.0, 1.0)
    rows = []
    for line in lines:
        shown = show_line(line, units)
        row = [
            "-" if line["rank"] is None else line["rank"],
            named(line["contestant"]),
            shown["rating"],
        ]
        if sure:
            low, value, high = (at(line[name]) for name in ("low", "rating", "high"))
            bar = interval_bar(low, value, high, *scale, f"{shown['low']} to {shown['high']}")
            row += [bar, shown["low"], shown["high"], shown["ranks"]]
        rows.append([*row, f"{line['contests']:,}"])
    who = standings.say.who
    header = ["rank", who, "rating", *(["", "low", "high", "ranks"] if sure else [])]
    return table([*header, standings.say.words], rows, left=[who, ""])


def say_what(standings: Standings) -> Markup:
    """Say below a board what its numbers mean."""
    told = " True ratings should lie between low and high, true ranks within ranks."
    return remark(f"{_headline(standings.fit)}.{told if standings.have_intervals else ''}")


def _scale(lines: Sequence[Line], at: Callable[[float], float]) -> tuple[float, float]:
    """Return the ends of the scale of bars."""
    ends = np.array([[at(line[name]) for name in ("low", "high")] for line in lines])
    ends = ends[np.isfinite(ends).all(axis=1)]
    if not len(ends):
        return 0.0, 1.0
    first, last = np.quantile(ends, [0.25, 0.75])
    far = REACH * (last - first)
    return max(float(ends.min()), first - far), min(float(ends.max()), last + far)


def _headline(ratings: Fit) -> str:
    problem, solution = ratings.problem, ratings.solution
    say = Wording.of(ratings)
    return (
        f"Ratings of {count(problem.n, say.who)} from"
        f" {count(len(problem), say.word)};"
        f" loss {solution.loss}, {solution.status}"
    )
