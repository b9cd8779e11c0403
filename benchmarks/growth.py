"""How time and memory grow with the number of entries, on synthetic races."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import numpy as np

from harness import OURS, Row, measure
from problems import races
from qrja import solve


def growth(p: float, sizes: list[int]) -> Iterator[Row]:
    """Measure a solve of each size, and again with its memory traced, and fit the exponent."""
    work, measured = f"p = {p:g}, growth", []
    for entries in sizes:
        contests = races(entries)
        seconds, ours = measure(lambda c=contests: solve(c[: len(c)], p), repeats=3, budget=10.0)
        tracemalloc.start()
        solve(contests[: len(contests)], p)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        measured.append((np.log(contests.entries), np.log(seconds)))
        note = f"{contests.m:.2g} pairs; at most {peak / contests.entries:.0f} bytes an entry"
        yield Row(work, f"{entries:.0e} entries", OURS, seconds, f"{ours.gap:.0e}", note)
    slope = np.polyfit(*np.transpose(measured), 1)[0]
    yield Row(work, "fitted exponent", OURS, slope, "", "of seconds over entries")
