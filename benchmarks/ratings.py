"""Ratings: intervals, updates, and two-sided games against evalica's Bradley-Terry."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from harness import OURS, Row, measure
from problems import PAPER, has_paper, paper
from qrja import Contests, Judgments, Ratings, datasets, fit

GAMES, PLAYERS, RESAMPLES = 100_000, 1_000, 200
COLUMNS = {"contest": "contest", "contestant": "contestant", "score": "score"}


def quickest(run: Callable[[], object], repeats: int = 9) -> float:
    """Return the least wall-clock seconds of some runs: what interrupts a run only adds to it."""
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def intervals() -> Iterator[Row]:
    football = datasets.football()
    fit(football).intervals(resamples=20)  # compiles
    seconds, _ = measure(lambda: fit(football).intervals(resamples=1000).rank_high, repeats=3)
    yield Row("fit + 1,000 resamples", "football", OURS, seconds, "", "ratings and ranks")
    seconds, _ = measure(
        lambda: fit(football).intervals(resamples=1000, method="sandwich").rank_high, repeats=3
    )
    yield Row("fit + closed form", "football", OURS, seconds, "", "ratings and ranks")
    if has_paper():
        contests = paper("codeforces")
        seconds, _ = measure(
            lambda: fit(contests[: len(contests)]).intervals(resamples=RESAMPLES).rank_high,
            repeats=3,
        )
        yield Row("fit + 200 resamples", "codeforces", OURS, seconds, "", "ratings and ranks")


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
    for p, repeats in ((1, 3), (2, 9)):
        try:
            before = fit(contests[:-1], p=p)
        except ValueError as error:
            print(f"skipped: p = {p}: {error}")
            continue
        problem = f"codeforces, p = {p:g}"
        yield Row(work, problem, OURS, append(before, one, p), "", "Ratings.update(contest)")
        seconds = quickest(lambda p=p: fit(contests[: len(contests)], p=p), repeats)
        yield Row(work, problem, "refit, contests in memory", seconds, "")
        seconds = quickest(lambda p=p: fit(PAPER / "codeforces.csv", p=p, **COLUMNS), repeats)
        yield Row(work, problem, "refit, from the file", seconds, "")
    with tempfile.TemporaryDirectory() as folder:
        before_file, after = last_contest(PAPER / "codeforces.csv", Path(folder))
        ratings = fit(before_file, **COLUMNS)
        seconds = quickest(lambda: ratings.update(after))
        note = "Ratings.update(file): opening a file takes most of it"
        yield Row(work, "codeforces, p = 2", "update from a file", seconds, "", note)


def append(before: Ratings, one: Contests, p: float) -> float:
    """Time an update; for p = 1 ratings can be continued once, so each time from fresh ones."""
    if p != 1:
        return quickest(lambda: before.update(one))
    seconds = []
    for _ in range(3):
        fresh = fit(before.data[: len(before.data)], p=p)
        seconds.append(quickest(lambda fresh=fresh: fresh.update(one), 1))
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
    yield from updates()
    yield from against_evalica()
