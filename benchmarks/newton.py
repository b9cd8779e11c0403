"""1 < p < infinity against a general conic solver, and on problems that it does not finish."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array

from harness import OURS, Row, measure
from problems import has_paper, paper
from qrja import Judgments, solve

TOLERANCE = 1e-8


def loss(pairs: Judgments, x: np.ndarray, p: float) -> float:
    return float(np.sum(pairs.w * np.abs(pairs.y - x[pairs.a] + x[pairs.b]) ** p))


def clarabel(pairs: Judgments, p: float) -> np.ndarray:
    """An interior-point method on the powers as second-order cones.

    Of the ways to write the loss this is the fastest that reaches the tolerance: power cones and
    norms as one cone stop before it.
    """
    import cvxpy as cp

    m, n = pairs.m, pairs.n
    data = np.concatenate([np.ones(m), -np.ones(m)])
    rows = np.tile(np.arange(m), 2)
    incidence = coo_array((data, (rows, np.concatenate([pairs.a, pairs.b]))), shape=(m, n)).tocsr()
    unit = float(np.std(pairs.y))
    x = cp.Variable(n)
    loss = pairs.w @ cp.power(cp.abs(pairs.y / unit - incidence @ x), p)
    tolerances = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), TOLERANCE)
    cp.Problem(cp.Minimize(loss)).solve(solver=cp.CLARABEL, **tolerances)
    return np.asarray(x.value) * unit


def against_peers(name: str, p: float) -> Iterator[Row]:
    contests = paper(name)
    pairs = contests.to_judgments()
    work = f"p = {p:g}, from contests"
    # A slice of all contests has none of the cached counts of the original.
    seconds, ours = measure(lambda: solve(contests[: len(contests)], p, tol=TOLERANCE))
    yield Row(work, name, OURS, seconds, f"{ours.gap:.0e}", "proof included")
    seconds, x = measure(lambda: clarabel(pairs, p), repeats=1)
    gap = max(loss(pairs, x, p) / ours.lower_bound - 1, 0.0)
    yield Row(work, name, "cvxpy, Clarabel", seconds, f"{gap:.0e}", "pairs given")


def alone(problem: str, what: object, p: float, note: str) -> Row:
    """Measure a problem that no peer finishes."""
    seconds, ours = measure(lambda: solve(what, p, tol=TOLERANCE), repeats=3)
    return Row(f"p = {p:g}", problem, OURS, seconds, f"{ours.gap:.0e}", note)


def random_graph(nodes: int, judgments: int) -> Judgments:
    """Judgments between random candidates: scores and errors of the same size."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, nodes, judgments)
    b = (a + rng.integers(1, nodes, judgments)) % nodes
    x, error = rng.normal(size=nodes), rng.normal(size=judgments)
    return Judgments(a, b, x[a] - x[b] + error, np.ones(judgments), tuple(range(nodes)))


def rows() -> Iterator[Row]:
    if has_paper():
        for name in ("f1-full", "cross-tables"):
            for p in (1.5, 3):
                yield from against_peers(name, p)
        for p in (1.5, 3):
            contests = paper("codeforces")
            yield alone("codeforces", contests, p, f"{contests.m:.2g} pairs; no peer finishes")
    graph = random_graph(30_000, 150_000)
    for p in (1.05, 20):
        yield alone("random graph", graph, p, "30,000 nodes, 150,000 judgments")
