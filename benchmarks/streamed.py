"""1 < p < infinity from contests whose pairs are not written out, beside those that are."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from growth import streamed_growth
from harness import OURS, Row
from problems import races
from qrja import Contests, solve
from qrja.losses import Huber, LogCosh

SIZES = [10_000, 100_000, 1_000_000]


def against_pairs(p: float, entries: int) -> Iterator[Row]:
    """Write the pairs out in the same run."""
    contests, work = races(entries), f"p = {p:g}, CPU"
    ways = {OURS: lambda c: c, "qrja, pairs written out": Contests.to_judgments}
    for solver, prepare in ways.items():
        begin = time.process_time()
        found = solve(prepare(contests[: len(contests)]), p)
        seconds = time.process_time() - begin
        note = f"{contests.m:.2g} pairs"
        yield Row(work, f"{entries:.0e} entries", solver, seconds, f"{found.gap:.0e}", note)


def large_contests(size: int, tol: float) -> Row:
    """Two contests of the same entrants, who are many."""
    rng = np.random.default_rng(0)
    strength = rng.normal(size=size)
    score = np.concatenate([strength + rng.normal(size=size) for _ in range(2)])
    two = Contests.from_arrays(np.repeat([0, 1], size), np.tile(np.arange(size), 2), score)
    begin = time.process_time()
    found = solve(two, 1.5, tol=tol)
    seconds = time.process_time() - begin
    note = f"{two.m:.2g} pairs; CPU seconds"
    return Row("p = 1.5, large contests", f"2 of {size:,}", OURS, seconds, f"{found.gap:.0e}", note)


def other_losses() -> Iterator[Row]:
    contests = races(100_000)
    for loss in (Huber(1.0), LogCosh(1.0)):
        solve(contests[:50], loss=loss)
        begin = time.process_time()
        found = solve(contests[: len(contests)], loss=loss)
        seconds = time.process_time() - begin
        note = f"{contests.m:.2g} pairs; CPU seconds"
        yield Row("other losses", str(loss), OURS, seconds, f"{found.gap:.0e}", note)


def rows() -> Iterator[Row]:
    for p in (1.2, 1.5, 3):
        for tol in (1e-6, 1e-9):
            yield from streamed_growth(p, SIZES, tol)
    for p in (1.2, 1.5, 3):
        yield from against_pairs(p, 20_000)
    yield from other_losses()
    yield large_contests(10_000, 1e-6)
