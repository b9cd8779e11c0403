"""Problems for p = 1, and proofs of what is said about them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import settings

from qrja import Contests, Judgments
from qrja.solution import Solution
from qrja.solvers.l1 import solve_l1

few = settings(max_examples=25)


def random_judgments(n: int, m: int, seed: int, real: bool = False) -> Judgments:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, n, m)
    b = (a + rng.integers(1, n, m)) % n
    y = rng.normal(size=m) * 10 if real else rng.integers(-9, 10, m)
    w = rng.uniform(0.1, 3, m) if real else rng.integers(1, 4, m)
    return Judgments(a, b, y.astype(float), w.astype(float), tuple(range(n)))


def random_contests(n: int, count: int, size: int, seed: int, real: bool = False) -> Contests:
    """Some contestants come often, some once."""
    rng = np.random.default_rng(seed)
    fame = 1 / np.arange(1, n + 1)
    who = [rng.choice(n, size, replace=False, p=fame / fame.sum()) for _ in range(count)]
    skill = rng.integers(0, 30, n)
    noise = rng.normal(size=count * size) * 5 if real else rng.integers(-5, 6, count * size)
    contest = np.repeat(np.arange(count), size)
    weight = rng.uniform(0.1, 2, count)[contest] if real else None
    return Contests.from_arrays(
        contest, np.concatenate(who), skill[np.concatenate(who)] + noise, weight=weight
    )


def pairs_of(problem: Contests | Judgments) -> Judgments:
    return problem.to_judgments() if isinstance(problem, Contests) else problem


def check(problem: Contests | Judgments, solution: Solution | None = None) -> Solution:
    """Prove a solution anew, from its scores and its written-out flow, in floats."""
    solution = solve_l1(problem) if solution is None else solution
    j, x, flow = pairs_of(problem), solution.x, solution.flow()
    assert solution.status == "optimal"
    assert np.isfinite(x).all()
    assert (np.abs(flow) <= j.w * (1 + 1e-12)).all()
    total = np.bincount(j.a, flow, j.n) - np.bincount(j.b, flow, j.n)
    assert np.abs(total).max(initial=0) <= 1e-12 * (1 + j.w.sum())
    loss = float(j.w @ np.abs(j.y - x[j.a] + x[j.b]))
    size = float(j.w @ np.abs(j.y))
    assert loss == pytest.approx(solution.objective, rel=1e-9, abs=1e-13 * size)
    assert loss - float(flow @ j.y) <= 1e-9 * loss + 1e-12 * size
    assert solution.lower_bound <= solution.objective
    return solution


def as_written(value: float) -> Fraction:
    """The decimal fraction that a double was read from."""
    return Fraction(repr(float(value)))


def prove_exactly(problem: Contests | Judgments) -> None:
    """Primal and dual in rational arithmetic, from the paper's optimum, which is on the grid."""
    solution = solve_l1(problem, optimum="greatest")
    x = [Fraction(value).limit_denominator(1000) for value in solution.x.tolist()]
    flow = [Fraction(value).limit_denominator(5000) for value in solution.flow().tolist()]
    j = pairs_of(problem)
    if isinstance(problem, Contests):
        first, second = problem.pair_entries()
        score = [as_written(value) for value in problem.score]
        y = [score[i] - score[k] for i, k in zip(first, second, strict=True)]
    else:
        y = [as_written(value) for value in problem.y]
    w = [Fraction(value) for value in j.w.tolist()]
    a, b = j.a.tolist(), j.b.tolist()
    net = dict.fromkeys(range(j.n), Fraction(0))
    for i, amount in enumerate(flow):
        assert abs(amount) <= w[i]
        net[a[i]] += amount
        net[b[i]] -= amount
    assert not any(net.values())
    primal = sum(w[i] * abs(y[i] - x[a[i]] + x[b[i]]) for i in range(j.m))
    dual = sum(amount * margin for amount, margin in zip(flow, y, strict=True))
    assert primal == dual
    assert solution.objective == pytest.approx(float(primal), rel=1e-14)
    assert solution.gap == 0
