"""A trial: what events would make of a state, before anybody writes them.

Every event is checked by letting it happen to a copy. What is refused leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from qrja.league.events import Draft, Event, now
from qrja.league.following.rated import collect
from qrja.league.following.undoing import check_undoing, fold
from qrja.league.happenings import happen
from qrja.league.incoming import Incoming
from qrja.league.state import OTHER, Effect, State


class Trial(NamedTuple):
    """A state after events that are not written yet, the events, and what each did to the data."""

    state: State
    events: tuple[Event, ...]
    effects: tuple[Effect, ...]


def try_out(
    state: State,
    drafts: Iterable[Draft | Incoming],
    whole: Callable[[], list[Event]],
    *,
    author: str = "",
    key: str | None = None,
) -> Trial:
    """Let drafts happen to a copy of a state.

    ``whole`` returns the log so far, which an undoing looks through.

    Examples
    --------
    >>> tried = try_out(State(), [Draft("titled", {"title": "Club"})], list, author="Ann")
    >>> tried.state.title, tried.events[0].author
    ('Club', 'Ann')
    """
    trial, events, effects = state.copy(), list[Event](), list[Effect]()
    moment = max(now(), trial.at)  # a clock that was set back does not turn the log around
    for given in drafts:
        draft = given.draft(trial) if isinstance(given, Incoming) else given
        name = None if events else key
        event = Event.after(trial.digest, trial.number + 1, draft, author, moment, name)
        events.append(event)
        if draft.kind == "undone":
            log = [*whole(), *events]
            check_undoing(log, int(draft.payload["event"]))
            trial = fold(log)
            effects.append(OTHER)
        else:
            effects.append(happen(trial, event))
    if not trial.is_empty:
        _check_rateable(trial, effects)
    return Trial(trial, tuple(events), tuple(effects))


def _check_rateable(trial: State, effects: Sequence[Effect]) -> None:
    """Refuse what could never be rated, such as a measured anchor without errors to weigh."""
    if trial.model.measured and any(one.other for one in effects):
        from qrja.ratings import check_measured

        data = collect(trial)
        check_measured(trial.model.known_to(data), data)
