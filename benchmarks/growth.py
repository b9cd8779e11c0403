"""How time and memory grow with the number of entries, on synthetic races.

``python growth.py`` draws docs/growth.svg from the results of the benchmark ``streamed``.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from harness import OURS, Row, measure, read
from problems import races
from qrja import solve

PICTURE = Path(__file__).parents[1] / "docs" / "growth.svg"
COLOURS = {"1.2": "#0072b2", "1.5": "#d55e00", "3": "#009e73"}


def growth(p: float, sizes: list[int]) -> Iterator[Row]:
    """Measure a solve of each size, and again with its memory traced, and fit the exponent."""
    work, measured = f"p = {p:g}, growth", []
    for entries in sizes:
        contests = races(entries)
        seconds, ours = measure(
            lambda c=contests: solve(c[: len(c)], p), 3, budget=10.0, clock=time.process_time
        )
        tracemalloc.start()
        solve(contests[: len(contests)], p)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        measured.append((np.log(contests.entries), np.log(seconds)))
        note = f"{contests.m:.2g} pairs; at most {peak / contests.entries:.0f} bytes an entry; CPU"
        yield Row(work, f"{entries:.0e} entries", OURS, seconds, f"{ours.gap:.0e}", note)
    slope = np.polyfit(*np.transpose(measured), 1)[0]
    yield Row(work, "fitted exponent", OURS, slope, "", "of CPU seconds over entries")


def streamed_growth(p: float, sizes: list[int], tol: float) -> Iterator[Row]:
    """Measure, once for each size, the CPU seconds of all cores, and the memory, in one run."""
    work, measured = f"p = {p:g} to {tol:.0e}", []
    solve(races(10_000), p)  # loads what is compiled
    for entries in sizes:
        contests = races(entries)
        tracemalloc.start()
        begin = time.process_time()
        ours = solve(contests[: len(contests)], p, tol=tol)
        seconds = time.process_time() - begin
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        measured.append((np.log(contests.m), np.log(seconds)))
        note = f"{contests.m:.3g} pairs; at most {peak / contests.entries:.0f} bytes an entry"
        yield Row(work, f"{entries:.0e} entries", OURS, seconds, f"{ours.gap:.0e}", note)
    slope = np.polyfit(*np.transpose(measured), 1)[0]
    yield Row(work, "fitted exponent", OURS, slope, "", "of CPU seconds over pairs")


def draw() -> None:
    """Draw the CPU seconds of each size, as measured."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "qrja"
    rows = [row for row in read("streamed") if " to " in row.work and "pairs;" in row.note]
    figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    for work in dict.fromkeys(row.work for row in rows):
        some = [row for row in rows if row.work == work]
        pairs = [float(row.note.split(" pairs")[0]) for row in some]
        p, tol = work.removeprefix("p = ").split(" to ")
        style = {"ls": "-" if tol == "1e-06" else ":", "color": COLOURS[p], "marker": "o", "ms": 4}
        axes.plot(pairs, [row.seconds for row in some], label=f"p = {p}, gap {tol}", **style)
    ends = np.array(axes.get_xlim())
    axes.plot(ends, 4e-7 * ends, color="0.7", lw=0.8, zorder=0)
    axes.annotate("proportional", (5.5e5, 0.33), fontsize=8, color="0.4")
    axes.set(xscale="log", yscale="log", xlabel="pairs that the contests stand for")
    axes.set_ylabel("CPU seconds, all cores together")
    axes.set_title("Races of 100: time grows with the pairs, memory with the entries", loc="left")
    axes.title.set_fontsize(10)
    axes.legend(frameon=False, fontsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    draw()
