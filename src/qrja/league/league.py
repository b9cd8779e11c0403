"""A league that lives: a log of events in a database, and ratings that follow it.

    ratings = fit(fold(log))

however the results came: one by one or in files, in whatever order, corrected and undone, written
by several programs at once. An answer says as of which event it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeVar

from qrja.errors import InputError
from qrja.league.answers import LeagueAnswer
from qrja.league.events import Event
from qrja.league.exchange import export_league
from qrja.league.following import fold, rate
from qrja.league.state import State
from qrja.league.storage import Store
from qrja.league.writing import Writing
from qrja.ratings import Explanation, Prediction, Ratings
from qrja.ratings.board import Standings

T = TypeVar("T")


class League(Writing):
    r"""A league in a database; open one by :meth:`open`.

    It may be shared by threads, and the database by processes and machines.

    Examples
    --------
    >>> league = League.open(":memory:")
    >>> league.record("Boston", {"Ann": "4:00:00", "Bob": "4:10:00"}).number
    1
    >>> league.record("Oslo", {"Bob": "4:05:00"}).number
    2
    >>> league.record("Oslo", {"Cid": "4:09:00"}).number
    3
    >>> for line in league.board(level=None).value.lines:
    ...     print(line["rank"], line["contestant"], line["rating"])
    1 Ann 480.0
    2 Bob -120.0
    3 Cid -360.0
    >>> league.undo(3).number, len(league.ratings.problem.names)
    (4, 2)
    """

    @classmethod
    def open(cls, place: str | os.PathLike[str], *, create: bool = True) -> League:
        """Open a league.

        Parameters
        ----------
        place : path or address
            An SQLite file, ``postgresql://user@host/name``, or ``":memory:"``.
        create : bool
            Whether to make one that is not there; otherwise that is a mistake.

        Raises
        ------
        InputError
            If it is something else than a league, or of a later version.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     League.open(pathlib.Path(folder, "club.db"), create=False)
        Traceback (most recent call last):
        qrja.errors.InputError: ...club.db: no such league; make one by: qrja league init ...club.db
        """
        return cls(Store.open(place, create=create))

    def close(self) -> None:
        """Give the connections to the database back."""
        self._store.close()

    def __enter__(self) -> League:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = self._now.state
        held = f"{len(state.contests)} contests"
        if state.judgments:
            held = f"{len(state.judgments)} judgments"
        return f"League({self._store.name!r}, event {state.number}, {held})"

    @property
    def last_state(self) -> State:
        """What the log said at the last look, without looking again; not to be changed."""
        return self._now.state

    @property
    def version(self) -> int:
        """The number of the last event; 0 if there is none."""
        return self.state.number

    @property
    def name(self) -> str:
        """The database, without its password."""
        return self._store.name

    @property
    def store(self) -> Store:
        """Where the log is."""
        return self._store

    @property
    def ratings(self) -> Ratings:
        """The ratings of now, all results that anybody wrote included."""
        return self._now.rate().value

    def answer(self, question: Callable[[Ratings], T]) -> LeagueAnswer[T]:
        """Ask the ratings of now, and say as of which event the answer is."""
        rated = self._now.rate()
        return replace(rated, value=question(rated.value))  # type: ignore[arg-type,return-value]

    @property
    def last_rated(self) -> LeagueAnswer[Ratings] | None:
        """The ratings that were asked for last, whatever was written since; None if none were."""
        return self._now.rated

    def board(self, **asked: Any) -> LeagueAnswer[Standings]:
        """Return the leaderboard; see :meth:`qrja.Ratings.table` for the arguments."""
        return self.answer(
            lambda ratings: Standings.of(ratings, ratings.table(kind="dict", **asked))
        )

    def predict(self, start_list: Iterable[Hashable]) -> LeagueAnswer[Prediction]:
        """Predict what a start list will do, see :meth:`qrja.Ratings.predict`."""
        called: Any = self._called(start_list)
        if isinstance(start_list, Mapping):  # with what is said of each
            called = dict(zip(called, start_list.values(), strict=True))
        return self.answer(lambda ratings: ratings.predict(called))

    def explain(self, a: str, b: str, *, chains: int = 3) -> LeagueAnswer[Explanation]:
        """Explain why a is rated above b, see :meth:`qrja.Ratings.explain`."""
        one, other = self._called([a, b])
        return self.answer(lambda ratings: ratings.explain(one, other, chains=chains))

    def _called(self, names: Iterable[Hashable]) -> list[Hashable]:
        """Return contestants by the names they have now."""
        state = self.state
        return [state.meant(name) if isinstance(name, str) else name for name in names]

    def as_of(self, date: Any) -> LeagueAnswer[Ratings]:
        """Return the ratings of a day, by the dates of contests; see :meth:`qrja.Ratings.as_of`."""
        return self.answer(lambda ratings: ratings.as_of(date))

    def at(self, event: int) -> LeagueAnswer[Ratings]:
        """Return the ratings as they were after an event, by the order of the log.

        Examples
        --------
        >>> league = League.open(":memory:")
        >>> _ = league.record("Boston", {"Ann": 3, "Bob": 1})
        >>> _ = league.correct("Boston", "Bob", 2)
        >>> league.at(1).value.solution.x
        array([ 1., -1.])
        """
        log = self._store.read()
        if isinstance(event, bool) or not isinstance(event, int) or not 1 <= event <= len(log):
            raise InputError(f"there is no event {event!r}; the last is {len(log)}")
        state = fold(log[:event])
        return LeagueAnswer(rate(state), state.number, state.at, state.digest)

    def log(self, after: int = 0) -> list[Event]:
        """Return the events after one, in their order; all unless given."""
        return self._store.since(after)

    def export(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Return all results as columns, or write a file of them.

        Parameters
        ----------
        path : path, optional
            ``.qrja`` for ratings that :func:`qrja.load` and every command read; otherwise a table
            of the results, scores as they were written, that :func:`qrja.read_table` reads.

        Examples
        --------
        >>> league = League.open(":memory:")
        >>> _ = league.record("Boston", {"Ann": "4:00:00", "Bob": "4:10:00"})
        >>> league.export()
        {'contest': ['Boston', 'Boston'], 'contestant': ['Ann', 'Bob'], 'time': ['4:00:00', ...]}
        """
        state = self.state
        ratings = None if path is None or state.is_empty else self.ratings
        return export_league(state, ratings, path)
