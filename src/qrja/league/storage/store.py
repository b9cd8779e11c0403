"""The store: a log in a database, read by anybody and written by one at a time.

A write is one transaction: it takes the lock, sees what came meanwhile, checks, appends and
commits. So numbers have no gaps, whatever is acknowledged is there, and whoever dies on the way
leaves nothing behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, select, text

from qrja.errors import InputError
from qrja.interrupts import undisturbed
from qrja.league.events import Event
from qrja.league.storage.connecting import connect, in_words, read_url, shown_as
from qrja.league.storage.schema import EVENTS, VERSION, find_version, migrate

MIGRATING = 0x71726A61
"""The number of the lock under which PostgreSQL databases are migrated."""
_FIELDS = ("number", "kind", "payload", "author", "at", "key", "digest")
_DIGESTS = select(EVENTS.c.number, EVENTS.c.digest).order_by(EVENTS.c.number)
_SELECTED = select(*(EVENTS.c[name] for name in _FIELDS)).order_by(EVENTS.c.number)


@dataclass(frozen=True)
class Written:
    """What a key was used for before."""

    fingerprint: str
    events: tuple[Event, ...]


class Transaction:
    """A write that is under way: nobody else writes until it ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def since(self, number: int) -> list[Event]:
        """Return the events after one."""
        return _read(self._connection, number)

    def digests(self, number: int) -> list[tuple[int, str]]:
        """Return the numbers and digests of an event and of those after it."""
        return _digests(self._connection, number)

    def find(self, key: str) -> Written | None:
        """Return what was written with a key."""
        found = self._connection.execute(
            select(EVENTS.c.batch, EVENTS.c.fingerprint).where(EVENTS.c.key == key)
        ).first()
        if found is None:
            return None
        rows = self._connection.execute(_SELECTED.where(EVENTS.c.batch == found.batch))
        return Written(found.fingerprint, tuple(map(_event, rows)))

    def append(self, events: Sequence[Event], fingerprint: str) -> None:
        """Write events at the end of the log."""
        self._connection.execute(
            EVENTS.insert(),
            [
                {
                    "number": event.number,
                    "batch": events[0].number,
                    "kind": event.kind,
                    "payload": event.text,
                    "author": event.author,
                    "at": event.at,
                    "key": event.key,
                    "fingerprint": fingerprint,
                    "digest": event.digest,
                }
                for event in events
            ],
        )


class Store:
    """A log in a database.

    ``name`` is what people are told it is; by ``address``, which may hold a password, other
    processes open it, unless it is in memory.

    Examples
    --------
    >>> from qrja.league import Draft
    >>> store = Store.open(":memory:")
    >>> with store.writing() as transaction:
    ...     event = Event.after("", 1, Draft("titled", {"title": "Club"}), "", "", None)
    ...     transaction.append([event], "")
    >>> store.read() == [event]
    True
    """

    def __init__(self, engine: Engine, name: str, address: str | None = None) -> None:
        self._engine, self.name, self.address = engine, name, address

    @classmethod
    def open(cls, place: str | os.PathLike[str], *, create: bool = True) -> Store:
        """Open a league, after migrating it if it is of an earlier version."""
        url = read_url(place)
        file = url.get_backend_name() == "sqlite"
        name = url.database if file else shown_as(url)
        address = name if file else url.render_as_string(hide_password=False)
        store = cls(connect(url, create=create), name or ":memory:", address)
        try:
            with in_words(store.name):
                store._prepare(create)
        except BaseException:
            store.close()
            raise
        return store

    @property
    def backend(self) -> str:
        """The kind of the database, ``sqlite`` or ``postgresql``."""
        return str(self._engine.dialect.name)

    def _prepare(self, create: bool) -> None:
        with self._engine.connect() as connection:
            version = find_version(connection, self.name)
        if version == VERSION:
            return
        if version == 0 and not create:
            raise InputError(f"{self.name}: holds no league; make one by: qrja league init")
        if version == 0 and self.backend == "sqlite":
            with self._engine.connect() as connection:
                # It stays with the file, and cannot change within a transaction.
                connection.connection.cursor().execute("PRAGMA journal_mode = WAL")
        with self._begin() as connection:
            # Somebody else may have been quicker.
            if (version := find_version(connection, self.name)) < VERSION:
                migrate(connection, version)

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        writer = self._engine.connect().execution_options(writes=True)
        with writer as connection, connection.begin():
            if self.backend == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": MIGRATING})
            yield connection

    @contextmanager
    def beside(self) -> Iterator[Connection]:
        """Begin a write of something else than events, one at a time."""
        with in_words(self.name), self._begin() as connection:
            yield connection

    @contextmanager
    def looking(self) -> Iterator[Connection]:
        """Look at something else than events."""
        with in_words(self.name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Begin a write, and commit it unless something fails."""
        with (
            in_words(self.name),
            self._engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            if self.backend == "postgresql":
                # Readers go on; other writers wait, of this league only.
                connection.execute(text("LOCK TABLE qrja_events IN EXCLUSIVE MODE"))
            yield Transaction(connection)

    def since(self, number: int) -> list[Event]:
        """Return the events after one."""
        with self.looking() as connection:
            return _read(connection, number)

    def read(self) -> list[Event]:
        """Return all events."""
        return self.since(0)

    def digests(self, number: int) -> list[tuple[int, str]]:
        """Return the numbers and digests of an event and of those after it."""
        with self.looking() as connection:
            return _digests(connection, number)

    def examine(self) -> str:
        """Let the database check itself; return what it finds, nothing if all is well."""
        if self.backend != "sqlite":
            return ""
        with in_words(self.name), self._engine.connect() as connection:
            found = str(connection.exec_driver_sql("PRAGMA integrity_check").scalar())
        return "" if found == "ok" else found

    def close(self) -> None:
        """Give the connections back."""
        undisturbed(self._engine.dispose)  # which would log an interrupt and go on


def _read(connection: Connection, after: int) -> list[Event]:
    return [_event(row) for row in connection.execute(_SELECTED.where(EVENTS.c.number > after))]


def _digests(connection: Connection, number: int) -> list[tuple[int, str]]:
    found = connection.execute(_DIGESTS.where(EVENTS.c.number >= number))
    return [(int(row.number), str(row.digest)) for row in found]


def _event(row: Row[Any]) -> Event:
    key = None if row.key is None else str(row.key)
    told = (str(part) for part in (row.kind, row.payload, row.author, row.at))
    kind, payload, author, at = told
    return Event(int(row.number), kind, payload, author, at, key, str(row.digest))
