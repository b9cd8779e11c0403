"""How the grid of qrja-auto is chosen, judged on sets left out: python auto.py FOLDER.

All candidates look at the same fits, each at some of them, on every set. For each of
the paper's sets the candidate is chosen by the other six; ``football`` and ``classifiers``, on
which nothing was chosen, are judged by the one that the package has. Writes

- results/auto_candidates.csv: every candidate on every set, and on its last third alone;
- results/auto_chosen.csv: for each set the candidate that the others choose, and what it reaches;
- results/auto_ablation.csv: the chosen grid with one ingredient taken away.

FOLDER takes the contest-by-contest sums; a set that is there already is not walked through again,
and auto_table.py goes on from them.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from harness import RESULTS
from problems import PAPER, PAPER_SETS, fair
from qrja.adaptive import ETA, GRID, HUBER, SCALES, Fits, Grid, Member, Vote, judge, mix
from qrja.metrics import Sums, score_contest, total

OTHERS = ["football", "classifiers"]
OURS = f"4 half-lives, squares, eta {ETA:g}"
"""What the package has: the row "none" of auto_chosen.csv says the same if it is chosen well."""
FEW = ((math.inf, 10), (60, 10), (20, 5), (5, 3))
WIDE = Grid(
    losses=(math.inf, HUBER),
    half_lives=((math.inf, math.inf), (math.inf, 4), *FEW),
)
"""All that candidates look at."""
ETAS = (2.0, 3.0, 4.0, 6.0)
ABLATED = 3.0
"""Eta of the ablation."""
Test = Callable[[Member], bool]


@dataclass(frozen=True)
class Voter:
    """Some members of the grid, and how quickly their weights fall."""

    name: str
    test: Test
    eta: float
    scales: int = len(SCALES)


def half_lives(member: Member) -> tuple[float, float]:
    return member.half_life, member.own_half_life


def usual(member: Member) -> bool:
    """Tell whether the grid of the package has a member of the wide one."""
    return half_lives(member) in GRID.half_lives and member.huber in GRID.losses


def candidates() -> list[Voter]:
    """The grids and constants to choose from."""
    lives: dict[str, Test] = {
        "4 half-lives": lambda it: half_lives(it) in FEW,
        "6 half-lives": lambda it: True,
    }
    losses: dict[str, Test] = {
        "squares": lambda it: it.huber == math.inf,
        "squares and Huber": lambda it: True,
    }
    return [
        Voter(f"{life}, {loss}, eta {eta:g}", lambda it, a=a, b=b: a(it) and b(it), eta)
        for life, a in lives.items()
        for loss, b in losses.items()
        for eta in ETAS
    ]


def ablations(eta: float) -> list[Voter]:
    """The grid of the package with something taken away."""
    least = min(GRID.ridges)
    tests: dict[str, Test] = {
        "all": usual,
        "without forgetting": lambda it: (
            half_lives(it) == WIDE.half_lives[0] and it.huber == math.inf
        ),
        "without ridges": lambda it: usual(it) and it.ridge == least,
        "without transforms": lambda it: usual(it) and it.transform == "raw",
        "without places": lambda it: usual(it) and it.transform != "rank",
        "with Huber": lambda it: half_lives(it) in GRID.half_lives,
        "with Huber only": lambda it: half_lives(it) in FEW and it.huber < math.inf,
    }
    voters = [Voter(name, test, eta) for name, test in tests.items()]
    return [
        *voters,
        Voter("without scales of margins", usual, eta, 1),
        Voter("without a mixture", usual, 1e9),
    ]


def walk(name: str, grid: Grid, voters: list[Voter]) -> dict[str, list[Sums]]:
    """Predict, score and learn a set; the voters share the fits."""
    fits, masks = Fits(grid), [np.array([v.test(m) for m in grid.members]) for v in voters]
    votes = [
        Vote(int(mask.sum()), voter.eta, SCALES[: voter.scales])
        for voter, mask in zip(voters, masks, strict=True)
    ]
    found: dict[str, list[Sums]] = {voter.name: [] for voter in voters}
    for contest in fair(name):
        predicted = fits.predict(contest.who)
        known = np.isfinite(predicted[:, 0]) if len(predicted) else np.zeros(0, dtype=bool)
        score, predicted = contest.score[known], predicted[known]
        right, losses = judge(score, predicted) if known.sum() > 1 else (None, None)
        for voter, vote, mask in zip(voters, votes, masks, strict=True):
            mine = predicted[:, mask]
            said = score_contest(
                score, mix(mine, vote.order()), apart=mix(mine, vote.margin()), levels=False
            )
            found[voter.name].append(said)
            if right is not None:
                vote.add(right[mask], losses[:, mask])
        fits.learn(contest)
    return found


def work(task: tuple[str, Path]) -> None:
    """Walk through a set with all candidates, and once more without the pull toward fields met."""
    name, folder = task
    if (folder / f"{name}.npz").is_file():
        return
    if name in OTHERS:
        save(folder, name, walk(name, GRID, [Voter(OURS, usual, ETA)]))
        return
    found = walk(name, WIDE, [*candidates(), *ablations(ABLATED)])
    plain = replace(GRID, field=0.0, zero=GRID.field + GRID.zero)
    found |= walk(name, plain, [Voter("without the field met", usual, ABLATED)])
    save(folder, name, found)


def save(folder: Path, name: str, found: dict[str, list[Sums]]) -> None:
    """Write the sums of a set."""
    rows = {voter: np.array([astuple(it) for it in sums]) for voter, sums in found.items()}
    np.savez(folder / f"{name}.npz", **rows)
    print(f"{name}: done", flush=True)


def load(folder: Path, name: str) -> dict[str, list[Sums]]:
    """Read the sums of a set, contest by contest, by voter."""
    with np.load(folder / f"{name}.npz") as rows:
        return {voter: [Sums(*row) for row in rows[voter].tolist()] for voter in rows.files}


def value(sums: list[Sums]) -> tuple[float, float]:
    """Return accuracy and loss."""
    all_of_it = total(sums)
    return all_of_it.value("ordinal_accuracy") or 0.0, all_of_it.value("quantitative_l1") or 0.0


def excess(results: dict[str, dict[str, list[Sums]]], voter: str, sets: Iterable[str]) -> float:
    """Return by how much a candidate is worse than the best of all, on average over sets.

    Of the share of pairs in the wrong order and of the loss, relative to the least.
    """
    worse = []
    for name in sets:
        values = {v: value(sums) for v, sums in results[name].items()}
        accuracy, loss = values[voter]
        best = max(it[0] for it in values.values()), min(it[1] for it in values.values())
        worse.append((1 - accuracy) / (1 - best[0]) - 1 + loss / best[1] - 1)
    return sum(worse) / len(worse)


def last_third(sums: list[Sums]) -> list[Sums]:
    return sums[2 * len(sums) // 3 :]


def write(name: str, header: list[str], rows: Iterable[list[str]]) -> None:
    with (RESULTS / name).open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def figures(sums: list[Sums]) -> list[str]:
    return [f"{v:.6g}" for part in (sums, last_third(sums)) for v in value(part)]


FIGURES = ["accuracy", "loss", "accuracy of the last third", "loss of the last third"]


def choose(results: dict[str, dict[str, list[Sums]]], judged: str) -> str:
    """Return the candidate that the paper's sets other than the judged one choose."""
    others = [name for name in PAPER_SETS if name != judged]
    if judged in OTHERS:
        return OURS
    names = [voter.name for voter in candidates()]
    return min(names, key=lambda voter: excess(results, voter, others))


def main(folder: Path) -> None:
    if not PAPER.is_dir():
        raise SystemExit("the paper's sets are not in ../shared/paper/data")
    folder.mkdir(parents=True, exist_ok=True)
    sets = [*PAPER_SETS, *OTHERS]
    with get_context("spawn").Pool(2) as pool:
        pool.map(work, [(name, folder) for name in sets], chunksize=1)
    results = {name: load(folder, name) for name in sets}
    names = [voter.name for voter in candidates()]
    rows = [[s, v, *figures(results[s][v])] for s in PAPER_SETS for v in names]
    write("auto_candidates.csv", ["set", "candidate", *FIGURES], rows)
    chosen = [(s, choose(results, s)) for s in [*sets, "none"]]
    rows = [[s, v, *(figures(results[s][v]) if s in results else [""] * 4)] for s, v in chosen]
    write("auto_chosen.csv", ["set", "chosen by the other sets", *FIGURES], rows)
    rows = [
        [s, v, *figures(r)] for s in PAPER_SETS for v, r in results[s].items() if v not in names
    ]
    write("auto_ablation.csv", ["set", "grid", *FIGURES], rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("name the FOLDER for the sums of contests")
    main(Path(sys.argv[1]))
