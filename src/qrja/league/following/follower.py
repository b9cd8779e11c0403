"""A follower: the state of a log and its ratings as of now, while anybody writes.

    state_n = state_{n-1} + event_n,     ratings_n = update(ratings_m, events m + 1 to n)

A state is never changed once others may hold it. So there are two locks: under one the log is read
and written, which takes a moment; under the other ratings follow, which takes longer in a large
league, and keeps nobody from writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import RLock

from qrja.errors import InputError
from qrja.league.answers import LeagueAnswer
from qrja.league.events import Draft, Event
from qrja.league.following.rated import follow, rate
from qrja.league.following.trial import try_out
from qrja.league.following.undoing import fold
from qrja.league.happenings import happen
from qrja.league.incoming import Incoming
from qrja.league.state import Effect, State
from qrja.league.storage import Store, Transaction
from qrja.ratings import Ratings


class Follower:
    """What a log says now."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.lock = RLock()
        self._following = RLock()
        self._state = self._rated_state = State()
        self._rated: LeagueAnswer[Ratings] | None = None
        self._effects: list[Effect] = []

    @property
    def state(self) -> State:
        """What the log said at the last look."""
        return self._state

    @property
    def rated(self) -> LeagueAnswer[Ratings] | None:
        """The last ratings that were asked for, whatever came since; None if none were."""
        return self._rated

    def catch_up(self, transaction: Transaction | None = None) -> State:
        """Read what came since the last look; the whole log, if it is not the one known."""
        with self.lock:
            known = self._state
            log: Store | Transaction = transaction or self._store
            tops = log.digests(known.number)
            if known.number and (not tops or tops[0] != (known.number, known.digest)):
                return self._read_anew(log.since(0))  # another log is in its place
            if len(tops) <= bool(known.number):
                return known
            events = log.since(known.number)
            if not _follow_on(events, known.digest) or any(it.kind == "undone" for it in events):
                return self._read_anew(log.since(0))
            after = known.copy()
            self.adopt(after, [happen(after, event) for event in events])
            return after

    def adopt(self, state: State, effects: Sequence[Effect]) -> None:
        """Take what was written, or read, for what is so."""
        with self.lock:
            self._state = state
            self._effects += effects

    def _read_anew(self, events: Sequence[Event]) -> State:
        check_chain(events)
        self.adopt(fold(events), [Effect(other=True)])
        return self._state

    def rate(self) -> LeagueAnswer[Ratings]:
        """Let the ratings follow, and return them with the event that they are as of."""
        with self._following:
            with self.lock:
                state = self.catch_up()
                effects, self._effects = self._effects, []
            try:
                rated = self._follow(state, effects)
            except BaseException:
                with self.lock:
                    self._effects = effects + self._effects
                raise
            self._rated_state = state
            self._rated = LeagueAnswer(rated, state.number, state.at, state.digest)
            return self._rated

    def preview(self, drafts: Iterable[Draft | Incoming]) -> Ratings:
        """Return what ratings would be after events that are not written."""
        with self._following:
            known = None if self.catch_up().is_empty else self.rate()
            state = self._state if known is None else self._rated_state
        tried = try_out(state, drafts, self._store.read)
        if known is None:
            return rate(tried.state)
        return follow(known.value, tried.state, tried.effects)

    def _follow(self, state: State, effects: Sequence[Effect]) -> Ratings:
        if self._rated is None or state.is_empty:
            return rate(state)  # which says so, if there is nothing
        return follow(self._rated.value, state, effects)


def _follow_on(events: Sequence[Event], digest: str) -> bool:
    for event in events:
        if not event.follows(digest):
            return False
        digest = event.digest
    return True


def check_chain(events: Sequence[Event]) -> None:
    """Check that a log is whole: numbers without gaps, each event as it was written."""
    digest = ""
    for number, event in enumerate(events, start=1):
        if event.number != number:
            raise InputError(
                f"event {number} is missing, or another stands in its place; restore a backup"
            )
        if not event.follows(digest):
            raise InputError(
                f"event {number} is not as it was written, or one before it; restore a backup"
            )
        digest = event.digest
