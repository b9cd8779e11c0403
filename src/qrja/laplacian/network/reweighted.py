"""Laplacian systems ``A^T D A dx = rhs`` with one weight D per arc, many times on one graph.

Parallel arcs are added up into pairs once. Systems of a few nodes are eliminated
(:mod:`qrja.laplacian.network.kernels.small_mesh`). The first ones of a larger graph are solved by
conjugate gradients with the diagonal as preconditioner, which takes 10 to 60 steps on graphs of
contests. Once that takes longer, as it does when the weights of a Newton step span many orders of
magnitude or the graph is sparse, an approximate Cholesky factor takes its place
(:mod:`qrja.laplacian.network.kernels.cholesky`); up to some nodes the graph is eliminated
(:mod:`qrja.laplacian.star_mesh`).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from qrja.data import Floats, Offsets, distinct_pairs, sum_by
from qrja.laplacian.cg import Operator, Systems, by_component, conjugate_gradients
from qrja.laplacian.network.blocks import Block
from qrja.laplacian.network.kernels import cholesky, small_mesh
from qrja.laplacian.network.kernels import rows as kernels
from qrja.laplacian.preconditioners import jacobi
from qrja.laplacian.star_mesh import MOST_NODES, StarMesh

PATIENCE = 80
"""Steps with the diagonal before a factor is made, which costs about as much."""
LIMIT = 300
"""Steps with a factor; it needs 20 to 40 unless rounding stops it first."""
FEW_NODES = 40
"""Nodes up to which elimination is as quick as ten steps."""
SEED = 20240229
"""Of the draws in the factor; any number would do, a fixed one makes results repeat."""


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
        self.block, self.hard = block, False
        self.pairs = distinct_pairs(block.n, block.a, block.b)

    @cached_property
    def _rows(self) -> kernels.Rows:
        """The pairs of every node."""
        return kernels.adjacency(self.block.n, self.pairs.low, self.pairs.high)

    @cached_property
    def _systems(self) -> Systems:
        """The components of the nodes."""
        return by_component(self.block.spread(np.arange(self.block.groups.count)))

    def conductance(self, weight: Floats) -> Floats:
        """Add up the weights of the arcs of each pair."""
        return sum_by(self.pairs.of, weight, len(self.pairs.low))

    def solve(self, weight: Floats, rhs: Floats, tol: float) -> Floats:
        """Solve to a residual ``tol`` times the right-hand side, in the preconditioner's norm.

        The right-hand side of a component sums to 0 but for rounding, which its heaviest node
        takes upon itself; x is 0 there.
        """
        conductance = self.conductance(weight)
        value, diagonal = kernels.lay_weights(self._rows, conductance)
        heaviest = self._heaviest_nodes(diagonal)
        rhs = rhs.copy()
        rhs[heaviest] -= np.add.reduceat(rhs, self.block.start[:-1])
        if self.block.n <= FEW_NODES:
            x = self._eliminate_few(conductance, rhs)
            return x - self.block.spread(x[heaviest])
        if not self.hard:
            x, done = self._run(value, rhs, jacobi(diagonal), tol, PATIENCE)
            self.hard = not done
        if self.hard and self.block.n <= MOST_NODES:
            x = self._eliminate(conductance).solve(rhs)
        elif self.hard:
            x, _ = self._run(value, rhs, self._factor(conductance), tol, LIMIT)
        return x - self.block.spread(x[heaviest])

    def _run(
        self, value: Floats, rhs: Floats, precondition: Operator, tol: float, limit: int
    ) -> tuple[Floats, bool]:
        def product(d: Floats) -> Floats:
            out = np.empty_like(d)
            kernels.multiply(self._rows, value, d, out)
            return out

        # Weights of the last steps may be so far apart that numbers overflow: then the loop ends.
        with np.errstate(over="ignore", invalid="ignore"):
            x, _, done = conjugate_gradients(
                product, rhs, precondition, tol=tol, limit=limit, systems=self._systems
            )
        return x, done

    def _eliminate_few(self, conductance: Floats, rhs: Floats) -> Floats:
        n = self.block.n
        x, work, order = np.empty(n), np.empty((n + 4, n)), np.empty(n, dtype=np.int32)
        low, high = self.pairs.low, self.pairs.high
        small_mesh.solve_mesh(low, high, conductance, rhs, work, order, x)
        return x

    def _eliminate(self, conductance: Floats) -> StarMesh:
        weight = np.zeros((self.block.n, self.block.n))
        weight[self.pairs.low, self.pairs.high] = conductance
        return StarMesh(weight + weight.T)

    def _factor(self, conductance: Floats) -> Operator:
        low, high = self.pairs.low, self.pairs.high
        factor = cholesky.factorise(self.block.n, low, high, conductance, SEED)

        def apply(r: Floats) -> Floats:
            out = np.empty_like(r)
            cholesky.apply_factor(factor, r, out)
            return out

        return apply

    def _heaviest_nodes(self, diagonal: Floats) -> Offsets:
        """Return the first of the heaviest nodes of each component."""
        start = self.block.start
        most = np.maximum.reduceat(diagonal, start[:-1])
        at = np.flatnonzero(~(diagonal < self.block.spread(most)))
        return at[np.searchsorted(at, start[:-1])]
