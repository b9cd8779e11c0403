"""Do intervals of data read in passes hold the truth? Made data, again and again.

    python scale_coverage.py [--repeats 120]
    python scale_coverage.py --spread

Contestants have strengths that are known, results a noise of Student's t with 4 degrees of freedom.
Each repeat is rated from shards, and its 95 % intervals are asked whether they hold the strengths
(centred, as ratings are) and the differences of pairs. The middle of the difference of two is the
same under every loss, as noise is symmetric.

With ``--spread``, resamples found by steps are set beside the same ones solved to the end: the
ratio of their spreads, for the median contestant. Tables are printed, for docs/guide-scale.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from qrja import Contests, Judgments, Ratings, solve
from qrja.data import centre
from qrja.losses import Huber
from qrja.ratings import Model
from qrja.scale import (
    Aim,
    FarProblem,
    InMemory,
    draw,
    find_shares,
    resample_passes,
    solve_passes,
)
from qrja.tables import Units

N, SETS, RESAMPLES = 30, 3, 48
"""Contestants; sets of a row of ``--spread``, and resamples of each."""
LOSSES: dict[str, dict[str, Any]] = {
    "p = 2": {"p": 2.0},
    "p = 1": {"p": 1.0},
    "Huber": {"p": 2.0, "loss": Huber(1.0)},
    "p = 1.5": {"p": 1.5},
}
Problem = Contests | Judgments


def judgments(each: int, truth: np.ndarray, rng: np.random.Generator) -> Problem:
    """Draw pairs, so many of each contestant."""
    n = len(truth)
    a = np.repeat(np.arange(n), each // 2)
    b = (a + rng.integers(1, n, len(a))) % n
    margin = truth[a] - truth[b] + rng.standard_t(4, len(a))
    return Judgments.from_arrays(a.tolist(), b.tolist(), margin)


def races(each: int, truth: np.ndarray, rng: np.random.Generator, field: int = 8) -> Problem:
    """Draw races of eight, so many of each contestant on average."""
    n = len(truth)
    count = n * each // field
    who = np.concatenate([rng.choice(n, field, replace=False) for _ in range(count)])
    score = truth[who] + rng.standard_t(4, len(who))
    return Contests.from_arrays(np.repeat(np.arange(count), field).tolist(), who.tolist(), score)


CASES: list[tuple[str, Callable[..., Problem], int]] = [
    ("10 judgments each", judgments, 10),
    ("20 judgments each", judgments, 20),
    ("50 judgments each", judgments, 50),
    ("5 races of 8 each", races, 5),
    ("20 races of 8 each", races, 20),
]


def rate(problem: Problem, p: float, loss: Huber | None = None) -> Ratings:
    """Rate from shards, as an engine does."""
    passes = InMemory.of(problem)
    aim = Aim.of(p, loss)
    solution = solve_passes(passes, problem.names, aim)
    far: Any = FarProblem(
        problem.names,
        solution.components,
        np.bincount(problem.who, minlength=problem.n),
        len(problem),
        problem.entries,
        problem.directed,
        passes=passes,
    )
    return Ratings(far, solution, Units(), Model(p=p, loss=loss, tol=aim.tol), far)


def hold(ratings: Ratings, truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return which shares of intervals, of ratings and of differences, hold the truth."""
    found = ratings.intervals()
    number = {name: i for i, name in enumerate(found.names)}
    strength = truth[list(number)] - truth[list(number)].mean()
    alone = np.mean((found.low <= strength) & (strength <= found.high))
    names, pairs = list(number), []
    for one, other in (rng.choice(len(names), 2, replace=False) for _ in range(30)):
        low, high = found.difference(names[one], names[other])
        pairs.append(low <= strength[one] - strength[other] <= high)
    return np.array([alone, np.mean(pairs)])


def find_spread(problem: Problem, asked: dict[str, Any]) -> float:
    """Return the spread of resamples found by steps, as a share of that when each is solved."""
    passes, label = InMemory.of(problem), problem.components
    x = solve(problem, **asked).x
    shares = find_shares(passes, label, x, precise=problem.directed)
    loss = Aim.of(asked.get("p", 2.0), asked.get("loss")).loss
    found = resample_passes(passes, label, x, shares, count=RESAMPLES, seed=0, loss=loss)
    drawn = np.concatenate([draw(0, np.arange(RESAMPLES), shard) for shard in passes.shards])
    weight = "w" if isinstance(problem, Judgments) else "weight"
    usual = getattr(problem, weight)
    alone = [solve(replace(problem, **{weight: usual * m}), **asked).x - x for m in drawn.T]
    solved = centre(np.stack(alone, axis=1), label)
    squares = [(it**2).sum(axis=1) for it in (found.deviations, solved)]
    return float(np.median(np.sqrt(squares[0] / squares[1])))


def tell_spreads() -> None:
    """Print the table of spreads."""
    losses = {name: asked for name, asked in LOSSES.items() if name != "p = 2"} | {
        "p = 3": {"p": 3.0}
    }
    print("| data | " + " | ".join(losses) + " |")
    print("|---|" + "---|" * len(losses))
    cases = [
        *((f"{each} judgments each", judgments, each) for each in (6, 10, 20, 50)),
        *((f"{each} races of 8 each", races, each) for each in (5, 30)),
    ]
    for said, make, each in cases:
        told: dict[str, list[float]] = {name: [] for name in losses}
        for seed in range(SETS):
            rng = np.random.default_rng(seed)
            problem = make(each, rng.normal(0, 2, 40), rng)
            for name, asked in losses.items():
                told[name].append(find_spread(problem, asked))
        cells = " | ".join(f"{np.mean(told[name]):.2f}".removeprefix("0") for name in losses)
        print(f"| {said} | {cells} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=120)
    parser.add_argument("--spread", action="store_true")
    asked = parser.parse_args()
    if asked.spread:
        tell_spreads()
    else:
        tell_coverage(asked.repeats)


def tell_coverage(repeats: int) -> None:
    """Print the table of coverage."""
    print("| data | " + " | ".join(LOSSES) + " |")
    print("|---|" + "---|" * len(LOSSES))
    for said, make, each in CASES:
        told = {name: [] for name in LOSSES}
        for seed in range(repeats):
            rng = np.random.default_rng(seed)
            truth = rng.normal(0, 2, N)
            problem = make(each, truth, rng)
            if np.any(problem.components):
                continue  # not all can be compared
            for name, asked in LOSSES.items():
                told[name].append(hold(rate(problem, **asked), truth, rng))
        cells = (np.mean(told[name], axis=0) for name in LOSSES)
        said_of = " | ".join(f"{alone:.1%}, {pairs:.1%}" for alone, pairs in cells)
        print(f"| {said} | {said_of} |", flush=True)


if __name__ == "__main__":
    main()
