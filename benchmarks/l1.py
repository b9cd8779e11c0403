"""p = 1 against OR-tools' minimum-cost flow: cold, from explicit pairs, rolling, and its growth.

The peer solves the dual as a minimum-cost flow: every judgment is an arc a -> b that carries at
most 2 w units more than its start at -w, at the cost -y a unit. Its integers are those of the sets:
scores with three decimals are multiplied by 1000. It is given the arcs as numpy builds them, and
that time is part of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from ortools.graph.python.min_cost_flow import SimpleMinCostFlow
from scipy.optimize import linprog
from scipy.sparse import csr_array

from growth import growth
from harness import OURS, Row, measure, take_turns
from problems import PAPER_SETS, has_paper, paper, races
from qrja import Contests, Judgments, L1Stream, solve

PEER = "OR-tools min-cost flow"
PROGRAMME = "HiGHS (SciPy), dual linear programme"
PATIENCE = 120.0
"""Seconds on the clock after which HiGHS is stopped."""
SCALE = {"f1": 1000, "f1-full": 1000, "chess": 2, "cross-tables": 2}
"""What turns the scores of a set into integers."""
PREFIXES = 20
"""Of a rolling run, how many the peer solves; the rest is estimated by the trapezoid rule."""
SIZES = [10**4, 10**5, 10**6]


def min_cost_flow(pairs: Judgments, scale: int) -> float:
    """Return the l1 optimum by the peer."""
    y, w = np.rint(pairs.y * scale).astype(np.int64), np.rint(pairs.w).astype(np.int64)
    flow = SimpleMinCostFlow()
    arcs = flow.add_arcs_with_capacity_and_unit_cost(pairs.a, pairs.b, 2 * w, -y)
    # All arcs start at -w: what that leaves at each candidate is its supply.
    supply = np.bincount(pairs.a, w, pairs.n) - np.bincount(pairs.b, w, pairs.n)
    flow.set_nodes_supplies(np.arange(pairs.n), supply.astype(np.int64))
    if flow.solve() != flow.OPTIMAL:
        raise RuntimeError("the peer found no optimum")
    return float((flow.flows(arcs) - w) @ y) / scale


def difference(peer: float, ours: float) -> str:
    """Say how far the peer's optimum lies from the proved one."""
    return f"{abs(peer - ours) / max(ours, 1e-300):.0e}"


def cold(name: str) -> Iterator[Row]:
    contests = paper(name)
    pairs, scale = contests.to_judgments(), SCALE.get(name, 1)
    # A slice of all contests has none of the cached counts of the original.
    work = "p = 1 cold, from contests"
    turns = take_turns(
        {
            OURS: lambda: solve(contests[: len(contests)], p=1),
            PEER: lambda: min_cost_flow(contests.to_judgments(), scale),
        }
    )
    notes = f"{pairs.m} pairs; proof included; CPU", "writing the pairs out included; CPU"
    yield from beside(work, name, turns, notes)
    work = "p = 1 cold, explicit pairs"
    turns = take_turns({OURS: lambda: solve(pairs, p=1), PEER: lambda: min_cost_flow(pairs, scale)})
    yield from beside(work, name, turns, ("proof included; CPU", "CPU"))


def beside(
    work: str, name: str, turns: dict[str, tuple[float, Any]], notes: tuple[str, str]
) -> Iterator[Row]:
    """Say what both took."""
    (seconds, ours), (theirs, value) = turns[OURS], turns[PEER]
    yield Row(work, name, OURS, seconds, f"{ours.gap:.0e}", notes[0])
    yield Row(work, name, PEER, theirs, difference(value, ours.objective), notes[1])


