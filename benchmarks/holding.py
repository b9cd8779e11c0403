"""Do intervals hold? Results drawn around known ratings, intervals by default: python holding.py.

For each design the true ratings are 0, results are drawn again and again, and the intervals that
``ratings.intervals()`` gives by default are held to the truth at 50, 80 and 95 %. Seeds are fixed.
``worst`` is the candidate whose 95 % interval held least often; by chance alone, of 40 candidates
and 100 draws, one is some seven points below the others. ``width`` is the half-width at 95 % over
that of the exact interval, which knows how noisy results are, for least squares.

``python holding.py NAME ...`` runs some designs; ``--table`` prints what docs/ratings.md shows.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qrja import Contests, Judgments, Ratings, fit, losses
from qrja.ratings.intervals import find_standard_errors

LEVELS = (0.5, 0.8, 0.95)
RESULTS = Path(__file__).parent / "results" / "holding.csv"
ENERGIES = Path(__file__).parents[2] / "shared" / "fields" / "free-energies.csv"
COLUMNS = ["design", "noise", "loss", "method", "repeats", "50", "80", "95", "worst", "width"]
REPEATS = {"p = 2": 100, "p = 1": 40, "huber": 40}
"""How often results are drawn; other losses than the square take long."""
RESAMPLES = {"p = 2": 60, "p = 1": 30, "huber": 30}
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
    """Who meets whom; ``draw`` gives a problem whose true ratings are 0, for some noise."""

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


def measure(design: Design, noise: str, loss: str) -> dict[str, Any]:
    """Draw results again and again, and count how often intervals hold the truth."""
    from scipy.special import ndtri

    held: dict[float, Any] = dict.fromkeys(LEVELS, 0)
    width, method, repeats = [], "", REPEATS[loss]
    for repeat in range(repeats):
        problem = design.draw(np.random.default_rng([11, repeat]), NOISES[noise])
        ratings = fit(problem, **LOSSES[loss])
        found = ratings.intervals(seed=repeat, resamples=RESAMPLES[loss])
        method = found.method
        for level in LEVELS:
            low, high = found.bounds(level)
            held[level] = held[level] + ((low <= 0) & (high >= 0))
        if design.exact and loss == "p = 2":
            width.append(np.mean((found.high - found.low) / (2 * ndtri(0.975) * exact(ratings))))
    share = {level: 100.0 * count / repeats for level, count in held.items()}
    return {
        "design": design.name,
        "noise": noise,
        "loss": loss,
        "method": method,
        "repeats": repeats,
        **{f"{100 * level:.0f}": f"{share[level].mean():.1f}" for level in LEVELS},
        "worst": f"{share[0.95].min():.1f}",
        "width": f"{np.mean(width):.2f}" if width else "",
    }


def read_results() -> list[dict[str, str]]:
    """Return what was measured before."""
    if not RESULTS.exists():
        return []
    with RESULTS.open(encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def table(rows: list[dict[str, str]]) -> str:
    """Lay results out for the documentation."""
    head = "| design | noise | loss | method | 50 % | 80 % | 95 % | worst at 95 % | width |"
    lines = [head, "|---|---|---|---|---:|---:|---:|---:|---:|"]
    shown = [name for name in COLUMNS if name != "repeats"]
    return "\n".join(lines + [f"| {' | '.join(row[name] for name in shown)} |" for row in rows])


def main(wanted: list[str]) -> None:
    """Run the designs, all of them unless some are named, and write what came out."""
    if wanted == ["--table"]:
        print(table(read_results()))
        return
    chosen = [design for design in DESIGNS if not wanted or design.name in wanted]
    tried = [(design, noise, "p = 2") for design in chosen for noise in NOISES]
    tried += [
        (design, "heavy tails", loss)
        for loss in ("p = 1", "huber")
        for design in chosen
        if design.robust
    ]
    rows = [row for row in read_results() if wanted and row["design"] not in wanted]
    for design, noise, loss in tried:
        begin = time.process_time()
        rows.append(measure(design, noise, loss))
        print(*rows[-1].values(), f"{time.process_time() - begin:.0f} s", flush=True)
        with RESULTS.open("w", newline="", encoding="utf-8") as opened:
            writer = csv.DictWriter(opened, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
