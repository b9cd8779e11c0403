"""Entries of several parts: contestants and members, their scores added.

    minimise over x, u, beta:  sum_i w_i f(x_a - x_b + u_a - u_b + z_i . beta - y_i)
                               + sum over parts of  pull |u|^2

It is no problem on a graph: an entry has several unknowns. Reading order: :mod:`composition` (the
unknowns in one vector), :mod:`variances` (how hard each part is pulled, by likelihood) on what
:mod:`seen_through` leaves of members, :mod:`composed_squares` (p = 2, no pair written out),
:mod:`composed_newton` (other losses), :mod:`with_parts` (the choice).
"""

from qrja.solvers.composed.composition import Composition
from qrja.solvers.composed.variances import LearnedParts, learn_parts
from qrja.solvers.composed.with_parts import solve_with_parts

__all__ = ["Composition", "LearnedParts", "learn_parts", "solve_with_parts"]