def random_graph(candidates: int, judgments: int) -> Judgments:
    """Judgments between random candidates, with heavy tails and two decimals."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, candidates, judgments)
    b = (a + rng.integers(1, candidates, judgments)) % candidates
    x = rng.normal(0, 10, candidates)
    y = np.round(x[a] - x[b] + 3 * rng.standard_t(3, judgments), 2)
    return Judgments(a, b, y, np.ones(judgments), tuple(range(candidates)))


def sparse(candidates: int, judgments: int) -> Iterator[Row]:
    """Compare on a random graph, by CPU seconds; the peers run on one core as qrja does."""
    pairs = random_graph(candidates, judgments)
    work, problem = (
        "p = 1, random graph, CPU",
        f"{candidates:,} candidates, {judgments:,} judgments",
    )
    begin = time.process_time()
    ours = solve(pairs, p=1)
    seconds = time.process_time() - begin
    yield Row(work, problem, OURS, seconds, f"{ours.gap:.0e}", "proof included")
    begin = time.process_time()
    value = min_cost_flow(pairs, 100)
    seconds = time.process_time() - begin
    yield Row(work, problem, PEER, seconds, difference(value, ours.objective))
    begin = time.process_time()
    found = best_flow(pairs)
    seconds = time.process_time() - begin
    if found is None:
        note = f"no optimum within {PATIENCE:.0f} s"
        yield Row(work, problem, PROGRAMME, seconds, "", note)
    else:
        yield Row(work, problem, PROGRAMME, seconds, difference(found, ours.objective))


def best_flow(pairs: Judgments) -> float | None:
    """Return the l1 optimum by a linear programme, the dual; None if it takes too long.

    It has one variable for each judgment and one equation for each candidate: half as many rows as
    the primal has, and no residual split in two.
    """
    ends, m = np.concatenate([pairs.a, pairs.b]), pairs.m
    columns = np.tile(np.arange(m), 2)
    signs = np.repeat([1.0, -1.0], m)
    balance = csr_array((signs, (ends, columns)), shape=(pairs.n, m))
    found = linprog(
        -pairs.y,
        A_eq=balance,
        b_eq=np.zeros(pairs.n),
        bounds=np.stack([-pairs.w, pairs.w], axis=1),
        method="highs",
        options={"time_limit": PATIENCE},
    )
    return float(-found.fun) if found.status == 0 else None


def roll(contests: Contests) -> float:
    """Learn contest by contest, solving after each; return the last objective."""
    stream = L1Stream()
    for contest in contests:
        stream.append(contest.who, contest.score, contest.weight)
        solution = stream.solve()
    return solution.objective


def rolling(name: str) -> Iterator[Row]:
    contests, scale = paper(name), SCALE.get(name, 1)
    work = "p = 1 rolling, all prefixes"
    clock = time.process_time
    seconds, ours = measure(lambda: roll(contests), repeats=3, budget=10.0, clock=clock)
    yield Row(work, name, OURS, seconds, "0", f"{len(contests)} solves, a stream; CPU")
    ends = np.unique(np.linspace(1, len(contests), min(PREFIXES, len(contests))).astype(int))
    times = []
    for end in ends.tolist():
        prefix = contests[:end]
        begin = clock()
        value = min_cost_flow(prefix.to_judgments(), scale)
        times.append(clock() - begin)
    total = float(np.trapezoid(times, ends)) + times[0]
    note = f"estimated from {len(ends)} prefixes, each solved afresh; CPU"
    yield Row(work, name, PEER, total, difference(value, ours), note)


def rows() -> Iterator[Row]:
    # Compile before timing, whatever path the problems take.
    for warm_up in (Contests.from_arrays([1, 1, 2, 2], "abab", [1, 2, 3, 5]), races(500)):
        roll(warm_up)
        solve(warm_up, p=1)
        solve(warm_up.to_judgments(), p=1)
    yield from growth(1, SIZES)
    yield from sparse(2_000, 20_000)
    yield from sparse(100_000, 1_000_000)
    if has_paper():
        for name in PAPER_SETS:
            yield from cold(name)
        for name in ("marathon", "codeforces"):
            yield from rolling(name)
