"""What people type: a race as lines of a name and a score, or a table pasted from a spreadsheet.

What was read is kept for some minutes while its writer looks at it; saving it twice writes it once.
"""

from __future__ import annotations

import io
import json
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from qrja.errors import InputError, nearest
from qrja.league import HeldContest, Incoming, League, State
from qrja.plurals import count
from qrja.tables.values import show_date
from qrja.terms import HOME

T = TypeVar("T")
LINE = re.compile(r"\s*(?P<name>.*?\S)\s*(?:[\t;,]|\s)\s*(?P<score>\S+)\s*")
"""A name and a score: the last word of the line, or what comes after the last tab or comma."""
KEPT, MINUTES, NAMED = 50, 30, 10


@dataclass(frozen=True)
class Pending:
    """Results that somebody is looking at."""

    given: Incoming
    owner: str
    since: float


class Desk:
    """Where results lie until they are saved."""

    def __init__(self) -> None:
        self._pending: OrderedDict[str, Pending] = OrderedDict()
        self._lock = threading.Lock()

    def lay(self, given: Incoming, owner: str) -> str:
        """Keep results; return what they are called."""
        name = secrets.token_urlsafe(16)
        with self._lock:
            self._pending[name] = Pending(given, owner, monotonic())
            while len(self._pending) > KEPT:
                self._pending.popitem(last=False)
        return name

    def take(self, name: str, owner: str) -> Incoming:
        """Return results that were kept for their owner."""
        with self._lock:
            found = self._pending.get(name)
        late = found is None or monotonic() - found.since > 60 * MINUTES
        if found is None or late or found.owner != owner:
            raise InputError("what was read is no longer kept; send it once more")
        return found.given


def read_typed(
    league: League,
    *,
    contest: str,
    date: str,
    text: str,
    file: tuple[str, bytes] | None,
    home: str = "",
) -> Incoming:
    """Read what a form holds: a file, a pasted table, or the lines of one contest."""
    if file is not None:
        return _read_table(league, file[1], file[0])
    if not text.strip():
        raise InputError("there is nothing to read; type a line for each result, or choose a file")
    if contest.strip():
        rows = rows_of(contest.strip(), date.strip(), text)
        if league.state.knows_home:
            _say_home(rows, home.strip())
        elif home.strip():
            raise InputError("this league does not rate who is at home; leave it empty")
        columns = [name for name in next(row for row in rows if row is not None) if name != HOME]
        return league.read(_as_lines(rows), **{name: name for name in columns})
    return _read_table(league, text.encode("utf-8", "replace"), "pasted text")


def _say_home(rows: list[dict[str, Any] | None], home: str) -> None:
    """Say in every row whether it is of the home side."""
    entered = [row for row in rows if row is not None]
    names = [row["contestant"] for row in entered]
    if home and home not in names:
        raise InputError(f"{home!r} is at home, and none of the results{nearest(home, names)}")
    for row in entered:
        row[HOME] = int(row["contestant"] == home)


def tell_joined(state: State, given: Incoming) -> list[str]:
    """Say which contests are there already: a name that is used again joins two of them.

    Examples
    --------
    >>> from qrja.league import HeldContest
    >>> there = {"Oslo": HeldContest("Oslo", {"Ann": 1.0, "Bob": 2.0}, "2026-05-01T00:00:00")}
    >>> tell_joined(State(contests=there), Incoming((HeldContest("Oslo", {"Cid": 1.0}),)))
    ["'Oslo' of 2026-05-01 is there with 2 results; these join it"]
    """
    there = [] if given.unnamed else [it.label for it in given.contests]
    held = [state.contests[label] for label in there if label in state.contests]

    def say(one: HeldContest) -> str:
        day = "" if one.date is None else f" of {show_date(one.date)}"
        return (
            f"{one.label!r}{day} is there with {count(len(one.results), 'result')}; these join it"
        )

    return _first(held, say, "are there, which these join")


def tell_newcomers(state: State, given: Incoming) -> list[str]:
    """Say who is new to a league, and whom they may be: a slip of the pen makes a new contestant.

    Examples
    --------
    >>> from qrja.league import HeldContest
    >>> known = {"Oslo": HeldContest("Oslo", {"Alice": 1.0})}
    >>> tell_newcomers(State(contests=known), Incoming((HeldContest("Rome", {"Alise": 1.0}),)))
    ["'Alise' is new; did you mean 'Alice'?"]
    """
    known = set(state.names())
    if not known:
        return []
    named = [name for one in given.contests for name in one.results]
    named += [name for one in given.judgments for name in (one.a, one.b)]
    fresh = dict.fromkeys(name for name in named if state.called(name) not in known)
    order = sorted(known)
    return _first(list(fresh), lambda name: f"{name!r} is new{nearest(name, order)}", "are new")


def _first(found: Sequence[T], say: Callable[[T], str], rest: str) -> list[str]:
    """Say the first of something, and how many more there are."""
    more = len(found) - NAMED
    return [*map(say, found[:NAMED]), *([f"and {more} more {rest}"] if more > 0 else [])]


def _read_table(league: League, content: bytes, name: str) -> Incoming:
    source = io.BytesIO(content)
    source.name = name  # which messages begin with
    return league.read(source)


def _as_lines(rows: list[dict[str, Any] | None]) -> io.BytesIO:
    """Write rows as lines of JSON, each where it was typed: messages name that line."""
    lines = ("" if row is None else json.dumps(row) for row in rows)
    source = io.BytesIO("\n".join(lines).encode())
    source.name = "results"  # which messages begin with, as the field is called
    return source


def rows_of(contest: str, date: str, text: str) -> list[dict[str, Any] | None]:
    """Read the lines of one contest: a name and a score each, None for an empty line.

    Examples
    --------
    >>> rows_of("Boston", "", "Ann Miller 4:00:00")[0]
    {'contest': 'Boston', 'contestant': 'Ann Miller', 'score': '4:00:00'}
    """
    rows: list[dict[str, Any] | None] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            rows.append(None)
            continue
        found = LINE.fullmatch(line)
        if found is None:
            raise InputError(f"line {number}: {line.strip()!r} is no name and score; write both")
        row = {"contest": contest, "contestant": found["name"], "score": found["score"]}
        rows.append(row | ({"date": date} if date else {}))
    return rows
