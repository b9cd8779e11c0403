"""qrja-auto beside rivals that know home and dates, on every set: python forecasts.py [SET ...].

``python forecasts.py table`` writes the table of docs/auto.md from results that are there.

The paper's sets, the embedded ones and those of ../shared/sets, each where it is at hand, under
the fair rules. Writes a row per set and ranker to results/forecasts.csv, the rows of sets that were
not asked for staying as they are: accuracy, loss of the margins relative to predicting none, Brier
score, calibration error in points, and by how much each differs from the best of all rankers with
the 95 % interval, contests resampled. Seconds are of the processor, on a machine that may be busy.
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

from harness import RESULTS
from problems import PAPER, PAPER_SETS, fair
from qrja import Contests, datasets, read_contests
from qrja.backtesting import Backtest, backtest
from qrja.tables import format_table

SETS = Path(__file__).parents[2] / "shared" / "sets"
FURTHER = ["nfl", "imo", "tdf", "climb", "sat", "euro"]
EMBEDDED = ["football", "classifiers"]
RIVALS = ["qrja-auto", "kalman", "margin-elo", "glicko", "elo", "qrja-l2", "mf-additive"]
METRICS = {"ordinal_accuracy": 1, "quantitative_l1": -1, "brier": -1}
FIGURES = ["accuracy", "loss", "brier", "calibration", "pairs", "seconds"]
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


def rows(name: str, result: Backtest) -> list[list[str]]:
    """Return a row per ranker."""
    behind: dict[str, list[str]] = {ranker: [] for ranker in result.runs}
    for metric, sign in METRICS.items():
        able = {r: v for r in result.runs if (v := result.value(r, metric)) is not None}
        best = max(able, key=lambda r, able=able, sign=sign: sign * able[r])
        apart = {(it.a, it.b): it for it in result.differences(metric)}
        for ranker in result.runs:
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
            _show(run.total.calibration_error(), 100), str(run.total.ordered),
            f"{run.seconds:.1f}", *behind[ranker],
        ]
        for ranker, run in result.runs.items()
    ]  # fmt: skip


def _show(value: float | None, times: float = 1.0) -> str:
    return "" if value is None else f"{times * value:.4f}"


def keep(name: str, added: list[list[str]]) -> None:
    """Write the rows of a set in place of those that were there."""
    path, before = RESULTS / "forecasts.csv", []
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            before = list(csv.reader(file))[1:]
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEADER)
        out.writerows([row for row in before if row[0] != name] + added)


def table() -> None:
    """Print a table of the results that are there, a line per set and ranker."""
    with (RESULTS / "forecasts.csv").open(encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    print("| set, pairs | ranker | accuracy | loss | Brier | calibration |")
    print("|---|---|---:|---:|---:|---:|")
    for name in dict.fromkeys(row["set"] for row in found):
        mine = [row for row in found if row["set"] == name]
        best = {
            metric: pick(float(row[metric]) for row in mine if row[metric])
            for metric, pick in {"accuracy": max, "loss": min, "brier": min}.items()
        }
        for at, row in enumerate(mine):
            cells = [
                f"**{row[m]}**" if row[m] and float(row[m]) == best[m] else row[m] for m in best
            ]
            points = row["calibration"] and f"{float(row['calibration']):.1f}"
            label = f"{name}, {int(row['pairs']):,}" if at == 0 else ""
            print("|", " | ".join([label, row["ranker"], *cells, points]), "|")


def main(asked: list[str]) -> None:
    if asked == ["table"]:
        table()
        return
    for name in asked or [*PAPER_SETS, *EMBEDDED, *FURTHER]:
        contests = load(name)
        if contests is None:
            print(f"{name}: skipped, not at hand")
            continue
        keep(name, rows(name, backtest(contests, RIVALS, dataset=name)))
        print(f"{name}: done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
