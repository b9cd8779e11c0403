"""qrja-auto against all others on every set: python auto_table.py FOLDER JOURNALS.

FOLDER holds what auto.py left: on each of the paper's sets qrja-auto speaks with the grid that the
other six chose. JOURNALS holds a folder per set with journals of ``qrja.backtest(...,
checkpoint=...)``; rankers whose journal is not whole are left out, and named. Writes
results/auto_table.csv, a row per set and metric:

- the best of the others in hindsight, and the difference to it with its 95 % interval;
- the others followed by the rule that qrja-auto follows: before each contest, whoever led so far.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from auto import OTHERS, choose, last_third, load, write
from problems import PAPER_SETS, fair
from qrja.backtesting import Backtest, Run, backtest
from qrja.metrics import Sums
from qrja.rankers import RANKERS

GOALS = {"ordinal_accuracy": ("right", 1), "quantitative_l1": ("margin_l1", -1)}
HEADER = ["set", "metric", "qrja-auto", "last third", "best other", "is", "its last third",
          "difference", "low", "high", "followed others", "not run"]  # fmt: skip


def rivals(name: str, journals: Path) -> dict[str, tuple[Sums, ...]]:
    """Return the sums of every ranker whose journal is whole."""
    contests, folder = fair(name), journals / name
    whole = []
    for ranker in RANKERS:
        path = folder / f"{ranker}.jsonl"
        if ranker != "qrja-auto" and path.is_file():
            with path.open(encoding="utf-8") as file:
                whole += [ranker] if sum(1 for _ in file) == len(contests) + 1 else []
    found = backtest(contests, whole, checkpoint=folder, resamples=2)
    return {ranker: run.sums for ranker, run in found.runs.items()}


def follow(others: dict[str, tuple[Sums, ...]], field: str, sign: int) -> list[Sums]:
    """Return the sums of whoever led before each contest."""
    names = list(others)
    gains = np.array([[sign * getattr(it, field) for it in others[name]] for name in names])
    before = np.cumsum(gains, axis=1) - gains
    leaders = before.argmax(axis=0)
    return [others[names[leader]][c] for c, leader in enumerate(leaders)]


def rows(name: str, mine: list[Sums], others: dict[str, tuple[Sums, ...]]) -> list[list[str]]:
    """Return a row per metric."""
    runs = {"qrja-auto": Run(tuple(mine), 0.0)} | {k: Run(v, 0.0) for k, v in others.items()}
    labels = tuple(range(len(mine)))
    missing = ", ".join(r for r in RANKERS if r not in runs)
    found = []
    for metric, (field, sign) in GOALS.items():
        fit = {k: r for k, r in runs.items() if r.total.value(metric) is not None}
        best = max(
            (k for k in fit if k != "qrja-auto"), key=lambda k: sign * fit[k].total.value(metric)
        )
        pair = {k: fit[k] for k in ("qrja-auto", best)}
        test = Backtest("fair", name, labels, pair, pair[best]).differences(metric)[0]
        able = {k: r.sums for k, r in fit.items() if k != "qrja-auto"}
        walked = Run(tuple(follow(able, field, sign)), 0.0).total.value(metric)
        thirds = [
            Run(tuple(last_third(list(r.sums))), 0.0).total.value(metric) for r in pair.values()
        ]
        numbers = [fit["qrja-auto"].total.value(metric), thirds[0]]
        after = [thirds[1], test.difference, test.low, test.high, walked]
        found.append(
            [name, metric, *(f"{v:.6g}" for v in numbers), best,
             f"{fit[best].total.value(metric):.6g}", *(f"{v:.6g}" for v in after), missing]
        )  # fmt: skip
    return found


def main(folder: Path, journals: Path) -> None:
    sets = [name for name in [*PAPER_SETS, *OTHERS] if (folder / f"{name}.npz").is_file()]
    results = {name: load(folder, name) for name in sets}
    table = []
    for name in sets:
        table += rows(name, results[name][choose(results, name)], rivals(name, journals))
    write("auto_table.csv", HEADER, table)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("name the FOLDER of auto.py and that of the JOURNALS")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
