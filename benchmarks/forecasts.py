"""qrja-auto beside all other rankers on every set: python forecasts.py FOLDER [SET ...].

``--rankers A,B`` walks some only, ``--table`` none; the table of docs/auto.md is printed.

The paper's sets, the embedded ones and those of ../shared/sets, each where it is at hand, under
the fair rules. FOLDER keeps the sums of every contest, by set and ranker: what is there is not
walked through again, so remove what a change of the code made old. Writes results/forecasts.csv, a
row per set and ranker: accuracy, loss of the margins relative to predicting none, Brier score,
calibration error in points beside the one that chance alone would leave, and by how much each
differs from the best of all rankers with the 95 % interval, contests resampled. Seconds are of the
processor, on a machine that may be busy.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import warnings
from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path

import numpy as np

from harness import RESULTS
from problems import PAPER, PAPER_SETS, fair
from qrja import Contests, QRJAWarning, datasets, read_contests
from qrja.backtesting import Backtest, Run, backtest
from qrja.metrics import Sums
from qrja.tables import format_table

SETS = Path(__file__).parents[2] / "shared" / "sets"
FURTHER = ["nfl", "imo", "tdf", "climb", "sat", "euro"]
EMBEDDED = ["football", "classifiers"]
ALL = [*PAPER_SETS, *EMBEDDED, *FURTHER]
OURS = "qrja-auto"
RIVALS = [
    "kalman", "margin-elo", "glicko", "elo", "openskill", "qrja-l1", "qrja-l2", "mf-additive",
    "mf-rank1", "mean", "borda", "zero",
]  # fmt: skip
METRICS = {"ordinal_accuracy": 1, "quantitative_l1": -1, "brier": -1}
FIGURES = ["accuracy", "loss", "brier", "calibration", "by chance", "pairs", "seconds"]
ENDS = ("behind", "low", "high")
HEADER = ["set", "ranker", *FIGURES, *(f"{name} {end}" for name in METRICS for end in ENDS)]


def load(name: str) -> Contests | None:
    """Return a set with what is known beforehand, or None where it is not at hand."""
    if name in FURTHER:
        file = SETS / f"{name}.csv"
        return read_contests(file, covariates="home?") if file.is_file() else None
    if name == "football":
        text = format_table(datasets.columns(name), "csv")
        return read_contests(io.BytesIO(text.encode()), covariates="home?")
    if name in PAPER_SETS and not PAPER.is_dir():
        return None
    return fair(name)


def walk(name: str, ranker: str, folder: Path) -> None:
    """Walk through a set, unless it was done, and keep the sums of each contest."""
    path = folder / f"{name}--{ranker}.npz"
    contests = None if path.is_file() else load(name)
    if contests is None:
        return
    run = backtest(contests, [ranker], dataset=name, resamples=2).runs[ranker]
    np.savez(path, rows=np.array([astuple(it) for it in run.sums]), seconds=run.seconds)
    print(f"{name}: {ranker} {run.seconds:.1f} s", flush=True)


def runs_of(name: str, folder: Path) -> dict[str, Run]:
    """Return what was kept of a set, ours first."""
    found = {}
    for ranker in [OURS, *RIVALS]:
        path = folder / f"{name}--{ranker}.npz"
        if path.is_file():
            with np.load(path) as kept:
                sums = tuple(Sums(*row) for row in kept["rows"].tolist())
                found[ranker] = Run(sums, float(kept["seconds"]))
    return found


def rows_of(name: str, runs: dict[str, Run]) -> list[list[str]]:
    """Return a row per ranker."""
    behind: dict[str, list[str]] = {ranker: [] for ranker in runs}
    nothing = runs.get("zero") or _nothing(next(iter(runs.values())))
    result = Backtest("fair", name, tuple(range(len(nothing.sums))), runs, nothing)
    for metric, sign in METRICS.items():
        able = {r: v for r in runs if (v := result.value(r, metric)) is not None}
        best = max(able, key=lambda r, able=able, sign=sign: sign * able[r])
        apart = {(it.a, it.b): it for it in result.differences(metric)}
        for ranker in runs:
            it = apart.get((ranker, best)) or apart.get((best, ranker))
            if it is None:
                behind[ranker] += ["0" if ranker == best else "", "", ""]
                continue
            turn = 1 if it.a == ranker else -1
            ends = sorted((turn * it.low, turn * it.high))
            behind[ranker] += [f"{turn * it.difference:+.4g}", *(f"{v:+.4g}" for v in ends)]
    return [
        [
            name, ranker, _show(run.total.value("ordinal_accuracy")),
            _show(result.relative(ranker, "quantitative_l1")), _show(run.total.value("brier")),
            _show(run.total.calibration_error(), 100), _show(by_chance(run.total), 100),
            str(int(run.total.ordered)), f"{run.seconds:.1f}", *behind[ranker],
        ]
        for ranker, run in runs.items()
    ]  # fmt: skip


def _nothing(like: Run) -> Run:
    raise SystemExit(f"walk the ranker zero first: {len(like.sums)} contests are compared with it")


def by_chance(total: Sums) -> float | None:
    """Return the calibration error that perfect chances would show, were pairs independent.

    Of n pairs whose outcome varies by v on average, in five tenths of equal size: the mean of
    |normal| with the variance of a sum. Pairs of one contest hang together, so it is a lower bound.
    """
    if not total.chances:
        return None
    variance = max(total.value("brier") or 0.0, 1e-9)
    return math.sqrt(2 / math.pi) * math.sqrt(5 * variance / total.chances)


def _show(value: float | None, times: float = 1.0) -> str:
    return "" if value is None else f"{times * value:.4f}"


def table(rows: Iterable[dict[str, str]]) -> None:
    """Print a table of results, ours and the best other of each set by each metric."""
    cells = ["accuracy", "best other", "loss", "best other", "Brier", "best other", "calibration"]
    print("|", " | ".join(["set, pairs", *cells]), "|")
    print("|---|---:|---|---:|---|---:|---|---:|")
    found = list(rows)
    for name in dict.fromkeys(row["set"] for row in found):
        mine = {row["ranker"]: row for row in found if row["set"] == name}
        ours, cells = mine.pop(OURS), []
        for figure, sign in {"accuracy": 1, "loss": -1, "brier": -1}.items():
            able = {r: float(row[figure]) for r, row in mine.items() if row[figure]}
            best = max(able, key=lambda r, able=able, sign=sign: sign * able[r])
            leads = sign * float(ours[figure]) >= sign * able[best]
            cells += [f"**{ours[figure]}**" if leads else ours[figure], f"{able[best]:.4f} {best}"]
        points = f"{float(ours['calibration']):.1f}"
        print("|", " | ".join([f"{name}, {int(ours['pairs']):,}", *cells, points]), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", default=ALL)
    parser.add_argument("--rankers", default=",".join([OURS, *RIVALS]))
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore", QRJAWarning)
    if not asked.table:
        for ranker in asked.rankers.split(","):
            for name in asked.sets:
                walk(name, ranker, asked.folder)
    path = RESULTS / "forecasts.csv"
    rows = [
        row for name in ALL if (runs := runs_of(name, asked.folder)) for row in rows_of(name, runs)
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    with path.open(encoding="utf-8") as file:
        table(csv.DictReader(file))


if __name__ == "__main__":
    main()
