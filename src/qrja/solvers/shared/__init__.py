"""Shared terms: ratings and what all have in common, found together, with proof.

    minimise over x, beta:  sum_i w_i f(y_i - (x_a - x_b) - z_i . beta)  +  sum ridge beta^2

Reading order: :mod:`explained` (what of the columns the ratings explain), :mod:`shared_squares`
(p = 2) and :mod:`joint_squares` (the same in one run, for large problems), then for other losses
:mod:`inner_problem` (what is left to solve for a given beta),
:mod:`smooth_terms` (losses without kinks) and :mod:`cutting_planes` (lines and the largest error,
with :mod:`ridge_tangents`);
:mod:`with_terms` chooses among them.
"""

from qrja.solvers.shared.explained import explain_columns, keep_told_apart
from qrja.solvers.shared.with_terms import solve_with_terms

__all__ = ["explain_columns", "keep_told_apart", "solve_with_terms"]
