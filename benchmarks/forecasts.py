"""qrja-auto beside all other rankers on every set: python forecasts.py FOLDER [SET ...].

``--rankers A,B`` walks some only, ``--table`` none, ``--matches N`` only times N matches of a made
league. The tables of docs/auto.md are written.

The paper's sets, the embedded ones and those of ../shared/sets, each where it is at hand, under
the fair rules. FOLDER keeps the sums of every contest, by set and ranker: what is there is not
walked through again, so remove what a change of the code made old. Writes results/forecasts.csv, a
row per set and ranker: accuracy, loss of the margins relative to predicting none, Brier score,
calibration error in points beside the one that chance alone would leave, the Brier score with ties
beside how many were foretold and came, and by how much each differs from the best of all rankers
with the 95 % interval, contests resampled. Figures of an earlier run stay where FOLDER has nothing
newer, without intervals. Seconds are of the processor, on a machine that may be busy.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from pathlib import Path
from time import process_time

import numpy as np

from harness import RESULTS, put
from problems import PAPER, PAPER_SETS, fair
from qrja import Contest, Contests, QRJAWarning, datasets, read_contests
from qrja.backtesting import Backtest, Run, backtest
from qrja.data import Covariate
from qrja.metrics import Sums
from qrja.rankers import make_ranker
from qrja.tables import format_table

SETS = Path(__file__).parents[2] / "shared" / "sets"
FURTHER = ["nfl", "imo", "tdf", "climb", "sat", "euro"]
EMBEDDED = ["football", "classifiers"]
ALL = [*PAPER_SETS, *EMBEDDED, *FURTHER]
OURS = "qrja-auto"
RIVALS = [
    "kalman", "margin-elo", "glicko", "elo", "openskill", "plackett-luce", "bradley-terry", "borda",
    "qrja-l1", "qrja-l2", "qrja-p1.5", "qrja-huber", "mf-additive", "mf-rank1", "mf-rank2",
    "mf-rank5", "mean", "median", "mean-margin", "zero", "kemeny-young",
]  # fmt: skip
FIGURES = [
    "accuracy", "loss", "brier", "calibration", "by chance", "pairs", "seconds",
    "brier with ties", "ties told", "ties seen",
]  # fmt: skip
SHOWN = {
    "ordinal_accuracy": ("accuracy", 1, "Accuracy, more is better"),
    "quantitative_l1": ("loss", -1, "Loss of the margins relative to predicting none"),
    "brier": ("brier", -1, "Brier score, and calibration error in points"),
}
ENDS = ("behind", "low", "high")
METRICS = {metric: sign for metric, (_, sign, _) in SHOWN.items()}
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


def runs_of(name: str, folder: Path, rankers: Sequence[str] = (OURS, *RIVALS)) -> dict[str, Run]:
    """Return what was kept of a set, ours first."""
    found = {}
    for ranker in rankers:
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
            turn = 1.0 if it.a == ranker else -1.0
            if metric == "quantitative_l1":
                turn /= nothing.total.value(metric) or 1.0
            ends = sorted((turn * it.low, turn * it.high))
            behind[ranker] += [f"{turn * it.difference:+.4g}", *(f"{v:+.4g}" for v in ends)]
    return [
        [
            name, ranker, _show(run.total.value("ordinal_accuracy")),
            _show(result.relative(ranker, "quantitative_l1")), _show(run.total.value("brier")),
            _show(run.total.calibration_error(), 100), _show(by_chance(run.total), 100),
            str(int(run.total.ordered)), f"{run.seconds:.1f}",
            _show(run.total.value("brier_with_ties")),
            *map(_show, run.total.tie_shares() or (None, None)), *behind[ranker],
        ]
        for ranker, run in runs.items()
    ]  # fmt: skip


def with_earlier(rows: list[list[str]], path: Path) -> list[list[str]]:
    """Add the figures that an earlier run left of rankers and sets that were not walked again."""
    new = {(row[0], row[1]): row for row in rows}
    with path.open(encoding="utf-8") as file:
        old = {(row["set"], row["ranker"]): row for row in csv.DictReader(file)}
    for key, row in old.items():
        kept = [key[0], key[1], *(row.get(it) or "" for it in FIGURES)]
        new.setdefault(key, kept + [""] * (len(HEADER) - len(kept)))
    order = {name: at for at, name in enumerate([*ALL, OURS, *RIVALS])}
    return sorted(new.values(), key=lambda row: (order[row[0]], order[row[1]]))


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


def tables(rows: Iterable[dict[str, str]]) -> str:
    """Lay out, for each metric, ours and the best of the others on each set."""
    sets: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        sets.setdefault(row["set"], {})[row["ranker"]] = row
    lines = []
    for metric, (figure, sign, title) in SHOWN.items():
        last = " calibration, by chance |" if figure == "brier" else ""
        lines += ["", f"{title}:", ""]
        lines.append(f"| set, pairs | qrja-auto | best of the others | difference, 95 % |{last}")
        lines.append("|---|---:|---|---:|" + ("---:|" if last else ""))
        for name, found in sets.items():
            ours, best, apart = beside(found, metric, figure, sign)
            leads = sign * apart[0] >= 0
            mine = f"**{ours[figure]}**" if leads else ours[figure]
            shown = "{:+.4f} [{:+.4f}, {:+.4f}]".format(*apart)
            cells = [
                f"{name}, {int(ours['pairs']):,}",
                mine,
                f"{best[figure]} {best['ranker']}",
                shown,
            ]
            if last:
                cells.append("{:.1f}, {:.1f}".format(*(float(ours[it]) for it in FIGURES[3:5])))
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "Ties, where there are such:", "", *tie_lines(sets)]
    lacking = {it: [name for name, found in sets.items() if it not in found] for it in RIVALS}
    told = "; ".join(f"{it}: {', '.join(names)}" for it, names in lacking.items() if names)
    took = sum(float(found[OURS]["seconds"]) for found in sets.values())
    lines += ["", f"qrja-auto takes {took:.0f} CPU seconds for all of these sets together."]
    lines += (
        ["", f"Not walked through, for a fit anew after every contest takes long: {told}."]
        if told
        else []
    )
    return "\n".join(lines)


def tie_lines(sets: dict[str, dict[str, dict[str, str]]]) -> list[str]:
    """Lay out how many ties were foretold, and the Brier scores of win, tie and loss."""
    able = [OURS, "kalman", "margin-elo"]
    lines = [
        f"| set | ties seen | foretold | {', '.join(able)}: Brier score with ties |",
        "|---|---:|---:|---:|",
    ]
    for name, found in sets.items():
        ours = found[OURS]
        if float(ours["ties seen"] or 0.0) < 0.01:
            continue
        scores = [found[it]["brier with ties"] if it in found else "" for it in able]
        best = min(filter(None, scores))
        shown = ", ".join(f"**{it}**" if it == best else it or "-" for it in scores)
        shares = [f"{100 * float(ours[it]):.1f} %" for it in ("ties seen", "ties told")]
        lines.append(f"| {' | '.join([name, *shares, shown])} |")
    return lines


def beside(
    found: dict[str, dict[str, str]], metric: str, figure: str, sign: int
) -> tuple[dict[str, str], dict[str, str], tuple[float, float, float]]:
    """Return our row, that of the best other, and ours minus theirs with its interval."""
    ours = found[OURS]
    able = [row for name, row in found.items() if row[figure] and name != OURS]
    best = max(able, key=lambda row: sign * float(row[figure]))
    # Differences stand beside whoever is behind, from the best of all.
    behind = ours[f"{metric} low"] != ""
    row, turn = (ours, 1) if behind else (best, -1)
    if not row[f"{metric} low"]:
        raise SystemExit(f"walk {best['ranker']} through {best['set']} first: it is the best other")
    value, *ends = (turn * float(row[f"{metric} {end}"] or 0.0) for end in ENDS)
    return ours, best, (value, min(ends), max(ends))


def made_league(matches: int, teams: int = 1000) -> float:
    """Return the seconds of the processor that qrja-auto takes for a made league with home."""
    random, ranker = np.random.default_rng(0), make_ranker(OURS)
    strength, begun = random.normal(size=teams), process_time()
    home = (Covariate("home", [1.0, 0.0]),)
    for k in range(matches):
        who = random.choice(teams, 2, replace=False)
        ahead = round(0.4 - float(np.diff(strength[who])[0]) + 1.3 * random.normal())
        score = np.array([max(ahead, 0), max(-ahead, 0)], dtype=np.float64)
        day = np.datetime64("1990-01-01") + np.timedelta64(k // 3, "D")
        match = Contest(k, who.astype(np.int32), score, date=day, covariates=home)
        ranker.forecast(match.fixture)  # type: ignore[attr-defined]
        ranker.learn(match)
    return process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", default=ALL)
    parser.add_argument("--rankers", default=",".join([OURS, *RIVALS]))
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--matches", type=int)
    asked = parser.parse_args()
    if asked.matches:
        print(f"{asked.matches} matches: {made_league(asked.matches):.1f} s")
        return
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
    rows = with_earlier(rows, path)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    with path.open(encoding="utf-8") as file:
        put("auto.md", "forecasts", tables(csv.DictReader(file)))


if __name__ == "__main__":
    main()
