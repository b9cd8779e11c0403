"""Tickets: which pair is in front of which judge, so that two do not get the same one needlessly.

They are kept in memory: who loads the page again sees the same pair, what others look at counts as
if it were judged already, and a server that is started again deals anew.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from time import monotonic

import numpy as np

from qrja.league import Certainty, LeaguePanel

LOOKING = 300.0
"""Seconds for which a pair counts as being looked at."""
KEPT = 10_000


@dataclass(frozen=True)
class Ticket:
    """A pair in front of a judge; its name makes a vote that is sent twice count once."""

    name: str
    a: str
    b: str
    repeats: str | None
    since: float


class Tickets:
    """What all judges look at just now."""

    def __init__(self, panel: LeaguePanel) -> None:
        self._panel = panel
        self._held: dict[str, Ticket] = {}
        self._lock = threading.Lock()
        self._known = Certainty()
        self._rng = np.random.default_rng()

    def of(self, judge: str) -> Ticket | None:
        """Return what is in front of a judge, the next pair if there is nothing."""
        with self._lock:
            held = self._held.get(judge)
            if held is not None and self._is_open(held):
                return held
            found = self._panel.next(
                judge, self._rng, shown=self._shown_to_others(judge), known=self._known
            )
            if found is None:
                self._held.pop(judge, None)
                return None
            name = secrets.token_urlsafe(12)
            ticket = Ticket(name, found.a, found.b, found.repeats, monotonic())
            self._held[judge] = ticket
            if len(self._held) > KEPT:
                self._held.pop(next(iter(self._held)))
            return ticket

    def _is_open(self, ticket: Ticket) -> bool:
        items = self._panel.league.last_state.items
        return all((it := items.get(name)) and not it.retired for name in (ticket.a, ticket.b))

    def _shown_to_others(self, judge: str) -> list[tuple[str, str]]:
        since = monotonic() - LOOKING
        return [(it.a, it.b) for who, it in self._held.items() if who != judge and it.since > since]

    def close(self, judge: str) -> None:
        """Say that a judge has answered."""
        with self._lock:
            self._held.pop(judge, None)
