"""Ratings: intervals, updates, and two-sided games against evalica's Bradley-Terry."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from harness import OURS, Row, measure
from problems import PAPER, has_paper, paper, races
from qrja import Contests, Judgments, Ratings, datasets, fit

GAMES, PLAYERS, RESAMPLES = 100_000, 1_000, 200
MANY = 2_000_000
COLUMNS = {"contest": "contest", "contestant": "contestant", "score": "score"}


def quickest(
    run: Callable[[], object],
    repeats: int = 9,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return the least seconds of some runs: what interrupts a run only adds to it."""
    seconds = []
    for _ in range(repeats):
        begin = clock()
        run()
        seconds.append(clock() - begin)
    return min(seconds)


def by_processor(run: Callable[[], object], repeats: int = 9) -> float:
    """Return the least processor seconds of some runs."""
    return quickest(run, repeats, time.process_time)


def intervals() -> Iterator[Row]:
    football, note = datasets.football(), "ratings and ranks; CPU"
    runs: list[tuple[str, str, Callable[[], Ratings], dict[str, Any]]] = [
        ("fit + 1,000 resamples", "football", lambda: fit(football), {"resamples": 1000}),
        (
            "fit + closed form",
            "football",
            lambda: fit(football),
            {"resamples": 1000, "method": "sandwich"},
        ),
    ]
    if has_paper():
        contests = paper("codeforces")
        again = partial(lambda it: fit(it[: len(it)]), contests)
        runs.append(("fit + 200 resamples", "codeforces", again, {"resamples": RESAMPLES}))
    fit(football).intervals(resamples=20)  # compiles
    for work, problem, rate, options in runs:
        seconds, _ = measure(
            lambda rate=rate, options=options: rate().intervals(**options).rank_high,
            repeats=3,
            clock=time.process_time,
        )
        yield Row(work, problem, OURS, seconds, "", note)


def large_intervals() -> Iterator[Row]:
    """Time the default intervals of many results beside the fit, both by processor seconds."""
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.csv", Path(folder) / "many.csv"
        write_races(races(20_000), few)
        write_races(races(MANY), many)
        for p in (2, 1):
            fit(few, p=p).intervals()  # compiles
            work, problem = "default intervals", f"{MANY:,} entries, p = {p}"
            begin = time.process_time()
            rated = fit(many, p=p)
            fitted = time.process_time() - begin
            yield Row(work, problem, "the fit, from a file", fitted, "", "CPU")
            begin = time.process_time()
            rated.intervals()
            seconds = time.process_time() - begin
            note = f"{seconds / fitted:.1f} times as long as the fit; CPU"
            yield Row(work, problem, OURS, seconds, "", note)


def write_races(contests: Contests, path: Path) -> None:
    """Write races as a CSV."""
    columns = np.repeat(np.arange(len(contests)), contests.sizes), contests.who, contests.score
    rows = np.stack(columns, axis=1)
    header, form = "race,runner,score", ("%d", "r%d", "%.6f")
    np.savetxt(path, rows, fmt=form, delimiter=",", header=header, comments="")


def last_contest(path: Path, folder: Path) -> tuple[Path, Path]:
    """Split a CSV into all contests but the last, and the last."""
    head, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    last = lines[-1].split(",")[0]
    before, after = folder / "before.csv", folder / "after.csv"
    before.write_text(head + "".join(line for line in lines if line.split(",")[0] != last))
    after.write_text(head + "".join(line for line in lines if line.split(",")[0] == last))
    return before, after


def updates() -> Iterator[Row]:
    if not has_paper():
        return
    contests = paper("codeforces")
    one = contests[[len(contests) - 1]]
    work = "append a contest"
    for p, repeats in ((1, 5), (2, 9)):
        try:
            before = fit(contests[:-1], p=p)
        except ValueError as error:
            print(f"skipped: p = {p}: {error}")
            continue
        problem = f"codeforces, p = {p:g}"
        yield Row(work, problem, OURS, append(before, one, p), "", "Ratings.update(contest); CPU")
        seconds = by_processor(lambda p=p: fit(contests[: len(contests)], p=p), repeats)
        yield Row(work, problem, "refit, contests in memory", seconds, "", "CPU")
        seconds = by_processor(lambda p=p: fit(PAPER / "codeforces.csv", p=p, **COLUMNS), repeats)
        yield Row(work, problem, "refit, from the file", seconds, "", "CPU")
    with tempfile.TemporaryDirectory() as folder:
        before_file, after = last_contest(PAPER / "codeforces.csv", Path(folder))
        ratings = fit(before_file, **COLUMNS)
        seconds = by_processor(lambda: ratings.update(after))
        note = "Ratings.update(file): opening a file takes most of it; CPU"
        yield Row(work, "codeforces, p = 2", "update from a file", seconds, "", note)


def append(before: Ratings, one: Contests, p: float) -> float:
    """Time an update; for p = 1 ratings can be continued once, so each time from fresh ones."""
    if p != 1:
        return by_processor(lambda: before.update(one))
    seconds = []
    for _ in range(9):
        fresh = fit(before.data[: len(before.data)], p=p)
        seconds.append(by_processor(lambda fresh=fresh: fresh.update(one), 1))
    return min(seconds)


def games() -> tuple[list[str], list[str], np.ndarray]:
    """Make games between players of normal strength; margins are the difference and noise."""
    rng = np.random.default_rng(0)
    strength = rng.standard_normal(PLAYERS)
    a = rng.integers(PLAYERS, size=GAMES)
    b = (a + 1 + rng.integers(PLAYERS - 1, size=GAMES)) % PLAYERS
    names = [f"player {i}" for i in range(PLAYERS)]
    margin = strength[a] - strength[b] + rng.standard_normal(GAMES)
    return [names[i] for i in a], [names[i] for i in b], margin


def against_evalica() -> Iterator[Row]:
    import evalica

    a, b, margin = games()
    won = [evalica.Winner.X if y > 0 else evalica.Winner.Y for y in margin.tolist()]
    problem = f"{GAMES:,} games, {PLAYERS:,} players"

    def ours() -> Ratings:
        return fit(Judgments.from_arrays(a, b, margin))

    work = "rate games"
    ours()
    yield Row(work, problem, OURS, quickest(ours), f"{ours().solution.gap:.0e}", "names included")
    seconds = quickest(lambda: evalica.bradley_terry(a, b, won))
    yield Row(work, problem, "evalica Bradley-Terry", seconds, "", "tolerance 1e-6")
    work = f"rate games, {RESAMPLES} resamples"
    ours().intervals(resamples=20)
    seconds = quickest(lambda: ours().intervals(resamples=RESAMPLES), 3)
    yield Row(work, problem, OURS, seconds, "", "names included")

    def bootstrap() -> object:
        return evalica.bootstrap(
            evalica.bradley_terry,
            a,
            b,
            won,
            n_resamples=RESAMPLES,
            bootstrap_method="percentile",
            random_state=0,
        )

    yield Row(work, problem, "evalica bootstrap", quickest(bootstrap, 1), "", "tolerance 1e-6")


def rows() -> Iterator[Row]:
    yield from intervals()
    yield from large_intervals()
    yield from updates()
    yield from against_evalica()
