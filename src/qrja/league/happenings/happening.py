"""Happening: an event changes a state, by its kind.

    state_n = state_{n-1} + event_n

Every event is checked before it changes anything, so that one that is refused leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from qrja.errors import InputError
from qrja.league.events import Event
from qrja.league.happenings.calling import merge, rename
from qrja.league.happenings.coming import add_contests, add_judgments
from qrja.league.happenings.mending import correct, remove
from qrja.league.happenings.ruling import (
    change_model,
    empanel,
    entitle,
    list_items,
    pass_over,
    unlist_items,
)
from qrja.league.state import NOTHING, Effect, State
from qrja.letters import cut

HAPPENINGS: dict[str, Callable[[State, Mapping[str, Any], int], Effect]] = {
    "added": add_contests,
    "judged": add_judgments,
    "passed": pass_over,
    "corrected": correct,
    "removed": remove,
    "renamed": rename,
    "merged": merge,
    "modelled": change_model,
    "titled": entitle,
    "empanelled": empanel,
    "listed": list_items,
    "unlisted": unlist_items,
    "undone": lambda state, payload, number: NOTHING,
}
"""What an event of each kind does to a state."""


def happen(state: State, event: Event) -> Effect:
    """Let an event happen to a state, and say what it made of the data.

    Examples
    --------
    >>> from qrja.league.events import Draft
    >>> state = State()
    >>> draft = Draft("titled", {"title": "Sunday races"})
    >>> happen(state, Event.after("", 1, draft, "Ann", "2026-01-01T10:00:00", None))
    Effect(added=(), other=False)
    >>> state.title, state.number
    ('Sunday races', 1)
    """
    change = HAPPENINGS.get(event.kind)
    if change is None:
        raise InputError(
            f"event {event.number} is of the kind {cut(repr(event.kind), 40)}, which this version"
            " does not know; use the qrja that wrote it, or a later one"
        )
    effect = change(state, event.payload, event.number)
    state.number, state.digest, state.at = event.number, event.digest, event.at
    return effect
