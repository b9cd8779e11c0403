"""Do intervals hold? Results drawn around known ratings, intervals by default: python holding.py.

For each design results are drawn again and again around ratings that are known, and the intervals
that ``ratings.intervals()`` gives by default are held to these at 50, 80 and 95 %. Seeds are fixed.
``se`` is the standard error of the first of the three shares, from one draw to the next: candidates
of one draw hang together. ``worst`` is the candidate furthest from the level in one half of the
draws, and what it has in the other half: the least of many shares is low by chance alone, and the
share of one who was picked by other draws is not. ``width`` is the half-width at 95 % over that of
the exact interval, which knows how noisy results are, for least squares.

``python holding.py NAME ...`` runs some designs; ``--table`` prints what docs/ratings.md shows.
What was counted is kept as it goes, and a later run goes on from there.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from qrja import Contests, Judgments, Ratings, fit, losses
from qrja.ratings.intervals import find_standard_errors

LEVELS = (0.5, 0.8, 0.95)
RESULTS = Path(__file__).parent / "results" / "holding.json"
ENERGIES = Path(__file__).parents[2] / "shared" / "fields" / "free-energies.csv"
REPEATS = {"p = 2": 1000, "p = 1": 500, "huber": 200}
"""How often results are drawn; other losses than the square take long."""
RESAMPLES = {"p = 2": 60, "p = 1": 30, "huber": 30}
ROUNDS = 20
"""In which draws are made: after each, every design has its share of them."""
Problem = Contests | Judgments
Draw = Callable[[np.random.Generator, int], np.ndarray]

NOISES: dict[str, Draw] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "heavy tails": lambda rng, size: rng.standard_t(3, size) / np.sqrt(3.0),
}
"""Each of variance 1; heavy tails are Student's t with 3 degrees of freedom."""
LOSSES: dict[str, dict[str, Any]] = {
    "p = 2": {},
    "p = 1": {"p": 1},
    "huber": {"loss": losses.Huber(1.0)},
}


@dataclass(frozen=True)
class Design:
    """Who meets whom; ``draw`` gives results of candidates who are all equal, for some noise."""

    name: str
    draw: Callable[[np.random.Generator, Draw], Problem]
    exact: bool = True
    """Whether the exact interval is known: results are independent."""
    robust: bool = True
    """Whether losses other than the square are tried."""


def races(rng: np.random.Generator, noise: Draw) -> Contests:
    """Forty contestants, ten to a race, twenty races: five results each."""
    fixed = np.random.default_rng(1)
    who = np.concatenate([fixed.permutation(40).reshape(4, 10) for _ in range(5)]).ravel()
    return Contests.from_arrays(np.repeat(np.arange(20), 10), who, noise(rng, 200))


def matches(rng: np.random.Generator, noise: Draw) -> Contests:
    """Sixteen teams, each of whom meets every other once: contests of two."""
    i, j = np.triu_indices(16, 1)
    who, size = np.stack([i, j], axis=1).ravel(), len(i)
    return Contests.from_arrays(np.repeat(np.arange(size), 2), who, noise(rng, 2 * size))


