"""Which p predicts best? python powers.py [SET ...] walks forward with p from 1 to infinity.

Every p is fitted to the contests so far and predicts the next, under the fair rules, without
ridges, half-lives or anything else. Beside them *walked*: before each contest, the p that was best
so far. Writes results/powers.csv, a row per set and p with the difference to the best p and its
95 % interval, and draws docs/powers.svg from all rows that are there.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

from forecasts import EMBEDDED, FURTHER, load
from harness import RESULTS
from problems import PAPER_SETS
from qrja.backtesting import Backtest, Run, backtest
from qrja.metrics import Sums

POWERS = ["1", *(f"1.{d}" for d in range(1, 10)), "2", "3", "5", "10", "inf"]
GOALS = {"ordinal_accuracy": ("right", 1), "quantitative_l1": ("margin_l1", -1)}
HEADER = ["set", "metric", "p", "value", "difference to the best", "low", "high", "contests"]
PICTURE = Path(__file__).parents[1] / "docs" / "powers.svg"


def walked(runs: dict[str, Run], field: str, sign: int) -> Run:
    """Return the sums of the p that led before each contest."""
    names = list(runs)
    gains = np.array([sign * runs[name].column(field) for name in names])
    leaders = (np.cumsum(gains, axis=1) - gains).argmax(axis=0)
    sums: list[Sums] = [runs[names[k]].sums[c] for c, k in enumerate(leaders)]
    return Run(tuple(sums), 0.0)


def rows(name: str, result: Backtest) -> list[list[str]]:
    """Return a row per metric and p."""
    found = []
    for metric, (field, sign) in GOALS.items():
        runs = dict(result.runs) | {"walked": walked(dict(result.runs), field, sign)}
        values = {p: run.total.value(metric) or 0.0 for p, run in runs.items()}
        best = max(result.runs, key=lambda p, values=values, sign=sign: sign * values[p])
        for p, run in runs.items():
            low = high = difference = 0.0
            if p != best:
                pair = {p: run, best: runs[best]}
                it = Backtest("fair", name, result.labels, pair, result.zero).differences(metric)[0]
                difference, low, high = it.difference, it.low, it.high
            numbers = [values[p], difference, low, high]
            shown = [f"{v:.6g}" for v in numbers]
            found.append([name, metric, p.removeprefix("qrja-p"), *shown, str(len(result.labels))])
    return found


def draw(table: list[list[str]]) -> None:
    """Draw each metric relative to that of the best p, a line per set."""
    from matplotlib import pyplot as plt

    figure, both = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    titles = ["pairs in order, percent", "absolute error of margins, relative to the best p"]
    for ax, metric, title in zip(both, GOALS, titles, strict=True):
        for name in dict.fromkeys(row[0] for row in table):
            mine = [row for row in table if row[:2] == [name, metric] and row[2] != "walked"]
            values = np.array([float(row[3]) for row in mine])
            y = 100 * values if metric == "ordinal_accuracy" else values / values.min()
            ax.plot([row[2] for row in mine], y, marker="o", markersize=3, label=name)
        ax.set_title(title)
        ax.set_xlabel("p")
    both[0].legend(fontsize=8)
    figure.savefig(PICTURE, metadata={"Date": None})


def main(asked: list[str]) -> None:
    path, table = RESULTS / "powers.csv", []
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            table = list(csv.reader(file))[1:]
    for name in asked or [*PAPER_SETS, *EMBEDDED, *FURTHER]:
        contests = load(name)
        if contests is None:
            print(f"{name}: skipped, not at hand")
            continue
        result = backtest(contests, [f"qrja-p{p}" for p in POWERS], dataset=name)
        table = [row for row in table if row[0] != name] + rows(name, result)
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([HEADER, *table])
        draw(table)
        print(f"{name}: done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
