"""The board as it is told to people and programs: a line is made when somebody asks for it.

A large league moves with every result, and most who ask for its board want the first lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Any, overload

from qrja.ratings import Ratings
from qrja.ratings.board import Standings, list_terms, say_terms
from qrja.serve.behind import Behind

Line = dict[str, Any]


class BoardLines(Sequence[Line]):
    """The lines of a board, by their places from 0 on; parts of it are lists.

    Parameters
    ----------
    places : range
        Where they are in the columns.
    tell : callable
        From a place in the columns to a line.
    """

    def __init__(self, places: range, tell: Callable[[int], Line]) -> None:
        self._places, self._tell = places, tell
        self._told: dict[int, Line] = {}

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> list[Line]: ...

    def __getitem__(self, at: int | slice) -> Line | list[Line]:
        """Return a line, or a list of some."""
        if isinstance(at, slice):
            return [self._line(place) for place in self._places[at]]
        return self._line(self._places[at])

    def __iter__(self) -> Iterator[Line]:
        return iter(self[:])

    def _line(self, place: int) -> Line:
        if place not in self._told:
            self._told[place] = self._tell(place)
        return self._told[place]


def tell_board(ratings: Ratings, behind: Behind | None = None) -> dict[str, Any]:
    """Return the board of each group, the largest first, with the intervals that were found last.

    Examples
    --------
    >>> import qrja
    >>> races = qrja.Contests.from_arrays("RROO", ["Ann", "Bob"] * 2, [3, 1, 2, 4])
    >>> (group,) = tell_board(qrja.fit(races))["components"]
    >>> [(line["rank"], line["contestant"], line["shown"]) for line in group["leaderboard"]]
    [(1, 'Ann', '0.000'), (1, 'Bob', '0.000')]
    """
    columns = ratings.table(level=None, kind="dict")
    group_of = columns.pop("component")
    if "last_seen" in columns:
        columns["last_seen"] = [_as_text(it) for it in columns["last_seen"]]
    names, values = list(columns), list(columns.values())
    bounds = {} if behind is None else behind.bounds
    show = Standings(ratings, []).show

    def tell(place: int) -> Line:
        line = {name: column[place] for name, column in zip(names, values, strict=True)}
        line |= bounds.get(line["contestant"], {})
        return line | {"shown": show(line["rating"])}

    groups, first = [], 0
    for _, members in groupby(group_of):
        size = sum(1 for _ in members)
        lines = BoardLines(range(first, first + size), tell)
        groups.append({"size": size, "leaderboard": lines})
        first += size
    return {
        "units": ratings.units.kind,
        "loss": ratings.solution.loss,
        "status": ratings.solution.status,
        "intervals_as_of": None if behind is None or not behind.bounds else behind.event,
        **({} if ratings.terms is None else _tell_terms(ratings)),
        "components": groups,
    }


def _tell_terms(ratings: Ratings) -> dict[str, Any]:
    """Tell what shared terms are worth, and at which values of theirs ratings are."""
    return {
        "terms": [line.to_dict() for line in list_terms(ratings)],
        "notes": [str(said) for said in say_terms(ratings)],
    }


def _as_text(seen: str | date) -> str:
    """Write when somebody was last seen: the label of a contest, or its date."""
    return seen if isinstance(seen, str) else seen.isoformat()