def sparse_edges() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the graph of the free energies, and its stated errors; one like it if it is absent."""
    if not ENERGIES.exists():
        rng = np.random.default_rng(7)
        a = np.concatenate([np.arange(1, 36), rng.integers(36, size=23)])
        b = np.concatenate([[rng.integers(i) for i in range(1, 36)], rng.integers(36, size=23)])
        return a, np.where(a == b, (b + 1) % 36, b), rng.uniform(0.05, 0.3, 58)
    with ENERGIES.open() as opened:
        rows = list(csv.DictReader(opened))
    names = sorted({row[key] for row in rows for key in ("Ligand1", "Ligand2")})
    a, b = (np.array([names.index(row[key]) for row in rows]) for key in ("Ligand2", "Ligand1"))
    parts = [[float(row[f"calc_dDDG({part})"]) for row in rows] for part in ("MBAR", "additional")]
    return a, b, np.hypot(*np.array(parts))


def sparse(rng: np.random.Generator, noise: Draw) -> Judgments:
    """The graph of the free energies: 58 judgments of 36, equally precise."""
    a, b, _ = sparse_edges()
    return Judgments.from_arrays(a.tolist(), b.tolist(), noise(rng, len(a)))


def stated(rng: np.random.Generator, noise: Draw) -> Judgments:
    """The same with the errors stated for them, which are right."""
    a, b, se = sparse_edges()
    return Judgments.from_arrays(a.tolist(), b.tolist(), se * noise(rng, len(a)), se=se)


def weighed(rng: np.random.Generator, noise: Draw) -> Judgments:
    """The same with weights that say how precise each is, in proportion."""
    a, b, se = sparse_edges()
    return Judgments.from_arrays(a.tolist(), b.tolist(), se * noise(rng, len(a)), se**-2)


def verdicts(rng: np.random.Generator, noise: Draw) -> Judgments:
    """Ten candidates, 200 judgments: every pair four times or more."""
    fixed = np.random.default_rng(2)
    a = fixed.integers(10, size=200)
    b = (a + fixed.integers(1, 10, size=200)) % 10
    return Judgments.from_arrays(a.tolist(), b.tolist(), noise(rng, 200))


def panel(judges: int) -> Callable[[np.random.Generator, Draw], Judgments]:
    """Return a design of few judges, each with a taste of their own, 30 judgments each."""

    def draw(rng: np.random.Generator, noise: Draw) -> Judgments:
        fixed = np.random.default_rng(3)
        judge = np.repeat(np.arange(judges), 30)
        a = fixed.integers(8, size=len(judge))
        b = (a + fixed.integers(1, 8, size=len(judge))) % 8
        taste = noise(rng, judges * 8).reshape(judges, 8)
        y = taste[judge, a] - taste[judge, b] + 0.5 * noise(rng, len(judge))
        return Judgments.from_arrays(a.tolist(), b.tolist(), y, judge=judge.tolist())

    return draw


DESIGNS = [
    Design("races of ten", races),
    Design("matches", matches),
    Design("many judgments", verdicts),
    Design("sparse judgments", sparse),
    Design("sparse, errors stated", stated, robust=False),
    Design("sparse, weighed", weighed, robust=False),
    Design("5 judges", panel(5), exact=False, robust=False),
    Design("12 judges", panel(12), exact=False, robust=False),
]


def exact(ratings: Ratings) -> np.ndarray:
    """Return the true errors of least squares, for noise of variance 1 in what weighs 1."""
    standard = find_standard_errors(ratings, "scaled")
    return standard.of_ratings() / standard.factor


@dataclass
class Cell:
    """What was counted of a design, a noise and a loss: hits by half of the draws and by level."""

    design: str
    noise: str
    loss: str
    method: str = ""
    repeats: int = 0
    held: list[Any] = field(default_factory=list)
    squares: float = 0.0
    """Of the share that held at the first level, summed over draws."""
    width: float = 0.0

    def shares(self) -> np.ndarray:
        """Return the share of draws that held, by half, level and candidate."""
        half = np.array([(self.repeats + 1) // 2, self.repeats // 2])
        return 100.0 * np.array(self.held) / half[:, None, None]

    def worst(self) -> list[float]:
        """Return, by level, the share of whom the other half of the draws shows furthest off."""
        picking, asked = self.shares()
        off = np.abs(picking - 100.0 * np.array(LEVELS)[:, None])
        return [float(asked[i, who]) for i, who in enumerate(off.argmax(axis=1))]

    def row(self) -> list[str]:
        """Lay the cell out for the table."""
        total = 100.0 * np.array(self.held).sum(axis=0).mean(axis=1) / self.repeats
        variance = max(self.squares / self.repeats - (total[0] / 100.0) ** 2, 0.0)
        told = [self.design, self.noise, self.loss, self.method, f"{self.repeats}"]
        told += [f"{share:.1f}" for share in total]
        told += [f"{100.0 * np.sqrt(variance / self.repeats):.1f}"]
        told += [" ".join(f"{share:.1f}" for share in self.worst())]
        return [*told, f"{self.width / self.repeats:.2f}" if self.width else ""]


def measure(design: Design, cell: Cell, until: int) -> None:
    """Draw results so often in all, and count how often intervals hold the truth."""
    from scipy.special import ndtri

    for repeat in range(cell.repeats, until):
        problem = design.draw(np.random.default_rng([11, repeat]), NOISES[cell.noise])
        # Not all 0: some solvers begin there, and of several optima would take the one nearest.
        truth = 3.0 * np.random.default_rng(9).standard_normal(problem.n)
        truth -= truth.mean()
        ratings = fit(problem.with_score(problem.score + truth[problem.who]), **LOSSES[cell.loss])
        found = ratings.intervals(seed=repeat, resamples=RESAMPLES[cell.loss])
        ends = [found.bounds(level) for level in LEVELS]
        held = np.array([(low <= truth) & (high >= truth) for low, high in ends])
        counts = np.array(cell.held or np.zeros((2, *held.shape), dtype=int))
        counts[repeat % 2] += held
        cell.held, cell.repeats, cell.method = counts.tolist(), repeat + 1, found.method
        cell.squares += float(held[0].mean() ** 2)
        if design.exact and cell.loss == "p = 2":
            full = 2 * ndtri(0.975) * exact(ratings)
            cell.width += float(np.mean((found.high - found.low) / full))


def read_results() -> list[Cell]:
    """Return what was counted before."""
    if not RESULTS.exists():
        return []
    return [Cell(**cell) for cell in json.loads(RESULTS.read_text(encoding="utf-8"))]


def table(cells: list[Cell]) -> str:
    """Lay results out for the documentation."""
    head = (
        "| design | noise | loss | method | draws | 50 % | 80 % | 95 % | se"
        " | worst at 50, 80, 95 % | width |"
    )
    lines = [head, "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|"]
    return "\n".join(lines + [f"| {' | '.join(cell.row())} |" for cell in cells])


def main(wanted: list[str]) -> None:
    """Run the designs, all of them unless some are named, and write what came out."""
    if wanted == ["--table"]:
        print(table(read_results()))
        return
    before = {(cell.design, cell.noise, cell.loss): cell for cell in read_results()}
    names = [
        (design.name, noise, loss)
        for loss in LOSSES
        for design in DESIGNS
        for noise in NOISES
        if loss == "p = 2" or design.robust
    ]
    cells = {name: before.get(name, Cell(*name)) for name in names}
    designs = {design.name: design for design in DESIGNS}
    for turn in range(1, ROUNDS + 1):
        for (design, noise, loss), cell in cells.items():
            if wanted and design not in wanted:
                continue
            begin = time.process_time()
            measure(designs[design], cell, REPEATS[loss] * turn // ROUNDS)
            print(turn, design, noise, loss, f"{time.process_time() - begin:.0f} s", flush=True)
            kept = [asdict(some) for some in cells.values() if some.repeats]
            RESULTS.write_text(json.dumps(kept), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
