"""Preconditioners for Laplacians: each maps a residual to an approximate solution.

The sparse Laplacian may have more nodes than the problem has candidates (one per contest, see
:mod:`qrja.laplacian.operator`); its inverse restricted to the candidates is the inverse wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Floats, Index, centre
from qrja.errors import MissingExtraError
from qrja.laplacian.cg import Operator
from qrja.laplacian.operator import Quadratic, joint_laplacian
from qrja.row_matrices import Matrix

FACTOR_NODES = 100_000
"""Largest graph that is factorised."""
FEW_NEIGHBOURS = 9
"""Numbers in a row of the Laplacian on average: a grid has 5, with its diagonals 9."""
SWEEPS: dict[str, Any] = {
    "presmoother": ("gauss_seidel", {"sweep": "forward"}),
    "postsmoother": ("gauss_seidel", {"sweep": "backward"}),
}
"""A sweep there and one back, at half the cost of both each time."""
EXACT = 1e-12
"""What rounding leaves where interpolation is exact, of what is interpolated."""

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def jacobi(degree: Floats) -> Operator:
    """Divide by the degree; without one there is nothing to solve for, and the answer is 0.

    Examples
    --------
    >>> jacobi(np.array([4.0, 0.0]))(np.array([1.0, 1.0]))
    array([0.25, 0.  ])
    """
    inverse = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
    return lambda r: inverse * r


def factor(laplacian: csr_array, label: Index) -> Operator:
    """Factorise the Laplacian with one node of each component held at 0.

    ``label`` is the component of each candidate, the first nodes.
    """
    # Not at the top: these take a while to load, and few graphs need them.
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import splu

    _, parts = connected_components(laplacian, directed=False)
    _, ground = np.unique(parts, return_index=True)
    keep = np.ones(len(parts), dtype=bool)
    keep[ground] = False
    inside = np.flatnonzero(keep)
    lu = splu(
        laplacian[inside][:, inside].tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        options={"SymmetricMode": True},
    )

    def apply(r: Floats) -> Floats:
        full = np.zeros(len(parts))
        full[: len(label)] = r
        full[inside] = lu.solve(full[inside])
        full[ground] = 0.0
        return centre(full[: len(label)], label)

    return apply


def factor_of_meetings(entrants: Matrix, weight: Floats, label: Index) -> Operator | None:
    """Factorise the Laplacian of contests whose entrants meet again and again; None if they do not.

    See :func:`qrja.laplacian.operator.joint_laplacian`.
    """
    if entrants.shape[1] > FACTOR_NODES:
        return None
    joint = joint_laplacian(entrants, weight)
    return None if joint is None else factor(joint, label)


def multigrid(laplacian: csr_array, q: Quadratic) -> Operator:
    """Run one V-cycle of algebraic multigrid (package pyamg, extra ``amg``).

    Ruge and Stueben's where nodes have few neighbours, which is the quickest on grids; smoothed
    aggregation otherwise, whose coarse graphs stay sparse. Interpolating from direct neighbours
    only takes a third off building, and costs no step on grids.
    """
    try:
        from pyamg import ruge_stuben_solver, smoothed_aggregation_solver
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtraError.of("pyamg", "amg", "grid-like graphs of this size") from None
    matrix = csr_matrix(laplacian)
    if matrix.nnz <= FEW_NEIGHBOURS * matrix.shape[0]:
        hierarchy = ruge_stuben_solver(matrix, interpolation="direct", max_coarse=500, **SWEEPS)
    else:
        # Rows bound the largest eigenvalue; an estimate of it would take most of the time.
        smooth = ("jacobi", {"weighting": "local"})
        hierarchy = smoothed_aggregation_solver(matrix, max_coarse=500, smooth=smooth, **SWEEPS)

    cycle = VCycle(hierarchy)

    def apply(r: Floats) -> Floats:
        full = r
        if q.n < laplacian.shape[0]:
            full = np.zeros(laplacian.shape[0])
            full[: q.n] = r
        return centre(cycle.run(full)[: q.n], q.label)

    return apply


class VCycle:
    """One V-cycle by the levels that the package pyamg built, as an approximate inverse.

    On each level: smooth from 0, correct from the coarser graph, smooth the other way round, so
    that the cycle is symmetric. Conjugate gradients see what is left; nothing measures it here.

    Nodes F that no edge joins need no smoothing where the others, C, interpolate them exactly, with
    ``P = -A_FF^-1 A_FC``: then ``P^T A P`` is what is left of A once F is eliminated, and

        A^-1  =  P (P^T A P)^-1 P^T  +  A_FF^-1

    with ``A_FF`` a diagonal. On grids of squares or cubes whose weights are alike that is every
    second node of the finest level, whose sweeps would take half of the time.
    """

    def __init__(self, hierarchy: Any) -> None:
        *self._levels, self._coarsest = hierarchy.levels
        self._solve = hierarchy.coarse_solver
        self._eliminated = [_eliminates(level) for level in self._levels]

    def run(self, r: Floats, depth: int = 0) -> Floats:
        """Return what the cycle makes of a residual, on a level."""
        if depth == len(self._levels):
            return np.asarray(self._solve(self._coarsest.A, r))
        level, eliminated = self._levels[depth], self._eliminated[depth]
        if eliminated is not None:
            x = np.asarray(level.P @ self.run(level.R @ r, depth + 1))
            x += eliminated * r
            return x
        x = np.zeros_like(r)
        level.presmoother(level.A, x, r)
        x += level.P @ self.run(level.R @ (r - level.A @ x), depth + 1)
        level.postsmoother(level.A, x, r)
        return x


def _eliminates(level: Any) -> Floats | None:
    """Return ``A_FF^-1``, 0 for C, where interpolation eliminates F; else None.

    That the rows F of ``A P`` are 0 is seen from a product with numbers drawn at random, and that
    no edge joins them, as their rows hold a diagonal and otherwise edges to C only, from another.
    """
    splitting = getattr(level, "splitting", None)
    if splitting is None:
        return None
    fine = np.asarray(splitting) == 0
    diagonal = level.A.diagonal()
    if not (diagonal[fine] > 0).all():
        return None
    rng = np.random.default_rng(0)
    off = (level.A @ (level.P @ rng.uniform(1.0, 2.0, level.P.shape[1])))[fine]
    inside = np.where(fine, rng.uniform(1.0, 2.0, len(fine)), 0.0)
    joined = (level.A @ inside)[fine] - diagonal[fine] * inside[fine]
    if (np.abs(off) > EXACT * diagonal[fine]).any() or joined.any():
        return None
    return np.asarray(np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=fine))
