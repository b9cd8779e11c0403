"""Laplacian systems ``A^T D A dx = rhs`` with one weight D per arc, many times on one graph.

Parallel arcs are added up into pairs once. The first systems are solved by conjugate gradients
with the diagonal as preconditioner, which takes 10 to 60 steps on graphs of contests. Once that
takes longer, as it does when the weights of a Newton step span many orders of magnitude or the
graph is sparse, an approximate Cholesky factor takes its place
(:mod:`qrja.laplacian.kernels.cholesky`).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from qrja.data import Floats
from qrja.laplacian.kernels import cholesky
from qrja.laplacian.kernels import graph as kernels
from qrja.laplacian.network import Block

PATIENCE = 80
"""Steps with the diagonal before a factor is made, which costs about as much."""
LIMIT = 300
"""Steps with a factor; it needs 20 to 40 unless rounding stops it first."""
SEED = 20240229
"""Of the draws in the factor; any number would do, a fixed one makes results repeat."""
NO_FACTOR = cholesky.Factor(
    np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0), np.zeros(0)
)


class Laplacian:
    """The Laplacian of a block for weights yet to come.

    Examples
    --------
    >>> from qrja.laplacian.network import build_network
    >>> a, b = np.array([0, 1], dtype=np.int32), np.array([1, 2], dtype=np.int32)
    >>> arcs = (a, b, np.array([3.0, 4.0]), np.ones(2))
    >>> label = np.zeros(3, dtype=np.int32)
    >>> network = build_network(arcs, 0.0, np.zeros(3), np.ones(3, dtype=bool), label)
    >>> (block,) = network.blocks()
    >>> x = Laplacian(block).solve(block.w, block.imbalance(block.y), 1e-12)
    >>> np.round(x[0] - x[2], 9)
    np.float64(7.0)
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.pair, self.low, self.high = kernels.group_pairs(block.n, block.a, block.b)
        self.hard = False

    @cached_property
    def rows(self) -> kernels.Rows:
        """The pairs of every node."""
        return kernels.adjacency(self.block.n, self.low, self.high)

    def conductance(self, weight: Floats) -> Floats:
        """Add up the weights of the arcs of each pair."""
        return np.asarray(kernels.add_up(self.pair, weight, len(self.low)))

    def solve(self, weight: Floats, rhs: Floats, tol: float) -> Floats:
        """Solve to a residual ``tol`` times the right-hand side, in the preconditioner's norm."""
        conductance = self.conductance(weight)
        value, diagonal = kernels.lay_weights(self.rows, conductance)
        system = (self.rows, value, diagonal)
        if not self.hard:
            x, _, done = kernels.conjugate_gradients(
                *system, NO_FACTOR, self.block.start, rhs, tol, PATIENCE
            )
            if done:
                return np.asarray(x)
            self.hard = True
        factor = cholesky.factorise(self.block.n, self.low, self.high, conductance, SEED)
        x, _, _ = kernels.conjugate_gradients(*system, factor, self.block.start, rhs, tol, LIMIT)
        return np.asarray(x)
