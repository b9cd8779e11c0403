"""Slow answers: what takes seconds is found once for all who ask, as of the event that it says."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from qrja.errors import InputError
from qrja.league import LeagueAnswer
from qrja.ratings import Ratings
from qrja.serve.live import Live

T = TypeVar("T")
KEPT = 32
LARGE = 40_000
"""Entries beyond which such a question would keep a server busy for many seconds."""


class SlowAnswers:
    """Answers to questions about the ratings of a league."""

    def __init__(self, live: Live, large: int = LARGE) -> None:
        self.live, self._large = live, large
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], LeagueAnswer[Any]] = OrderedDict()

    def ask(self, name: str, question: Callable[[Ratings], T], command: str) -> LeagueAnswer[T]:
        """Ask a question; ``command`` answers it for leagues too large to ask while others wait."""
        rated = self.live.rated()
        if rated.value.problem.entries > self._large:
            raise InputError(
                f"the league has {rated.value.problem.entries:,} results, too many to answer this"
                f" while others wait; ask by: {command}"
            )
        key = (name, rated.digest)
        with self._lock:  # whoever asks the same meanwhile waits for the one answer
            if key not in self._known:
                told = question(rated.value)
                self._known[key] = LeagueAnswer(told, rated.event, rated.at, rated.digest)
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
            return self._known[key]
