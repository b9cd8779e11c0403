"""Laplacian: solving ``L v = g`` on the comparison graph, and nowhere else.

Reading order: :mod:`operator` (products with L in time proportional to the input), :mod:`cg` (the
one loop), :mod:`preconditioners`, :mod:`solver` (L v = g for one problem, however hard its graph),
:mod:`weightings` (many weightings of the same contests at once), :mod:`network` (the problem as
arcs, cut into blocks), :mod:`reweighted` (many weightings of a block, one after the other).
"""

from qrja.laplacian.cg import ByColumn, Operator, conjugate_gradients
from qrja.laplacian.operator import laplacian_matrix
from qrja.laplacian.preconditioners import jacobi
from qrja.laplacian.solver import ROUNDS, LaplacianSolver
from qrja.laplacian.weightings import Weightings

__all__ = [
    "ROUNDS",
    "ByColumn",
    "LaplacianSolver",
    "Operator",
    "Weightings",
    "conjugate_gradients",
    "jacobi",
    "laplacian_matrix",
]
