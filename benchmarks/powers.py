"""Which p predicts best? python powers.py FOLDER [SET ...] walks forward with p from 1 to infinity.

Every p is fitted to the contests so far and predicts the next, under the fair rules, without
ridges, half-lives, home or anything else. Beside them *walked*: before each contest, the p that was
best so far. A set of more than FITS contests is fitted after every second of them, third, and so
on, whatever p: then nobody is predicted who was first seen since the last fit. Each fit begins from
the one before, and ends at a relative gap of TOL.

FOLDER keeps the sums of every contest, by set and p: what is there is not walked through again.
Writes results/powers.csv, a row per set and p with the difference to the best p and its 95 %
interval, contests resampled, the tables of docs/powers.md and docs/powers.svg, from the sets of
which at least every p of the first table is there; of other sets the rows of an earlier run stay.
``--table`` as the last word walks none.
"""

from __future__ import annotations

import csv
import math
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from pathlib import Path
from time import process_time

import numpy as np

from forecasts import ALL, load, runs_of
from harness import RESULTS, put
from qrja import Contest, QRJAWarning, solve
from qrja.backtesting import Backtest, Run
from qrja.data import Floats
from qrja.metrics import Sums, score_contest
from qrja.rankers import LearnedContests, each_once
from qrja.solvers.l1 import L1Stream

POWERS = ["1", *(f"1.{d}" for d in range(1, 10)), "2", "3", "5", "10", "inf"]
RANKERS = [f"qrja-p{p}" for p in POWERS]
ZERO = "zero"
GOALS = {"ordinal_accuracy": ("right", 1), "quantitative_l1": ("margin_l1", -1)}
HEADER = ["set", "metric", "p", "value", "difference to the best", "low", "high", "contests"]
SHOWN = ["1", "1.2", "1.5", "2", "3", "5", "10", "inf"]
BETWEEN = ["1.1", "1.3", "1.4", "1.6", "1.7", "1.8", "1.9"]
RESULT = RESULTS / "powers.csv"
PICTURE = Path(__file__).parents[1] / "docs" / "powers.svg"
FITS, TOL = 300, 1e-6
"""Fits of a set at most, and the relative gap that is good enough for a prediction."""


class Fits:
    """The scores of one power, from all contests so far; of none, scores without a margin."""

    def __init__(self, p: float | None) -> None:
        self.p, self.x = p, np.zeros(0)
        self._learned, self._last = LearnedContests(), None
        self._stream = L1Stream(often=True) if p == 1 else None

    def learn(self, contest: Contest, *, fit: bool) -> None:
        """Take in a contest, and fit all of them if asked."""
        who = self._learned.add(contest)
        if self._stream is not None and len(who):
            self._stream.append(who, contest.score, contest.weight)
        if not fit:
            newcomers = max(int(who.max()) + 1 - len(self.x), 0)
            self.x = np.append(self.x, np.full(newcomers, np.nan))
            return
        everybody = self._learned.contests()
        self.x = np.zeros(everybody.n)
        if self._stream is not None:
            self.x = self._stream.solve("central").x
        elif self.p is not None:
            self._last = solve(everybody, self.p, start=self._last, tol=TOL)
            self.x = self._last.x

    def predict(self, contest: Contest) -> Floats:
        """Return the score of each; NaN for those who were not there at the last fit."""
        return self._learned.spread(self.x, contest.who)


def predict(contests: Iterable[Contest], p: float | None, every: int) -> list[Sums]:
    """Predict each contest by the last fit, and fit after each ``every``-th."""
    fits, sums = Fits(p), []
    for number, contest in enumerate(map(each_once, contests), 1):
        said = fits.predict(contest)
        known = np.isfinite(said)
        sums.append(score_contest(contest.score[known], said[known], levels=False))
        if len(contest):
            fits.learn(contest, fit=number % every == 0)
    return sums


def walk(name: str, ranker: str, folder: Path) -> None:
    """Walk through a set, unless it was done, and keep the sums of each contest."""
    path = folder / f"{name}--{ranker}.npz"
    found = None if path.is_file() else load(name)
    if found is None:
        return
    contests, begun = list(found), process_time()
    p = None if ranker == ZERO else float(ranker.removeprefix("qrja-p"))
    sums = predict(contests, p, math.ceil(len(contests) / FITS))
    seconds = process_time() - begun
    np.savez(path, rows=np.array([astuple(it) for it in sums]), seconds=seconds)
    print(f"{name}: {ranker} {seconds:.1f} s", flush=True)


def walked(runs: dict[str, Run], field: str, sign: int) -> Run:
    """Return the sums of the p that led before each contest."""
    names = list(runs)
    gains = np.array([sign * runs[name].column(field) for name in names])
    leaders = (np.cumsum(gains, axis=1) - gains).argmax(axis=0)
    sums: list[Sums] = [runs[names[k]].sums[c] for c, k in enumerate(leaders)]
    return Run(tuple(sums), 0.0)


def rows(name: str, runs: dict[str, Run], zero: Run) -> list[list[str]]:
    """Return a row per metric and p; errors of margins are relative to predicting none."""
    found, labels = [], tuple(range(len(zero.sums)))
    for metric, (field, sign) in GOALS.items():
        all_runs = runs | {"walked": walked(runs, field, sign)}
        unit = 1.0 if sign > 0 else zero.total.value(metric) or 1.0
        values = {p: (run.total.value(metric) or 0.0) / unit for p, run in all_runs.items()}
        best = max(runs, key=lambda p, values=values, sign=sign: sign * values[p])
        together = Backtest("fair", name, labels, all_runs, zero)
        apart = {(it.a, it.b): it for it in together.differences(metric)}
        for p in all_runs:
            low = high = difference = 0.0
            if p != best:
                it = apart.get((p, best)) or apart[best, p]
                turn = (1.0 if it.a == p else -1.0) / unit
                difference = turn * it.difference
                low, high = sorted((turn * it.low, turn * it.high))
            shown = [f"{v:.6g}" for v in (values[p], difference, low, high)]
            found.append([name, metric, p.removeprefix("qrja-p"), *shown, str(len(labels))])
    return found


