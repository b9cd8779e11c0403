"""Where leagues are kept: addresses, versions of the schema, and files that are something else."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

import qrja
from qrja import BusyError, InputError, League
from qrja.league import check
from qrja.league.storage import METADATA, MIGRATIONS, Store, connecting

FIRST = Path(__file__).parent / "examples" / "data" / "league-1.sql"


def make(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("", "the league is ''; give a path or an address postgresql://..."),
        (None, "the league is None; give a path or an address"),
        ("a\0b", "give a path or an address"),
        ("mysql://host/club", "begins with mysql://; give a path, or postgresql://user@host/name"),
        ("postgresql://host:port/club", "the address of the league cannot be read; write postgres"),
    ],
)
def test_places_that_are_none(place: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        League.open(place)
    assert words in str(error.value)


def test_folders_and_files_that_are_something_else(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; give the name of a file"):
        League.open(tmp_path)
    with pytest.raises(InputError, match=r"there is no folder .*nowhere; make it first"):
        League.open(tmp_path / "nowhere" / "league.db")
    text = tmp_path / "text.db"
    text.write_text("race,runner,time\n" * 100)
    with pytest.raises(InputError, match="is no league, or a damaged one"):
        League.open(text)
    other = tmp_path / "other.db"
    make(other, "CREATE TABLE bookmarks (url TEXT)")
    before = other.read_bytes()
    with pytest.raises(InputError, match="is a database without a league, with the table 'bookm"):
        League.open(other)
    assert other.read_bytes() == before
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(InputError, match="holds no league; make one by: qrja league init"):
        League.open(empty, create=False)
    with League.open(empty) as made:
        assert made.version == 0


def test_a_league_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "later.db"
    League.open(path).close()
    for version, words in (
        ("99", "has version 99 of the schema, and this program knows"),
        ("x", "no n"),
    ):
        make(path, f"UPDATE qrja_league SET value = '{version}'")
        with pytest.raises(InputError, match=words):
            League.open(path)


def test_the_tables_are_what_the_migrations_leave(tmp_path: Path) -> None:
    League.open(tmp_path / "league.db").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'league.db'}")
    with engine.connect() as connection:
        found = inspect(connection)
        assert set(found.get_table_names()) == set(METADATA.tables)
        for name, table in METADATA.tables.items():
            there = {it["name"]: it["nullable"] for it in found.get_columns(name)}
            assert set(there) == set(table.columns.keys())
            for column in table.columns:
                if not column.primary_key:
                    assert there[column.name] == column.nullable
    engine.dispose()


def test_a_league_of_the_first_version_lives_on(tmp_path: Path) -> None:
    """``league-1.sql`` was written by the first version, and is never written again."""
    path = tmp_path / "first.db"
    connection = sqlite3.connect(path)
    connection.executescript(FIRST.read_text())
    connection.close()
    with League.open(path, create=False) as league:
        assert [event.kind for event in league.log()] == ["titled", "added", "corrected", "undone"]
        assert check(league)
        races = Path(__file__).parent / "examples" / "races.csv"
        for row in qrja.fit(races).leaderboard():
            rating = next(
                it for it in league.ratings.leaderboard() if it.contestant == row.contestant
            )
            assert rating.rating == pytest.approx(row.rating)
        league.record("Lima", {"Alice": "4:00:00"})
    with sqlite3.connect(path) as connection:
        ((version,),) = connection.execute("SELECT value FROM qrja_league WHERE name = 'version'")
        assert version == str(len(MIGRATIONS))
    connection.close()


def test_who_waits_too_long_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "PATIENCE", 0.05)
    with League.open(tmp_path / "league.db") as league:
        other = Store.open(tmp_path / "league.db")
        with (
            other.writing(),
            pytest.raises(BusyError, match=r"others have been writing for .* nothing was written"),
        ):
            league.record("Boston", {"Ann": 1})
        other.close()
        assert league.record("Boston", {"Ann": 1}).number == 1


def test_an_acknowledged_event_is_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    with League.open(path) as league:
        league.record("Boston", {"Ann": 1})
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()
        with league.store._engine.connect() as own:
            assert own.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def test_a_commit_that_fails_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with League.open(tmp_path / "league.db") as league:
        league.record("Boston", {"Ann": 1, "Bob": 0})

        def fail(connection: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(league.store._engine.dialect, "do_commit", fail)
        with pytest.raises(InputError, match="cannot be used: database or disk is full"):
            league.record("Oslo", {"Ann": 1, "Bob": 0})
        monkeypatch.undo()
        assert league.version == 1
        assert league.record("Oslo", {"Ann": 1, "Bob": 0}).number == 2
