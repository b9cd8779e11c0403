"""Names and labels in JSON: texts and numbers as they are, dates and tuples say what they are."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import date, datetime
from typing import Any

from qrja.errors import InputError
from qrja.letters import cut
from qrja.ratings.saving.saved_values import checked_number, checked_text

DEEPEST = 20
"""Tuples within tuples."""


def label(given: Hashable) -> Any:
    """Write a name or a label; what is no text or number says what it is.

    Examples
    --------
    >>> label(("Boston", date(2026, 4, 20)))
    {'tuple': ['Boston', {'date': '2026-04-20'}]}
    """
    if isinstance(given, str):
        return checked_text(given, "the name")
    if isinstance(given, float):
        return checked_number(given, "the name")
    if given is None or isinstance(given, bool | int):
        return given
    if isinstance(given, datetime | date):
        kind = "datetime" if isinstance(given, datetime) else "date"
        return {kind: given.isoformat()}
    if isinstance(given, tuple):
        return {"tuple": [label(part) for part in given]}
    raise InputError(
        f"the name {given!r} is a {type(given).__name__} and cannot be saved; use texts or numbers"
    )


def unlabel(told: Any, what: str = "name", depth: int = 0) -> Hashable:
    """Read a name or a label, or say that it is none.

    Examples
    --------
    >>> unlabel({"tuple": ["Boston", {"date": "2026-04-20"}]})
    ('Boston', datetime.date(2026, 4, 20))
    """
    if told is None or isinstance(told, bool | int | float):
        return told
    if isinstance(told, str):
        return checked_text(told, what)
    if isinstance(told, dict) and len(told) == 1 and depth < DEEPEST:
        ((kind, value),) = told.items()
        if kind == "tuple" and isinstance(value, list):
            return tuple(unlabel(part, what, depth + 1) for part in value)
        if kind in ("date", "datetime") and isinstance(value, str):
            try:
                return {"date": date, "datetime": datetime}[kind].fromisoformat(value)
            except ValueError:
                pass
    raise InputError(f"the {what} {cut(repr(told), 40)} is none")


def unlabels(told: Any, what: str) -> tuple[Hashable, ...]:
    """Read a list of names or labels."""
    if not isinstance(told, list):
        raise InputError(f"the {what}s are {cut(repr(told), 40)}, which is no list")
    return tuple(unlabel(one, what) for one in told)
