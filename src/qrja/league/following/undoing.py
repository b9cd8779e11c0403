"""Undoing: an event that says of an earlier one that it shall not count.

    state = fold of the events that are not undone;  event n is undone  <=>  an event
    "n is undone" comes later and is not undone itself

so that undoing an undoing brings back what was undone. What later events build on stays: they are
undone first.
"""

from __future__ import annotations

from collections.abc import Sequence

from qrja.errors import InputError
from qrja.league.events import Event
from qrja.league.happenings import happen
from qrja.league.state import State
from qrja.ratings.saving import checked_count


def target(event: Event) -> int:
    """Return the number of the event that an event undoes."""
    number = checked_count(event.payload.get("event"), "the event to undo")
    if not 1 <= number < event.number:
        raise InputError(f"event {event.number} undoes event {number}, which is no earlier one")
    return number


def find_undone(events: Sequence[Event]) -> dict[int, int]:
    """Return the numbers of the events that do not count, each with that of the one that says so.

    Examples
    --------
    >>> said = [("titled", "{}"), ("undone", '{"event":1}'), ("undone", '{"event":2}')]
    >>> log = [Event(n, kind, text, "", "", None, "") for n, (kind, text) in enumerate(said, 1)]
    >>> find_undone(log[:2]), find_undone(log)
    ({1: 2}, {2: 3})
    """
    undone: dict[int, int] = {}
    for event in reversed(events):
        if event.kind == "undone" and event.number not in undone:
            undone.setdefault(target(event), event.number)
    return undone


def fold(events: Sequence[Event]) -> State:
    """Return what a whole log says."""
    undone, state = find_undone(events), State()
    for event in events:
        if event.number not in undone:
            happen(state, event)
        state.number, state.digest, state.at = event.number, event.digest, event.at
    return state


def check_undoing(events: Sequence[Event], number: int) -> None:
    """Check that an event is there to be undone, and that nothing builds on it.

    ``events`` is the log with the undoing at its end.
    """
    if not 1 <= number < len(events):
        raise InputError(f"there is no event {number} to undo; the last is {len(events) - 1}")
    before = find_undone(events[:-1])
    if number in before:
        raise InputError(
            f"event {number} is undone already, by event {before[number]}; undo that one to bring"
            " it back"
        )
    undone, state = find_undone(events), State()
    for event in events:
        if event.number in undone:
            continue
        try:
            happen(state, event)
        except InputError as error:
            raise InputError(
                f"event {number} cannot be undone before event {event.number}, which builds on it:"
                f" {error}"
            ) from None
