"""Tickets: which pair is in front of which judge, so that two do not get the same one needlessly.

The database keeps them, for all servers of the league: who loads the page again sees the same pair,
and what others look at counts as if it were judged already.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable
from time import time

import numpy as np

from qrja.league import Certainty, DealtTickets, LeaguePanel, Ticket

LOOKING = 300.0
"""Seconds for which a pair counts as being looked at."""
TRIES = 4
"""Choices, where other servers deal the same pair meanwhile; after that two may look at one."""


class Tickets:
    """What all judges look at just now."""

    def __init__(self, panel: LeaguePanel) -> None:
        self._panel = panel
        self._dealt = DealtTickets(panel.league.store)
        self._lock = threading.Lock()
        self._known = Certainty()
        self._rng = np.random.default_rng()

    def of(self, judge: str) -> Ticket | None:
        """Return what is in front of a judge, the next pair if there is nothing."""
        with self._lock:
            for last in (*[False] * (TRIES - 1), True):
                dealt = self._dealt.all()
                held = dealt.get(judge)
                if held is not None and self._is_open(held):
                    return held
                ticket = self._choose(judge, dealt.values())
                if ticket is None:
                    return None
                there = self._dealt.deal(
                    ticket,
                    instead_of=None if held is None else held.name,
                    seen={it.name for it in (self._dealt.all() if last else dealt).values()},
                )
                if there is not None:
                    return there
            return ticket

    def _choose(self, judge: str, dealt: Iterable[Ticket]) -> Ticket | None:
        since = time() - LOOKING
        shown = [(it.a, it.b) for it in dealt if it.judge != judge and it.since > since]
        found = self._panel.next(judge, self._rng, shown=shown, known=self._known)
        if found is None:
            return None
        name = secrets.token_urlsafe(12)
        return Ticket(judge, name, found.a, found.b, found.repeats, time())

    def _is_open(self, ticket: Ticket) -> bool:
        items = self._panel.league.last_state.items
        return all((it := items.get(name)) and not it.retired for name in (ticket.a, ticket.b))

    def close(self, judge: str) -> None:
        """Say that a judge has answered."""
        self._dealt.close(judge)
