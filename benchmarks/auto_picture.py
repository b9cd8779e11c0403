"""Draw docs/auto.svg: how far ahead qrja-auto is on every set: python auto_picture.py.

From results/forecasts.csv: pairs in the wrong order, errors of margins and Brier scores relative to
those of the best of the others, which is known in hindsight only, with 95 % intervals.
"""

from __future__ import annotations

import csv
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

from forecasts import SHOWN, beside
from harness import RESULTS

PICTURE = Path(__file__).parents[1] / "docs" / "auto.svg"
TITLES = {
    "accuracy": "pairs in the wrong order",
    "loss": "error of margins",
    "brier": "Brier score",
}


def lead(rows: dict[str, dict[str, str]], metric: str) -> tuple[float, float, float]:
    """Return by what share of the best other's value ours is worse, with its interval."""
    figure, sign, _ = SHOWN[metric]
    _, best, apart = beside(rows, metric, figure, sign)
    base = float(best[figure])
    value, *ends = (-sign * it / (1 - base if figure == "accuracy" else base) for it in apart)
    return value, min(ends), max(ends)


def main() -> None:
    """Draw it."""
    with (RESULTS / "forecasts.csv").open(encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    sets: dict[str, dict[str, dict[str, str]]] = {}
    for row in found:
        sets.setdefault(row["set"], {})[row["ranker"]] = row
    plt.rcParams |= {"svg.hashsalt": "qrja", "font.size": 9}
    figure, panels = plt.subplots(1, 3, figsize=(10, 4.2), layout="constrained", sharey=True)
    for axes, metric in zip(panels, SHOWN, strict=True):
        for at, rows in enumerate(sets.values()):
            value, low, high = (100 * it for it in lead(rows, metric))
            colour = "#0072b2" if high < 0 else "#d55e00" if low > 0 else "0.45"
            axes.plot([low, high], [at, at], color=colour, lw=1.5)
            axes.plot(value, at, "o", ms=4, color=colour)
        axes.axvline(0, color="0.6", lw=0.8)
        axes.set_title(TITLES[SHOWN[metric][0]], loc="left", fontsize=10)
        axes.set_xlabel("% more than the best of the others")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(range(len(sets)), list(sets))
    panels[0].invert_yaxis()
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
