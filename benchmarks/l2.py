"""p = 2 against scipy on the pairs, and its growth with the number of entries."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
import pyamg
from scipy.sparse import coo_array, csr_array, csr_matrix
from scipy.sparse.linalg import LinearOperator, cg, lsqr

from growth import growth
from harness import OURS, Row, measure
from problems import has_paper, paper
from qrja import Judgments, solve

SIZES = [10**4, 10**5, 10**6, 10**7]
TURNS, HARD_TURNS = 5, 3


def loss(pairs: Judgments, x: np.ndarray) -> float:
    return float(np.sum(pairs.w * (pairs.y - x[pairs.a] + x[pairs.b]) ** 2))


def system(pairs: Judgments) -> tuple[csr_array, np.ndarray]:
    """Build the Laplacian of the pairs, added up, and its right-hand side."""
    n, a, b, w = pairs.n, pairs.a, pairs.b, pairs.w
    degree = np.bincount(a, w, n) + np.bincount(b, w, n)
    rows = np.concatenate([a, b, np.arange(n)])
    columns = np.concatenate([b, a, np.arange(n)])
    laplacian = coo_array((np.concatenate([-w, -w, degree]), (rows, columns)), shape=(n, n)).tocsr()
    return laplacian, np.bincount(a, w * pairs.y, n) - np.bincount(b, w * pairs.y, n)


def scipy_cg(pairs: Judgments, steps: int | None = None) -> np.ndarray:
    """Jacobi-preconditioned conjugate gradients."""
    laplacian, rhs = system(pairs)
    degree = laplacian.diagonal()
    jacobi = LinearOperator(laplacian.shape, matvec=lambda r: r / degree)
    return cg(laplacian, rhs, rtol=1e-12, atol=0.0, maxiter=steps, M=jacobi)[0]


def by_pyamg(pairs: Judgments, kind: str) -> np.ndarray:
    """Conjugate gradients preconditioned by multigrid, as the package offers them."""
    laplacian, rhs = system(pairs)
    hierarchy = getattr(pyamg, kind)(csr_matrix(laplacian), max_coarse=500)
    return hierarchy.solve(rhs, tol=1e-12, accel="cg", maxiter=100)


def scipy_lsqr(pairs: Judgments) -> np.ndarray:
    """LSQR on the incidence matrix."""
    m, n = pairs.m, pairs.n
    data = np.concatenate([np.ones(m), -np.ones(m)])
    rows = np.tile(np.arange(m), 2)
    incidence = coo_array((data, (rows, np.concatenate([pairs.a, pairs.b]))), shape=(m, n)).tocsr()
    return lsqr(incidence, pairs.y, atol=1e-12, btol=1e-12, iter_lim=10**5)[0]


def against_peers(name: str) -> Iterator[Row]:
    """Measure in turns, so that a slow minute of the machine is nobody's alone."""
    contests = paper(name)
    pairs = contests.to_judgments()
    work = "p = 2, from contests"
    solvers: dict[str, tuple[Callable[[], Any], int]] = {
        # A slice of all contests has none of the cached counts of the original.
        OURS: (lambda: solve(contests[: len(contests)], p=2), 15),
        "scipy Jacobi-CG": (lambda: scipy_cg(pairs), 1),
        "scipy lsqr": (lambda: scipy_lsqr(pairs), 1),
    }
    turns: dict[str, list[float]] = {solver: [] for solver in solvers}
    found = {}
    for _ in range(TURNS):
        for solver, (run, repeats) in solvers.items():
            seconds, found[solver] = measure(run, repeats)
            turns[solver].append(seconds)
    ours = found.pop(OURS)
    yield Row(work, name, OURS, median(turns[OURS]), f"{ours.gap:.0e}", "proof included")
    for peer, x in found.items():
        seconds, gap = median(turns[peer]), max(loss(pairs, x) / ours.lower_bound - 1, 0.0)
        note = f"pairs given, building included; {seconds / median(turns[OURS]):.0f} x"
        yield Row(work, name, peer, seconds, f"{gap:.0e}", note)


def grid(side: int) -> Judgments:
    """Judgments between neighbours on a square grid: a hard graph for conjugate gradients."""
    node = np.arange(side * side).reshape(side, side)
    a = np.concatenate([node[:, :-1].ravel(), node[:-1].ravel()])
    b = np.concatenate([node[:, 1:].ravel(), node[1:].ravel()])
    y = np.random.default_rng(0).normal(size=len(a))
    return Judgments(a, b, y, np.ones(len(a)), tuple(range(side * side)))


def hard_graph(side: int) -> Iterator[Row]:
    """Measure the processor's seconds of each in turns; the first turn loads and compiles."""
    pairs = grid(side)
    work, problem = "p = 2, hard graph", f"grid of {side * side:.0e} nodes"
    built = "building included"
    solvers: dict[str, tuple[Callable[[], Any], str]] = {
        OURS: (lambda: solve(pairs, p=2), "multigrid, proof included"),
        "pyamg, ruge_stuben_solver": (lambda: by_pyamg(pairs, "ruge_stuben_solver"), built),
        "pyamg, smoothed_aggregation_solver": (
            lambda: by_pyamg(pairs, "smoothed_aggregation_solver"),
            built,
        ),
        "scipy Jacobi-CG": (
            lambda: scipy_cg(pairs, steps=500),
            f"stopped after 500 steps, {built}",
        ),
    }
    turns: dict[str, list[float]] = {solver: [] for solver in solvers}
    found = {}
    for turn in range(1 + HARD_TURNS):
        for solver, (run, _) in solvers.items():
            if turn == 0 and solver == "scipy Jacobi-CG":
                continue
            pairs = grid(side)  # without what an earlier turn has kept
            begin = time.process_time()
            found[solver] = run()
            turns[solver] += [time.process_time() - begin] if turn else []
    ours = found.pop(OURS)
    yield Row(
        work, problem, OURS, median(turns[OURS]), f"{ours.gap:.0e}", f"{solvers[OURS][1]}; CPU"
    )
    for peer, x in found.items():
        gap = max(loss(pairs, x) / ours.lower_bound - 1, 0.0)
        yield Row(
            work, problem, peer, median(turns[peer]), f"{gap:.0e}", f"{solvers[peer][1]}; CPU"
        )


def rows() -> Iterator[Row]:
    if has_paper():
        yield from against_peers("codeforces")
    yield from hard_graph(1000)
    yield from growth(2, SIZES)
