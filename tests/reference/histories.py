"""A league as a list of rows: every history is told again from its beginning.

The obvious twin of :mod:`qrja.league`: no state that follows, no ratings that follow.
"""

from __future__ import annotations

from typing import Any

Row = tuple[str, str, float]
"""A contest, a contestant as typed, and a score."""


class RefusedError(Exception):
    """What a history cannot hold."""


def tell(history: list[tuple[Any, ...]]) -> list[Row]:
    """Return the rows that a history leaves, undone parts of it left out."""
    rows: list[Row] = []
    names: dict[str, str] = {}
    undone = undone_by(history)
    for number, (what, *of) in enumerate(history, start=1):
        if number in undone:
            continue
        if what == "record":
            rows = record(rows, names, *of)
        elif what == "correct":
            contest, who, score = of
            rows = correct(rows, contest, names.get(who, who), score)
        elif what == "remove":
            if all(row[0] != of[0] for row in rows):
                raise RefusedError(f"no contest {of[0]}")
            rows = [row for row in rows if row[0] != of[0]]
        elif what in ("rename", "merge"):
            rows = call(rows, names, what, *of)
    return rows


def undone_by(history: list[tuple[Any, ...]]) -> set[int]:
    undone: set[int] = set()
    for number in range(len(history), 0, -1):
        what, *of = history[number - 1]
        if what == "undo" and number not in undone:
            if not 1 <= of[0] < number or of[0] in undone:
                raise RefusedError(f"cannot undo {of[0]}")
            undone.add(of[0])
    return undone


def record(
    rows: list[Row], names: dict[str, str], contest: str, results: dict[str, float]
) -> list[Row]:
    meant = [(contest, names.get(who, who), score) for who, score in results.items()]
    both = rows + meant
    if len({row[:2] for row in both}) < len(both):
        raise RefusedError("twice in a contest")
    return both


def correct(rows: list[Row], contest: str, who: str, score: float | None) -> list[Row]:
    if (contest, who) not in {row[:2] for row in rows}:
        raise RefusedError("not there")
    if score is None:
        left = [row for row in rows if row[:2] != (contest, who)]
        if contest not in {row[0] for row in left}:
            raise RefusedError("the only one")
        return left
    return [(contest, who, score) if row[:2] == (contest, who) else row for row in rows]


def call(rows: list[Row], names: dict[str, str], what: str, old: str, new: str) -> list[Row]:
    known = {row[1] for row in rows}
    old = names.get(old, old)
    if what == "merge":
        new = names.get(new, new)
    if old not in known or (what == "rename") == (new in known) or old == new:
        raise RefusedError("unknown, or taken")
    if what == "rename":
        names.pop(new, None)
    moved = [(contest, new if who == old else who, score) for contest, who, score in rows]
    if len({row[:2] for row in moved}) < len(moved):
        raise RefusedError("both in a contest")
    for alias, meant in names.items():
        if meant == old:
            names[alias] = new
    names[old] = new
    return moved
