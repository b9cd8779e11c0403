"""How hard chances are corrected, judged on sets left out: python corrections.py FOLDER [SET ...].

FOLDER is that of auto.py, which keeps what members said of every set. The package's voter looks
at it again, and its chances are corrected as if more or fewer pairs had come out as foretold, by
memories that fade sooner or later (``qrja.adaptive.Chances``). FOLDER keeps what came of each; from
all sets that are there follow results/corrections.csv, and in docs/auto.md for every set which way
the other sets choose: that of the least Brier score, relative to the best, plus calibration error.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from auto import Said, each_once, recall
from forecasts import ALL, load
from harness import RESULTS, put
from qrja.adaptive import Chances, Vote, judge, judge_bets, mix
from qrja.data import Contest, Floats
from qrja.metrics import score_contest, total

USUAL = 25.0
WAYS = {
    **{f"{prior:g}": (prior, USUAL) for prior in (50.0, 100.0, 200.0, 400.0, 1000.0)},
    "none": (1e9, USUAL),
    **{f"200, in {memory:g}": (200.0, memory) for memory in (6.0, 12.0, 50.0, 100.0)},
}
"""Pairs that come out as foretold, and contests in which memories halve where these are not the
usual ones, which are the package's."""


def experience(contests: list[Contest]) -> list[Floats]:
    """Return of each contest with two known entrants in how many others each was before."""
    count: Counter[int] = Counter()
    found = []
    for contest in contests:
        before = np.array([count[i] for i in contest.who.tolist()], dtype=np.float64)
        if (before > 0).sum() > 1:
            found.append(before[before > 0])
        count.update(contest.who.tolist())
    return found


def reached(said: Said, before: list[Floats]) -> dict[str, tuple[float, float]]:
    """Return the Brier score and the calibration error by each way."""
    vote, chances = Vote(len(said.members)), [Chances(*way) for way in WAYS.values()]
    sums = [[] for _ in WAYS]
    for c, (typical, n) in enumerate(zip(said.typical.tolist(), before, strict=True)):
        here = slice(int(said.start[c]), int(said.start[c + 1]))
        predicted, score = said.predicted[here].astype(np.float64), said.score[here]
        order = mix(predicted, vote.order())
        for one, mine in zip(chances, sums, strict=True):
            told = one.beats(order, n, typical)
            mine.append(score_contest(score, order, margins=False, levels=False, chances=told))
            one.add(score, order, n, typical)
        bets = judge_bets(score, predicted, typical)
        vote.add(*judge(score, predicted), bets, len(score) - 1)
    both = [total(mine) for mine in sums]
    return {
        way: (it.value("brier") or 0.0, it.calibration_error() or 0.0)
        for way, it in zip(WAYS, both, strict=True)
    }


def excess(found: dict[str, dict[str, tuple[float, float]]], way: str) -> float:
    """Return by how much a way is worse than the best of each set, on average over sets."""
    worse = [
        both[way][0] / min(it[0] for it in both.values()) - 1 + both[way][1]
        for both in found.values()
    ]
    return sum(worse) / max(len(worse), 1)


def main(folder: Path, sets: list[str]) -> None:
    """Look at some sets again, and write of all that were."""
    for name in sets:
        path, said = folder / f"corrections-{name}.json", recall(name, folder)
        if said is not None and not path.is_file():
            before = experience([it for it in map(each_once, load(name) or []) if len(it)])
            path.write_text(json.dumps(reached(said, before)), "utf-8")
            print(f"{name}: done", flush=True)
    paths = {name: folder / f"corrections-{name}.json" for name in ALL}
    found = {n: json.loads(it.read_text("utf-8")) for n, it in paths.items() if it.is_file()}
    names = list(WAYS)
    lines = [f"| judged | {' | '.join(names)} | chosen by the others |"]
    lines.append("|---|" + "---:|" * (len(names) + 1))
    with (RESULTS / "corrections.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["set", "way", "brier", "calibration", "note"])
        for name, both in found.items():
            others = {other: it for other, it in found.items() if other != name}
            chosen = min(names, key=lambda way, others=others: excess(others, way))
            for it in names:
                note = "chosen by the others" if it == chosen else ""
                out.writerow([name, it, f"{both[it][0]:.5f}", f"{100 * both[it][1]:.3f}", note])
            cells = [f"{both[it][0]:.4f}, {100 * both[it][1]:.1f}" for it in names]
            lines.append(f"| {' | '.join([name, *cells, chosen])} |")
    put("auto.md", "corrections", "\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("name the FOLDER of auto.py")
    main(Path(sys.argv[1]), sys.argv[2:] or ALL)
