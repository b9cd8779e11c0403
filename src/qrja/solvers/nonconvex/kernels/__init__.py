"""Compiled inner loops, imported by the room around them where they are needed.

Importing them makes known what of them has a form in arrays.
"""

from qrja.solvers.nonconvex.kernels import few_trees

__all__ = ["few_trees"]