def with_earlier(table: list[list[str]]) -> list[list[str]]:
    """Add the rows of an earlier run of sets that are not there."""
    there = {row[0] for row in table}
    with RESULT.open(encoding="utf-8") as file:
        kept = [row for row in list(csv.reader(file))[1:] if row[0] not in there]
    return sorted(table + kept, key=lambda row: ALL.index(row[0]))


def tables(table: list[list[str]]) -> str:
    """Lay out, for each metric, every p on every set, which are level with the best, and walked."""
    lines = []
    for metric, title in {
        "ordinal_accuracy": "Pairs in order, more is better",
        "quantitative_l1": "Absolute error of margins, relative to predicting none",
    }.items():
        found = {
            name: {row[2]: row for row in table if row[:2] == [name, metric]}
            for name in dict.fromkeys(row[0] for row in table)
        }
        ends = ["best", "level with it", "walked, less the best"]
        lines += _lay_out(f"{title}:", SHOWN, found, ends)
        lines += _lay_out("The tenths between:", BETWEEN, found)
    return "\n".join(lines)


def _lay_out(
    title: str,
    columns: list[str],
    found: dict[str, dict[str, list[str]]],
    ends: Sequence[str] = (),
) -> list[str]:
    """Lay out some p on every set, and at the end what is said of all."""
    lines = ["", title, "", f"| set | {' | '.join([*columns, *ends])} |"]
    lines.append(f"|---|{'---:|' * (len(columns) + len(ends))}")
    for name, mine in found.items():
        tried = [p for p in POWERS if p in mine]
        best = next(p for p in tried if float(mine[p][4]) == float(mine[p][5]) == 0)
        cells = [f"{float(mine[p][3]):.4f}" if p in mine else "" for p in columns]
        cells = [f"**{it}**" if p == best else it for p, it in zip(columns, cells, strict=True)]
        if ends:
            level = [p for p in tried if float(mine[p][5]) <= 0 <= float(mine[p][6])]
            apart = "{:+.4f} [{:+.4f}, {:+.4f}]".format(*map(float, mine["walked"][4:7]))
            cells += [best, spans(level, tried), apart]
        if any(cells):
            lines.append(f"| {' | '.join([name, *cells])} |")
    return lines


def spans(level: list[str], tried: list[str]) -> str:
    """Write a list of powers with neighbours among those tried together, such as 1 to 1.4, 3."""
    groups: list[list[str]] = []
    for p in level:
        if groups and tried.index(p) == tried.index(groups[-1][-1]) + 1:
            groups[-1].append(p)
        else:
            groups.append([p])
    return ", ".join(it[0] if len(it) == 1 else f"{it[0]} to {it[-1]}" for it in groups)


def draw(table: list[list[str]]) -> None:
    """Draw each metric beside that of the best p, a line per set, p that are level with it full."""
    from matplotlib import pyplot as plt

    plt.rcParams |= {"svg.hashsalt": "qrja", "font.size": 9}
    sets = list(dict.fromkeys(row[0] for row in table))
    figure, both = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
    titles = ["pairs in order, points behind the best p", "error of margins, % above the best p"]
    for ax, metric, title in zip(both, GOALS, titles, strict=True):
        for k, name in enumerate(sets):
            mine = [row for row in table if row[:2] == [name, metric] and row[2] != "walked"]
            values = np.array([float(row[3]) for row in mine])
            level = np.array([float(row[5]) <= 0 <= float(row[6]) for row in mine])
            order = metric == "ordinal_accuracy"
            y = 100 * (values - values.max()) if order else 100 * (values / values.min() - 1)
            x = np.array([POWERS.index(row[2]) for row in mine])
            colour = plt.get_cmap("tab20")(k)
            ax.plot(x, y, lw=1, color=colour, label=name)
            ax.plot(x[level], y[level], "o", ms=4, color=colour)
        ax.set_title(title, loc="left", fontsize=10)
        ax.set_xticks(range(len(POWERS)), POWERS)
        ax.set_xlabel("p")
        ax.spines[["top", "right"]].set_visible(False)
    both[0].set_ylim(-6, 0.3)
    both[1].set_yscale("symlog", linthresh=1)
    both[1].set_yticks([0, 1, 10, 100], ["0", "1", "10", "100"])
    both[1].set_ylim(-0.1, 120)
    figure.legend(*both[0].get_legend_handles_labels(), fontsize=8, loc="outside right center")
    figure.savefig(PICTURE, metadata={"Date": None})


def main(folder: Path, asked: list[str]) -> None:
    """Walk, and write what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore", QRJAWarning)
    table = []
    for name in [] if asked[-1:] == ["--table"] else asked or ALL:
        for ranker in (ZERO, *RANKERS):
            walk(name, ranker, folder)
    for name in ALL:
        runs = runs_of(name, folder, [*RANKERS, ZERO])
        if all(it in runs for it in (ZERO, *(f"qrja-p{p}" for p in SHOWN))):
            table += rows(name, {it: runs[it] for it in RANKERS if it in runs}, runs[ZERO])
    table = with_earlier(table)
    with RESULT.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *table])
    put("powers.md", "powers", tables(table))
    draw(table)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("name the FOLDER for what was walked through")
    main(Path(sys.argv[1]), sys.argv[2:])
