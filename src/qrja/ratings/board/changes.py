"""Changes: who moved between two ratings, and by how much."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any

from qrja.plurals import count
from qrja.ratings.board.leaderboard import list_rows
from qrja.ratings.fitted import Fit

STILL = 1e-9
"""A share of the largest rating; who moved by less did not move, but was rounded."""


@dataclass(frozen=True)
class Change:
    """One candidate after and before; None before for a newcomer."""

    rank: int
    rank_before: int | None
    contestant: Hashable
    rating: float
    change: float | None
    contests: int
    component: int


@dataclass(frozen=True)
class Changes:
    """The result of :meth:`qrja.Ratings.changes_since`.

    Parameters
    ----------
    lines : tuple of Change
        Everybody who is rated now, the best first.
    gone : tuple
        Who was rated before, and is not any more.

    Examples
    --------
    >>> import qrja
    >>> races = qrja.Contests.from_arrays("AABB", "abbc", [3, 1, 2, 0])
    >>> changes = qrja.fit(races).changes_since(qrja.fit(races[:1]))
    >>> [(one.contestant, one.rank_before, one.change) for one in changes.lines]
    [('a', 1, 1.0), ('b', 2, 1.0), ('c', None, None)]
    """

    lines: tuple[Change, ...]
    gone: tuple[Hashable, ...]

    def __repr__(self) -> str:
        moved, all_of = len(self.moved()), count(len(self.lines), "contestant")
        return f"Changes({moved:,} of {all_of} moved, {len(self.gone):,} gone)"

    def moved(self) -> list[Change]:
        """List who moved: newcomers first, then those who moved furthest."""
        still = STILL * max((abs(line.rating) for line in self.lines), default=0.0)
        moved = [one for one in self.lines if one.change is None or abs(one.change) > still]
        return sorted(moved, key=lambda one: -math.inf if one.change is None else -abs(one.change))

    def columns(self) -> dict[str, list[Any]]:
        """Return the lines as columns, for a file."""
        names = [field.name for field in fields(Change)]
        return {name: [getattr(line, name) for line in self.lines] for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain lists and dictionaries, for JSON."""
        return {"changes": [vars(line).copy() for line in self.lines], "gone": list(self.gone)}


def compare(before: Fit | None, after: Fit) -> Changes:
    """List everybody with the rating and rank before and after; the best first."""
    old = {} if before is None else {row.contestant: row for row in list_rows(before)}
    lines = []
    for row in list_rows(after):
        was = old.get(row.contestant)
        lines.append(
            Change(
                rank=row.rank,
                rank_before=None if was is None else was.rank,
                contestant=row.contestant,
                rating=row.rating,
                change=None if was is None else row.rating - was.rating,
                contests=row.contests,
                component=row.component,
            )
        )
    left = set(after.problem.names)
    return Changes(tuple(lines), tuple(name for name in old if name not in left))
