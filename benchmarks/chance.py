"""What chance leaves of forecasts: python chance.py FOLDER, after forecasts.py FOLDER.

Two questions of every set that forecasts.py walked through with others than qrja-auto, answered by
drawing its contests again, with replacement, 4,000 times.

**How far behind the luckiest of its equals is a ranker seen?** Take the rankers that are level with
the first, whose interval of the difference holds 0, and say that all are equally good: from the
accuracy of each in a draw that on the whole set is taken off, so that differences have mean 0 and
hang together as they do. How far qrja-auto then is behind the best of them is what a set of this
length shows where nothing is better: its mean, how often it is beyond .3 points, and how often as
far as was seen. Taking all of them as equals is generous where many are: so how often as far too if
all others are as good as they were seen to be and qrja-auto is as good as the first (*alone*).

**What calibration error do perfect probabilities show?** In every draw the gaps of each tenth, less
those of the whole set: pairs of one contest hang together, and are drawn together.

Writes results/chance.csv and the table in docs/auto.md.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from forecasts import ALL, OURS, runs_of
from harness import RESULTS, put
from qrja.backtesting import Run
from qrja.data import Floats

DRAWS, BLOCK = 4000, 1 << 22
TARGET, CALIBRATED = 0.003, 0.015
TENTHS = ("gap_50", "gap_60", "gap_70", "gap_80", "gap_90")
HEADER = [
    "set", "pairs", "behind", "level", "behind by chance", "beyond .3", "as far", "alone",
    "calibration", "calibration by chance", "beyond 1.5", "as far off",
]  # fmt: skip


def column(run: Run, name: str) -> Floats:
    """Return a sum of every contest."""
    return np.array([getattr(it, name) for it in run.sums], dtype=np.float64)


def draw(sums: Floats, seed: int = 0) -> Floats:
    """Return sums over drawn contests: a row for each draw, a column for each of ``sums``."""
    contests, random = len(sums), np.random.default_rng(seed)
    found, step = [], max(1, BLOCK // contests)
    for begin in range(0, DRAWS, step):
        size = min(step, DRAWS - begin)
        times = random.multinomial(contests, np.full(contests, 1 / contests), size=size)
        found.append(times @ sums)
    return np.concatenate(found)


def behind_equals(runs: dict[str, Run]) -> tuple[float, list[str], Floats, Floats]:
    """Return how far ours is behind, who is level with the first, and how far chance would put us.

    Level is whose lead or lag to the first holds 0 in its 95 % interval; ours counts in any case.
    Chance puts us behind where all of these are equals, and where ours is level with the first and
    all others are as they were seen.
    """
    pairs = column(runs[OURS], "ordered")
    able = [it for it in runs if np.array_equal(column(runs[it], "ordered"), pairs)]
    right = np.stack([column(runs[it], "right") for it in able], axis=1)
    drawn = draw(np.column_stack([right, pairs]))
    accuracy, drawn = right.sum(axis=0) / pairs.sum(), drawn[:, :-1] / drawn[:, -1:]
    best = int(accuracy.argmax())
    lag = np.quantile(drawn[:, [best]] - drawn, 0.025, axis=0)
    level = [k for k, it in enumerate(able) if lag[k] <= 0 or it == OURS]
    off = drawn - accuracy
    apart = off[:, level].max(axis=1) - off[:, able.index(OURS)]
    alone = drawn.max(axis=1) - off[:, able.index(OURS)] - accuracy[best]
    behind = accuracy[best] - accuracy[able.index(OURS)]
    return behind, [able[k] for k in level], apart, alone


def errors_of_perfect(run: Run) -> Floats:
    """Return the calibration errors that draws show whose probabilities are right on average."""
    gaps = np.stack([column(run, name) for name in TENTHS], axis=1)
    pairs = column(run, "chances")
    # What is expected of a draw is the gap of the set for as many pairs.
    off = gaps - pairs[:, None] * gaps.sum(axis=0) / pairs.sum()
    drawn = draw(np.column_stack([off, pairs]))
    return np.asarray(np.abs(drawn[:, :-1]).sum(axis=1) / drawn[:, -1])


def row_of(name: str, runs: dict[str, Run]) -> list[str]:
    """Return the figures of a set."""
    behind, level, apart, alone = behind_equals(runs)
    errors, error = errors_of_perfect(runs[OURS]), runs[OURS].total.calibration_error() or 0.0
    told = [behind, apart.mean(), (apart > TARGET).mean(), (apart >= behind).mean()]
    told.append((alone >= behind).mean())
    told += [error, errors.mean(), (errors > CALIBRATED).mean(), (errors >= error).mean()]
    shown = [f"{100 * value:.4f}" for value in told]
    shown.insert(1, " ".join(level))
    return [name, str(int(runs[OURS].total.ordered)), *shown]


def table(rows: list[list[str]]) -> str:
    """Lay the figures out."""
    lines = [
        "| set, pairs | points behind the first | level with it | equals, mean | beyond .3"
        " | as far | alone | calibration error | perfect, mean | beyond 1.5 | as far off |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, pairs, behind, level, mean, beyond, far, alone, *calibration in rows:
        equals = len(level.split())
        shares = map(_share, (beyond, far, alone))
        lucky = [_points(mean), *shares] if equals > 1 else [""] * 4
        cells = [f"{name}, {int(pairs):,}", _points(behind), str(equals), *lucky]
        cells += [*map(_points, calibration[:2]), *map(_share, calibration[2:])]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _points(value: str) -> str:
    return f"{float(value):.2f}"


def _share(value: str) -> str:
    return f"{float(value):.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    walked = {name: runs_of(name, folder) for name in ALL}
    found = {name: runs for name, runs in walked.items() if OURS in runs and len(runs) > 1}
    rows = [row_of(name, runs) for name, runs in found.items()]
    with (RESULTS / "chance.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    put("auto.md", "chance", table(rows))


if __name__ == "__main__":
    main()
