"""The schema: five tables, and how databases of every earlier version become the present one.

``qrja_league`` says what the database is, ``qrja_events`` is the log, ``qrja_tokens`` who may do
what by a server, ``qrja_files`` the images that events name, ``qrja_tickets`` what judges look at.
A migration is kept as it was when it
was written, in SQL that SQLite and PostgreSQL both read; the tables below are what the last
one leaves, which a test compares.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Connection,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    inspect,
    select,
    text,
)

from qrja.errors import InputError
from qrja.letters import cut

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE qrja_league (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """CREATE TABLE qrja_events (
            number INTEGER PRIMARY KEY,
            batch INTEGER NOT NULL,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            author TEXT NOT NULL,
            at TEXT NOT NULL,
            key TEXT UNIQUE,
            fingerprint TEXT NOT NULL,
            digest TEXT NOT NULL
        )""",
    ),
    (
        """CREATE TABLE qrja_tokens (
            id TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            name TEXT NOT NULL,
            hash TEXT NOT NULL UNIQUE,
            made TEXT NOT NULL,
            revoked TEXT
        )""",
    ),
    (
        """CREATE TABLE qrja_files (
            digest TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            content BYTEA NOT NULL
        )""",
    ),
    (
        """CREATE TABLE qrja_tickets (
            judge TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            a TEXT NOT NULL,
            b TEXT NOT NULL,
            repeats TEXT,
            since DOUBLE PRECISION NOT NULL
        )""",
    ),
)
"""What leads from each version to the next; the first from an empty database."""
VERSION = len(MIGRATIONS)

METADATA = MetaData()
ABOUT = Table(
    "qrja_league",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
EVENTS = Table(
    "qrja_events",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("batch", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("key", Text, unique=True),
    Column("fingerprint", Text, nullable=False),
    Column("digest", Text, nullable=False),
)
"""``batch`` is the number of the first event written in the same transaction, which has the key;
``fingerprint`` tells whether the key came with the same request."""
TOKENS = Table(
    "qrja_tokens",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False, unique=True),
    Column("made", Text, nullable=False),
    Column("revoked", Text),
)
"""Who may write or read by a server; the secret itself is not kept."""
FILES = Table(
    "qrja_files",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
"""Files that events name by the SHA-256 of their bytes, so that the log vouches for them."""
TICKETS = Table(
    "qrja_tickets",
    METADATA,
    Column("judge", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("a", Text, nullable=False),
    Column("b", Text, nullable=False),
    Column("repeats", Text),
    Column("since", Double, nullable=False),
)
"""Which pair is in front of which judge of a panel, by whatever server; nothing hangs on it."""


def find_version(connection: Connection, name: str) -> int:
    """Return the version of a league, 0 for an empty database; refuse what is neither."""
    there = set(inspect(connection).get_table_names())
    if ABOUT.name not in there:
        if there and connection.dialect.name == "sqlite":
            raise InputError(
                f"{name}: is a database without a league, with the table {cut(min(there), 60)!r};"
                " export the table as CSV, and give another file for the league"
            )
        return 0
    found = connection.execute(select(ABOUT.c.value).where(ABOUT.c.name == "version")).scalar()
    try:
        version = int(str(found))
    except ValueError:
        version = -1
    if version < 1:
        raise InputError(f"{name}: the version of the league is {cut(str(found), 20)!r}, no number")
    if version > VERSION:
        raise InputError(
            f"{name}: has version {version} of the schema, and this program knows {VERSION}; use"
            " the qrja that wrote it, or a later one"
        )
    return version


def migrate(connection: Connection, version: int) -> None:
    """Bring a database of an earlier version to the present one, within one transaction."""
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            connection.execute(text(statement))
    if version == 0:
        connection.execute(ABOUT.insert(), {"name": "version", "value": str(VERSION)})
    else:
        wanted = ABOUT.update().where(ABOUT.c.name == "version")
        connection.execute(wanted.values(value=str(VERSION)))
