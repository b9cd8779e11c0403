"""Writers are killed at random moments: nothing acknowledged is lost, nothing is there twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from league_databases import postgres
from league_kill import kill_writers

ROUNDS = 6
"""``make kills`` does it 200 times in each database."""


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_killed_writers_lose_nothing(kind: str, tmp_path: Path) -> None:
    if kind == "sqlite":
        found = kill_writers(str(tmp_path / "league.db"), ROUNDS, seed=1)
    else:
        with postgres() as place:
            found = kill_writers(place, ROUNDS, seed=1)
    assert found.acknowledged > ROUNDS
