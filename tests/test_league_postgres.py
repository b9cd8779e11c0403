"""The tests of leagues, in PostgreSQL: a server from the machine's binaries, if there are any."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from league_databases import fresh, postgres
from qrja import InputError, League
from test_league import *  # noqa: F403  the same tests, with the place below
from test_panels import (  # noqa: F401
    panel,
    test_images_are_kept_and_come_back_from_a_backup,
    test_names_are_changed_and_joined_everywhere,
    test_the_same_vote_sent_twice_counts_once,
    test_tickets_are_shared_by_all_who_deal,
    test_votes_are_given_changed_and_taken_back,
)

SCHEMAS = count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture
def place(server: str) -> str:
    return fresh(server, f"league_{next(SCHEMAS)}")


def test_leagues_of_one_server_are_apart(place: str, server: str) -> None:
    with League.open(place) as one, League.open(fresh(server, "other")) as other:
        one.record("Boston", {"Ann": 1, "Bob": 0})
        assert other.version == 0
        assert one.store.backend == "postgresql"


def test_a_server_that_is_not_there_is_a_message_without_the_password() -> None:
    with pytest.raises(InputError) as error:
        League.open("postgresql://ann:secret@127.0.0.1:9/club")
    assert "the database cannot be used" in str(error.value)
    assert "secret" not in str(error.value)


def test_an_empty_database_is_no_league_unless_made(place: str) -> None:
    with pytest.raises(InputError, match="holds no league; make one by: qrja league init"):
        League.open(place, create=False)
