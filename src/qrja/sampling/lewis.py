"""Lewis weights: how much each judgment matters to the l_p loss, 1 <= p <= 2.

With rows ``a_i = w_i^(1/p) (e_a - e_b, -y_i)`` of a matrix A, the Lewis weights are the s with

    a_i (A^T S^(1 - 2/p) A)^-1 a_i^T  =  s_i^(2/p).

They add up to the rank of A, at most n, and s_i is large where nothing else says what judgment i
says: a bridge between two groups has weight 1. In words of graphs, with ``D = w^(2/p) s^(1 - 2/p)``
as weights of the edges,

    s_i  =  w_i (R_i + r_i^2 / sum_j D_j r_j^2)^(p/2)

where R_i is the effective resistance between a_i and b_i and r the residuals of least squares with
weights D. Cohen and Peng repeat this formula, beginning with s = 1: each round takes the error of
log s times 1 - p/2.

The resistance is a squared distance, ``R_i = |z_a - z_b|^2``, of points that the triangular factor
of the Laplacian gives exactly or, for more than ``DENSE`` candidates, random signs on the judgments
give up to some thirty per cent: one solution of a Laplacian system per coordinate, by conjugate
gradients. That is all that sampling needs.

References
----------
M. B. Cohen and R. Peng, l_p row sampling by Lewis weights, 2015.
D. A. Spielman and N. Srivastava, Graph sparsification by effective resistances, 2008.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from qrja.data import Contests, Floats, Judgments, Problem, as_float, sum_by, whole_number
from qrja.errors import InputError
from qrja.laplacian import ByColumn, conjugate_gradients, jacobi, laplacian_matrix

DENSE = 300
"""Candidates up to which resistances are exact."""
SIGNS = 32
"""Coordinates of a point where they are not."""
EXACT, ROUGH = 1e-13, 2e-2
"""Part of the first error of log s that is left, with exact and with rough resistances."""
SOLVED, STEPS = 1e-3, 1000
"""Relative residual at which conjugate gradients end, and their largest number of steps."""
AGREE = 1e-11
"""Part of the margins below which residuals are rounding: the judgments agree."""


@dataclass(frozen=True)
class Points:
    """A point and a score x per candidate, and the weighted size of the residuals of x.

    Each row of z is one coordinate of all points: gathering from it stays within the cache.
    """

    z: Floats
    x: Floats
    size: float

    def squared_lengths(self, problem: Judgments) -> Floats:
        """Return ``R_i + r_i^2 / sum_j D_j r_j^2`` of each judgment."""
        r = problem.y - self.x[problem.a] + self.x[problem.b]
        total = (r / self.size) ** 2
        for row in self.z:
            total += (row[problem.a] - row[problem.b]) ** 2
        return np.asarray(np.maximum(total, np.finfo(float).tiny))


def lewis_weights(problem: Problem, p: float = 1.0, *, seed: int = 0) -> Floats:
    """Return the Lewis weight of each judgment; those of contests are written out.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    p : float
        The power of the loss, from 1 to 2.
    seed : int
        Of the random signs, for more than 300 candidates.

    Returns
    -------
    array of float
        One weight per judgment, in the order of ``to_judgments()`` for contests.

    Examples
    --------
    A bridge counts 1, whatever its weight; the sides of a triangle share what is left.

    >>> j = Judgments.from_arrays("abcc", "bcad", [1, 1, -2, 5], [1, 1, 1, 0.001])
    >>> lewis_weights(j, p=2).round(6)
    array([0.666667, 0.666667, 0.666667, 1.      ])
    """
    if not isinstance(problem, Contests | Judgments):
        raise InputError(f"problem is a {type(problem).__name__}; give Contests or Judgments")
    whole_number(seed, "seed", 0)
    judgments = problem.to_judgments()
    points = lewis_points(judgments, p, seed)
    return np.asarray(judgments.w * points.squared_lengths(judgments) ** (p / 2))


def lewis_points(problem: Judgments, p: float, seed: int) -> Points:
    """Repeat the formula of Cohen and Peng until the weights are steady."""
    if not 1 <= as_float(p) <= 2:
        raise InputError(f"p is {p!r}; Lewis weights are for p from 1 to 2")
    rng, exact = np.random.default_rng(seed), problem.n <= DENSE
    # Each round takes the error of log s, some tens at first, times 1 - p/2.
    goal = EXACT if exact else ROUGH
    rounds = 1 if p == 2 else math.ceil(math.log(goal) / math.log(1 - p / 2))
    log_w, log_s = np.log(problem.w), np.zeros(problem.m)
    for _ in range(rounds):
        points = _points(problem, log_w * 2 / p + log_s * (1 - 2 / p), exact, rng)
        log_s = log_w + p / 2 * np.log(points.squared_lengths(problem))
    return points


def _points(problem: Judgments, log_d: Floats, exact: bool, rng: np.random.Generator) -> Points:
    """Return points and least squares for edge weights D, given by their logarithms."""
    label, count = problem.components, int(problem.components.max(initial=-1)) + 1
    scale = np.full(count, -np.inf)
    np.maximum.at(scale, label[problem.a], log_d)
    scale[np.isneginf(scale)] = 0.0
    # Each component by its own scale, so that none is lost beside another.
    d = np.maximum(np.exp(log_d - scale[label[problem.a]]), np.finfo(float).tiny)
    z, x = _elimination_points(problem, d) if exact else _random_points(problem, d, rng)
    r = problem.y - x[problem.a] + x[problem.b]
    # The largest D of all is taken out of both sums, lest they overflow.
    top = log_d.max(initial=0.0)
    squares, margins = (float(np.exp(log_d - top) @ v**2) for v in (r, problem.y))
    size = np.sqrt(squares) * np.exp(top / 2) if squares > AGREE**2 * margins else np.inf
    return Points(z * np.exp(-scale / 2)[label], x, float(size))


def _elimination_points(problem: Judgments, d: Floats) -> tuple[Floats, Floats]:
    """Return ``D^(-1/2) F^-1`` of the factors ``F D F^T`` of the Laplacian.

    Eliminating candidates from the graph, each leaving its edges' products to its neighbours, adds
    but never subtracts: the factors keep their digits however different the weights are. The last
    candidate of a component has no edge left and stays at 0.
    """
    n = problem.n
    edges = -laplacian_matrix(n, problem.a, problem.b, d).toarray()
    factor, pivot = np.eye(n), np.zeros(n)
    for k in range(n):
        later = edges[k, k + 1 :]
        pivot[k] = later.sum()
        if pivot[k] > 0:
            factor[k + 1 :, k] = -later / pivot[k]
            edges[k + 1 :, k + 1 :] += np.outer(later / pivot[k], later)
    kept = pivot > 0
    z = solve_triangular(factor, np.eye(n), lower=True, unit_diagonal=True)[kept]
    z /= np.sqrt(pivot[kept])[:, None]
    return z, np.asarray((z @ _divergence(problem, d * problem.y)) @ z)


def _random_points(
    problem: Judgments, d: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return ``L^+ A^T D^(1/2) q`` for vectors q of random signs, and ``L^+ A^T D y``."""
    root = np.sqrt(d / SIGNS)
    right = np.empty((problem.n, SIGNS + 1))
    for j in range(SIGNS):
        right[:, j] = _divergence(problem, root * rng.choice([-1.0, 1.0], problem.m))
    right[:, SIGNS] = _divergence(problem, d * problem.y)
    laplacian = laplacian_matrix(problem.n, problem.a, problem.b, d)
    precondition = jacobi(laplacian.diagonal()[:, None])
    solved, _, _ = conjugate_gradients(
        lambda x: laplacian @ x, right, precondition, tol=SOLVED, limit=STEPS, systems=ByColumn()
    )
    return np.ascontiguousarray(solved.T[:SIGNS]), solved[:, SIGNS]


def _divergence(problem: Judgments, flow: Floats) -> Floats:
    """Return ``A^T f``."""
    return sum_by(problem.a, flow, problem.n) - sum_by(problem.b, flow, problem.n)
