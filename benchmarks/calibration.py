"""Are predictions calibrated? Fit the past, predict what came next, count: python calibration.py.

The last 40 % of the contests of a set, in eight parts; each part is predicted by ratings of all
contests before it. Up to 40 contests of a part are drawn. Pairs are weighed so that every contest
counts the same; the coverage is that of the 95 % interval on the margin of one pair of each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from problems import has_paper, paper
from qrja import Contests, Prediction, Ratings, datasets, fit

SETS = ["chess", "f1", "marathon", "cross-tables", "codeforces"]
PARTS, MOST = 8, 40


@dataclass
class Tally:
    """What was said and what came, pair by pair."""

    said: list[float] = field(default_factory=list)
    came: list[float] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)

    def add(self, prediction: Prediction, score: np.ndarray) -> None:
        i, j = np.triu_indices(len(score), 1)
        margin = score[i] - score[j]
        self.said += prediction.beats[i, j].tolist()
        self.came += (0.5 + 0.5 * np.sign(margin)).tolist()
        self.weight += [1 / len(i)] * len(i)
        low, high = prediction.margin_interval(*prediction.names[:2])
        self.inside.append(bool(low <= margin[0] <= high))

    def summary(self) -> str:
        said, came, weight = map(np.array, (self.said, self.came, self.weight))
        brier = np.average((said - came) ** 2, weights=weight)
        clipped = np.clip(said, 1e-9, 1 - 1e-9)
        loss = -np.average(came * np.log(clipped) + (1 - came) * np.log1p(-clipped), weights=weight)
        favourite, won = np.maximum(said, 1 - said), np.where(said >= 0.5, came, 1 - came)
        cells = []
        for low in (0.5, 0.6, 0.7, 0.8, 0.9):
            inside = (favourite >= low) & (favourite < low + 0.1 + 1e-9)
            cells.append(
                f"{np.average(won[inside], weights=weight[inside]):.0%}" if inside.any() else ""
            )
        return f"{brier:.3f} | {loss:.3f} | {' | '.join(cells)} | {np.mean(self.inside):.0%}"


def comparable(ratings: Ratings, names: list[object]) -> list[int]:
    """Return the entries of the largest group that is known and can be compared."""
    number = {name: i for i, name in enumerate(ratings.problem.names)}
    label = [ratings.solution.components[number[n]] if n in number else -1 for n in names]
    known = [component for component in label if component >= 0]
    if not known:
        return []
    largest = max(set(known), key=known.count)
    return [entry for entry, component in enumerate(label) if component == largest]


def check(contests: Contests) -> str:
    tally, rng = Tally(), np.random.default_rng(0)
    borders = np.linspace(0.6 * len(contests), len(contests), PARTS + 1).astype(int)
    everything = list(contests)
    for first, last in pairwise(borders.tolist()):
        ratings = fit(contests[:first])
        chosen = rng.choice(last - first, size=min(MOST, last - first), replace=False) + first
        for contest in (everything[c] for c in sorted(chosen)):
            names = [contests.names[i] for i in contest.who]
            entries = comparable(ratings, names)
            if len(entries) > 1:
                prediction = ratings.predict([names[e] for e in entries])
                tally.add(prediction, contest.score[entries])
    return tally.summary()


if __name__ == "__main__":
    print("| set | Brier | log loss | 50-60 % | 60-70 % | 70-80 % | 80-90 % | 90-100 % | 95 % |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    print(f"| football | {check(datasets.football())} |", flush=True)
    for name in SETS if has_paper() else []:
        print(f"| {name} | {check(paper(name))} |", flush=True)
