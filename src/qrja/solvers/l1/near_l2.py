"""Where the l1 simplex begins: near the l2 optimum.

A few dozen steps of conjugate gradients with a Jacobi preconditioner come close enough: the
simplex then needs half as many pivots as from a start that takes the contests one by one.

The slope of ``sum over contests of w sum_{i<j} m_i m_j (r_i - r_j)^2 / 2`` in ``r_i = x_v - s_i``
is ``w m_i (M r_i - sum_j m_j r_j)`` with ``M = sum_j m_j``: no pairs are written out.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, sum_by
from qrja.laplacian import Operator, conjugate_gradients, jacobi
from qrja.row_matrices import by_rows
from qrja.solvers.l1.grid import Integers

STEPS, ENOUGH = 40, 1e-2
LIMIT = 2.0**58
"""Nodes begin within a quarter of the range of scores."""


def near_l2(
    node: Index, contest: Index, score: Integers, count: Integers, weight: Integers
) -> Integers:
    """Return scores of the nodes of contests near the l2 optimum.

    Parameters
    ----------
    node, contest, score, count : array
        One per entry: its node and contest, score and multiplicity.
    weight : array
        What a pair weighs, one per contest.

    Examples
    --------
    >>> two = np.array([0, 1])
    >>> x = near_l2(two, np.array([0, 0]), np.array([500, 200]), np.array([1, 1]), np.array([1]))
    >>> int(x[0] - x[1])
    300
    """
    n, contests = int(node.max(initial=-1)) + 1, len(weight)
    times = count.astype(np.float64)
    total = sum_by(contest, times, contests)
    mass = weight[contest] * times

    def slope(values: Floats) -> Floats:
        mean = sum_by(contest, times * values, contests) / np.maximum(total, 1)
        return sum_by(node, mass * total[contest] * (values - mean[contest]), n)

    diagonal = sum_by(node, mass * (total[contest] - times), n)
    x = approach(lambda x: slope(x[node]), slope(score.astype(np.float64)), diagonal)
    return on_grid(x)


def near_l2_of_pairs(first: Index, node: Index, weight: Floats, margin: Floats) -> Integers:
    """Return scores near the l2 optimum of judgments.

    Parameters
    ----------
    first, node, weight, margin : array
        Node v is to be above ``node[k]`` by ``margin[k]``, with some weight, for k in
        ``first[v]:first[v + 1]``.
    """
    n = len(first) - 1
    graph = by_rows(weight, node, first, n)
    degree: Floats = np.asarray(graph.sum(axis=1))
    pull = np.add.reduceat(np.append(weight * margin, 0.0), first[:-1])
    pull[np.diff(first) == 0] = 0.0
    return on_grid(approach(lambda x: degree * x - graph @ x, pull, degree))


def approach(product: Operator, b: Floats, degree: Floats) -> Floats:
    """Solve ``product(x) = b`` roughly."""
    x, _, _ = conjugate_gradients(product, b, jacobi(degree), tol=ENOUGH, limit=STEPS)
    return x


def on_grid(x: Floats) -> Integers:
    """Round scores, keeping them well within the range of the kernels."""
    return np.rint(np.clip(x, -LIMIT, LIMIT)).astype(np.int64)
