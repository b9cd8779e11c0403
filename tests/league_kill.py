"""Writers of a league are killed at random moments; whatever they were told was written is there.

    python tests/league_kill.py --times 200 [postgres]

Each round starts some writers, which send results under keys of their own and tell of every one
that was acknowledged, and ends with ``kill -9``. Then every acknowledged event must be there, once;
what was sent and not acknowledged is sent again under its key, and must then be there once too.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import sys
import tempfile
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from league_databases import postgres
from qrja import League
from qrja.league import check

WRITERS, LONGEST = 3, 0.5
"""Writers at once, and seconds from the first write until they are killed, at the most."""


def result_of(key: str) -> tuple[str, dict[str, float]]:
    """What a writer sends under a key: always the same."""
    dice = random.Random(key)
    a, b = dice.sample(range(12), 2)
    return f"match {key}", {f"p{a}": dice.gauss(a, 1), f"p{b}": dice.gauss(b, 1)}


def write(place: str, name: str, pipe: Connection) -> None:
    """Write until killed."""
    with League.open(place, create=False) as league:
        pipe.send(("ready", ""))
        for number in range(1_000_000):
            key = f"{name}-{number}"
            pipe.send(("sent", key))
            contest, results = result_of(key)
            league.record(contest, results, key=key, author=name)
            pipe.send(("written", key))


@dataclass(frozen=True)
class Tally:
    """What rounds of killing found."""

    rounds: int
    acknowledged: int
    unsure: int
    events: int

    def __str__(self) -> str:
        return (
            f"{self.rounds} rounds of {WRITERS} writers killed: {self.acknowledged} acknowledged"
            f" events all there, {self.unsure} unacknowledged ones sent again, {self.events} events"
            " in all, none twice, ratings those of a new fit"
        )


def kill_writers(place: str, rounds: int, seed: int = 0) -> Tally:
    """Kill writers so many times, and check the league after each."""
    dice, context = random.Random(seed), multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["qrja.league"])
    done: set[str] = set()
    unsure_in_all = 0
    with League.open(place) as league:
        league.record("first", {f"p{k}": float(k) for k in range(12)})
        for number in range(rounds):
            told = _round(context, place, number, dice)
            written = {key for what, key in told if what == "written"}
            unsure = {key for what, key in told if what == "sent"} - written
            done |= written
            _check_there(league, done)
            for key in sorted(unsure):
                contest, results = result_of(key)
                name = key.rpartition("-")[0]
                assert league.record(contest, results, key=key, author=name).key == key
            done |= unsure
            unsure_in_all += len(unsure)
            _check_there(league, done)
            assert {event.key for event in league.log()} == {None, *done}
            _ = league.ratings  # which follow
        check(league)
        return Tally(rounds, len(done) - unsure_in_all, unsure_in_all, league.version)


def _check_there(league: League, done: set[str]) -> None:
    # A database server may still commit what a writer sent before it was killed: one look at the
    # state, and then the log up to there.
    state = league.state
    keys = [event.key for event in league.log()[: state.number] if event.key is not None]
    assert len(keys) == len(set(keys)), "an event is there twice"
    assert done <= set(keys), f"acknowledged, and lost: {sorted(done - set(keys))}"
    assert set(state.contests) == {"first", *map("match {}".format, keys)}, (
        "the state is not what the log says"
    )


def _round(context: Any, place: str, number: int, dice: random.Random) -> list[tuple[str, str]]:
    """Start writers, kill them after a while, and return what they told."""
    ends, others = zip(*(context.Pipe(duplex=False) for _ in range(WRITERS)), strict=True)
    people = [
        context.Process(target=write, args=(place, f"r{number}w{k}", pipe), daemon=True)
        for k, pipe in enumerate(others)
    ]
    for person in people:
        person.start()
    for pipe in others:
        pipe.close()
    told: list[tuple[str, str]] = []
    end = monotonic() + 60
    while not _are_at_it(told) and monotonic() < end:
        told += _heard(ends, 0.01)
    sleep(dice.uniform(0, LONGEST))
    for person in people:
        os.kill(person.pid, signal.SIGKILL)
        person.join()
    return told + _heard(ends, 0.0, to_the_end=True)


def _are_at_it(told: list[tuple[str, str]]) -> bool:
    """Tell whether all have opened the league, and somebody has written: the first time is slow."""
    heard = [what for what, _ in told]
    return heard.count("ready") == WRITERS and "written" in heard


def _heard(
    pipes: tuple[Connection, ...], timeout: float, *, to_the_end: bool = False
) -> list[tuple[str, str]]:
    told = []
    for pipe in pipes if to_the_end else wait(pipes, timeout):
        try:
            while pipe.poll():  # type: ignore[union-attr]
                told.append(pipe.recv())  # type: ignore[union-attr]
        except (EOFError, OSError):
            pass
        if to_the_end:
            pipe.close()  # type: ignore[union-attr]
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("kind", nargs="?", default="sqlite", choices=["sqlite", "postgres"])
    asked = parser.parse_args()
    if asked.kind == "postgres":
        with postgres() as place:
            print(f"postgres: {kill_writers(place, asked.times, asked.seed)}")
        return
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "league.db"))
        print(f"sqlite: {kill_writers(place, asked.times, asked.seed)}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
