"""Draw docs/auto.svg: which half-life leads over time, and how far ahead: python auto_picture.py.

Left, the member of qrja-auto with the best record for order after each contest, by its half-lives.
Right, from results/auto_table.csv, wrong pairs and losses relative to the best of the others.
"""

from __future__ import annotations

import csv
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

from harness import RESULTS
from problems import fair
from qrja.adaptive import GRID
from qrja.rankers import Auto

SETS = ["chess", "f1", "marathon", "cross-tables"]
PICTURE = Path(__file__).parents[1] / "docs" / "auto.svg"
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]


def leaders(name: str) -> np.ndarray:
    """Return the number of the half-lives that lead after each contest."""
    ranker = Auto()
    for contest in fair(name):
        ranker.learn(contest)
    lives = [(it.member.half_life, it.member.own_half_life) for it in ranker.choices["order"]]
    return np.array([GRID.half_lives.index(it) for it in lives])


def draw_leaders(axes: plt.Axes) -> None:
    for at, name in enumerate(SETS):
        found = leaders(name)
        share = np.arange(1, len(found) + 1) / len(found)
        axes.step(share, found + 0.08 * (at - 1.5), where="post", label=name, color=COLOURS[at])
    words = [f"{h:g} contests, {o:g} own" for h, o in GRID.half_lives]
    axes.set_yticks(range(len(words)), [w.replace("inf contests, ", "") for w in words])
    axes.set_xlabel("share of the contests learned")
    axes.set_title("half-life of the leading fit (order)", loc="left", fontsize=10)
    axes.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
    axes.set_ylim(-0.5, len(words) - 0.1)


def draw_leads(axes: plt.Axes) -> None:
    with (RESULTS / "auto_table.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sets = list(dict.fromkeys(row["set"] for row in rows))
    for at, (metric, label) in enumerate(
        [("ordinal_accuracy", "pairs in the wrong order"), ("quantitative_l1", "error of margins")]
    ):
        found = [row for row in rows if row["metric"] == metric]
        mine, other = (np.array([float(row[k]) for row in found]) for k in ("qrja-auto", "is"))
        low, high = (np.array([float(row[k]) for row in found]) for k in ("low", "high"))
        base, sign = (1 - other, -1) if at == 0 else (other, 1)
        place = np.arange(len(sets)) + 0.2 * (2 * at - 1)
        value = 100 * sign * (mine - other) / base
        ends = 100 * np.sort(sign * np.stack([low, high]) / base, axis=0)
        axes.errorbar(
            value, place, xerr=[value - ends[0], ends[1] - value], fmt="o", ms=4, capsize=2,
            label=label, color=COLOURS[at],
        )  # fmt: skip
    axes.axvline(0, color="0.6", lw=0.8)
    axes.set_yticks(range(len(sets)), sets)
    axes.invert_yaxis()
    axes.set_xlabel("% more than the best of the others, 95 % intervals")
    axes.set_title("left of the line qrja-auto is ahead", loc="left", fontsize=10)
    axes.legend(frameon=False, fontsize=8, loc="upper right")


def main() -> None:
    plt.rcParams |= {"svg.hashsalt": "qrja", "font.size": 9}
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8), layout="constrained")
    draw_leaders(left)
    draw_leads(right)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
