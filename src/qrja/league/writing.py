"""Writing: what changes a league, each an event of its log.

    add, record, judge      results come
    correct, remove         results were wrong
    rename, merge           contestants are called otherwise
    undo                    an event shall not count
    change_model, entitle   how it is rated, and called

All of them end in :meth:`Writing.write`: checked, in one transaction, all or none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypedDict, Unpack

from qrja.errors import ConflictError, InputError
from qrja.league.events import Draft, Event
from qrja.league.following import Follower, collect, try_out
from qrja.league.incoming import (
    Incoming,
    fingerprint,
    one_contest,
    one_judgment,
    read_incoming,
    read_margin,
)
from qrja.league.modelling import draft_model
from qrja.league.payloads import checked_name
from qrja.league.state import State
from qrja.league.storage import Store, Written
from qrja.ratings import Ratings
from qrja.tables import Units
from qrja.tables.values import read_score


class Signed(TypedDict, total=False):
    """Who writes, under which key, and after which event; see :meth:`League.add`."""

    author: str
    key: str | None
    expected: int | None


class Writing:
    """The half of a :class:`~qrja.League` that writes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._now = Follower(store)

    @property
    def state(self) -> State:
        """What the log says now: contests or judgments, units and model; not to be changed."""
        return self._now.catch_up()

    def add(
        self,
        results: Any,
        *,
        known: str = "refuse",
        author: str = "",
        key: str | None = None,
        expected: int | None = None,
        **reading: Any,
    ) -> Event:
        """Add results, as one event.

        Parameters
        ----------
        results : path, data frame, rows, columns, Table, Contests, Judgments or Ratings
            Rows are dictionaries, or ``(contest, contestant, score)`` and perhaps a date. Tables
            are read as the first one was. Results of a contest that is there join it.
        known : {"refuse", "skip"}
            What to do with results that are there already with the same score: such as those of a
            file that grows. Another score is refused in any case, and can be corrected.
        author : str
            Who adds them.
        key : str, optional
            Your name for this write. If it was written before, that event is returned and nothing
            is added; a key of another write is a conflict.
        expected : int, optional
            The number of the last event that you know of: if others came since, nothing is written.
        **reading
            See :func:`qrja.read_table`.

        Raises
        ------
        InputError
            For every mistake in the results, with place, value and remedy.
        ConflictError
            If the key was used for something else, or the league has changed.

        Examples
        --------
        >>> from qrja import League
        >>> league = League.open(":memory:")
        >>> league.add([("Boston", "Ann", "4:00:00"), ("Boston", "Bob", "4:10:00")]).number
        1
        >>> league.add([("Boston", "Ann", "4:00:00")])
        Traceback (most recent call last):
        qrja.errors.InputError: contest 'Boston' has a result of 'Ann' already; correct it, or ...
        """
        given = self.read(results, known=known, **reading)
        return self.write([given], author=author, key=key, expected=expected)[0]

    def read(self, results: Any, *, known: str = "refuse", **reading: Any) -> Incoming:
        """Read results without adding them: for a look at them, then for :meth:`write`."""
        if known not in ("refuse", "skip"):
            raise InputError(f"known is {known!r}; choose one of refuse, skip")
        state = self.state
        given = read_incoming(results, state, reading)
        return given.only_new(state) if known == "skip" else given

    def record(
        self,
        contest: str,
        results: Mapping[str, Any],
        *,
        date: Any = None,
        weight: float = 1.0,
        judge: str | None = None,
        lower_is_better: bool | None = None,
        home: str | None = None,
        covariates: Mapping[str, Mapping[str, Any]] | None = None,
        **signed: Unpack[Signed],
    ) -> Event:
        """Add results of one contest, quickly; others of it may be there, or come later.

        Parameters
        ----------
        contest : str
            Its label.
        results : mapping
            From contestants to scores, as tables have them: ``{"Ann": "4:00:00"}``.
        date, weight, judge : optional
            Of the contest; one that is there keeps its date and its judge.
        lower_is_better : bool, optional
            For the first results of a league; assumed for times.
        home : str, optional
            Who is at home; nobody unless told.
        covariates : mapping, optional
            What else is known of entrants, by name: ``{"rest": {"Ann": 3, "Bob": 5}}``.
        author, key, expected
            See :meth:`add`.

        Examples
        --------
        >>> from qrja import League
        >>> league = League.open(":memory:")
        >>> _ = league.change_model(home=True)
        >>> _ = league.record("1", {"Leeds": 3, "Derby": 0}, home="Leeds")
        >>> _ = league.record("2", {"Leeds": 1, "Derby": 0}, home="Derby")
        >>> league.ratings.terms.beta.round(9)
        array([1.])
        """
        about: dict[str, Any] = {"date": date, "weight": weight, "judge": judge}
        about |= {"lower_is_better": lower_is_better, "home": home, "covariates": covariates}
        given = one_contest(self.state, contest, results, **about)
        return self.write([given], **signed)[0]

    def judge(
        self,
        a: str,
        b: str,
        y: Any,
        *,
        judge: str | None = None,
        w: float = 1.0,
        date: Any = None,
        topic: str | None = None,
        ratio: bool = False,
        **signed: Unpack[Signed],
    ) -> Event:
        """Add a judgment: a is better than b by y.

        It is called by the number of its event and its place there, as in ``"7.1"``.

        Parameters
        ----------
        a, b : str
            Two contestants.
        y : float or str
            By how much; or how many b one a is worth, if the league is of ratios.
        judge : str, optional
            Who says so; if one judgment names a judge, all do.
        w : float
            How much it counts.
        date, topic : optional
            When it was made, and what it is about.
        ratio : bool
            For the first judgment of a league: whether it is of ratios.
        author, key, expected
            See :meth:`add`.

        Examples
        --------
        >>> from qrja import League
        >>> league = League.open(":memory:")
        >>> event = league.judge("gasoline", "trash", 3, judge="Ann")
        >>> league.correct("1.1", score=4).number
        2
        """
        about: dict[str, Any] = {"judge": judge, "w": w, "date": date, "topic": topic}
        given = one_judgment(self.state, a, b, y, ratio=ratio, **about)
        return self.write([given], **signed)[0]

    def correct(
        self,
        contest: str,
        contestant: str | None = None,
        score: Any = None,
        **signed: Unpack[Signed],
    ) -> Event:
        """Correct one result, or withdraw it.

        Parameters
        ----------
        contest : str
            Its label; or the key of a judgment.
        contestant : str
            Whose result it is; not for judgments.
        score : float or str, optional
            As tables have it: ``"4:10:00"``. None withdraws it, as of somebody disqualified.
        author, key, expected
            See :meth:`add`.
        """
        draft = self.correction(contest, contestant, score)
        return self.write([draft], **signed)[0]

    def correction(self, contest: str, contestant: str | None = None, score: Any = None) -> Draft:
        """Return the draft of a correction, for :meth:`write`."""
        state = self.state
        units = state.units or Units()
        if contestant is None:
            if score is None:
                raise InputError(f"judgment {contest!r} has no margin; give one, or remove it")
            return Draft("corrected", {"judgment": contest, "y": read_margin(score, units)})
        if state.reading.get("scale") and score is not None:
            raise InputError(
                f"the scores of {contest!r} were put on a scale; remove the contest, add it again"
            )
        value = None if score is None else read_score(score, units)
        return Draft("corrected", {"contest": contest, "contestant": contestant, "score": value})

    def remove(self, contest: str, **signed: Unpack[Signed]) -> Event:
        """Remove a contest by its label, or a judgment by its key."""
        draft = self.removal(contest)
        return self.write([draft], **signed)[0]

    def removal(self, contest: str) -> Draft:
        """Return the draft of a removal, for :meth:`write`."""
        judged = bool(self.state.judgments)
        return Draft("removed", {"judgment" if judged else "contest": contest})

    def rename(
        self,
        contestant: str,
        to: str,
        **signed: Unpack[Signed],
    ) -> Event:
        """Give a contestant another name; later results by the old name are found as well."""
        draft = Draft("renamed", {"from": contestant, "to": to})
        return self.write([draft], **signed)[0]

    def merge(
        self,
        contestant: str,
        into: str,
        **signed: Unpack[Signed],
    ) -> Event:
        """Say that two contestants are one: results of the first, those to come too, are moved.

        Examples
        --------
        >>> from qrja import League
        >>> league = League.open(":memory:")
        >>> _ = league.record("Boston", {"Ann": 3, "Bob": 1})
        >>> _ = league.record("Oslo", {"Ann": 2, "Bob S.": 1})
        >>> _ = league.merge("Bob S.", "Bob")
        >>> league.ratings.problem.names
        ('Ann', 'Bob')
        """
        draft = Draft("merged", {"from": contestant, "into": into})
        return self.write([draft], **signed)[0]

    def undo(
        self,
        event: int | None = None,
        **signed: Unpack[Signed],
    ) -> Event:
        """Undo an event, the last one unless told; undoing an undoing brings back.

        The event stays in the log, and one that says that it does not count comes to it. An event
        that later ones build on is refused: they are undone first.
        """
        number = self.state.number if event is None else event
        if isinstance(number, bool) or not isinstance(number, int):
            raise InputError(f"event is {event!r}; give the number of an event")
        draft = Draft("undone", {"event": number})
        return self.write([draft], **signed)[0]

    def change_model(
        self,
        *,
        author: str = "",
        key: str | None = None,
        expected: int | None = None,
        **model: Any,
    ) -> Event:
        """Change how the league is rated, with the arguments of :func:`qrja.fit`.

        What is not named is at its default. ``p="auto"`` chooses by the past that there is now; the
        choice is kept until the model is changed again.

        Examples
        --------
        >>> from qrja import League
        >>> league = League.open(":memory:")
        >>> _ = league.change_model(p=1, half_life="365 days")
        >>> league.state.model.p
        1.0
        """
        state = self.state
        data = None if state.is_empty else collect(state)
        draft = draft_model(state, data, model)
        return self.write([draft], author=author, key=key, expected=expected)[0]

    def entitle(self, title: str, *, author: str = "") -> Event:
        """Say what the league is called."""
        return self.write([Draft("titled", {"title": title})], author=author)[0]

    def write(
        self,
        drafts: Sequence[Draft | Incoming],
        *,
        author: str = "",
        key: str | None = None,
        expected: int | None = None,
    ) -> tuple[Event, ...]:
        """Write events, all or none of them; see :meth:`add` for the arguments."""
        if not drafts:
            raise InputError("there is nothing to write; give at least one event")
        _check_words(author, key)
        asked, now = fingerprint(drafts), self._now
        with now.lock:
            with self._store.writing() as transaction:
                if key is not None and (before := transaction.find(key)) is not None:
                    return _same(before, asked, key)
                state = now.catch_up(transaction)
                _check_expected(state, expected)
                log = partial(transaction.since, 0)
                tried = try_out(state, drafts, log, author=author, key=key)
                transaction.append(tried.events, asked)
            # It is written: only now does this object say so.
            now.adopt(tried.state, tried.effects)
        return tried.events

    def preview(self, drafts: Sequence[Draft | Incoming]) -> Ratings:
        """Return what ratings would be after events that are not written."""
        return self._now.preview(drafts)


def _same(before: Written, asked: str, key: str) -> tuple[Event, ...]:
    """Return what was written with a key, if it is what is asked for again."""
    if before.fingerprint != asked:
        raise ConflictError(
            f"the key {key!r} was used for something else, in event {before.events[0].number}; give"
            " every write a key of its own"
        )
    return before.events


def _check_expected(state: State, expected: int | None) -> None:
    if expected is not None and expected != state.number:
        raise ConflictError(
            f"the league is at event {state.number}, and not at {expected} as expected; look at"
            " what came since, and try again"
        )


def _check_words(author: str, key: str | None) -> None:
    for what, text in (("author", author or "-"), ("key", key)):
        if text is not None and not checked_name(text, what).isprintable():
            raise InputError(f"the {what} is {text!r}; use letters that can be seen")
