"""p = 1 on judgments between pairs, written out.

Reading order: :mod:`twins` (candidates who are one node), :mod:`pair_simplex` (the arrays, and what
the kernels do to them), :mod:`pairs` (from judgments to a solution).
"""

from qrja.solvers.l1.pairwise.pairs import IntegerPairs, solve_judgments

__all__ = ["IntegerPairs", "solve_judgments"]
