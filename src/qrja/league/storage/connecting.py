"""Connecting: from a path or an address to a database, and what its errors mean to a person.

A path, or ``sqlite:///path``, is an SQLite file: readers and one writer at a time, in WAL mode,
each commit on the disk before it is acknowledged. ``postgresql://user@host/name`` is a PostgreSQL
database. SQLAlchemy serves both with one set of statements, keeps connections and their loss to
itself, and is what others who open these tables are likely to use.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qrja.errors import BusyError, InputError, MissingExtraError
from qrja.letters import cut

try:
    from sqlalchemy import URL, Engine, create_engine, event, exc, make_url
    from sqlalchemy.pool import StaticPool
except ImportError:
    raise MissingExtraError.of("sqlalchemy", "league", "leagues") from None

PATIENCE = 10.0
"""Seconds to wait for others who write; writing takes milliseconds."""
MEMORY = (":memory:", "sqlite://", "sqlite:///:memory:")


def read_url(place: str | os.PathLike[str]) -> URL:
    """Read a path or an address.

    Examples
    --------
    >>> read_url("league.db").render_as_string()
    'sqlite:///league.db'
    >>> read_url("postgres://ann:secret@host/club").render_as_string()
    'postgresql+psycopg://ann:***@host/club'
    """
    text = os.fspath(place) if isinstance(place, str | os.PathLike) else ""
    if not isinstance(text, str) or not text or "\0" in text:
        raise InputError(f"the league is {place!r}; give a path or an address postgresql://...")
    if text in MEMORY:
        return URL.create("sqlite")
    if "://" not in text:
        return URL.create("sqlite", database=text)
    return _read_address(text)


def _read_address(text: str) -> URL:
    try:
        url = make_url(text)
    except (exc.ArgumentError, ValueError):
        # The address is not shown: it may hold a password.
        raise InputError(
            "the address of the league cannot be read; write postgresql://user@host/name"
        ) from None
    kind = url.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise InputError(
            f"the address of the league begins with {cut(url.drivername, 40)}://; give a path, or"
            " postgresql://user@host/name"
        )
    return URL.create("sqlite", database=url.database)


def shown_as(url: URL) -> str:
    """Write the address of a PostgreSQL database as people do, without its password.

    Examples
    --------
    >>> shown_as(read_url("postgres://ann:secret@/club?host=/run/postgresql"))
    'postgresql://ann:***@/club?host=/run/postgresql'
    """
    plain = url.set(drivername="postgresql").render_as_string()
    head, mark, query = plain.partition("?")
    return head + mark + query.replace("%2F", "/")


def connect(url: URL, *, create: bool) -> Engine:
    """Return an engine for a database; an SQLite file must be there unless it may be created."""
    if url.get_backend_name() == "sqlite":
        return _connect_to_file(url, create)
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtraError.of("psycopg", "postgres", "leagues in PostgreSQL") from None
    wait = f"-c lock_timeout={int(PATIENCE * 1000)} -c timezone=UTC"
    given = url.query.get("options")
    options = f"{given} {wait}" if isinstance(given, str) else wait
    return create_engine(
        url.difference_update_query(["options"]),
        connect_args={"options": options, "connect_timeout": int(PATIENCE)},
        pool_pre_ping=True,
    )


def _connect_to_file(url: URL, create: bool) -> Engine:
    path = url.database
    if path is None:
        memory = {"connect_args": {"check_same_thread": False}, "poolclass": StaticPool}
        return _with_transactions(create_engine(url, **memory))
    try:
        _check_place(Path(path), create)
    except OSError as error:  # in a folder that may not be entered, a name that is too long
        raise InputError(f"{path}: cannot be opened: {error.strerror}") from None
    wait = {"timeout": PATIENCE, "check_same_thread": False}
    return _with_transactions(create_engine(url, connect_args=wait))


def _check_place(path: Path, create: bool) -> None:
    if not create and not path.is_file():
        raise InputError(f"{path}: no such league; make one by: qrja league init {path}")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; give the name of a file")
    if path.parent != Path() and not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; make it first")


def _with_transactions(engine: Engine) -> Engine:
    """Let SQLite begin transactions when it is told to, and writers at once."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # the driver begins none by itself
        cursor = connection.cursor()
        for pragma in ("trusted_schema = OFF", "synchronous = FULL", "cell_size_check = ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def in_words(name: str) -> Iterator[None]:
    """Say what is wrong with a database in our words; a password is never shown."""
    try:
        yield
    except exc.OperationalError as error:
        said = str(error.orig).strip().splitlines()[0] if str(error.orig) else "no answer"
        if any(word in said for word in ("locked", "busy", "lock timeout")):
            raise BusyError(
                f"{name}: others have been writing for {PATIENCE:g} seconds; nothing was written,"
                " try again"
            ) from None
        raise InputError(f"{name}: the database cannot be used: {cut(said, 200)}") from None
    except exc.DBAPIError as error:
        said = str(error.orig).strip().splitlines()[0] if str(error.orig) else "no answer"
        if "not a database" in said or "malformed" in said:
            raise InputError(f"{name}: is no league, or a damaged one: {cut(said, 200)}") from None
        if "lock timeout" in said:
            raise BusyError(f"{name}: others are writing; nothing was written, try again") from None
        raise InputError(f"{name}: the database refused: {cut(said, 200)}") from None
