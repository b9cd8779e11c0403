"""Laplacian: solving ``L v = g`` on the comparison graph, and nowhere else.

Reading order: :mod:`operator` (products with L in time proportional to the input) and
:mod:`routing` (the trees of its proof), :mod:`cg` (the one loop), :mod:`preconditioners`,
:mod:`star_mesh` (small graphs, however far apart their weights are), :mod:`solver` (L v = g for one
problem, however hard its graph), :mod:`weightings` (many weightings of the same contests at once),
:mod:`growing` (pairs that come one by one), :mod:`resistances` (the inverse, pair by pair) by
:mod:`elimination`, :mod:`factored` (once, for many columns and its determinant),
:mod:`bordered` (with unknowns besides the candidates), :mod:`compensated` (sums without loss);
then, with a door of its own because it is compiled,
:mod:`network` (weights that change from one system to the next).
"""

from qrja.laplacian.bordered import DENSE, BorderedLaplacian
from qrja.laplacian.cg import ByColumn, Operator, Systems, by_component, conjugate_gradients
from qrja.laplacian.compensated import exact_residuals, sum_exactly, two_sum
from qrja.laplacian.factored import FactoredLaplacian
from qrja.laplacian.growing import GrowingSquares
from qrja.laplacian.operator import Quadratic, TreeEdges, laplacian_matrix
from qrja.laplacian.preconditioners import factor_of_meetings, jacobi
from qrja.laplacian.resistances import CandidateResistances, resistances_of
from qrja.laplacian.routing import Neighbours, is_uneven, path_sums, search_tree, subtree_sums
from qrja.laplacian.solver import ROUNDS, LaplacianSolver
from qrja.laplacian.weightings import NOT_DRAWN, Weightings

__all__ = [
    "DENSE",
    "NOT_DRAWN",
    "ROUNDS",
    "BorderedLaplacian",
    "ByColumn",
    "CandidateResistances",
    "FactoredLaplacian",
    "GrowingSquares",
    "LaplacianSolver",
    "Neighbours",
    "Operator",
    "Quadratic",
    "Systems",
    "TreeEdges",
    "Weightings",
    "by_component",
    "conjugate_gradients",
    "exact_residuals",
    "factor_of_meetings",
    "is_uneven",
    "jacobi",
    "laplacian_matrix",
    "path_sums",
    "resistances_of",
    "search_tree",
    "subtree_sums",
    "sum_exactly",
    "two_sum",
]
