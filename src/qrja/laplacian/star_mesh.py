"""Star-mesh: a small Laplacian eliminated without losing a digit of weights however far apart.

Taking node v out of a graph joins its neighbours to each other and shares out what enters it:

    w_ij += w_iv w_vj / d_v,      b_j += b_v w_vj / d_v,      d_v = sum_j w_vj

Weights are only added, multiplied and divided: no digit of them is ever lost, where a factorisation
that subtracts has none left once weights differ by 1e16. The b of nodes that are held together by
heavy edges nearly cancel; so they are kept with what they lost to rounding, and the heaviest
neighbour is given exactly what the others leave.

References
----------
W. K. Grassmann, M. I. Taksar and D. P. Heyman, Regenerative analysis and steady state distributions
for Markov chains, Operations Research 33 (1985).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Floats, Offsets
from qrja.laplacian.cg import Operator
from qrja.laplacian.compensated import two_sum

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_NODES = 150
"""Nodes up to which all pairs of them are kept: that takes some milliseconds."""


class StarMesh:
    """The Laplacian of a small graph, eliminated; solves ``L x = b`` again and again.

    Parameters
    ----------
    weight : array
        The weights of all pairs of nodes, symmetric; the diagonal is not read.

    Examples
    --------
    >>> weight = np.array([[0, 1e-20, 0], [1e-20, 0, 1e20], [0, 1e20, 0]])
    >>> x = StarMesh(weight).solve(np.array([1.0, 0.0, -1.0]))
    >>> x[0] - x[1]
    np.float64(1e+20)
    """

    def __init__(self, weight: Floats) -> None:
        weight = weight.copy()
        np.fill_diagonal(weight, 0.0)
        self.n = len(weight)
        self.rows: list[tuple[int, Offsets, Floats, float]] = []
        left = np.arange(self.n)
        while len(left):
            v = int(left[np.argmin(np.count_nonzero(weight[left], axis=1))])
            left = left[left != v]
            near = np.flatnonzero(weight[v])
            row = weight[v, near]
            self.rows.append((v, near, row, float(row.sum())))
            if len(near):
                # The square of a weight may not fit a float; that of its root does.
                root = row / np.sqrt(row.sum())
                weight[np.ix_(near, near)] += np.outer(root, root)
                weight[near, near] = weight[near, v] = weight[v, near] = 0.0

    def solve(self, b: Floats) -> Floats:
        """Return x with ``L x = b``, 0 at one node of each component; b sums to 0 in each."""
        value, lost = b.astype(np.float64), np.zeros(self.n)
        for v, near, row, degree in self.rows:
            if len(near):
                share = (value[v] + lost[v]) * (row / degree)
                most = int(np.argmax(row))
                others = np.delete(share, most)
                rest, slip = _total(np.concatenate([[value[v], lost[v]], -others]))
                share[most] = rest
                value[near], added = two_sum(value[near], share)
                lost[near] += added
                lost[near[most]] += slip
        x = np.zeros(self.n)
        for v, near, row, degree in reversed(self.rows):
            if len(near):
                x[v] = float(row @ x[near] + (value[v] + lost[v])) / degree
        return x


def _total(values: Floats) -> tuple[float, float]:
    """Return a sum and what it lost to rounding."""
    parts = values.tolist()
    total = math.fsum(parts)
    return total, math.fsum([*parts, -total])


def eliminate(laplacian: csr_array, n: int) -> Operator:
    """Return the inverse of a Laplacian on its first n nodes, up to a constant per component.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> path = csr_array(np.array([[1.0, -1, 0], [-1, 3, -2], [0, -2, 2]]))
    >>> x = eliminate(path, 3)(np.array([1.0, 0.0, -1.0]))
    >>> x - x[2]
    array([1.5, 0.5, 0. ])
    """
    inverse = StarMesh(-laplacian.toarray())

    def apply(r: Floats) -> Floats:
        full = np.zeros(inverse.n)
        full[:n] = r
        return inverse.solve(full)[:n]

    return apply
