"""Preconditioners for Laplacians: each maps a residual to an approximate solution.

The sparse Laplacian may have more nodes than the problem has candidates (one per contest, see
:mod:`qrja.laplacian.operator`); its inverse restricted to the candidates is the inverse wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    aggregation otherwise, whose coarse graphs stay sparse.
    """
    try:
        from pyamg import ruge_stuben_solver, smoothed_aggregation_solver
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtraError.of("pyamg", "amg", "grid-like graphs of this size") from None
    matrix = csr_matrix(laplacian)
    if matrix.nnz <= FEW_NEIGHBOURS * matrix.shape[0]:
        hierarchy = ruge_stuben_solver(matrix, max_coarse=500)
    else:
        # Rows bound the largest eigenvalue; an estimate of it would take most of the time.
        smooth = ("jacobi", {"weighting": "local"})
        hierarchy = smoothed_aggregation_solver(matrix, max_coarse=500, smooth=smooth)
    cycle = hierarchy.aspreconditioner(cycle="V")

    def apply(r: Floats) -> Floats:
        full = np.zeros(laplacian.shape[0])
        full[: q.n] = r
        return centre(np.asarray(cycle @ full)[: q.n], q.label)

    return apply
